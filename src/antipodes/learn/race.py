"""The race to a border of Antipalos: whether a chain can be stopped in time, by exact search.

One colour, the runner, wants to join two given borders with so many more rods; the other one
blocks squares. Only this matters: not the other pair of borders, and not the blocker's chains. So
positions are decided far earlier than by a search for forced wins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from antipodes.core import Color, Move
from antipodes.games.antipalos import AntipalosPosition
from antipodes.games.position import Position
from antipodes.notation.rods import rod_points

_NODES = 20_000  # positions of a search
_FAR = 99

OPPOSITE = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}


class RaceUndecidedError(Exception):
    """The search has visited as many positions as it may."""


@dataclass(frozen=True, slots=True)
class _Rods:
    """Sets of squares as bits: free ones, and the runner's rods on either diagonal."""

    free: int
    rods: tuple[int, int]

    def without(self, square: int) -> _Rods:
        """Return the rods after the blocker has filled a square."""
        return _Rods(self.free & ~(1 << square), self.rods)

    def extended(self, square: int, diagonal: int) -> _Rods:
        """Return the rods after one of the runner's."""
        up, down = self.rods
        bit = 1 << square
        rods = (up | bit, down) if diagonal == 0 else (up, down | bit)
        return _Rods(self.free & ~bit, rods)


@dataclass(frozen=True, slots=True)
class _Answer:
    """The result of a search.

    Attributes:
        wins: whether the runner gets through.
        squares: those that it needs; if the blocker stops it, one that does.
        rod: the runner's next one, if it is to move.
    """

    wins: bool
    squares: int = 0
    rod: tuple[int, int] | None = None


_LOST = _Answer(wins=False)


class Race:
    """A search for the race of one colour to one border, from the opposite one."""

    def __init__(self, position: AntipalosPosition, runner: Color, border: str) -> None:
        """Prepare the board.

        Args:
            position: any position of the game.
            runner: the colour that wants to get through.
            border: ``top``, ``bottom``, ``left`` or ``right``.
        """
        size = int(position.game.options.size)
        self._runner = runner
        self._steps = _steps_of(size)
        self._from, self._to = (
            frozenset(_border_points(size, name)) for name in (OPPOSITE[border], border)
        )
        self._known: dict[tuple[_Rods, int], _Answer] = {}
        self._nodes = 0

    def gets_through(self, position: AntipalosPosition, turns: int, passes: int = 0) -> bool:
        """Return whether the runner joins the borders with so many more rods.

        Args:
            position: of either colour to move.
            turns: rods of the runner.
            passes: turns that the blocker loses, beginning with its next one.

        Raises:
            RaceUndecidedError: the search is too large.
        """
        rods = self._start(position)
        if position.to_move is not self._runner:
            return self._defend(rods, turns).wins
        return self._unhindered(rods, turns, passes)

    def next_rod(self, position: AntipalosPosition, turns: int) -> Move | None:
        """Return the runner's move that gets through with the fewest rods, or ``None``.

        Raises:
            RaceUndecidedError: the search is too large.
        """
        rods = self._start(position)
        for count in range(1, turns + 1):
            rod = self._attack(rods, count).rod
            if rod is not None:
                square, diagonal = rod
                return _move(position, square, diagonal)
        return None

    def block(self, position: AntipalosPosition, turns: int) -> Move:
        """Return the blocker's move that stops the runner, or holds it up longest.

        Raises:
            RaceUndecidedError: the search is too large.
        """
        rods = self._start(position)
        answer = self._defend(rods, turns)
        if answer.wins:
            needed = self._attack(rods, turns).squares
            best = max(_bits(needed), key=lambda square: self._delay(rods.without(square), turns))
        elif answer.squares:
            best = next(_bits(answer.squares))
        else:  # any move will do: one on the shortest way looks best
            way = self._useful(rods, _FAR)
            best = way[0][2] if way else next(_bits(rods.free))
        return _move(position, best, 0)

    def line(self, position: AntipalosPosition, turns: int) -> tuple[Move, ...]:
        """Return how the runner, who is to move, gets through; empty if it does not.

        Raises:
            RaceUndecidedError: the search is too large.
        """
        moves: list[Move] = []
        while (move := self.next_rod(position, turns)) is not None:
            moves.append(move)
            position = position.play(move)
            turns -= 1
            if position.outcome is not None:
                break
            moves.append(self.block(position, turns))
            position = position.play(moves[-1])
        return tuple(moves)

    def _start(self, position: AntipalosPosition) -> _Rods:
        self._nodes = 0
        free = (1 << position.game.topology.cell_count) - 1
        own = [0, 0]
        for square, rod in position.rods().items():
            free &= ~(1 << square)
            if rod.color is self._runner:
                own[rod.diagonal != "/"] |= 1 << square
        return _Rods(free, (own[0], own[1]))

    def _delay(self, rods: _Rods, turns: int) -> int:
        """Return the number of rods that the runner needs, one more than ``turns`` if too many."""
        return next((n for n in range(turns + 1) if self._attack(rods, n).wins), turns + 1)

    def _unhindered(self, rods: _Rods, turns: int, passes: int) -> bool:
        """Return whether the runner gets through if the blocker loses some turns first."""
        if passes == 0:
            return self._attack(rods, turns).wins
        return any(
            self._unhindered(rods.extended(square, diagonal), turns - 1, passes - 1)
            for *_, square, diagonal in self._useful(rods, turns)
        )

    def _attack(self, rods: _Rods, turns: int) -> _Answer:
        """Search with the runner to move."""
        found = self._known.get((rods, turns))
        if found is None:
            self._nodes += 1
            if self._nodes > _NODES:
                raise RaceUndecidedError
            found = self._known[rods, turns] = self._attacked(rods, turns)
        return found

    def _attacked(self, rods: _Rods, turns: int) -> _Answer:
        useful = self._useful(rods, turns)
        if not useful:
            there = self._distances(self._from, rods, 0)
            return _Answer(wins=any(there[point] == 0 for point in self._to))
        length, _, square, diagonal = useful[0]
        if length == 1:
            return _Answer(wins=True, squares=1 << square, rod=(square, diagonal))
        for _, _, square, diagonal in useful:
            answer = self._defend(rods.extended(square, diagonal), turns - 1)
            if answer.wins:
                return _Answer(True, answer.squares | 1 << square, (square, diagonal))
        return _LOST

    def _useful(self, rods: _Rods, turns: int) -> list[tuple[int, int, int, int]]:
        """Return the rods on ways of so many rods, the shortest ways first.

        Each is the length of the way, the rods before it, its square and diagonal. There is none
        where the borders are joined.
        """
        there = self._distances(self._from, rods, turns)
        needed = min(there[point] for point in self._to)
        if needed == 0 or needed > turns:
            return []
        back = self._distances(self._to, rods, turns)
        return sorted(
            (there[point] + 1 + back[other], there[point], square, diagonal)
            for point, steps in enumerate(self._steps)
            for square, diagonal, other in steps
            if rods.free >> square & 1 and there[point] + 1 + back[other] <= turns
        )

    def _defend(self, rods: _Rods, turns: int) -> _Answer:
        """Search with the blocker to move: its squares are those that the runner needs."""
        passed = self._attack(rods, turns)
        if not passed.wins:
            return _LOST
        used = left = passed.squares
        while left:
            square = left.bit_length() - 1
            answer = self._attack(rods.without(square), turns)
            if not answer.wins:
                return _Answer(wins=False, squares=1 << square)
            used |= answer.squares
            left &= answer.squares & ~(1 << square)
        return _Answer(wins=True, squares=used)

    def _distances(self, start: frozenset[int], rods: _Rods, most: int) -> list[int]:
        """Return for each grid point the rods needed to reach it, up to a number."""
        distances = [_FAR] * len(self._steps)
        for point in start:
            distances[point] = 0
        now = list(start)
        free, own = rods.free, rods.rods
        for count in range(most + 1):
            later: list[int] = []
            for point in now:  # grows while it is read
                if distances[point] < count:
                    continue
                for square, diagonal, other in self._steps[point]:
                    if own[diagonal] >> square & 1:
                        if distances[other] > count:
                            distances[other] = count
                            now.append(other)
                    elif free >> square & 1 and distances[other] > count + 1:
                        distances[other] = count + 1
                        later.append(other)
            now = later
        return distances


