"""Measure the site under load: moves from many sockets, sizes of pages, time until one can play.

    python bench/server.py                   500 sockets, then 2000, with 200 moves per second
    python bench/server.py --sockets 100 --rate 50 --seconds 10
    python bench/server.py --page            budget of the first pages, in Chromium
    python bench/server.py --scale           SQLite, then PostgreSQL and Redis, 1 and 2 processes
    python bench/server.py --durability      SQLite that waits for the disk at every commit, or not
    python bench/server.py --database postgres://... --redis redis://... --processes 2

The server runs on one core and this program on the other; several web processes use both. Every two
sockets play a game of Hex. Moves are due at a fixed rate, however late earlier ones are. Latency is
measured from the time a move is due to its acknowledgement, and to its arrival at the opponent's
socket. At the end the program checks that the database has all acknowledged moves.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import itertools
import json
import os
import re
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import websockets

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.live.processes import WORKER, cpu_seconds, family_of, memory, running

SIZE = 11
TIMEOUT = 20.0  # seconds for outstanding acknowledgements at the end
SETTLING = 180  # seconds at most until the kernels are loaded
IDLE = 0.2  # of a core: all processes with 2,000 open sockets and no moves use less
IDLE_SECONDS = 6  # the longest interval of periodic checks, so that each falls into it
ROUNDS = 3  # of each kind of commit
SYNCHRONOUS = ("NORMAL", "FULL")
CONNECTING = 100  # sockets that connect at the same time
# The sum of all shifts of the layout that no click caused, as Lighthouse counts them.
LAYOUT_SHIFT = """() => new Promise((done) => new PerformanceObserver((list) => done(
  list.getEntries().reduce((sum, one) => sum + (one.hadRecentInput ? 0 : one.value), 0))
).observe({ type: "layout-shift", buffered: true }) ?? setTimeout(() => done(0), 500))"""
MOVES = [cell for row in range(SIZE) for cell in range(row * SIZE, (row + 1) * SIZE)]


@dataclass(slots=True)
class Pair:
    """Two sockets that play a game."""

    slug: str
    sockets: list[Any]
    ply: int = 0
    is_waiting: bool = False
    due: dict[str, float] = field(default_factory=dict)
    due_at_ply: dict[int, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Use:
    """Memory of the processes with sockets in MiB; CPU seconds of these and of the worker."""

    memory: float
    web: float
    worker: float


@dataclass(slots=True)
class Tally:
    """Latencies in seconds, and counts."""

    acknowledged: list[float] = field(default_factory=list)
    delivered: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    sent: int = 0
    late: int = 0


def prepare(folder: Path, count: int) -> list[tuple[str, list[str]]]:
    """Create users and matches for some sockets; return addresses and session cookies."""
    os.environ |= {"ANTIPODES_DATA": str(folder), "DJANGO_ALLOW_ASYNC_UNSAFE": "1"}
    from antipodes.web.server.upgrades import migrate

    migrate()
    from antipodes.games.registry import make_game
    from antipodes.match import Terms
    from antipodes.web.accounts.models import User
    from antipodes.web.matches.services import begin_match

    mark = secrets.token_hex(3)  # a database may have players of an earlier run
    names = [f"player-{mark}-{number}" for number in range(count)]
    users = User.objects.bulk_create(User(username=name) for name in names)
    cookies = [cookie_of(user) for user in users]
    game = make_game("hex", {"size": SIZE, "swap": "off"})
    tables = []
    for at in range(0, count - 1, 2):
        pair = users[at : at + 2]
        terms = Terms(game=game, players=tuple(str(user.pk) for user in pair))
        tables.append((begin_match(terms, pair).slug, cookies[at : at + 2]))
    return tables


def cookie_of(user: Any) -> str:
    """Sign a user in; return the session cookie."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return str(session.session_key)


