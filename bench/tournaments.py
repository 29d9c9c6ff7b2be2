"""Benchmark of tournaments: a Swiss event of many players round by round, and an arena.

    python bench/tournaments.py                      2000 players, 5 rounds
    python bench/tournaments.py --players 500 --format knockout
    python bench/tournaments.py --format arena --players 500 --rate 50 --seconds 60

In an arena a server runs on one core and this program on the other. All players have sockets, moves
are due at a fixed rate in all games by turns, and a player resigns after a few moves, so that both
are paired again. The latency of moves is measured as in `server.py`.

Of other formats it measures for each round the CPU time until the round is paired and stored, until
all games have begun, until all results are counted, and of the page of the event. Games end at once
by resignation, which is not measured. Rows are created in a temporary database.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import secrets
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SIZE = 11  # of the boards of an arena
SHORTEST, LONGEST = 6, 34  # moves of its games
LOOKS = 0.5  # seconds between two looks for new games
BEGINNING = 300  # seconds at most until all players of an arena have a game


def measured(work: Callable[[], object]) -> float:
    """Return the CPU seconds that some work takes."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def make_event(players: int, kind: str, rounds: int, size: int = 4) -> Any:
    """Make an event with players; return it, not started, and the players."""
    from antipodes.clocks import read_control
    from antipodes.games.registry import make_game
    from antipodes.tournaments import make_format
    from antipodes.web.accounts.models import User
    from antipodes.web.tournaments.models import EntryRow
    from antipodes.web.tournaments.plans import Plan
    from antipodes.web.tournaments.services import create_tournament, now

    host = User.objects.create(username="host")
    plan = Plan(
        title="Benchmark",
        format=make_format(kind, {"rounds": rounds} if kind == "swiss" else {}),
        game=make_game("hex", {"size": size, "swap": "off"}),
        control=read_control("5m+5s"),
        most_players=players,
    )
    row = create_tournament(host, plan)
    names = (User(username=f"player-{number}") for number in range(players))
    users = User.objects.bulk_create(names, batch_size=5_000)
    EntryRow.objects.bulk_create(
        EntryRow(tournament=row, user=user, rating=2_500 - at, joined_at=now())
        for at, user in enumerate(users)
    )
    return row, users


def start(row: Any) -> None:
    """Start an event."""
    from antipodes.web.tournaments import directing

    directing.start(row.pk, row.host)
    row.refresh_from_db()


def until(row: Any, is_reached: Callable[[Any], bool]) -> None:
    """Take steps of an event until a condition holds."""
    from antipodes.web.tournaments import progress

    while not is_reached(row):
        progress.step(row.pk)
        row.refresh_from_db()


def end_games(row: Any, rng: random.Random) -> None:
    """Let a player of each game resign."""
    from antipodes.match import Play, Resign
    from antipodes.web.matches.services import carry_out
    from antipodes.web.tournaments.models import GameRow

    games = GameRow.objects.filter(pairing__tournament=row, match__ended_at=None)
    for slug in list(games.values_list("match__slug", flat=True)):
        for ply in range(2):
            carry_out(slug, Play(seat=ply, ply=ply, key=f"{ply}", move=ply))
        carry_out(slug, Resign(seat=rng.randrange(2), ply=2, key="over"))


def main() -> None:
    """Run the benchmark and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--players", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--format", default="swiss", choices=["swiss", "knockout", "arena"])
    parser.add_argument("--rate", type=float, default=50, help="moves a second in an arena")
    parser.add_argument("--seconds", type=float, default=60)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ANTIPODES_DATA"] = folder
        from antipodes.web.server.serve import prepare

        prepare(creates=True)
        if arguments.format == "arena":
            run_arena(arguments, Path(folder))
        else:
            run(arguments)


def run(arguments: argparse.Namespace) -> None:
    """Play the event, and print the CPU seconds of each round."""
    from django.test import Client

    from antipodes.web.tournaments.models import GameRow

    rng = random.Random(1)
    row, _ = make_event(arguments.players, arguments.format, arguments.rounds)
    start(row)
    client = Client(headers={"host": "localhost"})
    print(f"{'round':>5} {'paired':>8} {'begun':>8} {'counted':>8} {'page':>8}  CPU seconds")
    for number in range(1, row.last_round + 1):
        paired = measured(lambda: until(row, lambda one: one.round >= number))  # noqa: B023
        games = GameRow.objects.filter(pairing__tournament=row)
        undecided = row.pairings.filter(first_points=None)
        begun = measured(
            lambda: until(row, lambda _: not undecided.filter(games=None).exists())  # noqa: B023
        )
        page = measured(lambda: client.get(f"/tournament/{row.slug}/"))
        end_games(row, rng)
        counted = measured(
            lambda: until(row, lambda _: not games.filter(first_points=None).exists())  # noqa: B023
        )
        print(f"{number:5} {paired:8.2f} {begun:8.2f} {counted:8.2f} {page:8.3f}")


# --- arenas -------------------------------------------------------------------------------------


def run_arena(arguments: argparse.Namespace, folder: Path) -> None:
    """Play an arena on a server, and print the latency of moves."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    from server import Server, cookie_of

    row, users = make_event(arguments.players, "arena", 0, SIZE)
    cookies = {user.pk: cookie_of(user) for user in users}
    server = Server(folder)
    try:
        start(row)
        asyncio.run(Arena(row.pk, server, cookies).play(arguments.rate, arguments.seconds))
    finally:
        server.stop()