class RaceReferee:
    """The referee of tasks to get through; see :class:`antipodes.puzzles.play.Referee`."""

    def __init__(self, race: Race) -> None:
        self._race = race

    def wins(self, after: Position, turns: int | None) -> bool | None:
        """Return whether the runner, who has just moved, still gets through."""
        assert isinstance(after, AntipalosPosition)
        try:
            return self._race.gets_through(after, turns or 0)
        except RaceUndecidedError:
            return None

    def is_clear(self, after: Position) -> bool:
        """Return whether the game is over."""
        return after.outcome is not None

    def reply(self, after: Position, turns: int | None) -> Move:
        """Return the block after which the runner needs the most rods."""
        assert isinstance(after, AntipalosPosition)
        return self._race.block(after, turns or 0)

    def answer(self, position: Position, turns: int | None) -> Move | None:
        """Return the runner's best move."""
        assert isinstance(position, AntipalosPosition)
        try:
            return self._race.next_rod(position, turns or 0)
        except RaceUndecidedError:
            return None

    def refutation(self, after: Position, turns: int | None) -> tuple[Move, ...]:
        """Return a block that stops the runner."""
        assert isinstance(after, AntipalosPosition)
        try:
            return (self._race.block(after, turns or 0),)
        except RaceUndecidedError:
            return ()


def _steps_of(size: int) -> list[list[tuple[int, int, int]]]:
    """Return for each grid point the rods that end there: square, diagonal, other end."""
    points = size + 1
    steps: list[list[tuple[int, int, int]]] = [[] for _ in range(points * points)]
    for square in range(size * size):
        row, column = divmod(square, size)
        for diagonal in (0, 1):
            begin, end = (y * points + x for x, y in rod_points(row, column, "/\\"[diagonal]))
            steps[begin].append((square, diagonal, end))
            steps[end].append((square, diagonal, begin))
    return steps


def _border_points(size: int, name: str) -> Iterator[int]:
    points = size + 1
    for place in range(points):
        yield {
            "bottom": place,
            "top": size * points + place,
            "left": place * points,
            "right": place * points + size,
        }[name]


def _bits(squares: int) -> Iterator[int]:
    while squares:
        yield squares.bit_length() - 1
        squares &= ~(1 << (squares.bit_length() - 1))


def _move(position: AntipalosPosition, square: int, diagonal: int) -> Move:
    """Return the move that places a rod."""
    return next(m for m in position.legal_moves if position.steps(m) == (square, diagonal))
