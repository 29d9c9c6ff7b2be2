"""Fixtures of the smoke tests: a site and a browser for each module.

Playwright keeps an event loop in its thread, which would disturb other tests of the process.
"""

from __future__ import annotations

import re

import pytest

from tests.browser.fixtures import (
    MISSING,
    PICTURES,
    chromium,
    open_browsers,
    pytest_runtest_makereport,
    run_site,
)
from tests.browser.player import Player

__all__ = ["pytest_runtest_makereport"]

_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


@pytest.fixture(scope="module")
def browser():
    """The browser; without one, the smoke tests are skipped."""
    if chromium() is None:
        pytest.skip(f"no Chromium found: {MISSING}")
    for browser_named in open_browsers():
        yield browser_named("chromium")


@pytest.fixture(scope="module")
def site(browser, tmp_path_factory, worker_id):  # no site without a browser
    """A site shared by all smoke tests, without the kernels that only the computer needs."""
    folder = tmp_path_factory.mktemp("site")
    yield from run_site(folder, f"smoke-{worker_id}", ANTIPODES_PLAIN="1")


@pytest.fixture(scope="module")
def pair(browser, site):
    """Two players in windows that several matches share, since opening them takes seconds."""
    contexts = [browser.new_context(viewport={"width": 1280, "height": 900}) for _ in range(2)]
    for context in contexts:
        context.set_default_timeout(30_000)
    yield tuple(Player(context.new_page(), site, PICTURES) for context in contexts)
    for context in contexts:
        context.close()


@pytest.fixture
def seated(pair, site, request):
    """Start a match of both players by requests, instead of the pages for it.

    An error in the console or a script of a window fails the test.
    """
    before = request.session.testsfailed

    def make(script):
        black, white = pair
        terms = {"opponent": "link", "seat": "0", "control": "unlimited"}
        terms |= {f"option-{name}": str(value) for name, value in script.options.items()}
        new = site.url(f"/new/{script.game_id}/")
        link = _send(black, new, new, terms)
        match = _send(white, link, f"{link}join", {})
        for player in (black, white):
            player.open(match)
        return black, white

    yield make
    if request.session.testsfailed > before:
        for number, player in enumerate(pair):
            player.picture(f"failed-{request.node.name}-{number}")
    errors = [error for player in pair for error in player.errors]
    for player in pair:
        player.page.goto("about:blank")
    assert not errors, errors


def _send(player, page, address, fields):
    """Send a form of a page with the cookies of a player; return the address of the answer."""
    requests = player.page.request
    token = _TOKEN.search(requests.get(page).text())
    assert token is not None, f"no form at {page}"
    form = {"csrfmiddlewaretoken": token[1], **fields}
    answer = requests.post(address, form=form, headers={"Referer": page})
    assert answer.ok, answer.text()
    return answer.url
