"""Fixtures of the tests of puzzles."""

import pytest

from antipodes.games.registry import make_game
from antipodes.match import Play, Resign, Terms
from antipodes.web.accounts.models import User
from antipodes.web.analysis.models import ReviewRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.puzzles import mistakes


@pytest.fixture
def ann(db):
    """An account."""
    return User.objects.create_user("ann", password="correct horse")


@pytest.fixture
def bob(db):
    """Another account."""
    return User.objects.create_user("bob", password="correct horse")


@pytest.fixture
def guest(db):
    return User.objects.create(username="Guest 4821", is_guest=True)


MOVES = ("a1", "a2", "b1", "b2")  # after a2, only b2 wins


@pytest.fixture
def reviewed(ann, bob):
    """A match in which ann gave a win away at her second move, as the review says."""
    game = make_game("hex", {"size": 3, "swap": "off"})
    row = begin_match(Terms(game=game, players=(str(ann.pk), str(bob.pk))), [ann, bob])
    for text in MOVES:
        match = MatchRow.objects.get(pk=row.pk).match()
        move = int(match.position.parse_move(text))
        seat, ply = match.seat_to_move or 0, match.ply
        carry_out(row.slug, Play(seat=seat, ply=ply, key=f"move {ply} xx", move=move))
    carry_out(row.slug, Resign(seat=0, ply=4, key="resigning"))
    turn = {
        "ply": 3, "color": "black", "move": "b1", "better": "b2",
        "before": 0.9, "after": 0.1, "decides": True,
    }  # fmt: skip
    ReviewRow.objects.filter(match=row).delete()
    return ReviewRow.objects.create(match_id=row.pk, state="done", turns=[turn])


@pytest.fixture
def exercise(ann, reviewed, work_off):
    """The exercise that was made from it."""
    mistakes.search(ann)
    work_off()
    (row,) = mistakes.exercises(ann)
    return row
