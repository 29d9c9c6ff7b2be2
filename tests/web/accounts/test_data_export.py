"""Data export and account deletion."""

import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, Permission
from django.contrib.sessions.models import Session
from django.db import models
from django.test import Client
from django.utils import timezone

from antipodes.errors import MatchError
from antipodes.match import Play
from antipodes.web.accounts import account_deletion
from antipodes.web.accounts.account_deletion import delete_account
from antipodes.web.accounts.data_export import export_data
from antipodes.web.accounts.models import ProfileRow, User
from antipodes.web.accounts.services import computer, user_foreign_keys
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.models import ChatLine, MatchRow, SeatRow, ViewerStateRow
from antipodes.web.matches.services import carry_out
from antipodes.web.platform.clock import now
from antipodes.web.relations import services as relations

pytestmark = pytest.mark.django_db

PASSWORD = "a quiet heron"


@pytest.fixture
def account(db):
    return User.objects.create_user("heron", "heron@example.org", PASSWORD)


@pytest.fixture
def signed_in(account):
    """A browser in which the account is signed in and reauthenticated."""
    browser = Client()
    browser.post("/accounts/login/", {"login": "heron", "password": PASSWORD})
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert browser.session["_auth_user_id"] == str(account.pk)
    return browser


def test_an_export_has_all_data_of_the_user(signed_in, account, people, begin):
    row = begin("hex", size=3)
    SeatRow.objects.filter(match=row, number=0).update(user=account)
    carry_out(row.slug, Play(seat=0, ply=0, key="a first move", move=4))
    ChatLine.objects.create(match=row, room="seated", user=account, text="Good luck!", at=now())
    ChatLine.objects.create(match=row, room="seated", user=people[1], text="Thanks", at=now())
    ViewerStateRow.objects.create(match=row, user=account, notes="watch the corner")
    response = signed_in.get("/accounts/data.json")
    assert response.headers["Content-Disposition"] == 'attachment; filename="antipodes-heron.json"'
    assert response.headers["Content-Type"] == "application/json"
    assert "no-store" in response.headers["Cache-Control"]
    data = json.loads(response.getvalue())
    assert list(data)[:4] == ["format", "at", "account", "rows"]
    assert (data["format"], data["account"]["username"]) == ("antipodes-own-data/1", "heron")
    assert data["account"]["email"] == "heron@example.org"
    assert data["rows"]["matches.viewerstaterow"][0]["notes"] == "watch the corner"
    assert [line["text"] for line in data["rows"]["matches.chatline"]] == ["Good luck!"]
    (match,) = data["matches"]
    assert match["moves"] == ["b2"]
    assert row.slug in match["place"]


def test_an_export_has_no_secrets(signed_in, account):
    text = signed_in.get("/accounts/data.json").getvalue().decode()
    assert account.password not in text
    assert signed_in.session.session_key not in text
    for secret in ("password", "digest", "session_key", "p256dh"):
        assert f'"{secret}"' not in text


def test_an_export_has_all_matches_and_no_row_of_others(account, people, begin):
    rows = [begin("hex", size=3) for _ in range(3)]
    SeatRow.objects.filter(match__in=rows, number=0).update(user=account)
    relations.follow(account, people[0])
    relations.follow(people[1], account)
    ProfileRow.objects.create(user=people[2], about="mine")
    text = "".join(export_data(account, lambda path: f"https://play.example{path}"))
    assert text.endswith("}\n")
    data = json.loads(text)
    assert len(data["matches"]) == 3
    assert data["matches"][0]["place"].startswith("https://play.example/m/")
    assert all(data["rows"].values())
    assert "accounts.profilerow" not in data["rows"]
    [followed] = data["rows"]["relations.followrow"]
    assert set(followed) == {"by", "made_at"}


def test_the_file_of_a_guest_has_no_spaces_in_its_name(client):
    client.post("/play/hex/", {"level": "1"})
    name = User.objects.get(is_guest=True).username.replace(" ", "-")
    head = client.get("/accounts/data.json").headers["Content-Disposition"]
    assert head == f'attachment; filename="antipodes-{name}.json"'


def test_every_foreign_key_to_users_has_a_known_on_delete():
    known = {models.CASCADE, models.PROTECT, models.SET_NULL}
    for model, name in user_foreign_keys():
        field = model._meta.get_field(name)
        assert isinstance(field, models.ForeignKey)
        assert field.remote_field.on_delete in known, field


