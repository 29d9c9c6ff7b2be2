"""The levels of the computer player."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from antipodes.errors import Fault, InvalidOptionsError
from antipodes.notation.text import shorten
from antipodes.search.skill import Skill

if TYPE_CHECKING:
    from antipodes.games.position import Game


@dataclass(frozen=True, slots=True)
class Level:
    """A level of the computer player.

    Attributes:
        number: from 1, the weakest.
        name: one word for people.
        description: one line for people.
    """

    number: int
    name: str
    description: str

    def skill(self, game: Game) -> Skill:
        """Return the skill of the level in a game."""
        from antipodes.search.network.evaluator import has_network  # noqa: PLC0415 - loads NumPy

        if self.number == len(_LEVELS) and has_network(game):
            return _NETWORK_SKILL
        known = _SKILLS.get(game.id) or _SKILLS.get(game.family) or _SKILLS[_OTHER]
        return known[self.number - 1]

    def rating(self, game_id: str) -> int | None:
        """Return the estimated Elo rating in a game; ``None`` if it has not been measured.

        Level 1 has 1000 in every game, so ratings in different games cannot be compared.
        """
        known = measured().get(game_id)
        return None if known is None else int(known["ratings"][self.number - 1])


_LEVELS = (
    Level(1, "novice", "a child wins"),
    Level(2, "learner", "plays the obvious"),
    Level(3, "casual", "a friendly game"),
    Level(4, "steady", "punishes gifts"),
    Level(5, "keen", "sees most tactics"),
    Level(6, "patient", "makes few mistakes"),
    Level(7, "strong", "plans ahead"),
    Level(8, "expert", "hard to beat"),
    Level(9, "master", "all it has"),
)

DEFAULT_LEVEL = 3

RATINGS = Path(__file__).with_name("ratings.json")


@cache
def measured() -> dict[str, dict[str, Any]]:
    """Return the measured ratings of each game's levels.

    For each game whose levels have all played: ``ratings`` and their standard ``errors`` from level
    1 on, how many ``games`` were played on which board (``options``, ``opening_plies``), the last
    ``command``, ``points``, ``games`` and ``seeds`` of each level against the next lower one
    (``pairs``), and the skills of the levels then (``skills``).
    """
    found: dict[str, dict[str, Any]] = json.loads(RATINGS.read_text(encoding="utf-8"))
    return {game_id: one for game_id, one in found.items() if "ratings" in one}


_SURE = 6  # the first level that never gives a proven win away, not even in haste
_OTHER = "other"  # games that neither themselves nor by their family have skills of their own


def _skills(*rows: tuple[int, float, int, float, bool]) -> tuple[Skill, ...]:
    """Return a skill for each row: visits, haste, glance, sight, knowledge."""
    return tuple(
        Skill(
            visits=visits,
            haste=haste,
            glance=glance,
            sight=sight,
            knowledge=knowledge,
            network=False,
            latest=False,
            varied=True,
            sure=number >= _SURE,
        )
        for number, (visits, haste, glance, sight, knowledge) in enumerate(rows, 1)
    )


# The network evaluates a position in each visit, which takes about as long as three others.
_NETWORK_SKILL = Skill(visits=15_000, varied=True)

# Visits limit a level, not seconds, so that it is as strong on a slow machine as on a fast one. A
# visit is 64 random games in the placement games, a position in Antipode, and an evaluation in
# Antipalos. `make strength` measures the distances between levels.
_SKILLS = {
    # On the sphere, knowledge of connections adds more strength than visits: from level 4 on, each
    # level uses it for more of its moves, as fewer moves are hasty.
    "antipod": _skills(
        (2, 0.0, 2, 0.7, False),
        (5, 0.33, 2, 0.92, False),
        (14, 0.2, 2, 1.0, False),
        (60, 0.75, 10, 1.0, True),
        (60, 0.42, 10, 1.0, True),
        (100, 0.13, 10, 1.0, True),
        (300, 0.02, 10, 1.0, True),
        (8_000, 0.0, 2, 1.0, True),
        (100_000, 0.0, 2, 1.0, True),
    ),
    "placement": _skills(
        (4, 0.75, 2, 0.8, False),
        (5, 0.4, 2, 0.96, False),
        (10, 0.23, 2, 1.0, False),
        (26, 0.08, 2, 1.0, False),
        (60, 0.54, 10, 1.0, True),
        (60, 0.17, 10, 1.0, True),
        (400, 0.02, 10, 1.0, True),
        (7_000, 0.0, 2, 1.0, True),
        (50_000, 0.0, 2, 1.0, True),
    ),
    # The evaluation by circuits plays well from the first visit on.
    "antipalos": _skills(
        (2, 0.78, 560, 0.8, True),
        (2, 0.44, 560, 1.0, True),
        (2, 0.1, 560, 1.0, True),
        (6, 0.0, 560, 1.0, True),
        (28, 0.0, 560, 1.0, True),
        (140, 0.0, 560, 1.0, True),
        (450, 0.0, 560, 1.0, True),
        (1_000, 0.0, 560, 1.0, True),
        (2_200, 0.0, 560, 1.0, True),
    ),
    # A short search visits only some of the turns.
    "antipode": _skills(
        (35, 0.0, 2, 0.75, True),
        (75, 0.0, 2, 0.9, True),
        (270, 0.0, 2, 1.0, True),
        (900, 0.0, 2, 1.0, True),
        (2_100, 0.0, 2, 1.0, True),
        (9_000, 0.0, 2, 1.0, True),
        (32_000, 0.0, 2, 1.0, True),
        (100_000, 0.0, 2, 1.0, True),
        (250_000, 0.0, 2, 1.0, True),
    ),
    _OTHER: _skills(
        (60, 0.3, 20, 0.7, True),
        (200, 0.1, 20, 0.9, True),
        (600, 0.0, 20, 1.0, True),
        (1_500, 0.0, 20, 1.0, True),
        (4_000, 0.0, 20, 1.0, True),
        (12_000, 0.0, 20, 1.0, True),
        (35_000, 0.0, 20, 1.0, True),
        (100_000, 0.0, 20, 1.0, True),
        (300_000, 0.0, 20, 1.0, True),
    ),
}


def levels() -> tuple[Level, ...]:
    """Return all levels, the weakest first."""
    return _LEVELS


def level_of(player: str) -> Level | None:
    """Return the level in the name of a player such as ``computer:3``; ``None`` for other players.

    Raises:
        InvalidOptionsError: there is no such level.
    """
    kind, _, level = player.partition(":")
    return find_level(level) if kind == "computer" else None


def find_level(text: str) -> Level:
    """Return the level with a number or a name.

    Raises:
        InvalidOptionsError: there is no such level.
    """
    word = text.strip().lower()
    for level in _LEVELS:
        if word in (str(level.number), level.name):
            return level
    known = ", ".join(f"{level.number} ({level.name})" for level in _LEVELS)
    fault = Fault.of(
        "player/unknown-level",
        "there is no level {text}; there are {known}",
        text=shorten(text),
        known=known,
    )
    raise InvalidOptionsError([fault])
