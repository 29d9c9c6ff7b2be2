"""Benchmark of tournaments: a Swiss event of many players, round by round.

    python bench/tournaments.py                      2000 players, 5 rounds
    python bench/tournaments.py --players 500 --format knockout

For each round it measures the CPU time until the round is paired and stored, until all games have
begun, until all results are counted, and of the page of the event. Games end at once by
resignation, which is not measured. Rows are created in a temporary database.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable
from typing import Any


def measured(work: Callable[[], object]) -> float:
    """Return the CPU seconds that some work takes."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def make_event(players: int, kind: str, rounds: int) -> Any:
    """Make an event with players, and start it."""
    from antipodes.clocks import read_control
    from antipodes.games.registry import make_game
    from antipodes.tournaments import make_format
    from antipodes.web.accounts.models import User
    from antipodes.web.tournaments import directing
    from antipodes.web.tournaments.models import EntryRow
    from antipodes.web.tournaments.plans import Plan
    from antipodes.web.tournaments.services import create_tournament, now

    host = User.objects.create(username="host")
    plan = Plan(
        title="Benchmark",
        format=make_format(kind, {"rounds": rounds} if kind == "swiss" else {}),
        game=make_game("hex", {"size": 4, "swap": "off"}),
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
    directing.start(row.pk, host)
    return row


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
    parser.add_argument("--format", default="swiss", choices=["swiss", "knockout", "round-robin"])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ANTIPODES_DATA"] = folder
        from antipodes.web.server.serve import prepare

        prepare(creates=True)
        run(arguments)


def run(arguments: argparse.Namespace) -> None:
    """Play the event, and print the CPU seconds of each round."""
    from django.test import Client

    from antipodes.web.tournaments.models import GameRow

    rng = random.Random(1)
    row = make_event(arguments.players, arguments.format, arguments.rounds)
    row.refresh_from_db()
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


if __name__ == "__main__":
    main()
