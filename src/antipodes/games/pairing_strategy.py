"""The pairing strategy of Alpern and Beck, which never loses as the second player.

On a cylinder with an even circumference, where White moves first, Black answers each stone at the
opposite point of its row, half way round. A ring of White would contain a pair of opposite points,
and of every pair one is black; so Black joins the rims. Antipod without handicap is the same game:
the rows are the rings about the polar axis, and the opposite point is the image under a turn by 180
degrees about the axis, on the same board.
"""

from __future__ import annotations

from antipodes.boards.sphere import antipodal_turn
from antipodes.core import Color, Move
from antipodes.errors import Fault, InvalidOptionsError, InvalidPositionError, Phrase
from antipodes.games.antipod import Antipod
from antipodes.games.cylindrical_hex import CylindricalHex
from antipodes.games.placement import PlacementPosition
from antipodes.games.position import Game, Position

PLAYER = "pairing"  # the player's name in commands and in the site's database
NAME = "pairing strategy"  # its name for people
WHY = Phrase(
    "The pairing strategy cannot lose: it answers each of your stones half way round, so it has a"
    " stone in every pair of opposite points, and your ring would need both points of some pair."
)
_SEAT = 1  # it answers moves, so it moves second


def is_for(game_type: type[Game]) -> bool:
    """Return whether the strategy applies to a game with some of its options."""
    return issubclass(game_type, Antipod | CylindricalHex)


def check_seat(game: Game, seat: int) -> None:
    """Raise unless the strategy applies to a game and a seat.

    Raises:
        InvalidOptionsError: it does not apply to the game with these options, or at this seat.
    """
    faults = _faults(game)
    if not faults and seat != _SEAT:
        faults = [
            Fault.of(
                "seat/pairing-first",
                "the pairing strategy answers moves, so it can only move second",
            )
        ]
    if faults:
        raise InvalidOptionsError(faults)


def opposites(game: Game) -> tuple[int, ...]:
    """Return the opposite of each cell; a pole is its own opposite.

    Raises:
        InvalidOptionsError: the strategy does not apply to the game with these options.
    """
    faults = _faults(game)
    if faults:
        raise InvalidOptionsError(faults, f"Pairing does not apply to {game!r}")
    if isinstance(game, Antipod):
        return antipodal_turn(game.options.side)
    columns = game.options.columns
    turn = columns // 2
    return tuple(
        cell - cell % columns + (cell + turn) % columns for cell in range(game.topology.cell_count)
    )


def _faults(game: Game) -> list[Fault]:
    """Return the reasons why the strategy does not apply; empty if it does."""
    if not (isinstance(game, Antipod | CylindricalHex) and game.has_connection_theory):
        return [
            Fault.of(
                "pairing/no-such-game",
                "the pairing strategy is for Antipod and Cylindrical Hex, not for {game}",
                game=Phrase(game.title),
            )
        ]
    faults = []
    if game.first is not Color.WHITE:
        faults.append(
            Fault.of(
                "pairing/first",
                "first is black, but the pairing strategy is Black and moves second: it must be"
                " white",
                where="first",
            )
        )
    if isinstance(game, Antipod):
        if game.options.handicap != "none":
            faults.append(
                Fault.of(
                    "pairing/handicap",
                    "handicap is {handicap}, but the pairing strategy has no answer to White's"
                    " stones at the start: it must be none",
                    where="handicap",
                    handicap=game.options.handicap,
                )
            )
        if game.options.swap != "off":
            faults.append(
                Fault.of(
                    "pairing/swap",
                    "swap is on, but the pairing strategy has no answer to a swap: it must be off",
                    where="swap",
                )
            )
    elif game.options.columns % 2:
        faults.append(
            Fault.of(
                "pairing/odd",
                "columns is {columns}, but the pairing strategy needs an even number of them",
                where="columns",
                columns=game.options.columns,
            )
        )
    return faults


def pairing_reply(position: Position) -> Move:
    """Return Black's answer to White's last stone.

    Each pair of opposite points must be empty or hold one stone of each colour, except the pair of
    the last stone; this holds if Black has followed the strategy from the start.

    Raises:
        InvalidOptionsError: the strategy does not apply to the game with these options.
        InvalidPositionError: it is not Black's turn, or Black has not followed the strategy.
    """
    opposite = opposites(position.game)
    assert isinstance(position, PlacementPosition)  # the only kind with opposites
    if position.outcome is not None or position.to_move is not Color.BLACK:
        message = "pairing answers White's moves, but it is not Black's turn"
        raise InvalidPositionError([Fault("pairing/turn", message)])
    stones = position.stones()
    open_pairs = [
        cell
        for cell, color in stones.items()
        if opposite[cell] != cell and stones.get(opposite[cell]) is not color.opponent
    ]
    if len(open_pairs) == 1 and stones[open_pairs[0]] is Color.WHITE:
        return Move(opposite[open_pairs[0]])
    names = ", ".join(map(position.game.topology.name, open_pairs)) or "none"
    message = f"one white stone must be without an answer, but it is {names}"
    raise InvalidPositionError([Fault("pairing/unpaired", message)])
