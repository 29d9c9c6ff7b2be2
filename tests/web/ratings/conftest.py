"""What tests of ratings share."""

import pytest

from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.match import Play, Resign, Terms
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out


@pytest.fixture
def play(people):
    """Play rated matches of Hex: everybody moves once, then somebody resigns."""

    def make(loser=1, *, by=None, at=None, control="5m+5s", moves=True, **kinds):
        game = make_game(kinds.pop("game_id", "hex"), {"size": 11, **kinds.pop("options", {})})
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
                match = MatchRow.objects.get(pk=row.pk).match()
                move = int(match.position.legal_moves.array()[seat])
                carry_out(row.slug, Play(seat=seat, ply=seat, key=f"{row.slug} {seat}", move=move))
        if loser is not None:
            ply = MatchRow.objects.get(pk=row.pk).match().ply
            carry_out(row.slug, Resign(seat=loser, ply=ply, key=f"{row.slug} end"))
        if at is not None:
            MatchRow.objects.filter(pk=row.pk).update(ended_at=at)
        row.refresh_from_db()
        return row

    return make
