"""Conversion of puzzles, answers and tries to responses."""

from __future__ import annotations

from typing import cast

from django.urls import reverse

from antipodes.puzzles.model import Puzzle
from antipodes.records.json_format import setup_data
from antipodes.web.accounts.models import User
from antipodes.web.api.schemas.puzzles import (
    Goal,
    Outcome,
    PuzzleAnswerOut,
    PuzzleOut,
    SolverOut,
    SolverRatingOut,
    TryOut,
)
from antipodes.web.puzzles import catalogue, selectors
from antipodes.web.puzzles.daily import today
from antipodes.web.puzzles.labels import task_of
from antipodes.web.puzzles.models import PuzzleRow, TryRow
from antipodes.web.puzzles.services import Answer


def puzzle_out(puzzle: Puzzle, viewer: User | None) -> PuzzleOut:
    """Return a puzzle as response data, as a viewer may see it."""
    row = PuzzleRow.objects.filter(puzzle_id=puzzle.id).first()
    rating = catalogue.initial_rating(puzzle) if row is None else row.rating
    tried = selectors.first_try(viewer, puzzle)
    return PuzzleOut(
        id=puzzle.id,
        game=puzzle.game_id,
        options=dict(puzzle.game.options.changed()),
        setup=setup_data(puzzle.setup),
        to_move=puzzle.solver.value,
        goal=cast("Goal", puzzle.goal),
        turns=puzzle.turns,
        task=task_of(puzzle),
        difficulty=puzzle.difficulty,
        rating=round(rating.value),
        tries=0 if row is None else row.tries,
        path=reverse("puzzle", args=[puzzle.id]),
        picture=reverse("puzzle-picture-svg", args=[puzzle.id]),
        outcome=None if tried is None else cast("Outcome", tried.outcome),
        themes=None if tried is None else list(puzzle.themes),
    )


def try_out(row: TryRow) -> TryOut:
    """Return a first try as response data."""
    return TryOut(
        puzzle=row.puzzle_id,
        game=row.game_id,
        outcome=cast("Outcome", row.outcome),
        at=row.at,
        retries=row.retries,
        solved_at=row.solved_at,
        rating=None if row.value is None else round(row.value),
        gain=row.gain,
    )


def answer_out(answer: Answer, viewer: User | None) -> PuzzleAnswerOut:
    """Return the answer to a move as response data; the first try only for its solver."""
    recorded = None if viewer is None else answer.recorded
    return PuzzleAnswerOut(
        verdict=answer.verdict.value,
        moves=list(answer.moves),
        reply=answer.reply or None,
        refutation=list(answer.refutation),
        is_final=answer.is_final,
        first_try=None if recorded is None else try_out(recorded.row),
        is_first=recorded is not None and recorded.is_first,
    )


def solver_out(user: User) -> SolverOut:
    """Return a solver's streak and ratings as response data."""
    streak = selectors.streak(user, today())
    return SolverOut(
        streak=streak.days,
        longest_streak=streak.longest,
        is_done_today=streak.is_done_today,
        ratings=[
            SolverRatingOut(
                game=game_rating.game_id,
                rating=round(game_rating.rating.value),
                deviation=round(game_rating.rating.deviation),
                tries=game_rating.tries,
                solved=game_rating.solved,
            )
            for game_rating in selectors.own_ratings(user)
        ],
    )
