"""Fixtures of the tests of ratings."""

import pytest

from antipodes.clocks import DAY, read_control
from antipodes.games.registry import make_game
from antipodes.match import Play, Resign, Terms
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.matches.snapshots import look_up
from antipodes.web.platform.clock import now
from antipodes.web.ratings.glicko import Rating
from antipodes.web.ratings.models import PoolRow, RatingRow


@pytest.fixture
def rate(db):
    """Return a function that gives a user a rating in rapid Hex on the standard board."""
    pool = PoolRow.objects.create(game_id="hex", speed="rapid", board_class="standard")

    def create(user, value, deviation=60.0, days=0):
        rating, latest = Rating(value, deviation), now() - days * DAY
        established = rating.established_for()
        return RatingRow.objects.create(
            user=user,
            pool=pool,
            value=value,
            deviation=deviation,
            games=12,
            latest=latest,
            established_until=latest + established if established else 0,
        )

    return create


@pytest.fixture
def play(people):
    """Return a function that plays a rated match: each player moves once, then one resigns."""

    def play_match(loser=1, *, by=None, at=None, control="5m+5s", moves=True, **kinds):
        options = kinds.pop("options", {"size": 11})
        game = make_game(kinds.pop("game_id", "hex"), options)
        users = by or people[: game.seats]
        terms = Terms(
            game=game,
            players=tuple(str(user.pk) for user in users),
            control=read_control(control),
            rated=kinds.pop("rated", True),
        )
        row = begin_match(terms, users)
        if moves:
            for seat in range(game.seats):
                match = look_up(row.slug).match
                move = int(match.position.legal_moves.array()[seat])
                carry_out(row.slug, Play(seat=seat, ply=seat, key=f"{row.slug} {seat}", move=move))
        if loser is not None:
            ply = look_up(row.slug).match.ply
            carry_out(row.slug, Resign(seat=loser, ply=ply, key=f"{row.slug} end"))
        if at is not None:
            MatchRow.objects.filter(pk=row.pk).update(ended_at=at)
        row.refresh_from_db()
        return row

    return play_match
