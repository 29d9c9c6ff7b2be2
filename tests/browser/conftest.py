"""Fixtures of the browser tests: a site that really runs, and windows of Debian's Chromium."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.player import Player
from tests.live.site import Site

PICTURES = Path(__file__).resolve().parents[2] / "build" / "browser"

_PATIENCE = 30_000  # milliseconds until something in a page has to be there
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_MISSING = """\
the browser tests need Chromium, and there is none in PATH.
On Debian and Ubuntu: sudo apt install chromium
If you have it elsewhere, say where: ANTIPODES_CHROMIUM=/path/to/chromium make browser"""

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


def pytest_configure(config):
    """Say at once that there is no browser, before a hundred tests say it."""
    if chromium() is None:
        raise pytest.UsageError(_MISSING)
    PICTURES.mkdir(parents=True, exist_ok=True)


def pytest_sessionfinish(session):
    """Lay all pictures out on one page, to be looked through."""
    if hasattr(session.config, "workerinput"):
        return
    names = sorted(path.name for path in PICTURES.glob("*.png"))
    shown = "".join(
        f'<figure><figcaption>{name}</figcaption><img src="{quote(name)}" loading="lazy"></figure>'
        for name in names
    )
    style = "<style>img { max-width: 100%; border: 1px solid } figure { margin: 2rem }</style>"
    page = f"<!doctype html><meta charset=utf-8><title>Pictures</title>{style}{shown}"
    (PICTURES / "index.html").write_text(page, encoding="utf-8")


def chromium():
    """Return the path of the browser, or ``None``."""
    named = os.environ.get("ANTIPODES_CHROMIUM")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, _NAMES)), None)


@pytest.fixture(scope="session")
def browser():
    """The browser, once for all tests of a process."""
    expect.set_options(timeout=_PATIENCE)
    with sync_playwright() as playwright:
        # Inside containers there is no sandbox to be had, and little shared memory.
        started = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield started
        started.close()


def _running(folder, name):
    site = Site(folder, PICTURES / f"server-{name}.log")
    site.log.unlink(missing_ok=True)
    site.start()
    return site


def _end(site):
    site.stop()
    assert "Traceback" not in site.said(), site.said()[-4_000:]


@pytest.fixture(scope="session")
def site(tmp_path_factory, worker_id):
    """A site that all tests of a process share."""
    found = _running(tmp_path_factory.mktemp("site"), worker_id)
    yield found
    _end(found)


@pytest.fixture
def own_site(tmp_path, request):
    """A site for one test, which may stop and kill it."""
    found = _running(tmp_path, request.node.name)
    yield found
    _end(found)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Let fixtures know whether the test itself has failed."""
    report = yield
    if report.when == "call":
        item.stash[_FAILED] = report.failed
    return report


_FAILED = pytest.StashKey[bool]()


@pytest.fixture
def window(browser, request):
    """Open windows, each with cookies of its own: ``window(site, "phone")``.

    An error in the console of any of them, or in a script, makes the test fail.
    """
    opened = []

    def make(at, kind="desktop", **more):
        context = browser.new_context(**_WINDOWS[kind], **more)
        context.set_default_timeout(_PATIENCE)
        player = Player(context.new_page(), at, PICTURES, confirms=kind == "phone")
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
    """Seat people at a game, each in a window: ``table(script)`` gives them by seat."""

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
