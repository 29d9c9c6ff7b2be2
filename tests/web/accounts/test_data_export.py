"""Laws of taking one's data along, and of leaving for good."""

import json
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db import models
from django.test import Client
from django.utils import timezone

from antipodes.errors import MatchError
from antipodes.match import Play
from antipodes.web.accounts import account_deletion
from antipodes.web.accounts.account_deletion import delete_account
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import computer, user_foreign_keys
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.models import ChatLine, MatchRow, SeatRow, ViewerStateRow
from antipodes.web.matches.services import carry_out
from antipodes.web.platform.clock import now

pytestmark = pytest.mark.django_db

PASSWORD = "a quiet heron"


@pytest.fixture
def account(db):
    """Somebody with an account."""
    return User.objects.create_user("heron", "heron@example.org", PASSWORD)


@pytest.fixture
def signed_in(account):
    """Their browser, in which they have just typed the password."""
    browser = Client()
    browser.post("/accounts/login/", {"login": "heron", "password": PASSWORD})
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert browser.session["_auth_user_id"] == str(account.pk)
    return browser


def test_all_that_is_ones_own_is_in_the_file(signed_in, account, people, begin):
    row = begin("hex", size=3)
    SeatRow.objects.filter(match=row, number=0).update(user=account)
    carry_out(row.slug, Play(seat=0, ply=0, key="a first move", move=4))
    ChatLine.objects.create(match=row, room="seated", user=account, text="Good luck!", at=now())
    ChatLine.objects.create(match=row, room="seated", user=people[1], text="Thanks", at=now())
    ViewerStateRow.objects.create(match=row, user=account, notes="watch the corner")
    answer = signed_in.get("/accounts/data.json")
    assert "attachment" in answer.headers["Content-Disposition"]
    data = json.loads(answer.content)
    assert data["account"]["email"] == "heron@example.org"
    assert data["rows"]["matches.viewerstaterow"][0]["notes"] == "watch the corner"
    assert [line["text"] for line in data["rows"]["matches.chatline"]] == ["Good luck!"]
    (match,) = data["matches"]
    assert match["moves"] == ["b2"]
    assert row.slug in match["place"]


def test_no_secret_is_in_the_file(signed_in, account):
    text = signed_in.get("/accounts/data.json").content.decode()
    assert account.password not in text
    assert signed_in.session.session_key not in text
    for secret in ("password", "digest", "session_key", "p256dh"):
        assert f'"{secret}"' not in text


def test_nobody_else_gets_it(client):
    assert client.get("/accounts/data.json").status_code == 302


def test_every_table_says_what_becomes_of_its_rows():
    known = {models.CASCADE, models.PROTECT, models.SET_NULL}
    for model, name in user_foreign_keys():
        field = model._meta.get_field(name)
        assert isinstance(field, models.ForeignKey)
        assert field.remote_field.on_delete in known, field


def test_games_of_whoever_leaves_stay_and_those_that_go_on_end(account, people, begin):
    finished, going_on, fresh = (begin("hex", size=3) for _ in range(3))
    SeatRow.objects.filter(number=0).update(user=account)
    carry_out(going_on.slug, Play(seat=0, ply=0, key="a first move", move=4))
    carry_out(finished.slug, Play(seat=0, ply=0, key="another move", move=4))
    MatchRow.objects.filter(pk=finished.pk).update(ended_at=now(), result="W+Resign")
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
    assert MatchRow.objects.get(pk=finished.pk).result == "W+Resign"
    assert "resign" in MatchRow.objects.get(pk=going_on.pk).result.lower()
    assert MatchRow.objects.get(pk=fresh.pk).ended_at is not None
    with pytest.raises(MatchError):
        carry_out(going_on.slug, Play(seat=1, ply=1, key="too late now", move=0))


def test_leaving_takes_the_password_and_the_name(signed_in, account):
    wrong = signed_in.post("/accounts/farewell/", {"name": "stork"})
    assert "you typed “stork”" in wrong.content.decode().lower()
    assert User.objects.get(pk=account.pk).is_active
    assert signed_in.post("/accounts/farewell/", {"name": "Heron"}).status_code == 302
    assert not User.objects.get(pk=account.pk).is_active
    assert "_auth_user_id" not in signed_in.session


def test_a_browser_that_was_left_open_cannot_delete_an_account(account):
    browser = Client()
    browser.force_login(account)
    answer = browser.post("/accounts/farewell/", {"name": "heron"})
    assert answer.status_code == 302
    assert "reauthenticate" in answer.headers["Location"]
    assert User.objects.get(pk=account.pk).is_active


def test_other_browsers_of_whoever_left_are_signed_out(signed_in, account):
    other = Client()
    other.post("/accounts/login/", {"login": "heron", "password": PASSWORD})
    signed_in.post("/accounts/farewell/", {"name": "heron"})
    assert other.get("/accounts/").status_code == 302


def test_the_name_of_whoever_left_is_free_again(account):
    delete_account(account)
    again = User.objects.create_user("heron", "heron@example.org", PASSWORD)
    assert again.pk != account.pk


def test_the_computer_cannot_leave(db):
    with pytest.raises(ValueError, match="is the computer"):
        delete_account(computer("1"))


def test_a_guest_leaves_by_typing_the_name(client):
    client.post("/play/hex/", {"level": "1"})
    guest = User.objects.get(is_guest=True)
    client.post("/accounts/farewell/", {"name": guest.username})
    guest.refresh_from_db()
    assert guest.username == f"deleted-{guest.pk}"
    assert MatchRow.objects.get().ended_at is not None


def test_guests_who_cannot_come_back_are_forgotten(begin):
    day = timedelta(days=1)
    ages = {"lost": 400, "played": 200, "idle": 40, "new": 3}
    guests = {
        name: User.objects.create(
            username=f"Guest {name}", is_guest=True, date_joined=timezone.now() - age * day
        )
        for name, age in ages.items()
    }
    for name in ("lost", "played"):
        row = begin("hex", size=3)
        SeatRow.objects.filter(match=row, number=0).update(user=guests[name])
    account_deletion.delete_expired_guests()
    names = set(User.objects.filter(is_guest=True).values_list("username", flat=True))
    assert names == {f"deleted-{guests['lost'].pk}", "Guest played", "Guest new"}


def test_sessions_are_forgotten_when_their_cookie_has_expired(signed_in):
    from allauth.usersessions.models import UserSession

    signed_in.get("/accounts/sessions/")
    assert UserSession.objects.exists()
    Session.objects.update(expire_date=timezone.now() - timedelta(days=1))
    account_deletion.delete_expired_sessions()
    assert not Session.objects.exists()
    assert not UserSession.objects.exists()


def test_what_is_stored_is_told_to_everybody(client):
    assert "how long" in client.get("/privacy/").content.decode()


def test_ones_data_are_not_given_without_end(signed_in, monkeypatch):
    monkeypatch.setenv("LIMIT_OWN_DATA", "2/hour")
    answers = [signed_in.get("/accounts/data.json") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
