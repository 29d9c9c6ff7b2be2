"""Forms of a game's options keep changes made while the server updates the options."""

import pytest
from playwright.sync_api import expect

CHOSEN = {"size": 14, "seats": "cutthroat3", "rods": 7}


@pytest.mark.parametrize(
    ("path", "prefix"),
    [("/new/antipalos/", "option-"), ("/analysis/antipalos/", "")],
    ids=["new game", "analysis"],
)
def test_changes_before_the_answer_of_the_server_are_kept(window, site, path, prefix):
    player = window(site)
    player.open(path)
    for details in player.page.locator("main details").all():
        details.evaluate("element => { element.open = true; }")
    page, requests, held = player.page, f"**{path}?*", []
    page.route(requests, lambda route: held.append(route))  # noqa: PLW0108  # wraps functions only

    def check_values():
        for name, value in CHOSEN.items():
            expect(page.locator(f"[name='{prefix}{name}']")).to_have_value(str(value))

    with page.expect_request(requests):
        player.fill(f"{prefix}size", CHOSEN["size"])
    for name in ("seats", "rods"):
        player.fill(f"{prefix}{name}", CHOSEN[name])
    with page.expect_request(requests) as last:
        held.pop().continue_()
    assert f"{prefix}seats={CHOSEN['seats']}" in last.value.url
    check_values()
    with page.expect_response(requests):
        held.pop().continue_()
    page.evaluate("() => new Promise(requestAnimationFrame)")
    check_values()


@pytest.mark.parametrize("kind", ["desktop", "dark", "narrow"])
def test_the_settings_of_a_board_are_seen_before_they_are_chosen(window, site, kind):
    player = window(site, kind)
    player.open("/analysis/antipod/?side=4")
    player.page.locator(".board-options summary").click()
    menu = player.page.locator(".board-menu")
    expect(menu.locator("[data-board] .ground").first).to_be_visible()
    colours = menu.locator("[data-board]").evaluate_all(
        "all => all.map(one => getComputedStyle(one.querySelector('.ground')).fill)"
    )
    assert len(set(colours)) == len(colours) >= 5
    menu.get_by_text("Walnut", exact=True).click()
    expect(menu.get_by_role("radio", name="Walnut")).to_be_checked()
    expect(player.page.locator("antipodes-board").first).to_have_attribute("data-board", "walnut")
    assert player.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    player.check_accessibility()
    player.picture(f"board-options-{kind}")
