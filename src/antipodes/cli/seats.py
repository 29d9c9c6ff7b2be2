"""Players at the seats, as ``--white computer:3`` and ``--seat 2=human`` name them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from antipodes.core import Color
from antipodes.errors import Fault, InvalidOptionsError
from antipodes.local_game import HUMAN
from antipodes.notation.text import shorten

if TYPE_CHECKING:
    from antipodes.games.position import Game

COMPUTER = "computer"


def seated(
    game: Game,
    by_color: Mapping[Color, str],
    by_seat: Sequence[str],
    level: str | None = None,
) -> tuple[str, ...]:
    """Return who plays at each seat, in the order of the first turns.

    Where no player is named, one person plays against computers: at the first seat that is left,
    unless another seat has a person already.

    Args:
        game: the game, which knows its colours and seats.
        by_color: colour at the start -> player; a team's colour is all its seats.
        by_seat: texts such as ``2=human``; seats count from 1.
        level: level of the computers that are named without one.

    Raises:
        InvalidOptionsError: with all colours, seats and players that there are not.
    """
    faults: list[Fault] = []
    player_of_seat: dict[int, str] = {}
    for color, player in by_color.items():
        if color not in game.colors:
            known = ", ".join(map(str, game.colors))
            message = f"{game.title} has no colour {color} with these options; there are {known}"
            faults.append(Fault("seat/no-such-color", message, f"--{color}"))
            continue
        first = game.colors.index(color)
        for seat in range(first, game.seats, len(game.colors)):
            player_of_seat[seat] = player
    for text in by_seat:
        _read_seat(text, game.seats, player_of_seat, faults)
    if level is not None:
        _check_player(game, 0, f"{COMPUTER}:{level}", faults)
    for seat, player in sorted(player_of_seat.items()):
        _check_player(game, seat, player, faults)
    if faults:
        raise InvalidOptionsError(faults)
    free = [seat for seat in range(game.seats) if seat not in player_of_seat]
    if free and all(_word(player) != HUMAN for player in player_of_seat.values()):
        player_of_seat[free[0]] = HUMAN
    players = (player_of_seat.get(seat, COMPUTER) for seat in range(game.seats))
    return tuple(_with_level(_word(player), level) for player in players)


def _word(player: str) -> str:
    return player.strip().lower()


def _with_level(player: str, level: str | None) -> str:
    return f"{player}:{level}" if player == COMPUTER and level else player


def _read_seat(text: str, seats: int, player_of_seat: dict[int, str], faults: list[Fault]) -> None:
    number, equals, player = text.partition("=")
    number = number.strip()
    if not equals or not (number.isascii() and number.isdecimal()):
        message = f"{shorten(text)} is not of the form NUMBER=PLAYER, such as 2=human"
        faults.append(Fault("seat/malformed", message, "--seat"))
    elif len(number) > 3 or not 1 <= int(number) <= seats:
        message = f"there is no seat {shorten(number)}; seats are 1 to {seats}"
        faults.append(Fault("seat/unknown", message, "--seat"))
    elif int(number) - 1 in player_of_seat:
        faults.append(Fault("seat/twice", f"seat {number} is given two players", "--seat"))
    else:
        player_of_seat[int(number) - 1] = player


def _check_player(game: Game, seat: int, player: str, faults: list[Fault]) -> None:
    from antipodes.games import pairing_strategy
    from antipodes.search.players import make_player

    if _word(player) == HUMAN:
        return
    try:
        make_player(player, seed=0)
        if _word(player) == pairing_strategy.PLAYER:
            pairing_strategy.check_seat(game, seat)
    except InvalidOptionsError as error:
        faults.extend(error.faults)


def complete_player(
    _context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete a player, behind ``NUMBER=`` too."""
    from antipodes.search.levels import levels

    number, equals, _ = incomplete.partition("=")
    prefix = number + equals if parameter.name == "seats" else ""
    if parameter.name == "seats" and not equals:
        return []
    words = [
        CompletionItem(f"{prefix}{HUMAN}", help="a person here"),
        *(
            CompletionItem(f"{prefix}{COMPUTER}:{level.number}", help=level.description)
            for level in levels()
        ),
        CompletionItem(f"{prefix}random", help="any move"),
        CompletionItem(f"{prefix}pairing", help="answers at the opposite point"),
    ]
    return [word for word in words if word.value.startswith(incomplete)]
