"""Users: guests, levels of the computer, accounts by name, profiles, known devices, redirects."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.test import Client

from antipodes.errors import InputError, InvalidOptionsError
from antipodes.games import pairing_strategy
from antipodes.search.levels import find_level
from antipodes.web.accounts import known_devices, profile_services, services
from antipodes.web.accounts.adapter import host_settings
from antipodes.web.accounts.models import ProfileRow, User
from antipodes.web.accounts.profile_services import change_profile, profile_of
from antipodes.web.accounts.services import (
    computer,
    find_players,
    transfer_guest,
    user_foreign_keys,
    users_named,
)
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.models import MatchRow

pytestmark = pytest.mark.django_db


def names(users):
    return [user.username for user in users]


# Guests and levels.


def test_numbers_of_guests_have_four_digits_or_more(db, monkeypatch):
    monkeypatch.setattr("secrets.randbelow", lambda count: count - 1)
    assert [services._new_guest().username for _ in range(2)] == ["Guest 9999", "Guest 99999"]


def test_levels_and_the_pairing_strategy_are_users():
    level, strategy = computer("3"), computer(pairing_strategy.PLAYER)
    assert (level.username, level.computer, level.is_computer) == ("computer-3", "computer:3", True)
    assert (strategy.username, strategy.computer) == (
        f"computer-{pairing_strategy.PLAYER}",
        pairing_strategy.PLAYER,
    )
    assert (level.first_name, strategy.first_name) == (find_level("3").name, pairing_strategy.NAME)
    assert computer("3") == level
    with pytest.raises(InvalidOptionsError):
        computer("99")


def test_a_level_is_no_bot():
    user = computer("3")
    user.first_name = "bot"
    assert not user.is_bot


def test_players_are_found_by_their_names_in_any_case(people):
    User.objects.create(username="Guest 4821", is_guest=True)
    User.objects.create(username="gone", is_active=False)
    computer("3")
    asked = ["Bob", "zed", "ANN", "bob", "guest 4821", "gone", "computer-3", "Zed"]
    found, unknown = find_players(asked)
    assert names(found) == ["bob", "ann", "Guest 4821"]
    assert unknown == ["zed", "gone", "computer-3"]
    assert find_players([]) == ([], [])


def test_every_reference_to_users_is_known():
    keys = set(user_foreign_keys())
    assert {(ChallengeRow, "by"), (ProfileRow, "user")} <= keys
    assert (User.groups.through, "user") in keys


def test_rows_after_one_that_the_account_has_already_are_transferred(people, ann):
    guest = User.objects.create(username="Guest 4821", is_guest=True)
    both, other = (
        ChallengeRow.objects.create(game_id="hex", by=people[1], made_at=1) for _ in range(2)
    )
    both.joins.create(user=guest)
    other.joins.create(user=guest)
    both.joins.create(user=ann)
    transfer_guest(guest, ann)
    for challenge in (both, other):
        assert [one.user for one in challenge.joins.all()] == [ann]


# Pages for users.


@pytest.mark.parametrize(
    ("method", "path", "form", "back"),
    [
        ("get", "/following/?page=2", {}, "/following/%3Fpage%3D2"),
        ("post", "/people/bob/follow", {"next": "/people/bob/"}, "/people/bob/"),
        ("post", "/people/bob/follow", {}, "/following/"),
    ],
)
def test_visitors_return_to_their_page_after_they_sign_in(client, people, method, path, form, back):
    response = getattr(client, method)(path, form or None)
    assert response.headers["Location"] == f"/accounts/login/?next={back}"


@pytest.mark.parametrize("path", ["/accounts/", "/accounts/data.json", "/privacy/"])
def test_pages_of_accounts_are_read_only(client, path):
    assert client.post(path).status_code == 405


def test_the_page_of_an_account_counts_its_games(client, people, begin):
    client.force_login(people[0])
    assert client.get("/accounts/").context["games"] == 0
    begin()
    page = client.get("/accounts/")
    assert (page.context["games"], page.context["person"]) == (1, people[0])
    assert page.context["address"] is None


def test_pages_know_the_settings_of_the_host(rf, settings):
    settings.MAIL_IS_SENT, settings.MAIL_FOLDER = True, None
    settings.SOURCE_URL, settings.DOCS_FOLDER = "https://code.example", None
    assert host_settings(rf.get("/")) == {
        "mail_is_sent": True,
        "mail_stays_here": False,
        "source_address": "https://code.example",
        "docs_are_built": False,
    }
    settings.MAIL_FOLDER, settings.DOCS_FOLDER = "mail", "docs"
    found = host_settings(rf.get("/"))
    assert (found["mail_stays_here"], found["docs_are_built"]) == (True, True)


def test_visitors_are_no_users(rf):
    request = rf.get("/")
    request.user = AnonymousUser()
    assert services.current_user(request) is None
    request.user = User()
    assert services.current_user(request) is request.user


# Known devices.


def sign_in(rf, user, cookie=""):
    """Return the cookie of a browser in which a user has signed in."""
    request, response = rf.get("/"), HttpResponse()
    request.COOKIES[known_devices.COOKIE] = cookie
    known_devices.note_device(request, user)
    known_devices.set_cookie(request, response)
    morsel = response.cookies.get(known_devices.COOKIE)
    return morsel.value if morsel else None


def device_of(rf, user, cookie):
    request = rf.get("/")
    request.COOKIES[known_devices.COOKIE] = cookie
    return known_devices.device_of(request, user)


def test_a_browser_is_a_known_device_of_the_last_ten_accounts(rf):
    users = [User(pk=number) for number in range(1, 12)]
    cookie = sign_in(rf, users[0])
    identifier = device_of(rf, users[0], cookie)
    assert identifier
    for user in (users[1], users[0], *users[2:]):
        cookie = sign_in(rf, user, cookie)
    known = [device_of(rf, user, cookie) for user in users]
    assert known == [identifier, None, *[identifier] * 9]
    assert device_of(rf, None, cookie) is None
    assert sign_in(rf, User(pk=1)) != sign_in(rf, User(pk=1))


def test_a_browser_of_a_guest_is_no_known_device(rf):
    assert sign_in(rf, User(pk=1, is_guest=True)) is None


def test_a_known_device_is_forgotten_after_a_year(rf, monkeypatch):
    cookie = sign_in(rf, User(pk=1))
    monkeypatch.setattr(known_devices, "_MAX_AGE", -1)
    assert device_of(rf, User(pk=1), cookie) is None


# Profiles.


def test_a_change_of_a_profile_keeps_its_other_fields(people, monkeypatch):
    monkeypatch.setattr(profile_services, "now", lambda: 7)
    ann = people[0]
    assert profile_of(ann).pk is None
    change_profile(ann, {"about": " a \n  b  \n", "country": "New\u200b Zealand "})
    row = change_profile(ann, {"availability": "busy", "own_side": ""})
    stored = ProfileRow.objects.get(user=ann)
    for one in (row, stored, profile_of(ann)):
        assert (one.about, one.country, one.availability) == ("a\n  b", "New Zealand", "busy")
        assert (one.languages, one.own_side, one.changed_at) == ("", False, 7)


def test_a_profile_has_at_most_thirty_lines_and_a_thousand_characters(ann):
    for about in ("\n".join("x" * 30), "x" * 1_000):
        assert change_profile(ann, {"about": about}).about == about
    changes = {"about": "\n".join("y" * 31), "availability": "asleep", "country": "z" * 61}
    with pytest.raises(InputError) as caught:
        change_profile(ann, changes)
    found = {fault.where: fault for fault in caught.value.faults}
    assert {fault.code for fault in caught.value.faults} == {"profile/text"}
    assert set(found) == {"about", "availability", "country"}
    assert found["about"].message == "Use at most 30 lines, not 31."
    with pytest.raises(InputError, match="at most 1000 characters"):
        change_profile(ann, {"about": "y" * 1_001})
    assert profile_of(ann).about == "x" * 1_000


# Deletion.


def test_a_guest_is_asked_for_their_name_before_their_data_are_deleted(client):
    client.post("/play/hex/", {"level": "1"})
    guest = User.objects.get(is_guest=True)
    page = client.get("/accounts/delete/")
    assert page.context["person"] == guest
    assert "You typed" not in page.content.decode()
    assert "You typed “”" in client.post("/accounts/delete/", {"name": " "}).content.decode()
    response = client.post(
        "/accounts/delete/", {"name": f" {guest.username.upper()} "}, follow=True
    )
    assert response.redirect_chain == [("/", 302)]
    assert "Your account has been deleted." in response.content.decode()
    guest.refresh_from_db()
    assert guest.username == f"deleted-{guest.pk}"
    assert MatchRow.objects.get().ended_at is not None
    assert client.put("/accounts/delete/").status_code == 405
    location = Client().get("/accounts/delete/").headers["Location"]
    assert location == "/accounts/login/?next=/accounts/delete/"


def test_a_name_longer_than_a_pattern_of_sqlite_is_unknown(people):
    assert not users_named("\U0001f600" * 20_000).exists()
    assert users_named("ANN").get() == people[0]
