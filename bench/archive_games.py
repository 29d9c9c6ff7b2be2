"""Generated games for the benchmark of the archive; see ``archive.py``."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

YEARS = 3
DAY = 86_400_000  # milliseconds
PEOPLE = 30_000
LEVELS = ("1", "2", "3", "4")
REAL_GAMES = 24  # for each option set
BATCH = 20_000

# Game, options, and relative frequency.
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
    """The archived facts of a random game, complete or cut short."""

    set_number: int
    winner: str
    reason: str
    moves: int
    swapped: bool
    opening: tuple[int, ...]
    colors: tuple[str, ...]
    record: str


def play_samples(rng: random.Random) -> list[list[Sample]]:
    """Play random games with every option set; a few first moves are frequent."""
    from antipodes.games.registry import make_game

    by_set = []
    for number, (game_id, options, _) in enumerate(OPTION_SETS):
        game = make_game(game_id, options)
        start = game.initial()
        firsts = rng.sample(list(start.legal_moves), len(start.legal_moves))
        weights = [1 / (rank + 2) for rank in range(len(firsts))]
        samples: list[Sample] = []
        for _ in range(REAL_GAMES):
            (first,) = rng.choices(firsts, weights)
            samples += _samples(game, number, _random_game(game, first, rng), rng)
        by_set.append(samples)
    return by_set


def _random_game(game: Any, first: int, rng: random.Random) -> list[int]:
    position = game.initial().play(first)
    moves = [int(first)]
    while position.outcome is None and len(moves) < 160:
        legal = position.legal_moves.array()
        moves.append(int(legal[rng.randrange(len(legal))]))
        position = position.play(moves[-1])
    return moves


def _samples(game: Any, number: int, moves: list[int], rng: random.Random) -> Iterator[Sample]:
    """Yield a complete game, and the game cut short in several ways."""
    from antipodes.core import Color
    from antipodes.records import Reason, Record, Result
    from antipodes.records.json_format import record_data
    from antipodes.web.archive.openings import canonical_opening

    whole = Record.from_moves(game, moves)
    cut = rng.randint(2, len(moves))
    ends: list[tuple[list[int], Result]] = []
    if whole.result is not None:
        ends.append((moves, whole.result))
    for reason in (Reason.RESIGNATION, Reason.TIME, Reason.AGREEMENT):
        beginning = moves[: cut - 1] if whole.result is not None else moves[:cut]
        winner: Color | None = rng.choice(game.colors)
        ends.append((beginning, Result(None if reason is Reason.AGREEMENT else winner, reason)))
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
            opening=canonical_opening(game, played),
            colors=tuple(colors),
            record=json.dumps(record_data(record), separators=(",", ":"), ensure_ascii=False),
        )


# Writing.


def write_rows(model: Any, names: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
    """Write many rows of a model by the fastest means of the database.

    Columns that are not named have their defaults.
    """
    from django.db import connection, transaction

    meta = model._meta
    named = [meta.get_field(name) for name in names]
    others = [
        field
        for field in meta.concrete_fields
        if field not in named and field.has_default() and not field.null
    ]
    defaults = tuple(field.get_db_prep_save(field.get_default(), connection) for field in others)
    rows = (row + defaults for row in rows)
    columns = [field.column for field in (*named, *others)]
    table = meta.db_table
    if connection.vendor == "postgresql":
        connection.ensure_connection()
        statement = f"COPY {table} ({', '.join(columns)}) FROM STDIN"
        with connection.connection.cursor() as cursor, cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row(row)
        return
    marks = ", ".join(["%s"] * len(columns))
    statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608
    remaining = iter(rows)
    while batch := list(islice(remaining, BATCH)):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.executemany(statement, batch)


class Buckets:
    """Option sets, and buckets created on demand."""

    def __init__(self) -> None:
        """Create the option sets."""
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
        """Return the bucket of a game."""
        from antipodes.web.archive.models import BucketRow

        key = (sample.set_number, speed, rated, with_computer, hidden, sample.winner, sample.reason)
        if key not in self._known:
            row = BucketRow.objects.create(
                option_set=self.sets[sample.set_number],
                speed=speed,
                rated=rated,
                with_computer=with_computer,
                is_private=hidden,
                from_position=False,
                winner=sample.winner,
                reason=sample.reason,
            )
            self._known[key] = row.pk
        return self._known[key]


@dataclass(frozen=True)
class Generated:
    """A generated match."""

    key: int
    sample: Sample
    bucket: int
    users: tuple[int, ...]
    ended: int
    control: str
    rated: bool
    hidden: bool


def generate(
    count: int, samples: list[list[Sample]], people: list[int], computers: list[int], seed: int
) -> Iterator[Generated]:
    """Yield random matches; the same seed gives the same ones."""
    from antipodes.web.ratings.classes import speed_of_text

    rng = random.Random(seed)
    buckets = _buckets()
    now = time.time_ns() // 1_000_000
    weights = [one[2] for one in OPTION_SETS]
    activity = [1 / (rank + 10) for rank in range(len(people))]
    numbers = rng.choices(range(len(OPTION_SETS)), weights, k=count)
    players = rng.choices(people, activity, k=4 * count)
    step = YEARS * 365 * DAY // count
    for key in range(1, count + 1):
        sample = rng.choice(samples[numbers[key - 1]])
        users = players[4 * key - 4 : 4 * key][: len(sample.colors)]
        with_computer = len(users) == 2 and rng.random() < 0.3
        if with_computer:
            users[rng.randrange(2)] = rng.choice(computers)
        rated = not with_computer and rng.random() < 0.6 and len(set(users)) == len(users)
        control = rng.choice(CONTROLS)
        hidden = rng.random() < 0.01
        bucket = buckets.of(sample, str(speed_of_text(control)), rated, with_computer, hidden)
        ended = now - YEARS * 365 * DAY + key * step - 120_000
        yield Generated(key, sample, bucket, tuple(users), ended, control, rated, hidden)


@cache
def _buckets() -> Buckets:
    return Buckets()


def fill(count: int) -> None:
    """Fill an empty database."""
    from django.db import connection

    from antipodes.web.accounts.models import User
    from antipodes.web.accounts.services import computer
    from antipodes.web.archive import models as archive
    from antipodes.web.archive.openings import opening_key
    from antipodes.web.archive.services import month_of, recount
    from antipodes.web.matches.models import MatchRow, SeatRow

    rng = random.Random(1)
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous=OFF")
    with timed("random games"):
        samples = play_samples(rng)
        report(f"  {sum(map(len, samples))} records of {len(OPTION_SETS)} option sets")
    with timed("users"):
        names = (f"player-{number}" for number in range(PEOPLE))
        User.objects.bulk_create((User(username=name) for name in names), batch_size=2_000)
        people = list(User.objects.order_by("pk").values_list("pk", flat=True))
        computers = [computer(level).pk for level in LEVELS]
    buckets = _buckets()

    def each(row: Callable[[Generated], Iterable[tuple[Any, ...]]]) -> Iterator[tuple[Any, ...]]:
        for one in generate(count, samples, people, computers, seed=2):
            yield from row(one)

    with timed("matches"):
        names_of_match = [
            "id", "slug", "game_id", "options", "control", "rated", "analysis", "is_private",
            "begun_at", "changed_at", "version", "ended_at", "winner", "reason", "loser",
        ]  # fmt: skip

        def match(one: Generated) -> Iterator[tuple[Any, ...]]:
            game_id, options, _ = OPTION_SETS[one.sample.set_number]
            yield (
                one.key, f"b{one.key}", game_id, json.dumps(options), one.control, one.rated, True,
                one.hidden, one.ended - 3_600_000, one.ended, one.sample.moves + 1, one.ended,
                one.sample.winner, one.sample.reason, "",
            )  # fmt: skip

        write_rows(MatchRow, names_of_match, each(match))
        write_rows(
            SeatRow,
            ("match", "number", "user"),
            each(lambda one: ((one.key, n, user) for n, user in enumerate(one.users))),
        )
    with timed("archive"):
        fields = (
            "match",
            "bucket",
            "option_set",
            "ended_at",
            "moves",
            "swapped",
            "first",
            "second",
        )

        def game(one: Generated) -> Iterator[tuple[Any, ...]]:
            sample, opening = one.sample, (*one.sample.opening, -1, -1)
            yield (
                one.key, one.bucket, buckets.sets[sample.set_number].pk, one.ended, sample.moves,
                sample.swapped, opening[0], opening[1], opening_key(sample.opening),
            )  # fmt: skip

        write_rows(archive.GameRow, (*fields, "opening"), each(game))

        def players(one: Generated) -> Iterator[tuple[Any, ...]]:
            for number, (user, color) in enumerate(zip(one.users, one.sample.colors, strict=True)):
                won = color == one.sample.winner if one.sample.winner else None
                yield one.key, number, color, user, won, one.ended, one.bucket

        names_of_player = ("game", "number", "color", "user", "won", "ended_at", "bucket")
        write_rows(archive.PlayerRow, names_of_player, each(players))
        records = each(lambda one: [(one.key, one.sample.record)])
        write_rows(archive.RecordRow, ("game", "data"), records)
    with timed("recount"):
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
    """Create random rating changes for rated games of two, their rows, and the final ratings."""
    from antipodes.web.archive.models import BucketRow
    from antipodes.web.platform.clock import now
    from antipodes.web.ratings.models import (
        PoolRow,
        RatedMatch,
        RatedUntil,
        RatingChange,
        RatingRow,
    )

    rng = random.Random(3)
    pools: dict[int, int] = {}
    for bucket in BucketRow.objects.select_related("option_set"):
        row = bucket.option_set
        pool, _ = PoolRow.objects.get_or_create(
            game_id=row.game_id, speed=bucket.speed, board_class=row.board_class
        )
        pools[bucket.pk] = pool.pk
    latest: dict[tuple[int, int], tuple[float, int, int]] = {}
    rated: list[tuple[int, int, int, str]] = []

    def changes(one: Generated) -> Iterator[tuple[Any, ...]]:
        if not one.rated or len(one.users) != 2 or not one.sample.winner:
            return
        pool = pools[one.bucket]
        sides: list[dict[str, Any]] = []
        for side, user in enumerate(one.users):
            value, games, at = latest.get((user, pool), (1_500.0, 0, 0))
            won = one.sample.colors[side] == one.sample.winner
            before = {"value": value, "deviation": 80.0, "volatility": 0.06}
            player = {"user": user, **before, "games": games, "latest": at or None}
            sides.append({"outcome": "won" if won else "lost", "players": [player]})
            after = value + (1 if won else -1) * rng.uniform(2, 20)
            latest[user, pool] = after, games + 1, one.ended
            yield (
                one.key, user, pool, one.ended, side, "won" if won else "lost", value, 80.0, 0.06,
                at or None, after, 79.0, 0.06, games + 1,
            )  # fmt: skip
        rated.append((one.key, pool, one.ended, json.dumps(sides)))

    names = (
        "match", "user", "pool", "at", "side", "outcome", "value_before", "deviation_before",
        "volatility_before", "latest_before", "value", "deviation", "volatility", "games",
    )  # fmt: skip
    write_rows(RatingChange, names, each(changes))
    write_rows(RatedMatch, ("match", "pool", "at", "sides"), rated)
    write_rows(
        RatingRow,
        (
            "user",
            "pool",
            "value",
            "deviation",
            "volatility",
            "games",
            "latest",
            "established_until",
        ),
        (
            (user, pool, value, 79.0, 0.06, games, at, now() + DAY * 300)
            for (user, pool), (value, games, at) in latest.items()
        ),
    )
    RatedUntil.objects.update_or_create(pk=1, defaults={"at": now()})


@contextmanager
def timed(step: str) -> Iterator[None]:
    """Print the time of a step."""
    start = time.perf_counter()
    yield
    report(f"{step}: {time.perf_counter() - start:.1f} s")


def report(text: str) -> None:
    """Print a line without buffering."""
    print(text, flush=True)