class Server:
    """A site with one web process on one core, or several on all cores; the first has a worker."""

    def __init__(self, folder: Path, count: int = 1) -> None:
        self._environment = os.environ | {"ANTIPODES_DATA": str(folder)}
        self._cores = "0" if count == 1 else f"0-{(os.cpu_count() or 1) - 1}"
        more = [[], *(["--no-worker"] for _ in range(count - 1))]
        self.processes, addresses = zip(*(self._start(options) for options in more), strict=True)
        self._addresses = itertools.cycle(addresses)

    @property
    def address(self) -> str:
        """The address of a web process, of each in turn."""
        return next(self._addresses)

    def _start(self, options: list[str]) -> tuple[subprocess.Popen[str], str]:
        command = [sys.executable, "-m", "antipodes", "serve", "--port", "0", *options]
        pinned = ["taskset", "-c", self._cores, *command] if (os.cpu_count() or 1) > 1 else command
        process = subprocess.Popen(
            pinned, env=self._environment, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://([\d.:]+)/", line)
        assert found, line
        for _ in range(200):
            try:
                urllib.request.urlopen(f"http://{found[1]}/", timeout=5).read()
            except OSError:
                time.sleep(0.1)
            else:
                break
        return process, found[1]

    def use(self) -> Use:
        """Return the memory and CPU time of the server's processes."""
        web = [process.pid for process in self.processes]
        workers = [pid for server in web for pid in running(server, WORKER)]
        return Use(memory(web), cpu_seconds(web), cpu_seconds(workers))

    def settle(self) -> None:
        """Wait until the server has loaded everything."""
        for _ in range(SETTLING // IDLE_SECONDS):
            before = self._cpu_seconds()
            time.sleep(IDLE_SECONDS)
            used = self._cpu_seconds() - before
            if used < IDLE * IDLE_SECONDS:
                print(f"  idle: {100 * used / IDLE_SECONDS:.0f} % of a core, all processes")
                return
        print("  the server is not idle yet")

    def _cpu_seconds(self) -> float:
        """Return the CPU time of all processes of the server so far."""
        return cpu_seconds(pid for process in self.processes for pid in family_of(process.pid))

    def stop(self) -> None:
        """Stop the server as Ctrl-C does."""
        for process in self.processes:
            process.send_signal(signal.SIGINT)
        for process in self.processes:
            process.wait(20)


async def connect(server: Server, slug: str, cookie: str) -> Any:
    """Open a socket and receive the match."""
    host = server.address
    headers = {"Cookie": f"sessionid={cookie}", "Origin": f"http://{host}"}
    address = f"ws://{host}/m/{slug}/socket?moves=new"
    socket = await websockets.connect(
        address, additional_headers=headers, compression=None, open_timeout=60, ping_interval=None
    )
    for _ in range(3):
        await socket.recv()
    return socket


async def listen(pair: Pair, seat: int, tally: Tally) -> None:
    """Record the messages that a socket receives."""
    async for text in pair.sockets[seat]:
        at = time.perf_counter()
        if text.startswith('{"type":"done"'):
            tally.acknowledged.append(at - pair.due.pop(json.loads(text)["key"]))
            pair.ply += 1
            pair.is_waiting = False
        elif text.startswith('{"type":"match"'):
            ply = int(re.search(r'"ply":(\d+)', text)[1])
            if (ply - 1) % 2 != seat and ply in pair.due_at_ply:
                tally.delivered.append(at - pair.due_at_ply.pop(ply))
        elif text.startswith('{"type":"refused"'):
            tally.refused.append(text)
            pair.is_waiting = False


async def send_moves(pairs: list[Pair], rate: float, seconds: float, tally: Tally) -> float:
    """Send moves at a fixed rate; return the seconds that this took."""
    begun = time.perf_counter()
    for number in range(int(rate * seconds)):
        due = begun + number / rate
        if (pause := due - time.perf_counter()) > 0:
            await asyncio.sleep(pause)
        pair = pairs[number % len(pairs)]
        while pair.is_waiting:
            tally.late += 1
            await asyncio.sleep(0.001)
        if pair.ply >= len(MOVES) - 2 * SIZE:
            continue
        await send(pair, due, tally)
    return time.perf_counter() - begun


async def send(pair: Pair, due: float, tally: Tally) -> None:
    """Send the next move of a game."""
    key = secrets.token_hex(8)
    command = {
        "command": "play",
        "seat": pair.ply % 2,
        "ply": pair.ply,
        "key": key,
        "move": MOVES[pair.ply],
    }
    pair.is_waiting = True
    pair.due[key] = pair.due_at_ply[pair.ply + 1] = due
    tally.sent += 1
    await pair.sockets[pair.ply % 2].send(json.dumps(command))


async def play(server: Server, tables: list[tuple[str, list[str]]], options: Any) -> Tally:
    """Connect all sockets, send moves, and wait for outstanding acknowledgements."""
    gate = asyncio.Semaphore(CONNECTING)

    async def connect_pair(slug: str, cookies: list[str]) -> Pair:
        async with gate:
            return Pair(slug, [await connect(server, slug, cookie) for cookie in cookies])

    begun = time.perf_counter()
    pairs = list(await asyncio.gather(*(connect_pair(*table) for table in tables)))
    print(f"  {2 * len(pairs)} sockets connected in {time.perf_counter() - begun:.1f} s")
    warming = Tally()
    listeners = [
        asyncio.ensure_future(listen(pair, seat, warming)) for pair in pairs for seat in (0, 1)
    ]
    await asyncio.to_thread(server.settle)
    await send_moves(pairs, options.rate, 2.0, warming)
    await asyncio.sleep(1)
    for listener in listeners:
        listener.cancel()
    tally = Tally()
    listeners = [
        asyncio.ensure_future(listen(pair, seat, tally)) for pair in pairs for seat in (0, 1)
    ]
    gc.collect()
    gc.disable()  # a collection here would delay what is measured
    before = server.use()
    took = await send_moves(pairs, options.rate, options.seconds, tally)
    for _ in range(int(TIMEOUT / 0.05)):
        if not any(pair.due for pair in pairs):
            break
        await asyncio.sleep(0.05)
    report(tally, took, before, server.use())
    gc.enable()
    for listener in listeners:
        listener.cancel()
    await asyncio.gather(*(one.close() for pair in pairs for one in pair.sockets))
    check(pairs)
    return tally


def report(tally: Tally, took: float, before: Use, after: Use) -> None:
    """Print a tally, and what the server used meanwhile."""
    print(f"  {len(tally.acknowledged) / took:.0f} moves/s acknowledged of {tally.sent} sent")
    for name, times in (("acknowledged", tally.acknowledged), ("delivered", tally.delivered)):
        cuts = statistics.quantiles(times, n=1000)
        p50, p99, p999 = (1000 * cuts[i] for i in (499, 989, 998))
        print(f"  {name:12}  p50 {p50:6.1f} ms   p99 {p99:6.1f} ms   p99.9 {p999:6.1f} ms")
    web, worker = after.web - before.web, after.worker - before.worker
    print(f"  server: {after.memory:.0f} MiB, {100 * web / took:.0f} % of a core", end="")
    print(f" and its worker {100 * worker / took:.0f} %; refused {len(tally.refused)}")
    moves = max(1, len(tally.acknowledged))
    print(f"  CPU time per move: {1000 * web / moves:.2f} + {1000 * worker / moves:.2f} ms")


def check(pairs: list[Pair]) -> None:
    """Check that the database has every acknowledged move."""
    from antipodes.web.matches.models import EventRow, MatchRow

    lost = 0
    for pair in pairs:
        row = MatchRow.objects.get(slug=pair.slug)
        lost += max(0, pair.ply - EventRow.objects.filter(match=row).count())
    print(f"  lost: {lost} of {sum(pair.ply for pair in pairs)} acknowledged moves")


def measure_page(server: Server) -> None:
    """Compare the first page and a match with their budget.

    Loading is measured up to the first quiet moment; fonts come after it, for the next page.

    Raises:
        SystemExit: something is over its budget.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        page = browser.new_page()
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        weight = [0.0]
        fonts: set[str] = set()  # loaded when everything else is done, for the next page
        session.on(
            "Network.requestWillBeSent",
            lambda e: fonts.add(e["requestId"]) if ".woff2" in e["request"]["url"] else None,
        )
        session.on(
            "Network.loadingFinished",
            lambda e: weight.append(e["encodedDataLength"] * (e["requestId"] not in fonts)),
        )
        page.goto(f"http://{server.address}/")
        page.locator("antipodes-board [data-cell]").first.wait_for()
        board = page.evaluate("performance.now()") / 1000
        page.wait_for_load_state("networkidle")
        first = sum(weight)
        shift = page.evaluate(LAYOUT_SHIFT)
        weight.clear()
        begun = time.perf_counter()
        page.locator("form[action*='/play/'] button").first.click()
        page.wait_for_url("**/m/**")
        page.locator("antipodes-board [data-cell]").first.wait_for()
        took = time.perf_counter() - begun
        page.wait_for_load_state("networkidle")
        shift = max(shift, page.evaluate(LAYOUT_SHIFT))
        browser.close()
    found = {
        "first page, kB": (first / 1000, 100),
        "first board, s": (board, 1),
        "match after it, kB": (sum(weight) / 1000, 60),
        "from the click to a playable board, s": (took, 1),
        "layout shift": (shift, 0.1),
    }
    for name, (value, most) in found.items():
        print(f"{name}: {value:.2f} of {most}")
    if any(value > most for value, most in found.values()):
        sys.exit("over the budget")


def main() -> None:
    """Measure each set-up and number of sockets in a separate process."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sockets", type=int, nargs="*", default=[500, 2000])
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--database", default="", help="address of PostgreSQL; an empty database")
    parser.add_argument("--redis", default="", help="address of Redis")
    parser.add_argument("--processes", type=int, default=1, help="web processes")
    parser.add_argument(
        "--durability", action="store_true", help="the cost of waiting for the disk"
    )
    parser.add_argument("--synchronous", choices=SYNCHRONOUS, help="of SQLite; FULL by default")
    parser.add_argument("--scale", action="store_true", help="start PostgreSQL and Redis as well")
    options = parser.parse_args()
    if options.scale:
        compare(options)
    elif options.durability:
        compare_durability(options)
    elif options.page or len(options.sockets) == 1:
        measure(options)
    else:
        for count in options.sockets:
            measure_in_process(options, count, options.database, options.redis, options.processes)


def compare(options: Any) -> None:
    """Measure one process with SQLite, then PostgreSQL and Redis with one and two web processes."""
    from tests.scale.servers import PostgreSQL, Redis, missing_programs

    if missing := missing_programs():
        sys.exit(missing)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        database, redis = PostgreSQL(Path(folder) / "pg/server"), Redis(Path(folder) / "redis")
        database.start()
        redis.start()
        try:
            for count in options.sockets:
                print("SQLite, one process:", flush=True)
                measure_in_process(options, count, "", "", 1)
                for processes in (1, 2):
                    print(f"PostgreSQL and Redis, web processes: {processes}", flush=True)
                    url = database.create(f"bench_{count}_{processes}")
                    measure_in_process(options, count, url, redis.url(processes), processes)
        finally:
            redis.stop()
            database.stop("immediate")


def compare_durability(options: Any) -> None:
    """Measure SQLite with both kinds of commits in turn, and print the ratio of latencies."""
    found: dict[str, list[tuple[float, float]]] = {one: [] for one in SYNCHRONOUS}
    count = options.sockets[0]
    for number in range(ROUNDS):
        for one in SYNCHRONOUS if number % 2 else reversed(SYNCHRONOUS):
            command = [sys.executable, __file__, "--synchronous", one, "--sockets", str(count)]
            command += ["--rate", str(options.rate), "--seconds", str(options.seconds)]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            print(f"synchronous={one}\n{done.stdout}", end="", flush=True)
            times = re.search(r"acknowledged +p50 +([\d.]+) ms +p99 +([\d.]+) ms", done.stdout)
            assert times, done.stdout
            found[one].append((float(times[1]), float(times[2])))
    for at, name in enumerate(("p50", "p99")):
        normal, full = (statistics.median(run[at] for run in found[one]) for one in SYNCHRONOUS)
        print(f"{name}: NORMAL {normal:.1f} ms, FULL {full:.1f} ms, ratio {full / normal:.2f}")


def measure_in_process(options: Any, count: int, database: str, redis: str, processes: int) -> None:
    """Measure one set-up in a separate process, because settings are read once in each."""
    command = [sys.executable, __file__, "--sockets", str(count), "--rate", str(options.rate)]
    command += ["--seconds", str(options.seconds), "--processes", str(processes)]
    command += ["--database", database, "--redis", redis]
    subprocess.run(command, check=True)


def measure(options: Any) -> None:
    """Measure one set-up with one number of sockets."""
    os.environ |= {
        "DATABASE_URL": options.database,
        "REDIS_URL": options.redis,
        "SECRET_KEY": "for measuring alone",
    }
    if (os.cpu_count() or 1) > 1 and options.processes == 1:
        os.sched_setaffinity(0, {1})
    with tempfile.TemporaryDirectory() as folder:
        if options.synchronous:
            commands = f"PRAGMA journal_mode=WAL; PRAGMA synchronous={options.synchronous};"
            query = urllib.parse.urlencode({"init_command": commands})
            os.environ["DATABASE_URL"] = f"sqlite:///{folder}/site.sqlite3?{query}"
        count = 0 if options.page else options.sockets[0]
        tables = prepare(Path(folder), count)
        server = Server(Path(folder), options.processes)
        try:
            if options.page:
                measure_page(server)
                return
            print(f"{count} sockets, {options.rate:.0f} moves/s sent:")
            asyncio.run(play(server, tables, options))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
