"""The archive with a million games: how long pages take, and an export of everything.

    python bench/archive.py                          a million games in SQLite
    python bench/archive.py --games 50000            fewer
    python bench/archive.py --postgres postgres://user:password@host/name
    python bench/archive.py --folder build/archive   keep the database, and use it again

Some hundreds of real games are played at random on boards of all games, and some of them are cut
short by a resignation, a fallen flag or a draw. Each generated match is one of these, between
players who are drawn so that few play much and many little, at an instant of the last three years.
What the site counts is counted by the site. Ratings are drawn, not computed. Then the real views
answer requests of many kinds, each with other questions every time; the first request of each kind
is not measured. Times are those of one process, without the network; where others use the machine
too, the time of the processor says what a page costs (with PostgreSQL without the database's).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

YEARS = 3
DAY = 86_400_000  # milliseconds
PEOPLE = 30_000
LEVELS = ("1", "2", "3", "4")
REAL_GAMES = 24  # for each option set
BATCH = 20_000
REQUESTS = 60

# Game, options, and how often it is played.
OPTION_SETS: tuple[tuple[str, dict[str, Any], float], ...] = (
    ("antipod", {}, 20),
    ("antipod", {"side": 4, "first": "black"}, 10),
    ("antipod", {"side": 7}, 5),
    ("antipod", {"side": 9}, 1),
    ("antipalos", {}, 3),
    ("antipalos", {"ruleset": "mail", "size": 12}, 6),
    ("antipalos", {"size": 12, "seats": "cutthroat3"}, 1),
    ("antipalos", {"size": 12, "seats": "team"}, 1),
    ("antipode", {}, 12),
    ("hex", {}, 20),
    ("hex", {"size": 13}, 8),
    ("hex", {"size": 14, "swap": "sides"}, 3),
    ("hex", {"size": 5}, 2),
    ("cylindrical-hex", {}, 6),
    ("cylindrical-hex", {"rows": 7, "columns": 8}, 2),
)
CONTROLS = ("unlimited", "3m+2s", "5m+5s", "10m+5s", "20m+10s", "3d/move+10d", "1d/move")


@dataclass(frozen=True)
class Sample:
    """A real game, or one that was cut short: what the archive is told of it."""

    set_number: int
    winner: str
    reason: str
    moves: int
    swapped: bool
    opening: tuple[int, ...]
    colors: tuple[str, ...]
    record: str


def play_samples(lots: random.Random) -> list[list[Sample]]:
    """Play real games with every option set; first moves are drawn so that few are frequent."""
    from antipodes.games.registry import make_game

    found = []
    for number, (game_id, options, _) in enumerate(OPTION_SETS):
        game = make_game(game_id, options)
        start = game.initial()
        firsts = lots.sample(list(start.legal_moves), len(start.legal_moves))
        weights = [1 / (rank + 2) for rank in range(len(firsts))]
        samples: list[Sample] = []
        for _ in range(REAL_GAMES):
            (first,) = lots.choices(firsts, weights)
            samples += _samples(game, number, _random_game(game, first, lots), lots)
        found.append(samples)
    return found


def _random_game(game: Any, first: int, lots: random.Random) -> list[int]:
    position = game.initial().play(first)
    moves = [int(first)]
    while position.outcome is None and len(moves) < 160:
        legal = position.legal_moves.array()
        moves.append(int(legal[lots.randrange(len(legal))]))
        position = position.play(moves[-1])
    return moves


def _samples(game: Any, number: int, moves: list[int], lots: random.Random) -> Iterator[Sample]:
    """Yield a game as it was played, and cut short in several ways."""
    from antipodes.core import Color
    from antipodes.records import Reason, Record, Result
    from antipodes.records.json_format import record_data
    from antipodes.web.archive.openings import turned

    whole = Record.from_moves(game, moves)
    cut = lots.randint(2, len(moves))
    ends: list[tuple[list[int], Result]] = []
    if whole.result is not None:
        ends.append((moves, whole.result))
    for reason in (Reason.RESIGNATION, Reason.TIME, Reason.AGREEMENT):
        begun = moves[: cut - 1] if whole.result is not None else moves[:cut]
        winner: Color | None = lots.choice(game.colors)
        ends.append((begun, Result(None if reason is Reason.AGREEMENT else winner, reason)))
    for played, result in ends:
        record = Record.from_moves(game, played)
        record.result, record.date = result, "2026-01-01"
        position = record.final_position()
        colors = [
            next(color for color in game.colors if seat in position.seat_of(color)).value
            for seat in range(game.seats)
        ]
        yield Sample(
            set_number=number,
            winner="" if result.winner is None else result.winner.value,
            reason=result.reason.value,
            moves=len(played),
            swapped=position.swapped,
            opening=turned(game, played),
            colors=tuple(colors),
            record=json.dumps(record_data(record), separators=(",", ":"), ensure_ascii=False),
        )


# Writing.


def write_rows(model: Any, names: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
    """Write many rows of a model, in the way that is quickest for the database."""
    from django.db import connection, transaction

    told = model._meta  # noqa: SLF001 - Django's own name for what is told of a model
    columns = [told.get_field(name).column for name in names]
    table = told.db_table
    if connection.vendor == "postgresql":
        connection.ensure_connection()
        statement = f"COPY {table} ({', '.join(columns)}) FROM STDIN"
        with connection.connection.cursor() as cursor, cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row(row)
        return
    marks = ", ".join(["%s"] * len(columns))
    statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608
    waiting = iter(rows)
    while batch := list(islice(waiting, BATCH)):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.executemany(statement, batch)


class Shelves:
    """Option sets and shelves, made when they are first wanted."""

    def __init__(self) -> None:
        """Make the option sets."""
        from antipodes.games.registry import make_game
        from antipodes.web.archive.facts import options_key
        from antipodes.web.archive.models import OptionSetRow
        from antipodes.web.ratings.classes import board_class_of

        self.sets = []
        for game_id, options, _ in OPTION_SETS:
            game = make_game(game_id, options)
            changed = game.options.changed()
            row = OptionSetRow(game_id=game_id, key=options_key(dict(changed)), options=changed)
            row.board_class = str(board_class_of(game))
            row.save()
            self.sets.append(row)
        self._known: dict[tuple[Any, ...], int] = {}

    def of(self, sample: Sample, speed: str, rated: bool, with_computer: bool, hidden: bool) -> int:
        """Return the shelf of a game."""
        from antipodes.web.archive.models import ShelfRow

        key = (sample.set_number, speed, rated, with_computer, hidden, sample.winner, sample.reason)
        if key not in self._known:
            row = ShelfRow.objects.create(
                option_set=self.sets[sample.set_number],
                speed=speed,
                rated=rated,
                with_computer=with_computer,
                is_private=hidden,
                winner=sample.winner,
                reason=sample.reason,
            )
            self._known[key] = row.pk
        return self._known[key]


@dataclass(frozen=True)
class Generated:
    """One match: who played which game, when and on what terms."""

    key: int
    sample: Sample
    shelf: int
    users: tuple[int, ...]
    ended: int
    control: str
    rated: bool
    hidden: bool


def generate(
    count: int, samples: list[list[Sample]], people: list[int], machines: list[int], seed: int
) -> Iterator[Generated]:
    """Yield as many matches; the same seed gives the same ones."""
    from antipodes.web.ratings.classes import speed_of_text

    lots = random.Random(seed)
    shelves = _shelves()
    now = time.time_ns() // 1_000_000
    weights = [one[2] for one in OPTION_SETS]
    busy = [1 / (rank + 10) for rank in range(len(people))]
    numbers = lots.choices(range(len(OPTION_SETS)), weights, k=count)
    crowd = lots.choices(people, busy, k=4 * count)
    step = YEARS * 365 * DAY // count
    for key in range(1, count + 1):
        sample = lots.choice(samples[numbers[key - 1]])
        users = crowd[4 * key - 4 : 4 * key][: len(sample.colors)]
        with_computer = len(users) == 2 and lots.random() < 0.3
        if with_computer:
            users[lots.randrange(2)] = lots.choice(machines)
        rated = not with_computer and lots.random() < 0.6 and len(set(users)) == len(users)
        control = lots.choice(CONTROLS)
        hidden = lots.random() < 0.01
        shelf = shelves.of(sample, str(speed_of_text(control)), rated, with_computer, hidden)
        ended = now - YEARS * 365 * DAY + key * step - 120_000
        yield Generated(key, sample, shelf, tuple(users), ended, control, rated, hidden)


_made: list[Shelves] = []


def _shelves() -> Shelves:
    if not _made:
        _made.append(Shelves())
    return _made[0]


def fill(count: int) -> None:
    """Fill an empty database."""
    from django.db import connection

    from antipodes.web.accounts.models import User
    from antipodes.web.accounts.services import computer
    from antipodes.web.archive import models as archive
    from antipodes.web.archive.months import month_of
    from antipodes.web.archive.openings import key_of
    from antipodes.web.archive.services import recount
    from antipodes.web.matches.models import MatchRow, SeatRow

    lots = random.Random(1)
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous=OFF")
    with timed("real games"):
        samples = play_samples(lots)
        say(f"  {sum(map(len, samples))} records of {len(OPTION_SETS)} option sets")
    with timed("people"):
        names = (f"player-{number}" for number in range(PEOPLE))
        User.objects.bulk_create((User(username=name) for name in names), batch_size=2_000)
        people = list(User.objects.order_by("pk").values_list("pk", flat=True))
        machines = [computer(level).pk for level in LEVELS]
    shelves = _shelves()

    def each(row: Callable[[Generated], Iterable[tuple[Any, ...]]]) -> Iterator[tuple[Any, ...]]:
        for one in generate(count, samples, people, machines, seed=2):
            yield from row(one)

    with timed("matches"):
        names_of_match = [
            "id", "slug", "game_id", "options", "control", "rated", "analysis", "is_private",
            "begun_at", "changed_at", "version", "ended_at", "result",
        ]  # fmt: skip

        def match(one: Generated) -> Iterator[tuple[Any, ...]]:
            game_id, options, _ = OPTION_SETS[one.sample.set_number]
            yield (
                one.key, f"b{one.key}", game_id, json.dumps(options), one.control, one.rated, True,
                one.hidden, one.ended - 3_600_000, one.ended, one.sample.moves + 1, one.ended,
                f"{one.sample.winner} {one.sample.reason}",
            )  # fmt: skip

        write_rows(MatchRow, names_of_match, each(match))
        write_rows(
            SeatRow,
            ("match", "number", "user"),
            each(lambda one: ((one.key, n, user) for n, user in enumerate(one.users))),
        )
    with timed("archive"):
        fields = ("match", "shelf", "option_set", "ended_at", "moves", "swapped", "first", "second")

        def game(one: Generated) -> Iterator[tuple[Any, ...]]:
            sample, opening = one.sample, (*one.sample.opening, -1, -1)
            yield (
                one.key, one.shelf, shelves.sets[sample.set_number].pk, one.ended, sample.moves,
                sample.swapped, opening[0], opening[1], key_of(sample.opening),
            )  # fmt: skip

        write_rows(archive.GameRow, (*fields, "opening"), each(game))

        def players(one: Generated) -> Iterator[tuple[Any, ...]]:
            for number, (user, color) in enumerate(zip(one.users, one.sample.colors, strict=True)):
                won = color == one.sample.winner if one.sample.winner else None
                yield one.key, number, color, user, won, one.ended, one.shelf

        names_of_player = ("game", "number", "color", "user", "won", "ended_at", "shelf")
        write_rows(archive.PlayerRow, names_of_player, each(players))
        records = each(lambda one: [(one.key, one.sample.record)])
        write_rows(archive.RecordRow, ("game", "data"), records)
    with timed("counting anew"):
        recount()
    with timed("ratings"):
        _fill_ratings(each)
    ends = archive.GameRow.objects.order_by("ended_at").values_list("ended_at", flat=True)
    months = {month_of(at) for at in (*ends[:1], *range(ends[0], ends.last() or 0, DAY))}
    archive.MonthRow.objects.bulk_create(archive.MonthRow(month=one) for one in sorted(months))
    if connection.vendor == "postgresql":
        with timed("analyze, as PostgreSQL does by itself"), connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")


def _fill_ratings(each: Callable[..., Iterator[tuple[Any, ...]]]) -> None:
    """Draw a rating after each rated game of two, and keep the last one of each."""
    from antipodes.web.archive.models import ShelfRow
    from antipodes.web.platform.clock import now
    from antipodes.web.ratings.models import PoolRow, RatedUntil, RatingChange, RatingRow

    lots = random.Random(3)
    pools: dict[int, int] = {}
    for shelf in ShelfRow.objects.select_related("option_set"):
        row = shelf.option_set
        pool, _ = PoolRow.objects.get_or_create(
            game_id=row.game_id, speed=shelf.speed, board_class=row.board_class
        )
        pools[shelf.pk] = pool.pk
    latest: dict[tuple[int, int], tuple[float, int, int]] = {}

    def changes(one: Generated) -> Iterator[tuple[Any, ...]]:
        if not one.rated or len(one.users) != 2 or not one.sample.winner:
            return
        pool = pools[one.shelf]
        for side, user in enumerate(one.users):
            value, games, at = latest.get((user, pool), (1_500.0, 0, 0))
            won = one.sample.colors[side] == one.sample.winner
            after = value + (1 if won else -1) * lots.uniform(2, 20)
            latest[user, pool] = after, games + 1, one.ended
            yield (
                one.key, user, pool, one.ended, side, "won" if won else "lost", value, 80.0, 0.06,
                at or None, after, 79.0, 0.06, games + 1,
            )  # fmt: skip

    names = (
        "match", "user", "pool", "at", "side", "outcome", "value_before", "deviation_before",
        "volatility_before", "latest_before", "value", "deviation", "volatility", "games",
    )  # fmt: skip
    write_rows(RatingChange, names, each(changes))
    write_rows(
        RatingRow,
        ("user", "pool", "value", "deviation", "volatility", "games", "latest", "settled_until"),
        (
            (user, pool, value, 79.0, 0.06, games, at, now() + DAY * 300)
            for (user, pool), (value, games, at) in latest.items()
        ),
    )
    RatedUntil.objects.update_or_create(pk=1, defaults={"at": now()})


# Measuring.

Question = Callable[[random.Random], tuple[str, dict[str, str]]]


def questions() -> dict[str, Question]:
    """Return the kinds of requests: each gives an address and parameters by lot."""
    from antipodes.games.registry import game_ids
    from antipodes.web.archive.facts import options_key
    from antipodes.web.archive.models import GameRow, OptionSetRow
    from antipodes.web.archive.openings import read_key, words_of

    sets = [(one.game_id, one.key or "usual") for one in OptionSetRow.objects.all()]
    assert options_key({}) == ""
    rows = GameRow.objects.select_related("option_set").order_by("-ended_at")
    openings = [
        (row.option_set, read_key(row.opening))
        for row in rows[:3_000:40]
        if len(read_key(row.opening)) > 2
    ]
    last = rows.values_list("ended_at", flat=True)[0]

    def person(lots: random.Random) -> str:
        """Return somebody who has played, busy or not."""
        return f"player-{int(PEOPLE ** lots.random()) - 1}"

    def games(**fields: Callable[[random.Random], str]) -> Question:
        return lambda lots: ("/games/", {name: value(lots) for name, value in fields.items()})

    def one_of(*values: str) -> Callable[[random.Random], str]:
        return lambda lots: lots.choice(values)

    def opening(moves: int) -> Question:
        def ask(lots: random.Random) -> tuple[str, dict[str, str]]:
            row, line = lots.choice(openings)
            text = words_of(row.game, line[:moves])
            asked = {"game": row.game_id, "options": row.key or "usual", "opening": text}
            return "/games/", asked

        return ask

    def of_set(lots: random.Random) -> tuple[str, dict[str, str]]:
        game_id, key = lots.choice(sets)
        return "/games/", {"game": game_id, "options": key}

    def statistics(suffix: str = "") -> Question:
        def ask(lots: random.Random) -> tuple[str, dict[str, str]]:
            game_id, key = lots.choice(sets)
            return f"/statistics/{game_id}/{suffix}", {"options": key}

        return ask

    def deep(lots: random.Random) -> tuple[str, dict[str, str]]:
        at = last - int(lots.random() * YEARS * 365 * DAY)
        return "/games/", {"game": lots.choice(game_ids()), "after": f"{at}-1"}

    machine = one_of(*(f"computer-{level}" for level in LEVELS))
    endings = one_of("board", "resignation", "time", "draw")
    day = lambda lots: f"2025-{lots.randint(1, 12):02}-{lots.randint(1, 28):02}"  # noqa: E731
    return {
        "all games": games(),
        "a game": games(game=one_of(*game_ids())),
        "an option set": of_set,
        "somebody": games(player=person),
        "somebody who won": games(player=person, result=one_of("won", "lost")),
        "somebody at a game": games(player=person, game=one_of(*game_ids()), rated=one_of("yes")),
        "two players": games(player=person, opponent=person),
        "somebody against the computer": games(player=person, opponent=machine),
        "the computer, rare end": games(player=machine, ending=endings, game=one_of(*game_ids())),
        "rare: option set, end, speed": lambda lots: (
            "/games/",
            {**of_set(lots)[1], "ending": endings(lots), "speed": "blitz", "rated": "yes"},
        ),
        "draws by blitz": games(result=one_of("draw"), speed=one_of("blitz")),
        "since a day": games(since=day, ending=endings),
        "until a day, a game": games(until=day, game=one_of(*game_ids())),
        "opening of one move": opening(1),
        "opening of two moves": opening(2),
        "opening of three moves": opening(3),
        "a page far back": deep,
        "statistics": lambda _: ("/statistics/", {}),
        "statistics of a game": statistics(),
        "map of first moves": statistics("first-moves.svg"),
        "statistics as JSON": statistics("statistics.json"),
        "profile": lambda lots: (f"/people/{person(lots)}/", {}),
        "leaderboards": lambda _: ("/ratings/", {}),
        "leaderboard": lambda lots: (f"/ratings/{lots.choice(game_ids())}/", {}),
        "open data": lambda _: ("/data/", {}),
        "records of somebody": lambda lots: ("/games/found.jsonl", {"player": person(lots)}),
    }


def measure(requests: int, only: str) -> bool:
    """Ask each kind of question and print how long answers take; return whether all are quick."""
    from django.conf import settings
    from django.test import Client

    from antipodes.web.accounts.models import User

    settings.ALLOWED_HOSTS = ["testserver"]
    # Each client sets the whole site up for its first request: so there are only two.
    nobody, somebody = Client(), Client()
    somebody.force_login(User.objects.get(username="player-5"))
    head = f"{'milliseconds':<34}{'p50':>9}{'p95':>9}{'most':>9}"
    say(f"{head}{'of the processor: p50':>28}{'p95':>9}")
    worst = 0.0
    nobody.get("/privacy/")
    somebody.get("/privacy/")
    for name, question in questions().items():
        if only not in name:
            continue
        lots = random.Random(name)
        times, works = [], []
        for number in range(requests + 1):
            address, fields = question(lots)
            client = somebody if number % 3 == 0 else nobody
            nobody.cookies.clear()
            begun, idle = time.perf_counter(), time.process_time()
            answer = client.get(address, fields)
            content = b"".join(answer.streaming_content) if answer.streaming else answer.content
            times.append(time.perf_counter() - begun)
            works.append(time.process_time() - idle)
            if answer.status_code != 200:
                say(f"{name}: {answer.status_code} {address} {fields} {content[:300]!r}")
                break
        times, works = sorted(times[1:]), sorted(works[1:])
        p95 = share_of(times, 0.95)
        if "records" not in name:
            worst = max(worst, p95)
        line = f"{name:<34}{share_of(times, 0.5):9.1f}{p95:9.1f}{1000 * times[-1]:9.1f}"
        say(f"{line}{share_of(works, 0.5):28.1f}{share_of(works, 0.95):9.1f}")
    say(f"worst p95 of a page: {worst:.0f} ms")
    return worst < 200


def share_of(times: Sequence[float], share: float) -> float:
    """Return what a share of sorted times is below, in milliseconds."""
    return 1000 * times[min(len(times) - 1, int(share * len(times)))]


def export() -> None:
    """Make all files of open data and print how large they are."""
    from antipodes.web.archive import open_data
    from antipodes.web.archive.models import MonthRow

    with timed("export of everything"):
        open_data.make_all()
    rows = list(MonthRow.objects.exclude(sha256=""))
    games, size = sum(row.games for row in rows), sum(row.size for row in rows)
    say(f"  {len(rows)} files, {games} games, {size / 1e6:.0f} MB compressed")


class timed:  # noqa: N801 - read as a word of the language
    """Tells how long something took."""

    def __init__(self, what: str) -> None:
        """Keep what it is."""
        self._what = what

    def __enter__(self) -> None:
        """Begin."""
        self._begun = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        """End and tell."""
        say(f"{self._what}: {time.perf_counter() - self._begun:.1f} s")


def say(text: str) -> None:
    """Tell something at once."""
    print(text, flush=True)


def main() -> int:
    """Fill, measure, export."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--requests", type=int, default=REQUESTS, help="of each kind")
    parser.add_argument("--postgres", help="address of an empty database")
    parser.add_argument("--folder", type=Path, help="keeps the database here")
    parser.add_argument("--only", default="", help="kinds of pages with this in their names")
    parser.add_argument("--no-export", action="store_true")
    chosen = parser.parse_args()
    folder = chosen.folder or Path(tempfile.mkdtemp(prefix="antipodes-archive-"))
    os.environ["ANTIPODES_DATA"] = str(folder)
    if chosen.postgres:
        os.environ["DATABASE_URL"] = chosen.postgres
    try:
        from antipodes.web.server.serve import prepare

        prepare(creates=True)
        from antipodes.web.archive.models import GameRow

        if not GameRow.objects.exists():
            fill(chosen.games)
        say(f"{GameRow.objects.count()} games")
        is_quick = measure(chosen.requests, chosen.only)
        if not chosen.no_export:
            export()
    finally:
        if not chosen.folder:
            shutil.rmtree(folder)
    return 0 if is_quick else 1


if __name__ == "__main__":
    sys.exit(main())
