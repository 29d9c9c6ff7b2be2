"""Clients that play as pages do: they reconnect, and repeat commands without an answer."""

import asyncio
import json
import time
import urllib.request
from typing import Any

import websockets

MOVES = 60  # of each game; Hex 9 cannot be won earlier in rows of one colour
PAUSE = 0.12  # seconds between two moves
ANSWER = 15.0  # seconds after which a page considers the connection lost
ENDING = 300.0  # seconds until all games have ended


def view_of(site, slug):
    with urllib.request.urlopen(site.url(f"/m/{slug}/match.json"), timeout=60) as response:
        return json.load(response)


def open_socket(site, slug, cookie, address=None, **options):
    """Connect to a match as a page does, with an address that a proxy reports."""
    origin = site.url("")
    headers = {"Origin": origin}
    if cookie is not None:
        headers["Cookie"] = f"sessionid={cookie}"
    if address is not None:
        headers["X-Forwarded-For"] = address
    url = f"{origin}/m/{slug}/socket".replace("http", "ws", 1)
    options = {"open_timeout": 60, "ping_interval": None, **options}
    if url.startswith("wss:"):
        options["ssl"] = site.tls
    return websockets.connect(url, additional_headers=headers, **options)


class Seat:
    """A browser of a player, which reconnects when its socket is lost."""

    def __init__(self, site, slug, cookie, address=None):
        self.site, self.slug, self.cookie, self.address = site, slug, cookie, address
        self.answers: dict[str, Any] = {}
        self.waiting: dict[str, Any] = {}
        self.ply = 0
        self.match: dict[str, Any] | None = None
        self.received = asyncio.Event()
        self.codes: list[int | None] = []
        self.socket: Any = None
        self.task = asyncio.ensure_future(self._run())

    async def _run(self):
        failures = 0
        while True:
            try:
                async with open_socket(self.site, self.slug, self.cookie, self.address) as socket:
                    failures, self.socket = 0, socket
                    for command in list(self.waiting.values()):
                        await socket.send(json.dumps(command))
                    async for text in socket:
                        self._receive(json.loads(text))
                self.codes.append(socket.close_code)
            except websockets.ConnectionClosed as closed:
                self.codes.append(closed.rcvd.code if closed.rcvd else 1006)
            except (OSError, websockets.WebSocketException, TimeoutError):
                failures += 1
            self.socket = None
            await asyncio.sleep(min(2.0, 0.1 * 2**failures))

    def _receive(self, message):
        if message["type"] in {"done", "refused"}:
            self.answers[message["key"]] = message
        elif message["type"] == "match":
            self.match = message["match"]
            self.ply = message["match"]["ply"]
        self.received.set()

    async def command(self, **command):
        """Send a command until it is answered; return the answer."""
        key = command["key"]
        self.waiting[key] = command
        sent_by: Any = None
        while key not in self.answers:
            socket = self.socket
            if socket is not None and socket is sent_by:
                await socket.close()  # a page gives up a silent connection
            elif socket is not None:
                sent_by = socket
                try:
                    await socket.send(json.dumps(command))
                except websockets.ConnectionClosed:
                    continue
            await self.until(lambda: key in self.answers, ANSWER if sent_by else 0.2)
        del self.waiting[key]
        return self.answers[key]

    async def until(self, condition, seconds):
        """Wait until a condition is met, or for some seconds; return whether it is."""
        end = time.monotonic() + seconds
        while not condition() and time.monotonic() < end:
            self.received.clear()
            try:
                # Not wait_for, which sometimes loses a cancellation in Python 3.11.
                async with asyncio.timeout(min(0.2, seconds)):
                    await self.received.wait()
            except TimeoutError:
                continue
        return condition()

    async def left(self):
        """Disconnect, and wait until the connection is closed.

        A task that is only cancelled would leave its socket open: the end of the event loop cancels
        it again while it closes the connection.
        """
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


class Table:
    """Two players of a whole game."""

    def __init__(self, site, seeded):
        self.slug = seeded["slug"]
        self.seats = [Seat(site, self.slug, cookie) for cookie in seeded["cookies"]]
        self.acknowledged = []

    async def play(self, moves=MOVES):
        for ply in range(moves):
            seat = self.seats[ply % 2]
            key = f"{self.slug} {ply:04}"
            answer = await seat.command(command="play", seat=ply % 2, ply=ply, key=key, move=ply)
            assert answer["type"] == "done", answer
            self.acknowledged.append(ply)
            await asyncio.sleep(PAUSE)
        for seat in self.seats:
            assert await seat.until(lambda seat=seat: seat.ply >= moves, 30), (
                "a player did not receive all moves"
            )

    async def left(self):
        """Disconnect both players, and wait until their connections are closed."""
        await asyncio.gather(*(seat.left() for seat in self.seats))


async def play_against_computer(site, seeded, least=4):
    """Play some moves against the computer; return the seconds that each of its moves took."""
    slug = seeded["slug"]
    person = next(at for at, cookie in enumerate(seeded["cookies"]) if cookie)
    seat = Seat(site, slug, seeded["cookies"][person])
    waited = []
    try:
        for _ in range(least):
            begun = time.monotonic()
            view = await until_turn(site, slug, person)
            waited.append(time.monotonic() - begun)
            if view["result"] is not None:
                break
            free = set(range(25)) - {made["move"] for made in view["moves"]}
            key = f"{slug} {view['ply']}"
            answer = await seat.command(
                command="play", seat=person, ply=view["ply"], key=key, move=min(free)
            )
            assert answer["type"] == "done", answer
    finally:
        await seat.left()
    return waited


async def until_turn(site, slug, seat):
    """Wait until it is the turn of a seat, also through outages."""
    end = time.monotonic() + ENDING
    while time.monotonic() < end:
        try:
            view = await asyncio.to_thread(view_of, site, slug)
        except OSError:
            await asyncio.sleep(0.3)
            continue
        if view["result"] is not None or view["toMove"] == seat:
            return view
        await asyncio.sleep(0.2)
    raise AssertionError(f"the computer does not move; log:\n{site.log_text()}")
