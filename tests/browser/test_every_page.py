"""Every page of the site is accessible and fits on phones: those of the permission table.

A new page has a row there (``tests/web/test_permissions.py``), and is checked here with it.
"""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import violations
from tests.browser.accounts import sign_up
from tests.browser.fixtures import PICTURES
from tests.browser.menus import cut_choices, menu_faults
from tests.browser.player import Player
from tests.browser.test_account_security import reauthenticate
from tests.live import database
from tests.live.logs import tracebacks
from tests.live.site import Site

# The objects of the permission table, and its pages with the user who sees most of each.
_FILL = """
from urllib.parse import urlencode
from antipodes.web.matchmaking.models import SeekRow
from antipodes.web.platform.clock import now
from tests.web.permission_staff import STAFF
from tests.web.permission_table import ROWS
from tests.web.permission_world import World

world = World()
SeekRow.objects.update(seen_at=now() + 3_600_000)  # it stays, although its page is not open
pages = []
for row in (*ROWS, *STAFF):
    if row.viewer:
        query = urlencode(row.sent(world))
        pages.append((str(row), row.viewer, row.address(world) + (f"?{query}" if query else "")))
report({"pages": pages, "cookies": world.cookies})
"""
# Faults of the widgets of Django's admin.
_OF_DJANGO = ("aria-prohibited-attr:", "label:")
_BUSY = 503  # the status as long as the computer prepares for a game
_WARMING = 180  # seconds at most
_PARTS = 4  # of the pages, to run side by side
_SIZES = {"desktop": (1280, 900), "phone": (320, 640)}


@pytest.fixture(scope="module")
def filled(tmp_path_factory, worker_id):
    """A site with an object of each kind; its pages and the cookies of its users."""
    site = Site(tmp_path_factory.mktemp("filled"), PICTURES / f"server-filled-{worker_id}.log")
    site.log.unlink(missing_ok=True)
    database.copy_to(site.folder)
    found = site.ask(_FILL)
    site.start()
    yield site, found
    site.stop()
    assert not tracebacks(site.log_text())


@pytest.mark.parametrize("part", range(_PARTS))
@pytest.mark.parametrize("kind", _SIZES)
def test_axe_finds_no_violation_on_any_page_and_all_menus_fit(window, filled, kind, part):
    site, found = filled
    players: dict[str, Player] = {}
    faults = []
    for name, who, address in found["pages"][part::_PARTS]:
        player = players.get(who)
        if player is None:
            player = players[who] = window(site, kind)
            width, height = _SIZES[kind]
            player.page.set_viewport_size({"width": width, "height": height})
            sign_in(player, found["cookies"][who])
        if not is_page(player, address):
            continue
        player.open(address)
        player.picture(f"every-{kind}-{name}".replace("/", "-")[:120])
        known = _OF_DJANGO if name.startswith("admin:") else ()
        faults += [f"{name}: {one}" for one in problems(player) if not one.startswith(known)]
    assert not faults, "\n".join(faults)


# They ask for the password, unless it was given a moment ago.
_PROTECTED = ("tokens/new/", "mail/token/")


@pytest.mark.parametrize("kind", _SIZES)
def test_axe_finds_no_violation_on_pages_after_signing_in_again(window, filled, kind):
    site, _ = filled
    player = window(site, kind)
    width, height = _SIZES[kind]
    player.page.set_viewport_size({"width": width, "height": height})
    sign_up(player, f"again-{kind}")
    for place in _PROTECTED:
        player.open(f"/accounts/{place}")
        if "reauthenticate" in player.page.url:
            reauthenticate(player)
        expect(player.page).to_have_url(re.compile(f"{place}$"))
        assert problems(player) == []


def sign_in(player, cookie):
    """Store a session's cookie, such as ``sessionid=abc``; it is empty for anonymous visitors."""
    name, _, value = cookie.strip().partition("=")
    if name:
        value = value.split(";")[0]
        player.page.context.add_cookies(
            [{"name": name, "value": value, "url": player.site.url("/")}]
        )


def is_page(player, address):
    """Return whether a URL leads to a whole page, and not to a picture, a file or a part of one."""
    end, url = time.monotonic() + _WARMING, player.site.url(address)
    # A server may close an idle connection just when it is used again.
    wanted = {"timeout": _WARMING * 1000, "max_retries": 1}
    while (response := player.page.request.get(url, **wanted)).status == _BUSY:
        assert time.monotonic() < end, f"{address}: the computer does not get ready"
        player.page.wait_for_timeout(500)
    kind = response.headers.get("content-type", "")
    return kind.startswith("text/html") and "<html" in response.text()[:500]


def problems(player):
    """Return axe's violations, and what of the page, its lists and its menus does not fit."""
    wide, window = player.page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    )
    too_wide = [f"it is {wide} pixels wide in a window of {window}"] if wide > window else []
    # The widgets of Django's admin are as Django has them.
    cut = [] if "/admin/" in player.page.url else cut_choices(player.page)
    return too_wide + cut + menu_faults(player.page) + violations(player.page)
