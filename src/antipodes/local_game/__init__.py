"""Games at one terminal: players, moves, takebacks, resignations, rematches and their records.

Nothing here reads input or shows anything; the line mode and the full screen do.
"""

from antipodes.local_game.game import HUMAN, LocalGame, move_sentence
from antipodes.local_game.players import SeatPlayers
from antipodes.local_game.saving import continued, record_of, save

__all__ = [
    "HUMAN",
    "LocalGame",
    "SeatPlayers",
    "continued",
    "move_sentence",
    "record_of",
    "save",
]
