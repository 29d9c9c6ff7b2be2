"""Games of the computer from which puzzles are taken: weak against strong, on several boards."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from antipodes.core import Move
from antipodes.games.placement import is_connection_game
from antipodes.games.position import Game, Position
from antipodes.games.registry import make_game
from antipodes.search.levels import levels
from antipodes.search.players import Player, SearchPlayer
from antipodes.search.skill import Skill

# The boards of each game, each as often as it is listed; other games have their usual board.
BOARDS: Mapping[str, Sequence[Mapping[str, int | str]]] = {
    "hex": (
        {"size": 6, "swap": "off"},
        {"size": 7, "swap": "off"},
        {"size": 7, "swap": "off"},
        {"size": 8, "swap": "off"},
    ),
    "antipod": (
        {"side": 3, "first": "black"},
        {"side": 3, "handicap": "two"},
        {"side": 3, "handicap": "two", "first": "black"},
        {"side": 3, "handicap": "none"},
        {"side": 3, "handicap": "none", "first": "black"},
        {"side": 4},
        {"side": 4},
    ),
    "cylindrical-hex": (
        {"rows": 5, "columns": 5},
        {"rows": 6, "columns": 5},
        {"rows": 6, "columns": 6},
    ),
    "antipalos": (
        {"ruleset": "mail", "size": 5, "swap": "off"},
        {"ruleset": "mail", "size": 6, "swap": "off"},
        {"ruleset": "mail", "size": 7, "swap": "off"},
        {"ruleset": "mail", "size": 8, "swap": "off"},
        {"size": 12},
    ),
}

_USUAL_BOARDS: Sequence[Mapping[str, int | str]] = ({},)

# Levels of the weaker and of the stronger side; in placement games, visits without knowledge.
_LEVELS = ((3, 4), (5, 6))
_VISITS = ((10, 25), (50, 120))
_OPENING = (0, 5)  # random moves at the start
_NOISE = 0.03  # probability of a random move later on


def source_game(
    game_id: str,
    seed: int,
    number: int,
    *,
    options: Mapping[str, int | str] | None = None,
) -> list[Position]:
    """Return the positions of a game from the start; the same one for the same seed and number.

    One side plays at a low level and the other one at a higher level, and some moves are random,
    so that mistakes happen.

    Args:
        game_id: the game.
        seed: of the run.
        number: of the game in the run.
        options: of the game; by default those of one of its boards.
    """
    chance = random.Random(f"{game_id} {seed} {number}")
    boards = BOARDS.get(game_id, _USUAL_BOARDS) if options is None else (options,)
    game = make_game(game_id, chance.choice(boards))
    players = [_player(game, side, chance) for side in (0, 1)]
    chance.shuffle(players)
    opening = chance.randrange(*_OPENING)
    positions: list[Position] = [game.initial()]
    while positions[-1].outcome is None:
        position = positions[-1]
        is_random = len(positions) <= opening or chance.random() < _NOISE
        move = _random(position, chance) if is_random else None
        move = move or players[position.seat_to_move % 2].choose(position)
        positions.append(position.play(move))
    return positions


def _player(game: Game, side: int, chance: random.Random) -> Player:
    skill = levels()[chance.choice(_LEVELS[side]) - 1].skill(game)
    if is_connection_game(game):
        skill = Skill(visits=chance.choice(_VISITS[side]), knowledge=False)
    return SearchPlayer("source", skill, chance.getrandbits(32))


def _random(position: Position, chance: random.Random) -> Move:
    return Move(chance.choice(position.legal_moves.array().tolist()))
