"""Test of sessions that end in one process and have connections in others."""

import asyncio
import json
import re
import urllib.request
from pathlib import Path

import websockets

from tests.live.logs import tracebacks

SIGNED_OUT = 4401
MAX_SOCKETS = 40  # opened until each process has some
TIMEOUT = 30  # seconds


def connections_of(process):
    """Return the number of open network connections of a process."""
    files = Path(f"/proc/{process}/fd").iterdir()
    return sum(1 for one in files if str(one.readlink()).startswith("socket:"))


async def open_in_every_process(site, slug, cookie):
    """Open sockets of a player until each web process has two of them or more."""
    before = {process: connections_of(process) for process in site.web_processes()}
    sockets: list[websockets.ClientConnection] = []
    while len(sockets) < MAX_SOCKETS:
        origin = site.url("")
        headers = {"Cookie": f"sessionid={cookie}", "Origin": origin}
        address = f"{origin}/m/{slug}/socket".replace("http", "ws", 1)
        sockets.append(
            await websockets.connect(address, additional_headers=headers, open_timeout=60)
        )
        await sockets[-1].recv()
        if all(connections_of(one) >= count + 2 for one, count in before.items()):
            return sockets
    raise AssertionError(f"one process has all of {MAX_SOCKETS} connections")


def sign_out(site, cookie):
    """Sign out by a request, which one of the processes handles."""
    origin = site.url("")
    address = f"{origin}/accounts/logout/"
    headers = {"Cookie": f"sessionid={cookie}", "Origin": origin}
    with urllib.request.urlopen(
        urllib.request.Request(address, headers=headers), timeout=60
    ) as page:
        [token] = re.findall(r"csrftoken=(\w+)", page.headers["Set-Cookie"])
    headers |= {"Cookie": f"sessionid={cookie}; csrftoken={token}", "X-CSRFToken": token}
    request = urllib.request.Request(address, headers=headers, data=b"", method="POST")
    with urllib.request.urlopen(request, timeout=60) as response:
        assert response.status == 200


async def code_of(socket):
    async with asyncio.timeout(TIMEOUT):
        while True:
            try:
                json.loads(await socket.recv())
            except websockets.ConnectionClosed:
                return socket.close_code


def test_signing_out_in_one_process_closes_sockets_in_all(seeded):
    site, tables = seeded
    site.start(web=2, engines=1)
    slug, [cookie, _] = tables["tables"][0]["slug"], tables["tables"][0]["cookies"]

    async def play():
        sockets = await open_in_every_process(site, slug, cookie)
        await asyncio.to_thread(sign_out, site, cookie)
        return [await code_of(socket) for socket in sockets]

    assert set(asyncio.run(play())) == {SIGNED_OUT}
    assert not tracebacks(site.log_text())
