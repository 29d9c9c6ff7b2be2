"""Benchmark of leaderboards and profiles with many rows.

    python bench/ratings.py                          100 000 players, 10 000 games of one of them
    python bench/ratings.py --players 2000 --games 500 --folder /tmp/site

Rows are created in a temporary database, or in that of ``--folder``, which a site can then serve.
Most players have random ratings; the games of the player "one" are rated one by one, which is timed
too. Pages are requested within this process, so the times are those of database and templates.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import time

DAY = 86_400_000
PAGES = {
    "leaderboards": "/ratings/?speed=blitz",
    "leaderboard": "/ratings/hex/?speed=blitz",
    "last page": "/ratings/hex/?speed=blitz&page=9999999",
    "with provisional": "/ratings/hex/?speed=blitz&provisional=1&bots=1&page=1000",
    "profile of one": "/people/one/",
    "another profile": "/people/player-7/",
}


def make_rows(players: int, games: int, rng: random.Random) -> float:
    """Create players, their ratings, and the games of one; return the time to rate the games."""
    from django.db import transaction

    from antipodes.web.accounts.models import User
    from antipodes.web.matches.models import MatchRow, SeatRow
    from antipodes.web.platform.clock import now
    from antipodes.web.ratings.glicko import Rating
    from antipodes.web.ratings.models import PoolRow, RatingRow
    from antipodes.web.ratings.outcomes import Outcome, RatedGame, Side
    from antipodes.web.ratings.pool_ratings import PoolRatings

    at = now()
    one = User.objects.create(username="one")
    one.set_password("one")
    one.save()
    names = (User(username=f"player-{number}") for number in range(players))
    users = User.objects.bulk_create(names, batch_size=5_000)
    pool, _ = PoolRow.objects.get_or_create(game_id="hex", speed="blitz", board_class="standard")
    rows = []
    for user in users:
        rating = Rating(rng.gauss(1500, 250), rng.uniform(40, 150))
        latest = at - rng.randrange(500 * DAY)
        established = rating.established_for()
        rows.append(
            RatingRow(
                user=user,
                pool=pool,
                value=rating.value,
                deviation=rating.deviation,
                games=rng.randrange(5, 500),
                latest=latest,
                established_until=latest + established if established else 0,
            )
        )
    RatingRow.objects.bulk_create(rows, batch_size=5_000)
    ends = [at - 1_000 * DAY + number * (1_000 * DAY // games) for number in range(games)]
    matches = MatchRow.objects.bulk_create(
        (
            MatchRow(
                game_id="hex",
                control="5m+5s",
                rated=True,
                begun_at=end - 600_000,
                changed_at=end,
                ended_at=end,
                winner="black",
                reason="connection",
                version=1,
            )
            for end in ends
        ),
        batch_size=5_000,
    )
    others = [rng.choice(users) for _ in matches]
    SeatRow.objects.bulk_create(
        (
            SeatRow(match=match, number=number, user=user)
            for match, other in zip(matches, others, strict=True)
            for number, user in enumerate((one, other))
        ),
        batch_size=5_000,
    )
    rated = []
    for number, (match, other) in enumerate(zip(matches, others, strict=True)):
        strength = 1500 + 300 * number / games
        wins = rng.random() < 1 / (1 + 10 ** ((1500 - strength) / 400))
        outcomes = (Outcome.WON, Outcome.LOST) if wins else (Outcome.LOST, Outcome.WON)
        sides = Side((one.pk,), outcomes[0]), Side((other.pk,), outcomes[1])
        rated.append(RatedGame(match.pk, match.ended_at or 0, sides))
    start = time.perf_counter()
    with transaction.atomic():
        ratings = PoolRatings(pool)
        ratings.rate(rated)
        ratings.save()
    return time.perf_counter() - start


def measure(repeat: int) -> None:
    """Request each page several times, and print the times."""
    from django.test import Client

    from antipodes.web.accounts.models import User

    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(username="one"))
    print(f"{'page':24} {'median':>8} {'p95':>8} {'CPU':>8}")
    for name, address in PAGES.items():
        assert client.get(address).status_code == 200, address
        times, cpu_start = [], time.process_time()
        for _ in range(repeat):
            start = time.perf_counter()
            client.get(address)
            times.append(1_000 * (time.perf_counter() - start))
        cpu = 1_000 * (time.process_time() - cpu_start) / repeat
        p95 = statistics.quantiles(times, n=20)[-1]
        print(f"{name:24} {statistics.median(times):5.0f} ms {p95:5.0f} ms {cpu:5.0f} ms")


def main() -> None:
    """Create the rows and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--players", type=int, default=100_000)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=40)
    parser.add_argument("--folder", help="folder of the database; a temporary one by default")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["ANTIPODES_DATA"] = arguments.folder or temporary
        from antipodes.web.server.serve import prepare

        prepare(creates=True)
        from antipodes.web.accounts.models import User

        if not User.objects.filter(username="one").exists():
            seconds = make_rows(arguments.players, arguments.games, random.Random(1))
            print(f"rated {arguments.games / seconds:.0f} games per second")
        measure(arguments.repeat)


if __name__ == "__main__":
    main()
