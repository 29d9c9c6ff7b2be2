"""Sessions and tokens that end: what was opened with them hears nothing any more."""

import asyncio
import json
import re
from contextlib import suppress

import httpx
import pytest
import websockets

from tests.attack.client import Connection, api
from tests.live.pages import is_signed_in, send_form, sign_in
from tests.live.play import open_socket

ENDED = 10.0  # seconds after which nothing is told any more
_LISTENING = 5.0  # seconds for which everything is listened to afterwards
_SESSION, _TOKEN = {"match socket", "bell socket"}, {"match stream", "event stream"}
_NEW = "an entirely different password 7"


def sign_out(browser, other, owner):
    send_form(browser, "/accounts/logout/")


def change_password(browser, other, owner):
    send_form(
        other,
        "/accounts/password/change/",
        oldpassword=owner["password"],
        password1=_NEW,
        password2=_NEW,
    )
    assert is_signed_in(other)


def end_other_sessions(browser, other, owner):
    send_form(other, "/accounts/sessions/")


def revoke_token(browser, other, owner):
    page = other.get("/accounts/tokens/").text
    found = re.search(r'action="(/accounts/tokens/\d+/revoke)"', page)
    assert found is not None
    send_form(other, "/accounts/tokens/", to=found[1])


def delete_account(browser, other, owner):
    send_form(other, "/accounts/reauthenticate/", password=owner["password"])
    done = send_form(other, "/accounts/farewell/", name=owner["name"])
    assert done.status_code in {200, 302}


WAYS = {
    sign_out: _SESSION,
    change_password: _SESSION,
    end_other_sessions: _SESSION,
    revoke_token: _TOKEN,
    delete_account: _SESSION | _TOKEN,
}


class Ear:
    """One open connection, and what it has heard."""

    def __init__(self):
        self.heard = []
        self.is_open = True
        self.task = None

    async def listen(self, pieces):
        with suppress(OSError, EOFError, websockets.ConnectionClosed):
            async for piece in pieces:
                text = piece if isinstance(piece, str) else piece.decode("utf-8", "replace")
                if '"alive"' not in text:
                    self.heard.append(text)
        self.is_open = False


async def ears_of(site, slug, cookie, token):
    """Open every kind of connection; return the ears."""
    bell = websockets.connect(
        site.url("/notices/socket").replace("http", "ws", 1),
        additional_headers={"Origin": site.url("").rstrip("/"), "Cookie": f"sessionid={cookie}"},
        ping_interval=None,
    )
    streams = {
        "match stream": api("GET", f"/matches/{slug}/stream", token),
        "event stream": api("GET", "/stream/events", token),
    }
    sources = {
        "match socket": await open_socket(site, slug, cookie),
        "bell socket": await bell,
        **{name: Connection(site.port).stream(request) for name, request in streams.items()},
    }
    ears = {name: Ear() for name in sources}
    for name, source in sources.items():
        ears[name].task = asyncio.ensure_future(ears[name].listen(source))
    return ears, sources


async def move(socket, seat, ply):
    command = {"command": "play", "seat": seat, "ply": ply, "key": f"the move {ply}", "move": ply}
    await socket.send(json.dumps(command))
    await asyncio.sleep(1)  # until it is made, and told to everybody


def browser_of(site, account):
    browser = httpx.Client(base_url=site.url("").rstrip("/"), timeout=60)
    sign_in(browser, account["name"], account["password"])
    assert is_signed_in(browser)
    return browser


async def hear(site, table, owner, way):
    """Open connections, end what they were opened with; return all that was told and is open."""
    browser, other = browser_of(site, owner), browser_of(site, owner)
    cookie = browser.cookies["sessionid"]
    ears, sources = await ears_of(site, table["slug"], cookie, owner["token"])
    async with open_socket(site, table["slug"], table["cookies"][1]) as partner:
        await asyncio.sleep(1)
        await move(sources["match socket"], 0, 0)
        await move(partner, 1, 1)
        before = {name for name, ear in ears.items() if '"ply":2' in "".join(ear.heard)}
        await asyncio.to_thread(way, browser, other, owner)
        await asyncio.sleep(ENDED)
        for ear in ears.values():
            ear.heard.clear()
        line = {"command": "chat", "key": "the line", "text": "is anybody there?"}
        await partner.send(json.dumps(line))
        with suppress(websockets.ConnectionClosed):
            # A deleted account's matches end, so what its opponent wants may be refused.
            end = {"command": "resign", "seat": 1, "ply": 2, "key": "the end of it"}
            await partner.send(json.dumps(end))
        await asyncio.sleep(_LISTENING)
        after = {name: ear.heard for name, ear in ears.items() if ear.heard}
        still = {name for name, ear in ears.items() if ear.is_open}
    for ear in ears.values():
        ear.task.cancel()
    await asyncio.gather(*(ear.task for ear in ears.values()), return_exceptions=True)
    for source in sources.values():
        if hasattr(source, "close"):
            await source.close()
    await asyncio.sleep(0.1)  # streams are closed in the next turns of the loop
    browser.close()
    other.close()
    return before, after, still


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_told_to_what_was_opened_before(siege, way):
    number = 1 + list(WAYS).index(way)
    table, owner = siege.seeded["private"][number], siege.seeded["accounts"][2 * number]
    before, after, still = asyncio.run(hear(siege.site, table, owner, way))
    assert before >= {"match socket", "match stream"}, before
    told = {name: heard for name, heard in after.items() if name in WAYS[way]}
    assert not told, f"told {ENDED:.0f} s after {way.__name__}: {str(told)[:1_500]}"
    assert not still & WAYS[way], f"still open: {still & WAYS[way]}"
    assert not siege.tracebacks()
