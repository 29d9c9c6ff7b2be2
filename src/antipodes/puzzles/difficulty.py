"""The difficulty of puzzles: the lowest level of the computer that finds the solution."""

from __future__ import annotations

from dataclasses import replace

from antipodes.core import Move
from antipodes.games.position import Position
from antipodes.puzzles.model import HARDEST
from antipodes.search.levels import levels
from antipodes.search.players import SearchPlayer

_TRIES = 4
_NEEDED = 3
# Visits of a search, so that the highest levels take about a second.
_VISITS = {"placement": 1_500, "antipode": 60_000}
_USUAL_VISITS = 1_000


def difficulty_of(position: Position, solution: Move) -> int:
    """Return the lowest level that finds a move in most of a few tries; 9 if none below does."""
    most = _VISITS.get(position.game.family, _USUAL_VISITS)
    for level in levels()[: HARDEST - 1]:
        missed = 0
        skill = level.skill(position.game)
        visits = min(skill.visits or most, most)
        skill = replace(skill, visits=visits, memory=64)
        for seed in range(_TRIES):
            player = SearchPlayer(level.name, skill, 1 + seed)
            missed += player.choose(position) != solution
            if missed > _TRIES - _NEEDED:
                break
        else:
            return level.number
    return HARDEST
