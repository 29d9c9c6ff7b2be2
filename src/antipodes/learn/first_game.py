"""The first game: against the lowest level, with advice that fades as the game goes on."""

from __future__ import annotations

from collections.abc import Sequence

from antipodes.core import Move
from antipodes.games.position import Position
from antipodes.games.registry import game_class, make_game
from antipodes.games.samples import FirstGame
from antipodes.search.factory import make_search
from antipodes.search.interface import Limits, SearchSettings
from antipodes.search.players import make_player

_VISITS = 2_000  # of a search for advice
_MEMORY = 64  # MiB
_ONE, _FEW = 3, 6  # own moves with advice of one move, and with advice of several
_CHOICE = 3


def first_game_of(game_id: str) -> FirstGame:
    """Return a game's settings for beginners; without some, its usual board and first seat.

    Raises:
        UnknownGameError: no game has this id.
    """
    return game_class(game_id).first_game or FirstGame()


class CoachedGame:
    """A game of a learner against the lowest level of the computer."""

    def __init__(
        self, game_id: str, seed: int | None = None, moves: Sequence[str] | None = None
    ) -> None:
        """Begin a game; the computer makes the first move if that is its seat.

        Args:
            game_id: the game.
            seed: of the computer's choices.
            moves: of both sides in turn, to continue a game.

        Raises:
            UnknownGameError: no game has this id.
            MoveError: the moves cannot be played.
        """
        first = first_game_of(game_id)
        self.seat = first.seat
        self._opening = first.opening
        self.position: Position = make_game(game_id, first.options).initial()
        self._computer = make_player("computer:1", seed)
        self._count = 0
        for text in moves or ():
            self._count += self.position.seat_to_move == self.seat
            self.position = self.position.play(self.position.parse_move(text))
        if self.seat == 1 and moves is None:
            self.position = self.position.play(self._computer.choose(self.position))

    @property
    def won(self) -> bool | None:
        """Whether the learner has won; ``None`` while the game goes on and after a draw."""
        outcome = self.position.outcome
        if outcome is None or outcome.winner is None:
            return None
        return self.seat in self.position.seat_of(outcome.winner)

    def advice(self, *, asked: bool = False) -> tuple[Move, ...]:
        """Return good moves: first one, then several of which one is best, then none unasked.

        Several moves are in the order of the board, so that the best one does not stand out.
        """
        if self.position.outcome is not None or (self._count >= _FEW and not asked):
            return ()
        if self._opening and self._count == 0:
            return (self.position.parse_move(self._opening),)
        search = make_search(self.position, SearchSettings(memory=_MEMORY), seed=1)
        search.run(Limits(visits=_VISITS))
        candidates = sorted(search.candidates(), key=lambda one: one.visits, reverse=True)
        if self._count < _ONE or asked:
            return tuple(one.move for one in candidates[:1])
        chosen = [one.move for one in candidates[:_CHOICE]]  # only one where the search has a proof
        others = [move for move in self.position.legal_moves if move not in chosen]
        step = max(len(others) // _CHOICE, 1)
        return tuple(sorted((chosen + others[::step])[:_CHOICE]))

    def play(self, text: str) -> Move | None:
        """Play the learner's move and the computer's reply; return the reply if there is one.

        Raises:
            MoveError: it is not a legal move.
        """
        self.position = self.position.play(self.position.parse_move(text))
        self._count += 1
        if self.position.outcome is not None:
            return None
        reply = self._computer.choose(self.position)
        self.position = self.position.play(reply)
        return reply
