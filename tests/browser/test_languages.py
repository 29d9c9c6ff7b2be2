"""Pages in German and French on a narrow screen."""

import re

import pytest
from playwright.sync_api import expect

LANGUAGES = {
    "de": {"turn": "Du bist am Zug", "point": "leer", "chat": "Chat"},
    "fr": {"turn": "À vous de jouer", "point": "vide", "chat": "Discussion"},
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_match_is_in_the_browsers_language(window, site, language):
    texts = LANGUAGES[language]
    player = window(site, "narrow", locale=language)
    player.open("/")
    expect(player.page.locator("html")).to_have_attribute("lang", language)
    player.check_accessibility()
    player.picture(f"{language}-home")
    player.open("/new/hex/?opponent=computer")
    player.check_accessibility()
    player.page.locator("select[name=option-size]").select_option("5")
    player.page.locator("select[name=seat]").select_option("0")
    player.page.locator("form.new-game button.first").click()
    expect(player.page.locator(".status-line")).to_have_text(texts["turn"])
    first = player.page.locator("antipodes-board [data-cell]:not([aria-hidden])").first
    expect(first).to_have_attribute("aria-label", label_with(texts["point"]))
    expect(player.page.get_by_role("tab", name=texts["chat"])).to_be_visible()
    player.check_accessibility()
    player.picture(f"{language}-match")


def label_with(word):
    """Return a pattern for a cell's label that contains a word."""
    return re.compile(rf", {word}(,|$)")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "path", ["/lobby/", "/rules/antipod/", "/analysis/hex/", "/learn/", "/learn/hex-rules/swap/"]
)
def test_pages_fit_on_a_narrow_screen_in_every_language(window, site, path, language):
    player = window(site, "narrow", locale=language)
    player.open(path)
    expect(player.page.locator("html")).to_have_attribute("lang", language)
    player.check_accessibility()
    player.picture(f"{language}{path.replace('/', '-')}")


def test_the_footer_switches_the_language(window, site):
    player = window(site, "narrow")
    player.open("/rules/")
    player.page.get_by_role("button", name="Français").click()
    expect(player.page.locator("html")).to_have_attribute("lang", "fr")
    expect(player.page.get_by_role("heading", level=1)).to_have_text("Règles")
