"""Laws of accounts: what a guest has stays theirs, and nobody gets what is another's."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from antipodes.games.antipalos import Antipalos
from antipodes.match import Resign, Terms
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import computer, transfer_guest
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.models import MatchRow, SeriesRow
from antipodes.web.matches.services import begin_match, carry_out

pytestmark = pytest.mark.django_db

PASSWORD = "a quiet heron"


@pytest.fixture
def guest(client):
    """Somebody who plays without an account."""
    client.post("/play/hex/", {"level": "1"})
    return User.objects.get(is_guest=True)


@pytest.fixture
def account(db):
    """Somebody with an account, who is not here now."""
    user = User.objects.create_user("ann", "ann@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def sign_up(client, name="heron", email="heron@example.org", password=PASSWORD):
    return client.post(
        "/accounts/signup/", {"username": name, "email": email, "password1": password}
    )


def sign_in(client, name="ann", password=PASSWORD):
    return client.post("/accounts/login/", {"login": name, "password": password})


def who(client):
    return User.objects.get(pk=client.session["_auth_user_id"])


def test_guests_have_names_of_their_own(client, guest):
    assert re.fullmatch(r"Guest \d{4}", guest.name)
    assert not guest.has_usable_password()
    assert guest.name.encode() in client.get("/").content


def test_a_guest_who_signs_up_keeps_everything(client, guest):
    client.post("/new/hex/", {"opponent": "anybody", "control": "unlimited"})
    assert sign_up(client).headers["Location"] == "/lobby/"
    user = who(client)
    assert (user.pk, user.username, user.is_guest) == (guest.pk, "heron", False)
    assert user.check_password(PASSWORD)
    assert MatchRow.objects.get().seats.get(number=0).user == user
    assert ChallengeRow.objects.get().by == user
    row = MatchRow.objects.get()
    seats = client.get(f"/m/{row.slug}/match.json").json()["seats"]
    assert seats[0]["name"] == "heron"


def test_somebody_new_can_sign_up_without_having_played(client):
    sign_up(client)
    assert who(client).username == "heron"
    assert User.objects.count() == 1


def test_a_sign_up_that_is_refused_leaves_the_guest_a_guest(client, guest, account):
    for fields in ({"name": "ann"}, {"email": "ann"}, {"password": "1234"}):
        sign_up(client, **fields)
        guest.refresh_from_db()
        assert guest.is_guest
        assert guest.username.startswith("Guest ")
        assert not guest.has_usable_password()


def test_a_guest_who_signs_in_takes_everything_along(client, guest, account):
    client.post("/new/hex/", {"opponent": "anybody", "control": "unlimited"})
    row = MatchRow.objects.get()
    client.get(f"/m/{row.slug}/match.json")
    assert sign_in(client).headers["Location"] == "/lobby/"
    assert who(client) == account
    assert row.seats.get(number=0).user == account
    assert ChallengeRow.objects.get().by == account
    assert not User.objects.filter(pk=guest.pk).exists()
    shown = client.get(f"/m/{row.slug}/match.json").json()
    assert shown["own"] == [0]
    assert shown["seats"][0]["name"] == "ann"


def test_a_wrong_password_takes_nothing_along(client, guest, account):
    sign_in(client, password="wrong")
    assert who(client) == guest
    assert MatchRow.objects.get().seats.get(number=0).user == guest


def test_signing_in_elsewhere_touches_no_guest(guest, account):
    other = Client()
    sign_in(other)
    assert MatchRow.objects.get().seats.get(number=0).user == guest
    assert User.objects.get(pk=guest.pk).is_guest


def test_an_account_that_signs_in_as_another_leaves_everything_where_it_was(client, account):
    sign_up(client)
    heron = who(client)
    client.post("/play/hex/")
    client.post("/accounts/logout/")
    sign_in(client)
    assert MatchRow.objects.get().seats.get(number=0).user == heron


def test_a_match_between_a_guest_and_the_same_persons_account_survives(guest, account):
    game = Antipalos(size=12)
    users = [guest, account]
    terms = Terms(game=game, players=tuple(str(user.pk) for user in users))
    row = begin_match(terms, users)
    transfer_guest(guest, account)
    assert [seat.user for seat in row.seats.all()] == [account, account]
    carry_out(row.slug, Resign(seat=0, ply=0, key="resign"))
    assert MatchRow.objects.get(pk=row.pk).ended_at is not None


def test_places_at_one_challenge_become_one(client, guest, account):
    post = {"opponent": "link", "control": "unlimited", "option-seats": "team", "option-size": "12"}
    other = Client()
    other.post("/new/antipalos/", post)
    row = ChallengeRow.objects.get()
    row.joins.create(user=account)
    client.post(f"/c/{row.slug}/join")
    transfer_guest(guest, account)
    assert [one.user for one in row.joins.all()] == [account]


def test_a_series_goes_on_with_the_account(guest, account):
    users = [guest, computer("1")]
    terms = Terms(game=Antipalos(size=12), players=tuple(str(user.pk) for user in users))
    row = begin_match(terms, users, points=6)
    transfer_guest(guest, account)
    assert SeriesRow.objects.get().sides == [[account.pk], [users[1].pk]]
    carry_out(row.slug, Resign(seat=0, ply=0, key="resign"))
    following = MatchRow.objects.get(rematch_of=row)
    assert account.pk in [seat.user_id for seat in following.seats.all()]


def test_only_guests_are_adopted_and_only_by_accounts(guest, account):
    for before, after in [(account, guest), (account, account), (guest, computer("1"))]:
        with pytest.raises(ValueError, match="cannot take over"):
            transfer_guest(before, after)


@pytest.mark.parametrize(
    "name",
    [
        "Guest 4821",
        "guest-1",
        "computer-3",
        "Computer",
        "admin",
        "Moderator",
        "antipodes",
        "a",
        "ab",
        "a" * 21,
        "ann bob",
        "-ann",
        "ann-",
        "an--n",
        "аnn",
        "4nn",
        "<b>ann</b>",
        "ann\u200b",
    ],
)
def test_names_that_would_confuse_are_refused(client, name):
    answer = sign_up(client, name=name)
    assert answer.status_code == 200
    assert "username" in answer.context["form"].errors
    assert not User.objects.filter(is_guest=False, computer="").exists()


@pytest.mark.parametrize("name", ["Ann", "ann-bob", "ann_2", "X11", "computa"])
def test_plain_names_are_fine(client, name):
    sign_up(client, name=name)
    assert who(client).username == name


def test_names_differ_by_more_than_capitals(client, account):
    answer = sign_up(client, name="ANN")
    assert "username" in answer.context["form"].errors


def test_an_address_is_confirmed_by_the_link_of_the_mail(client):
    sign_up(client)
    assert "confirm" in mail.outbox[-1].subject
    link = re.search(r"https?://[^/\s]+(/\S+)", str(mail.outbox[-1].body))
    assert link is not None
    page = client.get(link[1])
    assert b"heron@example.org" in page.content
    assert not EmailAddress.objects.get().verified
    client.post(link[1])
    assert EmailAddress.objects.get().verified


def test_a_forgotten_password_is_replaced_by_the_link_of_a_mail(client, account):
    client.post("/accounts/password/reset/", {"email": account.email})
    link = re.search(r"https?://[^/\s]+(/\S+)", str(mail.outbox[-1].body))
    assert link is not None
    form = client.get(link[1], follow=True)
    place = form.redirect_chain[-1][0]
    new = "another quiet heron"
    client.post(place, {"password1": new, "password2": new})
    assert sign_in(Client(), password=new).status_code == 302
    assert sign_in(Client()).status_code == 200


def test_who_has_no_account_is_told_so_by_mail_alone(client, account):
    there = client.post("/accounts/password/reset/", {"email": account.email})
    missing = client.post("/accounts/password/reset/", {"email": "nobody@example.org"})
    assert there.headers["Location"] == missing.headers["Location"]
    assert mail.outbox[-1].to == ["nobody@example.org"]


@pytest.mark.parametrize("page", ["email", "password/change", "password/set", "logout"])
def test_a_guest_is_led_from_the_pages_of_accounts_to_signing_up(client, guest, page):
    answer = client.get(f"/accounts/{page}/")
    assert answer.headers["Location"] == "/accounts/signup/"


@pytest.mark.parametrize("page", ["login", "signup"])
def test_a_guest_may_enter_and_an_account_is_in_already(client, guest, account, page):
    assert guest.name.encode() in client.get(f"/accounts/{page}/").content
    client.force_login(account, "django.contrib.auth.backends.ModelBackend")
    assert client.get(f"/accounts/{page}/").headers["Location"] == "/accounts/"


def test_computers_cannot_be_signed_in(client):
    robot = computer("1")
    for password in ("", " ", "computer-1"):
        sign_in(client, name=robot.username, password=password)
        assert "_auth_user_id" not in client.session


def test_ones_own_page_tells_what_there_is(client, account):
    assert client.get("/accounts/").headers["Location"] == "/accounts/login/"
    sign_in(client)
    page = client.get("/accounts/").content
    assert b"ann@example.org" in page
    assert b"Sign out" in page


def test_where_no_mail_is_sent_the_pages_say_so(client, settings):
    settings.MAIL_IS_SENT = False
    assert b"no server for mail" in client.get("/accounts/password/reset/done/").content
    settings.MAIL_IS_SENT = True
    assert b"no server for mail" not in client.get("/accounts/password/reset/done/").content
