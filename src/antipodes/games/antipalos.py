"""Antipalos (Martin Collier, 1982): diagonal rods that join opposite borders, in two phases."""

from __future__ import annotations

from antipodes.core import Color, Move, Setup
from antipodes.errors import Fault, InvalidPositionError, Phrase
from antipodes.games import antipalos_notation as notation
from antipodes.games.antipalos_base import AntipalosBase
from antipodes.games.kernels import Array, header
from antipodes.games.position import BoardPosition
from antipodes.notation.scene import Rod, Scene


class Antipalos(AntipalosBase["AntipalosPosition"]):
    """Rods on the diagonals of squares; join two opposite borders, whichever pair."""

    def _fill(self, setup: Setup, state: Array, faults: list[Fault]) -> None:
        notation.fill(self, setup, state, faults)

    def composed(self, setup: Setup) -> Setup:
        """Return a setup as a composed one; all colours have the same number of rods left."""
        return notation.composed(self, setup)

    @property
    def pieces(self) -> tuple[str, ...]:
        r"""The names of the pieces, such as ``red/`` and ``red\``, after that of no piece."""
        return ("", *(color.value + diagonal for color in self.colors for diagonal in "/\\"))

    def _check_winner(self, setup: Setup, state: Array) -> None:
        winner = int(state[header.WINNER])
        if winner > 0 and state[header.PHASE] == 1 and state[header.PHASE_PLIES] == 0:
            # Won with the last rod, so Phase Two never began, and the win scores accordingly.
            state[header.PHASE] = 0
            self.rules.rebuild(self.tables, state, self.work())
        if not setup.composed and notation.winner_is_late(self, state):
            fault = Fault.of(
                "position/winner-to-move",
                "{colour} has won, but did not move last",
                colour=Phrase(self.colors[winner - 1].title),
            )
            raise InvalidPositionError([fault])


class AntipalosPosition(BoardPosition[Antipalos]):
    """A position of Antipalos."""

    __slots__ = ()

    def rods(self) -> dict[int, Rod]:
        """Return square -> rod on it."""
        codes = self.kernel_state[
            header.HEADER : header.HEADER + self.game.topology.cell_count
        ].tolist()
        return {
            square: Rod(self.game.colors[(code - 1) // 2], "/\\"[(code - 1) % 2])
            for square, code in enumerate(codes)
            if code
        }

    def rods_left(self) -> dict[Color, int]:
        """Return colour -> rods not yet placed; all 0 in the mail ruleset, which has no supply."""
        first = header.HEADER + self.game.topology.cell_count
        return {
            color: int(self.kernel_state[first + i]) for i, color in enumerate(self.game.colors)
        }

    def _room_for_next(self) -> Array:
        keys = int(self.kernel_state[header.HISTORY])
        state = self.game.new_state(self.game.state_size + keys)
        length = min(len(state), len(self.kernel_state))
        state[:length] = self.kernel_state[:length]
        return state

    def searchable_state(self, plies: int) -> Array:
        """Return a writeable copy of the state with room to play ``plies`` moves in place."""
        state = self.game.new_state(len(self.kernel_state) + plies)
        state[: len(self.kernel_state)] = self.kernel_state
        return state

    def _read(self, text: str) -> Move | None:
        return notation.read_move(self.game, text)

    def _move_help(self) -> Phrase:
        return notation.move_help(self.game, self.phase)

    def format_move(self, move: int, seat: int | None = None) -> str:
        """Write a move, as seen from ``seat``'s side if one is given."""
        return notation.format_move(self.game, self.kernel_state, move, seat or 0)

    def steps(self, move: int) -> tuple[int, ...]:
        """Return the square of a rod and its diagonal, after the square that it is moved from."""
        if move == self.game.swap_move:
            return ()
        origin, placement = divmod(int(move), self.game.placements)
        return (origin - 1,) * (origin > 0) + divmod(placement, 2)

    def to_setup(self) -> Setup:
        """Return the setup of the position, without the history of repetitions."""
        game = self.game
        rods = self.rods()
        stones = tuple(
            (notation.write_placement(game, 2 * square + (rod.diagonal == "\\")), rod.color.value)
            for square, rod in rods.items()
        )
        if game.is_mail:
            counts = [sum(rod.color is color for rod in rods.values()) for color in game.colors]
            regular = (
                counts[0] - counts[1] in (0, 1)
                and sum(counts) % 2 == self.kernel_state[header.COLOR]
            )
            return Setup(
                stones=stones,
                to_move=self.to_move.value,
                swapped=self.swapped,
                composed=not regular or notation.winner_is_late(game, self.kernel_state),
            )
        left = self.rods_left()
        lost = len(rods) + sum(left.values()) < game.options.rods * len(game.colors)
        ply = len(rods) + int(self.kernel_state[header.PHASE_PLIES])
        return Setup(
            stones=stones,
            to_move=self.to_move.value,
            rods_left={color.value: count for color, count in left.items()},
            seat=self.seat_to_move,
            phase_two_plies=int(self.kernel_state[header.PHASE_PLIES]),
            composed=lost
            or self.seat_to_move != ply % game.seats
            or notation.winner_is_late(game, self.kernel_state),
        )

    def scene(self) -> Scene:
        """Return the scene of a picture of the position."""
        goals: dict[Color, tuple[str, ...]] = {}
        if self.game.is_mail:
            goals = {Color.VERT: ("top", "bottom"), Color.HORZ: ("left", "right")}
        return Scene(
            topology=self.game.topology,
            title=self.caption(),
            rods=self.rods(),
            goals=goals,
            last=self.last_cell,
            chain=self.winning_chain(),
            points_named=self.game.is_mail,
        )

    def caption_phrases(self) -> tuple[Phrase, ...]:
        """Return the sentences of the caption, with the phase and the rods left."""
        phrases = super().caption_phrases()
        if self.game.is_mail or self.outcome is not None:
            return phrases
        if self.phase == 2:
            return (*phrases, Phrase("Phase Two: move a rod."))
        left = tuple(
            Phrase("{colour} {count}", {"colour": color, "count": count})
            for color, count in self.rods_left().items()
        )
        return (*phrases, Phrase("Phase One; rods left: {left}.", {"left": left}))


Antipalos.position_type = AntipalosPosition
