"""Benchmark of the archive with a million games: times of pages, and an export of all games.

    python bench/archive.py                          a million games in SQLite
    python bench/archive.py --games 50000            fewer
    python bench/archive.py --postgres postgres://user:password@host/name
    python bench/archive.py --folder build/archive   keep the database, and use it again
    python bench/archive.py --folder build/archive --past ../past    compare with another checkout

Some hundreds of random games are played on boards of all games, and some of them are cut short by a
resignation, a timeout or a draw. Each generated match is one of these, at a time of the last three
years, between random players of whom few play much and many little. The site's own code counts the
games. Ratings are random. Then the real views answer requests of many kinds with random parameters;
the first request of each kind is not measured. Times are those of one process, without the network;
on a busy machine, see the CPU time, in all and in statements of SQL (with PostgreSQL it excludes
the database). At last two pages are measured with and without the fragments that the site keeps,
in turn. ``--past`` measures the first page, the lobby and others in both checkouts in turn, and
nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from archive_games import DAY, LEVELS, PEOPLE, YEARS, fill, report, timed

REQUESTS = 60
COMPARED = ("/", "/lobby/", "/lobby/now/", "/games/", "/tournaments/", "/people/player-5/")
ROUND = 5  # requests of each page and visitor, before the other checkout has its turn

Request = Callable[[random.Random], tuple[str, dict[str, str]]]


def request_kinds() -> dict[str, Request]:
    """Return the kinds of requests, functions that return a path and random parameters."""
    from antipodes.games.registry import game_ids
    from antipodes.web.archive.facts import options_key
    from antipodes.web.archive.models import GameRow, OptionSetRow
    from antipodes.web.archive.openings import opening_text, read_opening_key

    sets = [(one.game_id, one.key or "usual") for one in OptionSetRow.objects.all()]
    assert options_key({}) == ""
    rows = GameRow.objects.select_related("option_set").order_by("-ended_at")
    openings = [
        (row.option_set, read_opening_key(row.opening))
        for row in rows[:3_000:40]
        if len(read_opening_key(row.opening)) > 2
    ]
    last = rows.values_list("ended_at", flat=True)[0]

    def player(rng: random.Random) -> str:
        """Return the name of a random player, active or not."""
        return f"player-{int(PEOPLE ** rng.random()) - 1}"

    def games(**fields: Callable[[random.Random], str]) -> Request:
        return lambda rng: ("/games/", {name: value(rng) for name, value in fields.items()})

    def one_of(*values: str) -> Callable[[random.Random], str]:
        return lambda rng: rng.choice(values)

    def opening(moves: int) -> Request:
        def request(rng: random.Random) -> tuple[str, dict[str, str]]:
            row, line = rng.choice(openings)
            text = opening_text(row.game, line[:moves])
            fields = {"game": row.game_id, "options": row.key or "usual", "opening": text}
            return "/games/", fields

        return request

    def of_set(rng: random.Random) -> tuple[str, dict[str, str]]:
        game_id, key = rng.choice(sets)
        return "/games/", {"game": game_id, "options": key}

    def statistics(suffix: str = "") -> Request:
        def request(rng: random.Random) -> tuple[str, dict[str, str]]:
            game_id, key = rng.choice(sets)
            return f"/statistics/{game_id}/{suffix}", {"options": key}

        return request

    def deep(rng: random.Random) -> tuple[str, dict[str, str]]:
        at = last - int(rng.random() * YEARS * 365 * DAY)
        return "/games/", {"game": rng.choice(game_ids()), "after": f"{at}-1"}

    level = one_of(*(f"computer-{level}" for level in LEVELS))
    endings = one_of("board", "resignation", "time", "draw")
    day = lambda rng: f"2025-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"  # noqa: E731
    return {
        "all games": games(),
        "a game": games(game=one_of(*game_ids())),
        "an option set": of_set,
        "a player": games(player=player),
        "a player who won": games(player=player, result=one_of("won", "lost")),
        "a player, a game": games(player=player, game=one_of(*game_ids()), rated=one_of("yes")),
        "two players": games(player=player, opponent=player),
        "a player against the computer": games(player=player, opponent=level),
        "the computer, rare ending": games(player=level, ending=endings, game=one_of(*game_ids())),
        "option set, ending and speed": lambda rng: (
            "/games/",
            {**of_set(rng)[1], "ending": endings(rng), "speed": "blitz", "rated": "yes"},
        ),
        "draws in blitz": games(result=one_of("draw"), speed=one_of("blitz")),
        "since a day": games(since=day, ending=endings),
        "until a day, a game": games(until=day, game=one_of(*game_ids())),
        "opening of one move": opening(1),
        "opening of two moves": opening(2),
        "opening of three moves": opening(3),
        "a late page": deep,
        "statistics": lambda _: ("/statistics/", {}),
        "statistics of a game": statistics(),
        "map of first moves": statistics("first-moves.svg"),
        "statistics as JSON": statistics("statistics.json"),
        "profile": lambda rng: (f"/people/{player(rng)}/", {}),
        "leaderboards": lambda _: ("/ratings/", {}),
        "leaderboard": lambda rng: (f"/ratings/{rng.choice(game_ids())}/", {}),
        "open data": lambda _: ("/data/", {}),
        "records of a player": lambda rng: ("/games/found.jsonl", {"player": player(rng)}),
    }


class StatementTime:
    """CPU time of this process in statements of the database, until their first row."""

    def __init__(self) -> None:
        """Begin with no time."""
        self.seconds = 0.0

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        """Execute a statement and add its time."""
        start = time.thread_time()
        try:
            return execute(sql, params, many, context)
        finally:
            self.seconds += time.thread_time() - start


def measure(requests: int, only: str) -> bool:
    """Send requests of each kind and print their times; return whether all are fast enough."""
    from django.conf import settings
    from django.db import connection
    from django.test import Client

    from antipodes.web.accounts.models import User

    settings.ALLOWED_HOSTS = ["testserver"]
    # Each client loads the whole site for its first request, so there are only two.
    visitor, user = Client(), Client()
    user.force_login(User.objects.get(username="player-5"))
    head = f"{'milliseconds':<34}{'p50':>9}{'p95':>9}{'max':>9}"
    report(f"{head}{'CPU: p50':>28}{'p95':>9}{'SQL: p50':>14}{'max':>9}")
    worst = 0.0
    visitor.get("/privacy/")
    user.get("/privacy/")
    for name, request in request_kinds().items():
        if only not in name:
            continue
        rng = random.Random(name)
        times, cpu_times, sql_times = [], [], []
        for number in range(requests + 1):
            path, fields = request(rng)
            client = user if number % 3 == 0 else visitor
            visitor.cookies.clear()
            start, cpu_start = time.perf_counter(), time.process_time()
            statements = StatementTime()
            with connection.execute_wrapper(statements):
                answer = client.get(path, fields)
                content = b"".join(answer.streaming_content) if answer.streaming else answer.content
            sql_times.append(statements.seconds)
            times.append(time.perf_counter() - start)
            cpu_times.append(time.process_time() - cpu_start)
            if answer.status_code != 200:
                report(f"{name}: {answer.status_code} {path} {fields} {content[:300]!r}")
                break
        times, cpu_times, sql_times = (sorted(each[1:]) for each in (times, cpu_times, sql_times))
        p95 = quantile(times, 0.95)
        if "records" not in name:
            worst = max(worst, p95)
        line = f"{name:<34}{quantile(times, 0.5):9.1f}{p95:9.1f}{1000 * times[-1]:9.1f}"
        sql = f"{quantile(sql_times, 0.5):14.1f}{1000 * sql_times[-1]:9.1f}"
        report(f"{line}{quantile(cpu_times, 0.5):28.1f}{quantile(cpu_times, 0.95):9.1f}{sql}")
    report(f"worst p95 of a page: {worst:.0f} ms")
    return worst < 200


def compare_fragments(requests: int) -> None:
    """Print the CPU time of pages with their fragments kept, and rendered for each request."""
    from django.test import Client

    from antipodes.web.accounts.models import User
    from antipodes.web.platform.templatetags import fragments

    visitor, user = Client(), Client()
    user.force_login(User.objects.get(username="player-5"))
    report(f"{'CPU milliseconds, median':<34}{'kept':>9}{'rendered':>9}{'ratio':>9}")
    for path in ("/", "/games/"):
        for name, client in (("visitor", visitor), ("account", user)):
            times: dict[bool, list[float]] = {True: [], False: []}
            for number in range(2 * requests + 2):
                is_kept = number % 2 == 1
                if not is_kept:
                    fragments.forget()
                start = time.process_time()
                client.get(path)
                times[is_kept].append(time.process_time() - start)
            kept, rendered = (
                quantile(sorted(times[is_kept][1:]), 0.5) for is_kept in (True, False)
            )
            report(f"{path + ' for a ' + name:<34}{kept:9.1f}{rendered:9.1f}{kept / rendered:9.2f}")


def answer_rounds() -> None:
    """For each line of the input, write the CPU times of one round of requests as JSON."""
    from django.conf import settings
    from django.test import Client

    from antipodes.web.accounts.models import User

    settings.ALLOWED_HOSTS = ["testserver"]
    visitor, user = Client(), Client()
    user.force_login(User.objects.get(username="player-5"))
    for _ in sys.stdin:
        times: dict[str, list[float]] = {}
        for path in COMPARED:
            for name, client in (("visitor", visitor), ("account", user)):
                for _request in range(ROUND):
                    start = time.process_time()
                    assert client.get(path).status_code in {200, 204}
                    times.setdefault(f"{path} for a {name}", []).append(
                        1000 * (time.process_time() - start)
                    )
        print(json.dumps(times), flush=True)


def compare_with(past: Path, folder: Path, rounds: int) -> None:
    """Print the CPU times of pages in another checkout and in this one, measured in turn."""
    command = [sys.executable, __file__, "--folder", str(folder), "--rounds"]
    sources = {"past": past / "src", "now": Path(__file__).parents[1] / "src"}
    sides = {
        name: subprocess.Popen(
            command,
            env={**os.environ, "PYTHONPATH": str(source)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name, source in sources.items()
    }
    times: dict[str, dict[str, list[float]]] = {name: {} for name in sides}
    for number in range(rounds + 1):
        for name, side in sides.items():
            assert side.stdin is not None
            assert side.stdout is not None
            side.stdin.write("\n")
            side.stdin.flush()
            for page, measured in json.loads(side.stdout.readline()).items():
                times[name].setdefault(page, []).extend(measured if number else [])
    for side in sides.values():
        side.communicate()
    report(f"{'CPU milliseconds, least':<34}{'past':>9}{'now':>9}{'ratio':>9}")
    for page in times["now"]:
        # The machine may be busy with other things, which only ever add to a time.
        before, after = (min(times[name][page]) for name in ("past", "now"))
        report(f"{page:<34}{before:9.1f}{after:9.1f}{after / before:9.2f}")


def quantile(times: Sequence[float], share: float) -> float:
    """Return a quantile of sorted times in seconds, in milliseconds."""
    return 1000 * times[min(len(times) - 1, int(share * len(times)))]


def export() -> None:
    """Write all open data files and print their size."""
    from antipodes.web.archive import open_data
    from antipodes.web.archive.models import MonthRow

    with timed("export"):
        open_data.update_files()
    rows = list(MonthRow.objects.exclude(sha256=""))
    games, size = sum(row.games for row in rows), sum(row.size for row in rows)
    report(f"  {len(rows)} files, {games} games, {size / 1e6:.0f} MB compressed")


def main() -> int:
    """Fill the database, measure and export."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--requests", type=int, default=REQUESTS, help="requests of each kind")
    parser.add_argument("--postgres", help="URL of an empty database")
    parser.add_argument("--folder", type=Path, help="folder in which the database is kept")
    parser.add_argument("--only", default="", help="only kinds of requests with this in their name")
    parser.add_argument("--no-export", action="store_true")
    parser.add_argument("--past", type=Path, help="another checkout, to compare pages with")
    parser.add_argument("--rounds", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="antipodes-archive-"))
    os.environ["ANTIPODES_DATA"] = str(folder)
    if arguments.postgres:
        os.environ["DATABASE_URL"] = arguments.postgres
    try:
        from antipodes.web.server.serve import prepare

        prepare(creates=True)
        from antipodes.web.archive.models import GameRow

        if not GameRow.objects.exists():
            fill(arguments.games)
        if arguments.rounds:
            answer_rounds()
            return 0
        report(f"{GameRow.objects.count()} games")
        if arguments.past:
            compare_with(arguments.past, folder, arguments.requests // ROUND)
            return 0
        is_fast = measure(arguments.requests, arguments.only)
        compare_fragments(arguments.requests)
        if not arguments.no_export:
            export()
    finally:
        if not arguments.folder:
            shutil.rmtree(folder)
    return 0 if is_fast else 1


if __name__ == "__main__":
    sys.exit(main())
