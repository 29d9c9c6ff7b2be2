"""Fixtures of the tests in a browser: a running site, and windows of Chromium or Firefox."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.player import Player
from tests.live.logs import tracebacks
from tests.live.site import Site

PICTURES = Path(__file__).resolve().parents[2] / "build" / "browser"
MISSING = """\
there is no Chromium in PATH. On Debian and Ubuntu: sudo apt install chromium
If it is installed elsewhere: ANTIPODES_CHROMIUM=/path/to/chromium"""

_TIMEOUT = 30_000  # milliseconds
_OPEN: dict[str, Browser] = {}
_RELAY = Path(__file__).with_name("bidi_relay.py")
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

_WINDOWS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 900}},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {
        "viewport": {"width": 360, "height": 740},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
    },
    "narrow": {"viewport": {"width": 320, "height": 600}},
    "contrast": {"viewport": {"width": 1280, "height": 900}, "contrast": "more"},
}


def chromium():
    """Return the path of the browser, or ``None``."""
    named = os.environ.get("ANTIPODES_CHROMIUM")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, _NAMES)), None)


def firefox():
    """Return the path of Firefox, or ``None``."""
    named = os.environ.get("ANTIPODES_FIREFOX", "")
    return next(filter(None, map(shutil.which, (named, "firefox-esr", "firefox"))), None)


def open_browsers():
    """Offer a function that returns a running browser, as the body of a fixture."""
    if _OPEN:
        yield _OPEN.get
        return
    expect.set_options(timeout=_TIMEOUT)
    with sync_playwright() as playwright:

        def browser_named(name):
            if name not in _OPEN:
                _OPEN[name] = _LAUNCHERS[name](playwright)
            return _OPEN[name]

        browser_named("chromium")
        yield browser_named
        for started in _OPEN.values():
            started.close()
        _OPEN.clear()


def launch_chromium(playwright):
    """Start the Chromium of the system."""
    # Containers have no sandbox and little shared memory.
    return playwright.chromium.launch(
        executable_path=chromium(), args=["--no-sandbox", "--disable-dev-shm-usage"]
    )


def _launch_firefox(playwright):
    """Start the Firefox of the system, which Playwright drives by WebDriver BiDi."""
    environment = {**os.environ, "ANTIPODES_FIREFOX": str(firefox())}
    return playwright.firefox.launch(
        channel="moz-firefox",
        executable_path=_RELAY,
        env=environment | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
    )


_LAUNCHERS = {"chromium": launch_chromium, "firefox": _launch_firefox}


@contextmanager
def site_and_browser() -> Iterator[tuple[Site, Browser, Path]]:
    """Run a site and Chromium, for measures; the folder is theirs."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        site = Site(folder, folder / "log")
        site.start()
        browser = launch_chromium(playwright)
        try:
            yield site, browser, folder
        finally:
            browser.close()
            site.stop()


def run_site(folder, name, **environment):
    """Start and stop a site, as the body of a fixture."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    site = Site(folder, PICTURES / f"server-{name}.log")
    site.set_environment(**environment)
    site.log.unlink(missing_ok=True)
    site.set_environment(LOBBY_CHAT="true")
    site.start()
    yield site
    site.stop()
    assert not tracebacks(site.log_text())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Store whether the test has failed, for fixtures."""
    report = yield
    if report.when == "call":
        item.stash[_FAILED] = report.failed
    return report


_FAILED = pytest.StashKey[bool]()


@pytest.fixture
def window(browser, request):
    """Open windows, each with its own cookies: ``window(site, "phone")``.

    An error in the console or a script of any of them fails the test.
    """
    opened = []

    def make(at, kind="desktop", **more):
        context = browser.new_context(**_WINDOWS[kind], **more)
        context.set_default_timeout(_TIMEOUT)
        player = Player(context.new_page(), at, PICTURES)
        opened.append(player)
        return player

    yield make
    has_failed = request.node.stash.get(_FAILED, False)
    for number, player in enumerate(opened):
        if has_failed and not player.page.is_closed():
            player.picture(f"failed-{request.node.name}-{number}".replace("/", "-"))
        player.page.context.close()
    errors = [error for player in opened for error in player.errors]
    assert not errors, errors


@pytest.fixture
def table(window, site):
    """Start a match of players in their own windows: ``table(script)`` returns them by seat."""

    def make(script, kinds=("desktop",), at=site, **values):
        seats = script.start().game.seats
        players = [window(at, kinds[seat % len(kinds)]) for seat in range(seats)]
        link = players[0].challenge(script.game_id, seat=0, **script.options, **values)
        for player in players[1:]:
            player.join(link)
        for player in players:
            player.wait_for_match()
        return players

    return make
