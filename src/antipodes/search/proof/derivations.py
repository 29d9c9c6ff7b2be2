"""Conversion of virtual connections to the lines of a proof."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from antipodes.games.kernels import Array, header, placement
from antipodes.games.placement import PlacementGame
from antipodes.search.connection import Endpoint, Rule, VirtualConnection
from antipodes.search.proof.checker import ProofBoard, Statement, follow

Line = list[Any]

_ALONE = ("path", "pairing")  # kinds of lines that name no other line


class ProofDraft:
    """A proof in progress: its lines and their statements.

    Attributes:
        board: for the winner.
        lines: so far, without duplicates.
        statements: of the lines.
    """

    def __init__(self, board: ProofBoard) -> None:
        self.board = board
        self.lines: list[Line] = []
        self.statements: list[Statement] = []
        self._places: dict[str, int] = {}

    def add(self, *line: Any) -> int:
        """Add a line that follows from the others unless it exists; return its index."""
        text = repr(line)
        if text not in self._places:
            self.statements.append(follow(self.board, list(line), self.statements))
            self._places[text] = len(self.lines)
            self.lines.append(list(line))
        return self._places[text]

    def add_all(self, lines: Sequence[Line]) -> int:
        """Add the lines of another proof; return the index of its last one."""
        places: dict[int, int] = {}
        for number, line in enumerate(lines):
            places[number] = self.add(*_renumbered(line, places))
        return places[len(lines) - 1]

    def play(self, point: str, part: int) -> int:
        """Add a move before a statement that needs it; return the index of the result."""
        if not self.statements[part].base & self.board.set_of([point]):
            return part
        return self.add("play", point, part)

    def either(self, parts: Sequence[int]) -> int:
        """Add an ``either`` of statements, without those that are not needed."""
        chosen = list(dict.fromkeys(parts))
        for part in sorted(chosen, key=lambda one: -self.statements[one].carrier.bit_count()):
            others = [other for other in chosen if other != part]
            if others and not self.common(others):
                chosen = others
        single = self.statements[chosen[0]]
        if len(chosen) == 1 and single.safe and not single.carrier:
            return chosen[0]
        return self.add("either", sorted(chosen))

    def needed_by(self, last: int) -> list[Line]:
        """Return the lines from which a line follows, and last the line itself."""
        return self.needed_by_all([last])[0]

    def needed_by_all(self, wanted: Sequence[int]) -> tuple[list[Line], list[int]]:
        """Return the lines from which some lines follow, those included, and their new indices."""
        last = max(wanted)
        needed = [False] * (last + 1)
        for place in wanted:
            needed[place] = True
        for place in range(last, -1, -1):
            if needed[place]:
                for part in _parts(self.lines[place]):
                    needed[part] = True
        places = {place: new for new, place in enumerate(p for p in range(last + 1) if needed[p])}
        lines = [_renumbered(self.lines[place], places) for place in places]
        return lines, [places[place] for place in wanted]

    def common(self, parts: Sequence[int]) -> int:
        """Return the points that are in the carriers of all these statements."""
        common = -1
        for part in parts:
            common &= self.statements[part].carrier
        return common


def _parts(line: Line) -> list[int]:
    """Return the indices of the lines that a line names."""
    if line[0] in _ALONE:
        return []
    return line[-1] if isinstance(line[-1], list) else [line[-1]]


def _renumbered(line: Line, places: dict[int, int]) -> Line:
    if line[0] in _ALONE:
        return line
    last = line[-1]
    new = [places[part] for part in last] if isinstance(last, list) else places[last]
    return [*line[:-1], new]


class Derivations:
    """A converter of the connections of one colour in one position."""

    def __init__(self, game: PlacementGame[Any, Any], state: Array, draft: ProofDraft) -> None:
        self._tables = game.tables
        self._degree = int(game.tables[placement.DEGREE])
        self._cells = game.topology.cell_count
        self._terminals = {int(game.tables[placement.SOURCE]), int(game.tables[placement.TARGET])}
        self._state = state
        self._draft = draft
        self._done: dict[int, int] = {}
        self._names = [game.topology.name(cell) for cell in range(self._cells)]

    def line(self, connection: VirtualConnection) -> int:
        """Write a connection and its parents; return the index of its line."""
        if id(connection) not in self._done:
            self._done[id(connection)] = self._written(connection)
        return self._done[id(connection)]

    def _written(self, connection: VirtualConnection) -> int:
        if connection.rule is Rule.STEP:
            return self._draft.add("path", self._step(connection))
        parts = [self.line(parent) for parent in connection.parents]
        if connection.rule is Rule.OR:
            return self._draft.either(parts)
        key = connection.key
        assert key is not None
        if connection.rule is Rule.RING:
            return self._draft.play(self._names[key.root], parts[0])
        first, second = parts
        middle = self._names[self._home(key)]
        start = self._far_end(first, middle)
        joined = self._draft.add("chain", start, [first, second])
        return self._draft.play(middle, joined) if key.empty else joined

    def _far_end(self, part: int, middle: str) -> str:
        """Return the end of a connection that is not ``middle``."""
        one, other = self._draft.statements[part].ends
        return other if one == middle else one

    def _step(self, connection: VirtualConnection) -> list[str]:
        """Return the points from an empty cell to another, or to the home node of a group."""
        near, far = connection.ends
        winding = connection.winding
        if not near.empty:
            near, far, winding = far, near, -winding
        if far.empty:
            return [self._names[near.root], self._names[far.root]]
        for node, step in self._steps(near.root):
            if node in far.nodes and self._fits(node, step, winding):
                return [self._names[near.root], *self._way_home(node, step, far)]
        raise AssertionError("a step leads to a neighbour")

    def _fits(self, node: int, step: int, winding: int) -> bool:
        """Return whether a step to a node has this winding; Black's windings do not matter."""
        if int(self._state[header.HEADER + node]) == 1:
            return True
        back: int = placement.winding_of(self._tables, self._state, node)  # type: ignore[no-untyped-call]
        return bool(step == winding + back)

    def _steps(self, cell: int) -> list[tuple[int, int]]:
        """Return the neighbouring nodes of a cell, each with the winding of the step."""
        white = slice(cell * self._degree, (cell + 1) * self._degree)
        nodes = self._tables[int(self._tables[placement.NEIGHBOURS]) :][white].tolist()
        windings = self._tables[int(self._tables[placement.WINDINGS]) :][white].tolist()
        return [(node, turn) for node, turn in zip(nodes, windings, strict=True) if node >= 0]

    def _home(self, point: Endpoint) -> int:
        """Return the node for an end in proofs: its border or pole if it has one."""
        fixed = [n for n in point.nodes if n >= self._cells or n in self._terminals]
        return fixed[0] if fixed else point.root

    def _way_home(self, node: int, step: int, group: Endpoint) -> list[str]:
        """Return the names from a node of a group, reached by a step, to its home node."""
        home = self._home(group)
        came: dict[int, int] = {node: node}
        turn = {node: step}
        queue = [node]
        for here in queue:
            if here == home:
                break
            for near, winding in self._steps(here):
                if near in group.nodes and near not in came:
                    came[near] = here
                    turn[near] = winding
                    queue.append(near)
        way = [home]
        while way[-1] != node:
            way.append(came[way[-1]])
        return [self._name(one, turn[one]) for one in reversed(way)]

    def _name(self, node: int, step: int) -> str:
        """Return a node's name; White's border of the rhombus has two, by the step to it."""
        if node < self._cells:
            return self._names[node]
        if node == self._cells + 2:
            return "right" if step else "left"
        return "top" if node == self._cells else "bottom"
