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
