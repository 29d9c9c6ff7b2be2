"""The options of games between players who choose none: fair ones, where they are known."""

from __future__ import annotations

from collections.abc import Mapping

from antipodes.errors import InvalidOptionsError
from antipodes.games.position import Game
from antipodes.games.registry import make_offered_game

_FAIR: Mapping[str, Mapping[str, int | str]] = {"antipod": {"handicap": "fair"}}


def fair_options(game_id: str) -> Mapping[str, int | str]:
    """Return the options of fair games that differ from the defaults of the game."""
    return _FAIR.get(game_id, {})


def agreed_game(game_id: str, options: Mapping[str, object]) -> Game:
    """Return the game that players agree on with these options.

    Options that they do not choose are fair, as far as that changes none of the chosen ones.

    Raises:
        UnknownGameError: there is no such game.
        InvalidOptionsError: the options do not fit together.
    """
    chosen = make_offered_game(game_id, options)
    try:
        fair = make_offered_game(game_id, {**fair_options(chosen.id), **options})
    except InvalidOptionsError:
        return chosen  # such as a size whose balance has not been measured
    before, after = chosen.options.as_dict(), fair.options.as_dict()
    return fair if all(before[name] == after[name] for name in options) else chosen
