"""Sessions and tokens that end: their connections receive no events any more."""

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

ENDED = 10.0  # seconds after which no event is sent any more
_LISTENING = 5.0  # seconds of listening afterwards
_SESSION, _TOKEN = {"match socket", "notification socket"}, {"match stream", "event stream"}
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
    done = send_form(other, "/accounts/delete/", name=owner["name"])
    assert done.status_code in {200, 302}


WAYS = {
    sign_out: _SESSION,
    change_password: _SESSION,
    end_other_sessions: _SESSION,
    revoke_token: _TOKEN,
    delete_account: _SESSION | _TOKEN,
}


class Listener:
    """One open connection, and the messages that it has received."""

    def __init__(self):
        self.received = []
        self.is_open = True
        self.task = None

    async def listen(self, pieces):
        with suppress(OSError, EOFError, websockets.ConnectionClosed):
            async for piece in pieces:
                text = piece if isinstance(piece, str) else piece.decode("utf-8", "replace")
                if '"alive"' not in text:
                    self.received.append(text)
        self.is_open = False


async def listen_to_all(site, slug, cookie, token):
    """Open every kind of connection; return the listeners, and the connections."""
    notifications = websockets.connect(
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
        "notification socket": await notifications,
        **{name: Connection(site.port).stream(request) for name, request in streams.items()},
    }
    listeners = {name: Listener() for name in sources}
    for name, source in sources.items():
        listeners[name].task = asyncio.ensure_future(listeners[name].listen(source))
    return listeners, sources


async def move(socket, seat, ply):
    command = {"command": "play", "seat": seat, "ply": ply, "key": f"the move {ply}", "move": ply}
    await socket.send(json.dumps(command))
    await asyncio.sleep(1)  # until it is made, and sent to all clients


def browser_of(site, account):
    browser = httpx.Client(base_url=site.url("").rstrip("/"), timeout=60)
    sign_in(browser, account["name"], account["password"])
    assert is_signed_in(browser)
    return browser


async def run(site, table, owner, way):
    """Open connections, end their credentials; return what was received before and after it."""
    browser, other = browser_of(site, owner), browser_of(site, owner)
    cookie = browser.cookies["sessionid"]
    listeners, sources = await listen_to_all(site, table["slug"], cookie, owner["token"])
    async with open_socket(site, table["slug"], table["cookies"][1]) as partner:
        await asyncio.sleep(1)
        await move(sources["match socket"], 0, 0)
        await move(partner, 1, 1)
        before = {name for name, one in listeners.items() if '"ply":2' in "".join(one.received)}
        await asyncio.to_thread(way, browser, other, owner)
        await asyncio.sleep(ENDED)
        for one in listeners.values():
            one.received.clear()
        line = {"command": "chat", "key": "the line", "text": "are you there?"}
        await partner.send(json.dumps(line))
        with suppress(websockets.ConnectionClosed):
            # A deleted account's matches end, so that the opponent's command may be refused.
            end = {"command": "resign", "seat": 1, "ply": 2, "key": "the end of it"}
            await partner.send(json.dumps(end))
        await asyncio.sleep(_LISTENING)
        after = {name: one.received for name, one in listeners.items() if one.received}
        still = {name for name, one in listeners.items() if one.is_open}
    for one in listeners.values():
        one.task.cancel()
    await asyncio.gather(*(one.task for one in listeners.values()), return_exceptions=True)
    for source in sources.values():
        if hasattr(source, "close"):
            await source.close()
    await asyncio.sleep(0.1)  # streams are closed in the next iterations of the loop
    browser.close()
    other.close()
    return before, after, still


@pytest.mark.parametrize("way", WAYS)
def test_connections_of_ended_credentials_receive_nothing(siege, way):
    number = 1 + list(WAYS).index(way)
    table, owner = siege.seeded["private"][number], siege.seeded["accounts"][2 * number]
    before, after, still = asyncio.run(run(siege.site, table, owner, way))
    assert before >= {"match socket", "match stream"}, before
    late = {name: received for name, received in after.items() if name in WAYS[way]}
    assert not late, f"received {ENDED:.0f} s after {way.__name__}: {str(late)[:1_500]}"
    assert not still & WAYS[way], f"still open: {still & WAYS[way]}"
    assert not siege.tracebacks()
