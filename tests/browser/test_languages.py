"""German and French, on a narrow screen: nothing is cut off, and nothing stays English."""

import re

import pytest
from playwright.sync_api import expect

LANGUAGES = {
    "de": {"turn": "Du bist am Zug", "point": "leer", "chat": "Chat"},
    "fr": {"turn": "À vous de jouer", "point": "vide", "chat": "Discussion"},
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_match_is_played_in_the_language_of_the_browser(window, site, language):
    words = LANGUAGES[language]
    player = window(site, "narrow", locale=language)
    player.open("/")
    expect(player.page.locator("html")).to_have_attribute("lang", language)
    player.breaks_nothing_for_anybody()
    player.picture(f"{language}-home")
    player.open("/new/hex/?opponent=computer")
    player.breaks_nothing_for_anybody()
    player.page.locator("select[name=option-size]").select_option("5")
    player.page.locator("select[name=seat]").select_option("0")
    player.page.locator("form.wish button.first").click()
    expect(player.page.locator(".status-line")).to_have_text(words["turn"])
    first = player.page.locator("antipodes-board [data-cell]:not([aria-hidden])").first
    expect(first).to_have_attribute("aria-label", spoken(words["point"]))
    expect(player.page.get_by_role("tab", name=words["chat"])).to_be_visible()
    player.breaks_nothing_for_anybody()
    player.picture(f"{language}-match")


def spoken(word):
    """Return a pattern for a cell's spoken name that has a word in it."""
    return re.compile(rf", {word}(,|$)")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", ["/lobby/", "/rules/antipod/", "/analysis/hex/"])
def test_pages_fit_on_a_narrow_screen_in_every_language(window, site, path, language):
    player = window(site, "narrow", locale=language)
    player.open(path)
    expect(player.page.locator("html")).to_have_attribute("lang", language)
    player.breaks_nothing_for_anybody()
    player.picture(f"{language}{path.replace('/', '-')}")


def test_a_language_is_chosen_at_the_foot_of_the_page(window, site):
    player = window(site, "narrow")
    player.open("/rules/")
    player.page.get_by_role("button", name="Français").click()
    expect(player.page.locator("html")).to_have_attribute("lang", "fr")
    expect(player.page.get_by_role("heading", level=1)).to_have_text("Les jeux")