def test_deletion_ends_games_in_progress_and_keeps_finished_ones(account, people, begin):
    finished, running, fresh = (begin("hex", size=3) for _ in range(3))
    SeatRow.objects.filter(number=0).update(user=account)
    carry_out(running.slug, Play(seat=0, ply=0, key="a first move", move=4))
    carry_out(finished.slug, Play(seat=0, ply=0, key="another move", move=4))
    MatchRow.objects.filter(pk=finished.pk).update(
        ended_at=now(), winner="white", reason="resignation"
    )
    ChatLine.objects.create(match=finished, room="seated", user=account, text="mine", at=now())
    ChatLine.objects.create(match=finished, room="seated", user=people[1], text="theirs", at=now())
    ChallengeRow.objects.create(game_id="hex", by=account, made_at=now())
    delete_account(account)
    account.refresh_from_db()
    assert account.username == f"deleted-{account.pk}"
    assert not account.email
    assert not account.is_active
    assert not account.has_usable_password()
    assert SeatRow.objects.filter(user=account).count() == 3
    assert [line.text for line in ChatLine.objects.all()] == ["theirs"]
    assert not ChallengeRow.objects.exists()
    kept, ended = (MatchRow.objects.get(pk=row.pk) for row in (finished, running))
    assert (kept.winner, kept.reason) == ("white", "resignation")
    assert (ended.winner, ended.reason) == ("white", "resignation")
    assert MatchRow.objects.get(pk=fresh.pk).ended_at is not None
    with pytest.raises(MatchError):
        carry_out(running.slug, Play(seat=1, ply=1, key="too late now", move=0))


def test_deletion_needs_the_password_and_the_name(signed_in, account):
    wrong = signed_in.post("/accounts/delete/", {"name": "stork"})
    assert "you typed “stork”" in wrong.content.decode().lower()
    assert User.objects.get(pk=account.pk).is_active
    assert signed_in.post("/accounts/delete/", {"name": "Heron"}).status_code == 302
    assert not User.objects.get(pk=account.pk).is_active
    assert "_auth_user_id" not in signed_in.session


def test_deletion_signs_out_all_browsers(signed_in, account):
    other = Client()
    other.post("/accounts/login/", {"login": "heron", "password": PASSWORD})
    signed_in.post("/accounts/delete/", {"name": "heron"})
    assert other.get("/accounts/").status_code == 302


def test_the_name_of_a_deleted_account_is_free_again(account):
    delete_account(account)
    again = User.objects.create_user("heron", "heron@example.org", PASSWORD)
    assert again.pk != account.pk


def test_the_computer_cannot_be_deleted(db):
    with pytest.raises(ValueError, match="is the computer"):
        delete_account(computer("1"))


def test_expired_guests_are_deleted(begin):
    day = timedelta(days=1)
    ages = {"expired": 400, "played": 200, "idle": 40, "new": 3}
    guests = {
        name: User.objects.create(
            username=f"Guest {name}", is_guest=True, date_joined=timezone.now() - age * day
        )
        for name, age in ages.items()
    }
    for name in ("expired", "played"):
        row = begin("hex", size=3)
        SeatRow.objects.filter(match=row, number=0).update(user=guests[name])
    account_deletion.delete_expired_guests()
    names = set(User.objects.filter(is_guest=True).values_list("username", flat=True))
    assert names == {f"deleted-{guests['expired'].pk}", "Guest played", "Guest new"}
    assert not User.objects.get(pk=guests["expired"].pk).is_active


def test_expired_sessions_are_deleted(signed_in):
    from allauth.usersessions.models import UserSession

    signed_in.get("/accounts/sessions/")
    account_deletion.delete_expired_sessions()
    assert Session.objects.count() == UserSession.objects.count() == 1
    assert signed_in.get("/accounts/").status_code == 200
    Session.objects.update(expire_date=timezone.now() - timedelta(days=1))
    account_deletion.delete_expired_sessions()
    assert not Session.objects.exists()
    assert not UserSession.objects.exists()


def test_what_an_account_owned_is_deleted_and_what_others_share_is_kept(account, people):
    account.groups.add(Group.objects.create(name="testers"))
    account.user_permissions.add(Permission.objects.all()[0])
    User.objects.filter(pk=account.pk).update(is_staff=True, is_superuser=True, first_name="bot")
    account.refresh_from_db()
    relations.follow(people[0], account)
    ProfileRow.objects.create(user=account, about="mine")
    ProfileRow.objects.create(user=people[0], about="theirs")
    delete_account(account)
    account.refresh_from_db()
    assert [row.about for row in ProfileRow.objects.all()] == ["theirs"]
    assert not people[0].follows.exists()
    assert not account.groups.exists()
    assert not account.user_permissions.exists()
    flags = (account.is_active, account.is_staff, account.is_superuser, account.last_login)
    assert flags == (False, False, False, None)
    assert (account.first_name, account.name) == ("", f"deleted-{account.pk}")


def test_data_exports_are_limited(signed_in, monkeypatch):
    monkeypatch.setenv("LIMIT_DATA_EXPORTS", "2/hour")
    responses = [signed_in.get("/accounts/data.json") for _ in range(3)]
    assert [response.status_code for response in responses] == [200, 200, 429]
