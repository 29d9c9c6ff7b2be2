"""Second opinions: the move that another player or program would make in a position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from antipodes.core import Move
from antipodes.engine.gtp_client import ProgramError, ProgramFailure
from antipodes.errors import Fault, InvalidOptionsError
from antipodes.games.position import Position
from antipodes.lab.contestants import (
    Contestant,
    ProgramContestant,
    Side,
    make_contestant,
    side_name,
)


@dataclass(frozen=True, slots=True)
class Opinion:
    """The choice of a player.

    Attributes:
        name: of the player; of a program its own name and version.
        move: its choice; ``None`` if it resigns.
    """

    name: str
    move: Move | None

    def as_dict(self, position: Position) -> dict[str, Any]:
        """Return the opinion about a position as JSON has it."""
        move = None if self.move is None else position.format_move(self.move)
        return {"player": self.name, "move": move}


def ask_opinion(position: Position, side: Side, *, seconds: float | None, seed: int) -> Opinion:
    """Ask a player for its move in a position; it is told the game from its start.

    Args:
        position: the game must not be over.
        side: the player, as :func:`~antipodes.lab.contestants.make_contestant` takes it.
        seconds: to think; ``None`` leaves it to the player.
        seed: makes the choices of players of this program reproducible.

    Raises:
        InvalidOptionsError: no player is called so, or the position was set up: programs can only
            be told a game.
        ProgramError: the program failed.
    """
    contestant = make_contestant(side, seconds)
    told = position.game.initial()
    line = [told]
    for move in position.moves:
        if move not in told.legal_moves:
            break
        told = told.play(move)
        line.append(told)
    if told != position:
        message = "a player can be told a game from its start, and this position was set up"
        raise InvalidOptionsError([Fault("option/conflict", message, "--beside")])
    try:
        contestant.begin(position.game, seed)
        for before, move in zip(line, position.moves, strict=False):
            contestant.tell(before, move)
        title = contestant.title() if isinstance(contestant, ProgramContestant) else ""
        return Opinion(title or side_name(side), _choice(contestant, position))
    except ProgramError as error:
        raise ProgramError(error.failing, f"{side_name(side)}: {error}") from None
    finally:
        contestant.close()


def _choice(contestant: Contestant, position: Position) -> Move | None:
    try:
        return contestant.choose(position)
    except ProgramError as error:
        if error.failing is ProgramFailure.RESIGNED:
            return None
        raise
