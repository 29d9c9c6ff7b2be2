"""The puzzles of the library that the site offers, by id, game and theme."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from antipodes.puzzles.model import THEMES, Puzzle
from antipodes.puzzles.store import all_puzzles
from antipodes.web.puzzles.categories import categories, category_of
from antipodes.web.puzzles.models import PuzzleRow
from antipodes.web.ratings.glicko import Rating

# Puzzles start with a rating by their difficulty: 900 for level 1 to 2100 for 9. The deviation says
# that this is an estimate, but a better one than none.
_EASIEST, _STEP, _DEVIATION = 900.0, 150.0, 150.0


@cache
def _by_id() -> Mapping[str, Puzzle]:
    return {puzzle.id: puzzle for puzzle in all_puzzles()}


def get(puzzle_id: str) -> Puzzle | None:
    """Return the puzzle with an id, retired ones too; ``None`` if there is none."""
    return _by_id().get(puzzle_id)


def offered(
    game_id: str | None = None, theme: str | None = None, difficulty: int | None = None
) -> list[Puzzle]:
    """Return the puzzles of a game or a category, with a theme or of a difficulty.

    Those that are retired are left out.
    """
    retired = retired_ids()
    return [
        puzzle
        for puzzle in _by_id().values()
        if (game_id is None or game_id in (puzzle.game_id, category_of(puzzle).name))
        and (theme is None or theme in puzzle.themes)
        and (difficulty is None or puzzle.difficulty == difficulty)
        and puzzle.id not in retired
    ]


def retired_ids() -> set[str]:
    """Return the ids of the puzzles that are no longer offered."""
    rows = PuzzleRow.objects.filter(retired_at__isnull=False)
    return set(rows.values_list("puzzle_id", flat=True))


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of puzzles that are offered.

    Attributes:
        categories: by category, all in order.
        themes: by theme, all themes in order that have any.
    """

    categories: Mapping[str, int]
    themes: Mapping[str, int]


def counts(game_id: str | None = None) -> Counts:
    """Return the numbers of puzzles by category, and by theme in one game or all."""
    found = offered()
    by_category = Counter(category_of(puzzle).name for puzzle in found)
    of_game = [one for one in found if game_id is None or one.game_id == game_id]
    themes = Counter(theme for puzzle in of_game for theme in puzzle.themes)
    return Counts(
        categories={name: by_category[name] for name in categories()},
        themes={one: themes[one] for one in THEMES if themes[one]},
    )


def initial_rating(puzzle: Puzzle) -> Rating:
    """Return the rating of a puzzle before its first try, by its difficulty."""
    return Rating(_EASIEST + _STEP * (puzzle.difficulty - 1), _DEVIATION)


def rating_of(puzzle: Puzzle) -> Rating:
    """Return the present rating of a puzzle."""
    row = PuzzleRow.objects.filter(puzzle_id=puzzle.id).first()
    return initial_rating(puzzle) if row is None else row.rating


def row_of(puzzle: Puzzle) -> PuzzleRow:
    """Return the row of a puzzle; make it if there is none."""
    start = initial_rating(puzzle)
    row, _ = PuzzleRow.objects.get_or_create(
        puzzle_id=puzzle.id,
        defaults={
            "game_id": puzzle.game_id,
            "value": start.value,
            "deviation": start.deviation,
            "volatility": start.volatility,
        },
    )
    return row
