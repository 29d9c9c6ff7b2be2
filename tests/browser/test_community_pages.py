"""Accessibility of pages beside games, and of pages with content after a played game."""

import re

import pytest

from tests.browser.accounts import make_moderator, sign_in, sign_in_or_up, sign_up, submit
from tests.browser.scripts import Script

SMALL = Script("hex", {"size": 3, "swap": "off"}, ("b2", "a1", "c1", "a2", "a3"))
KINDS = ["desktop", "dark", "contrast", "phone", "narrow"]

PUBLIC = [
    "/ratings/",
    "/ratings/hex/",
    "/games/",
    "/games/?game=hex",
    "/statistics/",
    "/statistics/hex/",
    "/statistics/antipod/",
    "/data/",
    "/clubs/",
    "/simuls/",
    "/privacy/",
    "/api/",
    "/pair/",
]
OWN = [
    "/accounts/",
    "/accounts/profile/",
    "/accounts/notices/",
    "/accounts/tokens/",
    "/accounts/2fa/",
    "/accounts/sessions/",
    "/accounts/moderation/",
    "/notices/",
    "/following/",
    "/blocked/",
    "/clubs/new/",
    "/simuls/new/",
    "/lobby/",
]


def name_of(place):
    return re.sub(r"\W+", "-", place.strip("/")) or "home"


def play_through(players, script):
    position = script.start()
    for text in script.moves:
        for player in players:
            player.shows(position)
        position = players[position.seat_to_move].play(position, text)
    return position


@pytest.fixture(scope="module")
def names(worker_id):
    """Names of players that no other module uses."""
    return f"ada-{worker_id}", f"grace-{worker_id}"


@pytest.fixture
def finished_match(table, window, site, names):
    """Two players with accounts have played; returns their windows and the URL of the match."""
    first, second = table(SMALL)
    address = first.page.url
    for player, name in zip((first, second), names, strict=True):
        sign_in_or_up(player, name)
        player.open(address)
    play_through((first, second), SMALL)
    return first, second, address


@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_no_violation_on_community_pages(window, site, kind):
    player = window(site, kind)
    for place in PUBLIC:
        player.open(place)
        player.picture(f"place-{name_of(place)}-{kind}")
        player.check_accessibility()


@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_no_violation_on_account_pages(window, site, kind, worker_id):
    player = window(site, kind)
    name = f"mary-{kind}-{worker_id}"
    sign_up(player, name)
    for place in (*OWN, f"/people/{name}/"):
        player.open(place)
        player.picture(f"own-{name_of(place).replace(name, 'profile')}-{kind}")
        player.check_accessibility()


@pytest.mark.parametrize("language", ["de", "fr"])
def test_axe_finds_no_violation_in_other_languages(window, site, language, worker_id):
    player = window(site, "narrow")
    sign_up(player, f"emmy-{language}-{worker_id}")
    player.open("/")
    player.page.locator(f"footer button[value='{language}']").click()
    player.page.wait_for_load_state()
    for place in ("/", *PUBLIC, *OWN, "/rules/antipod/", "/new/antipalos/", "/analysis/hex/"):
        player.open(place)
        assert player.page.locator("html").get_attribute("lang") == language, place
        player.picture(f"{language}-{name_of(place)}")
        player.check_accessibility()


def test_a_finished_game_is_in_archive_profile_and_statistics(finished_match, names):
    first, _, address = finished_match
    first.open("/notices/")
    first.check_accessibility()
    slug = address.rstrip("/").rsplit("/", 1)[1]
    for _ in range(40):
        first.open(f"/games/?game=hex&player={names[0]}")
        if first.page.locator(f"main a[href*='/m/{slug}/']").count():
            break
        first.page.wait_for_timeout(500)
    first.picture("archive-with-a-game")
    assert first.page.locator(f"main a[href*='/m/{slug}/']").count()
    first.check_accessibility()
    first.open(f"/people/{names[1]}/")
    first.says(names[1])
    first.picture("profile-with-a-game")
    first.check_accessibility()
    first.open("/statistics/hex/")
    first.says("First moves")
    first.picture("statistics-with-a-game")
    first.check_accessibility()


def test_a_reported_player_sees_the_moderators_decision(finished_match, window, site, names):
    first, second, address = finished_match
    second.open(address)
    second.say("you play like a sleepy tortoise")

    first.open(f"/people/{names[1]}/report/")
    first.page.locator("[name='reason']").first.check()
    first.page.locator("[name='text']").fill("was rude in the chat")
    first.check_accessibility()
    submit(first)
    first.says("thank you")

    warden = f"warden-{names[0]}"
    make_moderator(site, warden)
    moderator = window(site)
    sign_in(moderator, warden)
    moderator.open("/admin/moderation/reportrow/")
    moderator.picture("moderation-queue")
    moderator.page.locator("#result_list tbody th a").first.click()
    moderator.says("was rude in the chat")
    moderator.picture("moderation-report")
    moderator.page.locator("[name='action'][value='warn']").check()
    moderator.page.locator("textarea[name='reason']").fill("Be kind to people who lose.")
    moderator.page.locator("main form [type=submit], #content form [type=submit]").first.click()
    moderator.page.wait_for_load_state()
    moderator.picture("moderation-done")

    second.open("/accounts/moderation/")
    second.says("Be kind to people who lose.")
    second.picture("moderation-read")
    second.check_accessibility()
