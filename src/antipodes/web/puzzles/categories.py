"""Categories of puzzles: the games, and their rulesets where these make different games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from antipodes.games.position import Game
from antipodes.games.registry import by_ruleset, game_class, game_ids
from antipodes.puzzles.model import Puzzle
from antipodes.web.platform.translations import translate


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
    """Return the category of a puzzle."""
    ruleset = puzzle.options.get("ruleset", _usual_ruleset(puzzle.game_id))
    return categories()[_name(puzzle.game_id, ruleset)]


@cache
def _usual_ruleset(game_id: str) -> str:
    return next(iter(by_ruleset(game_id)))


def _name(game_id: str, ruleset: object) -> str:
    return f"{game_id}.{ruleset}" if ruleset else game_id
