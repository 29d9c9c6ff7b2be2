"""Trials of engines of volunteers: puzzles, whose only winning move the site knows."""

from __future__ import annotations

from random import Random

from antipodes.web.jobs.lending import Task, Trial
from antipodes.web.puzzles import catalogue

_HARDEST = 5  # which a strong engine certainly solves in the time
_SECONDS = 5.0  # as an analysis by effort `look`


def make_trial(chance: Random) -> Trial:
    """Return a puzzle as the task of an analysis."""
    easy = [
        puzzle
        for puzzle in catalogue.offered()
        if puzzle.goal == "win" and puzzle.difficulty <= _HARDEST
    ]
    puzzle = chance.choice(easy)
    task = Task(game=puzzle.game, setup=puzzle.setup, moves=(), seconds=_SECONDS)
    return Trial(task, puzzle.line[0])