class Arena:
    """The games of an arena in progress, each with the sockets of both players."""

    def __init__(self, key: int, server: Any, cookies: dict[int, str]) -> None:
        """Begin without games."""
        from server import Tally

        self.key, self.server, self.cookies = key, server, cookies
        self.pairs: dict[str, Any] = {}
        self.lengths: dict[str, int] = {}
        self.known: set[str] = set()
        self.tally: Any = Tally()
        self.rng = random.Random(1)
        self.tasks: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Any) -> None:
        """Run a coroutine beside the others."""
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def new_games(self) -> list[tuple[str, list[int]]]:
        """Return slug and players of the games that began since the last look."""
        from antipodes.web.matches.models import SeatRow
        from antipodes.web.tournaments.models import GameRow

        games = GameRow.objects.filter(pairing__tournament=self.key, match__ended_at=None)
        new = [one for one in games.values_list("match__slug", flat=True) if one not in self.known]
        self.known.update(new)
        seats = SeatRow.objects.filter(match__slug__in=new).order_by("number")
        found: dict[str, list[int]] = {slug: [] for slug in new}
        for slug, user in seats.values_list("match__slug", "user"):
            found[slug].append(user)
        return list(found.items())

    async def look(self) -> None:
        """Join new games."""
        while True:
            for slug, players in await asyncio.to_thread(self.new_games):
                self.spawn(self.join(slug, players))
            await asyncio.sleep(LOOKS)

    async def join(self, slug: str, players: list[int]) -> None:
        """Open the sockets of both players."""
        from server import Pair, connect, listen

        sockets = [await connect(self.server, slug, self.cookies[one]) for one in players]
        pair = Pair(slug, sockets)
        for seat in (0, 1):
            self.spawn(listen(pair, seat, self.tally))
        self.lengths[slug] = self.rng.randint(SHORTEST, LONGEST)
        self.pairs[slug] = pair

    async def send(self, pair: Any, due: float) -> None:
        """Send the next move of a game, or at its end a resignation."""
        from server import send

        if pair.ply < self.lengths[pair.slug]:
            await send(pair, due, self.tally)
            return
        del self.pairs[pair.slug]
        key, seat = secrets.token_hex(8), self.rng.randrange(2)
        command = {"command": "resign", "seat": seat, "ply": pair.ply, "key": key}
        pair.due[key] = due
        self.tally.sent += 1
        await pair.sockets[seat].send(json.dumps(command))
        self.spawn(self.leave(pair))

    async def leave(self, pair: Any) -> None:
        """Close the sockets of a game that is over."""
        await asyncio.sleep(2)
        for socket in pair.sockets:
            await socket.close()

    async def moves(self, rate: float, seconds: float) -> float:
        """Send moves at a fixed rate in all games by turns; return the seconds that this took."""
        begun = time.perf_counter()
        order: list[Any] = []
        for number in range(int(rate * seconds)):
            due = begun + number / rate
            if (pause := due - time.perf_counter()) > 0:
                await asyncio.sleep(pause)
            order = order or list(self.pairs.values())
            while order:
                pair = order.pop()
                if not pair.is_waiting and pair.slug in self.pairs:
                    await self.send(pair, due)
                    break
        return time.perf_counter() - begun

    async def play(self, rate: float, seconds: float) -> None:
        """Wait until all players have a game, then measure."""
        from server import report

        looking = asyncio.ensure_future(self.look())
        begun = time.perf_counter()
        most = len(self.cookies) // 2
        for _ in range(int(BEGINNING / LOOKS)):
            if len(self.pairs) >= most:
                break
            await asyncio.sleep(LOOKS)
        print(f"  {len(self.pairs)} games began in {time.perf_counter() - begun:.1f} s")
        await asyncio.to_thread(self.server.settle)
        await self.moves(rate, 5)
        before, at_first = self.server.use(), len(self.known)
        for name in ("acknowledged", "delivered", "refused"):
            getattr(self.tally, name).clear()
        self.tally.sent = 0
        took = await self.moves(rate, seconds)
        await asyncio.sleep(2)
        report(self.tally, took, before, self.server.use())
        print(f"  games that began meanwhile: {len(self.known) - at_first}")
        looking.cancel()


if __name__ == "__main__":
    main()
