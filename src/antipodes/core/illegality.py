"""Reasons why a move is illegal: stable codes and messages."""

from __future__ import annotations

from enum import IntEnum


class Illegality(IntEnum):
    """A reason why a move is illegal. The number is the answer of kernels; 0 means legal."""

    GAME_OVER = 1
    OUT_OF_RANGE = 2
    OCCUPIED = 3
    NO_SWAP = 4
    NOT_YOUR_PIECE = 5
    WRONG_PHASE = 6
    UNCHANGED = 7
    PAWN_STAYS = 8
    NO_LINE = 9
    PAWN_IN_THE_WAY = 10
    NOT_YOUR_TOKEN = 11

    @property
    def code(self) -> str:
        """The stable code, such as ``move/occupied``."""
        return "move/" + self.name.lower().replace("_", "-")

    @property
    def message(self) -> str:
        """The reason in words."""
        return _MESSAGES[self]


_MESSAGES = {
    Illegality.GAME_OVER: "the game is over",
    Illegality.OUT_OF_RANGE: "the board has no such point",
    Illegality.OCCUPIED: "the point is not empty",
    Illegality.NO_SWAP: "swapping is possible only as the second move, where the options allow it",
    Illegality.NOT_YOUR_PIECE: "there is no piece of the player to move to take up",
    Illegality.WRONG_PHASE: "Phase One places new rods, Phase Two moves rods on the board",
    Illegality.UNCHANGED: "the rod would lie as before",
    Illegality.PAWN_STAYS: "the pawn must move",
    Illegality.NO_LINE: "the pawn moves in a straight line",
    Illegality.PAWN_IN_THE_WAY: "the pawn may not pass or reach the other pawn",
    Illegality.NOT_YOUR_TOKEN: "the pawn must come to rest on a token of its own colour",
}
