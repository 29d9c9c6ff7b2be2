"""Programs that play at the seats of a local game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from antipodes.search.players import Player


class SeatPlayers:
    """The programs of a game, each kept for its seat as long as the game lasts."""

    def __init__(
        self, seed: int | None = None, make: Callable[[str, int | None], Player] | None = None
    ) -> None:
        """Begin without players.

        Args:
            seed: makes their choices the same each time.
            make: makes a player of a text and a seed; one of :mod:`antipodes.search.players` if
                ``None``.
        """
        self._seed = seed
        self._make = make or _make_player
        self._players: dict[tuple[int, str], Player] = {}

    def at(self, seat: int, text: str) -> Player:
        """Return the player at a seat."""
        if (seat, text) not in self._players:
            seed = None if self._seed is None else self._seed + seat
            self._players[seat, text] = self._make(text, seed)
        return self._players[seat, text]

    def move_on(self, shift: int, seats: int) -> None:
        """Let the players move on by some seats, as in a rematch."""
        self._players = {
            ((seat - shift) % seats, text): player for (seat, text), player in self._players.items()
        }

    def forget(self) -> None:
        """Make new players from now on."""
        self._players = {}


def _make_player(text: str, seed: int | None) -> Player:
    # Importing the players takes a moment, which the first picture does not wait for.
    from antipodes.search.players import make_player

    return make_player(text, seed)
