"""The puzzles of the library that the site offers, by id, game and theme."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from antipodes.games.position import Game
from antipodes.games.registry import by_ruleset, game_class, game_ids
from antipodes.puzzles.model import THEMES, Puzzle
from antipodes.puzzles.store import all_puzzles
from antipodes.web.platform.translations import translate
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


@dataclass(frozen=True, slots=True)
class Category:
    """A game, or one with a ruleset.

    Attributes:
        name: in queries: the id of the game, with the ruleset if there are several.
        game: the game.
        ruleset: a label; empty if the game has only one.
        rules: in a sentence; empty where the goal says enough.
    """

    name: str
    game: type[Game]
    ruleset: str | Promise = ""
    rules: str | Promise = ""

    @property
    def title(self) -> str:
        """The game, and the ruleset if there are several."""
        game = translate(self.game.title)
        if not self.ruleset:
            return game
        return _("%(game)s: %(ruleset)s") % {"game": game, "ruleset": self.ruleset}


_RULESETS = {
    "antipalos.boxed": (
        gettext_lazy("the boxed game"),
        gettext_lazy(
            "Each turn places a rod on a diagonal of an empty square, or moves one when all have "
            "been placed, and the first chain that joins two opposite borders wins."
        ),
    ),
    "antipalos.mail": (
        gettext_lazy("the mail server's rules"),
        gettext_lazy(
            "Each turn lays a rod between two points, across an empty square; rods never move, "
            "and Vert joins top and bottom, Horz left and right."
        ),
    ),
}


@cache
def categories() -> Mapping[str, Category]:
    """Return all categories by name: the games in order, the usual ruleset of each first."""
    names = [_name(one, ruleset) for one in game_ids() for ruleset in by_ruleset(one)]
    return {
        name: Category(name, game_class(name.partition(".")[0]), *_RULESETS.get(name, ()))
        for name in names
    }


def category_of(puzzle: Puzzle) -> Category:
    ruleset = puzzle.options.get("ruleset", _usual_ruleset(puzzle.game_id))
    return categories()[_name(puzzle.game_id, ruleset)]


@cache
def _usual_ruleset(game_id: str) -> str:
    return next(iter(by_ruleset(game_id)))


def _name(game_id: str, ruleset: object) -> str:
    return f"{game_id}.{ruleset}" if ruleset else game_id
