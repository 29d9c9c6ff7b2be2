"""Guests, signing up, signing in, and the transfer of a guest's games."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.exceptions import PermissionDenied, ValidationError
from django.test import Client

from antipodes.games.antipalos import Antipalos
from antipodes.mail.layout.text import WIDTH
from antipodes.match import Resign, Terms
from antipodes.web.accounts import languages, services
from antipodes.web.accounts.adapter import AccountAdapter
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import computer, transfer_guest
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.models import MatchRow, SeriesRow
from antipodes.web.matches.services import begin_match, carry_out

pytestmark = pytest.mark.django_db

PASSWORD = "a quiet heron"


@pytest.fixture
def guest(client):
    """A guest who has started a game."""
    client.post("/play/hex/", {"level": "1"})
    return User.objects.get(is_guest=True)


@pytest.fixture
def account(db):
    """An account that is not signed in."""
    user = User.objects.create_user("ann", "ann@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def sign_up(client, name="heron", email="heron@example.org", password=PASSWORD):
    return client.post(
        "/accounts/signup/", {"username": name, "email": email, "password1": password}
    )


def sign_in(client, name="ann", password=PASSWORD):
    return client.post("/accounts/login/", {"login": name, "password": password})


def signed_in_user(client):
    return User.objects.get(pk=client.session["_auth_user_id"])


def test_guests_get_unique_names(client, guest):
    assert re.fullmatch(r"Guest \d{4}", guest.name)
    assert not guest.has_usable_password()
    assert guest.name.encode() in client.get("/").content


def test_a_guest_who_signs_up_keeps_everything(client, guest):
    client.post("/new/hex/", {"opponent": "anybody", "control": "unlimited"})
    assert sign_up(client).headers["Location"] == "/lobby/"
    user = signed_in_user(client)
    assert (user.pk, user.username, user.is_guest) == (guest.pk, "heron", False)
    assert user.check_password(PASSWORD)
    assert MatchRow.objects.get().seats.get(number=0).user == user
    assert ChallengeRow.objects.get().by == user
    row = MatchRow.objects.get()
    seats = client.get(f"/m/{row.slug}/match.json").json()["seats"]
    assert seats[0]["name"] == "heron"


def test_a_refused_sign_up_changes_nothing(client, guest, account):
    for fields in ({"name": "ann"}, {"email": "ann"}, {"password": "1234"}):
        sign_up(client, **fields)
        guest.refresh_from_db()
        assert guest.is_guest
        assert guest.username.startswith("Guest ")
        assert not guest.has_usable_password()


def test_a_guest_who_signs_in_keeps_everything(client, guest, account):
    client.post("/new/hex/", {"opponent": "anybody", "control": "unlimited"})
    row = MatchRow.objects.get()
    client.get(f"/m/{row.slug}/match.json")
    assert sign_in(client).headers["Location"] == "/lobby/"
    assert signed_in_user(client) == account
    assert row.seats.get(number=0).user == account
    assert ChallengeRow.objects.get().by == account
    assert not User.objects.filter(pk=guest.pk).exists()
    shown = client.get(f"/m/{row.slug}/match.json").json()
    assert shown["own"] == [0]
    assert shown["seats"][0]["name"] == "ann"


def test_a_wrong_password_transfers_nothing(client, guest, account):
    sign_in(client, password="wrong")
    assert signed_in_user(client) == guest
    assert MatchRow.objects.get().seats.get(number=0).user == guest


def test_signing_in_elsewhere_does_not_transfer_a_guest(guest, account):
    other = Client()
    sign_in(other)
    assert MatchRow.objects.get().seats.get(number=0).user == guest
    assert User.objects.get(pk=guest.pk).is_guest


def test_signing_in_to_another_account_transfers_nothing(client, account):
    sign_up(client)
    heron = signed_in_user(client)
    client.post("/play/hex/")
    client.post("/accounts/logout/")
    sign_in(client)
    assert MatchRow.objects.get().seats.get(number=0).user == heron


def test_a_match_between_a_guest_and_their_account_is_transferred(guest, account):
    game = Antipalos(size=12)
    users = [guest, account]
    terms = Terms(game=game, players=tuple(str(user.pk) for user in users))
    row = begin_match(terms, users)
    transfer_guest(guest, account)
    assert [seat.user for seat in row.seats.all()] == [account, account]
    carry_out(row.slug, Resign(seat=0, ply=0, key="resign"))
    assert MatchRow.objects.get(pk=row.pk).ended_at is not None


def test_a_series_continues_with_the_account(guest, account):
    users = [guest, computer("1")]
    terms = Terms(game=Antipalos(size=12), players=tuple(str(user.pk) for user in users))
    row = begin_match(terms, users, points=6)
    transfer_guest(guest, account)
    assert SeriesRow.objects.get().sides == [[account.pk], [users[1].pk]]
    carry_out(row.slug, Resign(seat=0, ply=0, key="resign"))
    following = MatchRow.objects.get(rematch_of=row)
    assert account.pk in [seat.user_id for seat in following.seats.all()]


def test_only_guests_are_transferred_and_only_to_accounts(guest, account):
    for before, after in [(account, guest), (account, account), (guest, computer("1"))]:
        with pytest.raises(ValueError, match="cannot transfer"):
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
def test_invalid_and_reserved_names_are_refused(client, name):
    response = sign_up(client, name=name)
    assert response.status_code == 200
    assert "username" in response.context["form"].errors
    assert not User.objects.filter(is_guest=False, computer="").exists()


@pytest.mark.parametrize("name", ["Ann", "ann-bob", "ann_2", "X11", "computa"])
def test_valid_names_are_accepted(client, name):
    sign_up(client, name=name)
    assert signed_in_user(client).username == name


def test_a_mail_address_is_confirmed_by_a_link(client):
    sign_up(client)
    assert "confirm" in mail.outbox[-1].subject
    link = re.search(r"https?://[^/\s]+(/\S+)", str(mail.outbox[-1].body))
    assert link is not None
    page = client.get(link[1])
    assert b"heron@example.org" in page.content
    assert not EmailAddress.objects.get().verified
    client.post(link[1])
    assert EmailAddress.objects.get().verified


def test_a_forgotten_password_is_reset_by_a_link(client, account):
    client.post("/accounts/password/reset/", {"email": account.email})
    link = re.search(r"https?://[^/\s]+(/\S+)", str(mail.outbox[-1].body))
    assert link is not None
    form = client.get(link[1], follow=True)
    place = form.redirect_chain[-1][0]
    new = "another quiet heron"
    client.post(place, {"password1": new, "password2": new})
    assert sign_in(Client(), password=new).status_code == 302
    assert sign_in(Client()).status_code == 200


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("path", ["signup", "password/reset"])
def test_lines_of_account_mails_fit_in_every_language(client, account, language, path):
    address = "new@example.org" if path == "signup" else account.email
    data = {"username": "newcomer", "email": address, "password1": PASSWORD, "password2": PASSWORD}
    client.post(f"/accounts/{path}/", data, headers={"accept-language": language})
    (sent,) = mail.outbox
    assert all(len(line) <= WIDTH or " " not in line.strip() for line in sent.body.splitlines())


def test_only_a_mail_says_that_an_address_has_no_account(client, account):
    registered = client.post("/accounts/password/reset/", {"email": account.email})
    missing = client.post("/accounts/password/reset/", {"email": "missing@example.org"})
    assert registered.headers["Location"] == missing.headers["Location"]
    assert mail.outbox[-1].to == ["missing@example.org"]


@pytest.mark.parametrize("page", ["email", "password/change", "password/set", "logout"])
def test_account_pages_redirect_guests_to_the_sign_up_page(client, guest, page):
    response = client.get(f"/accounts/{page}/")
    assert response.headers["Location"] == "/accounts/signup/"


@pytest.mark.parametrize("page", ["login", "signup"])
def test_sign_in_pages_are_for_guests_and_redirect_accounts(client, guest, account, page):
    assert guest.name.encode() in client.get(f"/accounts/{page}/").content
    client.force_login(account, "django.contrib.auth.backends.ModelBackend")
    assert client.get(f"/accounts/{page}/").headers["Location"] == "/accounts/"


def test_a_form_may_check_a_name_without_the_names_of_others(account):
    assert AccountAdapter().clean_username("ANN", shallow=True) == "ANN"
    with pytest.raises(ValidationError, match="looks like one"):
        AccountAdapter().clean_username("ANN")


def test_the_computer_cannot_sign_in(client):
    user = computer("1")
    for password in ("", " ", "computer-1"):
        sign_in(client, name=user.username, password=password)
        assert "_auth_user_id" not in client.session


def test_the_account_page_shows_the_account(client, account):
    assert client.get("/accounts/").headers["Location"] == "/accounts/login/?next=/accounts/"
    sign_in(client)
    page = client.get("/accounts/").content
    assert b"ann@example.org" in page
    assert b"Sign out" in page


def test_pages_say_that_the_site_has_no_mail_server(client, settings):
    settings.MAIL_IS_SENT = False
    assert b"no mail server" in client.get("/accounts/password/reset/done/").content
    settings.MAIL_IS_SENT = True
    assert b"no mail server" not in client.get("/accounts/password/reset/done/").content


def test_a_new_guest_gets_a_longer_number_if_the_first_is_taken(db, monkeypatch):
    monkeypatch.setattr("secrets.randbelow", lambda _count: 0)
    names = [services._new_guest().username for _ in range(3)]
    assert names == ["Guest 1000", "Guest 10000", "Guest 100000"]


@pytest.mark.parametrize(("more", "language"), [("", "de"), ("; a@b=1", "fr")])
def test_a_browser_with_broken_cookies_has_the_language_that_it_accepts(settings, more, language):
    cookie = f"{settings.LANGUAGE_COOKIE_NAME}=de{more}"
    headers = [(b"cookie", cookie.encode()), (b"accept-language", b"fr")]
    assert languages.language_of_scope({"headers": headers}) == language


def test_no_guest_is_made_where_all_numbers_are_taken(monkeypatch):
    monkeypatch.setattr(services, "_MOST_DIGITS", 6)
    monkeypatch.setattr("secrets.randbelow", lambda _: 0)
    for name in ("Guest 1000", "Guest 10000", "Guest 100000"):
        User.objects.create(username=name, is_guest=True)
    with pytest.raises(RuntimeError, match="no number of 6 digits is free for a guest"):
        services._new_guest()
    assert User.objects.count() == 3


def test_clients_whose_address_is_unreadable_sign_in_as_one(rf, settings):
    settings.TRUSTED_PROXIES = 1
    forwarded = {"X-Forwarded-For": "203.0.113.9"}
    assert AccountAdapter().get_client_ip(rf.get("/", headers=forwarded)) == "203.0.113.9"
    nonsense = rf.get("/", headers={"X-Forwarded-For": "nonsense"})
    assert AccountAdapter().get_client_ip(nonsense) == "0.0.0.0"
    with pytest.raises(PermissionDenied, match="the client's address is unknown"):
        AccountAdapter().get_client_ip(rf.get("/", REMOTE_ADDR=""))
