"""An independent checker of proofs: small, slow and obvious. It uses no code of the solver.

A proof is a list of statements. Each is about the winner's side and has the form

    *The winner owns the stones of B. The points of C are empty. Then the winner can join x to y,
    playing only in C, whatever the other side does.*

``B`` is called the base and ``C`` the carrier. A statement is *safe* if it holds although the other
side moves first, and *pending* if the winner has to move first. There are five rules; a line names
earlier statements by their index in the list:

``["path", [x, ..., y]]``
    stones, each a neighbour of the next: safe; they are the base, and the carrier is empty.
``["chain", x, [i, j, ...]]``
    safe statements end to end, beginning at x, with disjoint carriers: safe. The winner answers
    in the carrier in which the other side has played.
``["play", x, i]``
    a safe statement that has x in its base: pending; x goes from the base to the carrier.
``["either", [i, j, ...]]``
    statements that join the same ends, whose carriers have no point in common: safe. Wherever the
    other side plays, one of them is untouched, and the winner goes on with it.
``["pairing", [x, ...], [[a, b], ...]]``
    stones and disjoint pairs of points that join the winner's goals: safe. The winner answers a
    stone on one point of a pair on the other point; see :func:`_pairing`.

White's ring has no ends. So the checker also counts how often a connection crosses a seam that
runs from one of Black's terminals to the other, forwards less backwards; on a path from a point to
itself any number but zero means that the path goes round a terminal. The method of virtual
connections is due to V. Anshelevich (Artificial Intelligence 134, 2002).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from antipodes.boards.topology import Topology

Name = str

KINDS = ("rhombus", "cylinder", "sphere")  # of boards, whose goals are known here


class ProofError(Exception):
    """The proof is wrong; ``place`` is the index of the wrong statement, or ``None``."""

    def __init__(self, message: str, place: int | None = None) -> None:
        super().__init__(message)
        self.place = place


@dataclass(frozen=True, slots=True)
class Statement:
    """The statement of a line. Base and carrier are sets of points, a bit for each."""

    ends: tuple[Name, Name]
    turns: int
    base: int
    carrier: int
    safe: bool

    @property
    def is_ring(self) -> bool:
        """Whether both ends are the same and the connection goes round."""
        return self.ends[0] == self.ends[1] and self.turns != 0

    def joins(self) -> tuple[Name, Name, int]:
        """Return what is joined, the same for both directions and for any end of a ring."""
        if self.is_ring:
            return "", "", 1
        one, other = self.ends
        return min((one, other, self.turns), (other, one, -self.turns))


class ProofBoard:
    """A board for one colour: its points and borders, adjacency, and crossings of the seam.

    On the rhombus Black joins top and bottom, and White left and right. On the cylinder Black
    joins top and bottom, on the sphere the poles; White closes a ring.
    """

    def __init__(self, topology: Topology, winner: str) -> None:
        """Read a topology.

        Raises:
            ProofError: the goals on this kind of board are not known.
        """
        if topology.kind not in KINDS:
            raise ProofError(f"there are no proofs for boards of the kind {topology.kind}")
        self._topology = topology
        self.points = [topology.name(cell) for cell in range(topology.cell_count)]
        self._cells = {name: cell for cell, name in enumerate(self.points)}
        self.touching = {
            name: {self.points[other] for other in topology.neighbours[cell]}
            for cell, name in enumerate(self.points)
        }
        self.ends: tuple[Name, ...] = ("top", "bottom")
        if winner == "white":
            self.ends = ("left", "right") if topology.kind == "rhombus" else ()
        elif topology.kind == "sphere":
            self.ends = tuple(self.points[pole] for pole in topology.rims["poles"])
        self.borders = [end for end in self.ends if end not in self.touching]
        for border in self.borders:
            self.touching[border] = {self.points[cell] for cell in topology.rims[border]}
        self._bits = {name: 1 << i for i, name in enumerate([*self.points, *self.borders])}

    def set_of(self, names: Iterable[Name]) -> int:
        """Return names as a set of bits."""
        return sum({self._bits[name] for name in names})

    def names(self, points: int) -> str:
        """Write a set for people."""
        return ", ".join(name for name, bit in self._bits.items() if bit & points)

    def touch(self, one: Name, other: Name) -> bool:
        """Return whether two stones touch, or a stone touches a border."""
        return other in self.touching.get(one, ()) or one in self.touching.get(other, ())

    def crossings(self, one: Name, other: Name) -> int:
        """Return 1 or -1 if the step between two points that touch crosses the seam, else 0."""
        if self.ends:
            return 0  # the winner wants no ring
        return round((self._angle(one) - self._angle(other)) / (2 * math.pi))

    def _angle(self, name: Name) -> float:
        """Return a point's angle about the axis through the terminals."""
        cell = self._cells[name]
        if self._topology.kind == "cylinder":
            columns = self._topology.size[1]
            return cell % columns / columns * 2 * math.pi
        place = self._topology.places_of[cell][0]
        pole = self._topology.places_of[self._topology.rims["poles"][place.board]][0]
        return math.atan2(place.y - pole.y, place.x - pole.x)


@dataclass(frozen=True)
class Claim:
    """The claim of a proof: a colour wins a position.

    Attributes:
        board: for the winner.
        stones: point -> colour.
        winner: the colour that wins.
        to_move: the colour to move.
    """

    board: ProofBoard
    stones: Mapping[Name, str]
    winner: str
    to_move: str


def check(claim: Claim, lines: Sequence[Any]) -> Statement:
    """Verify a proof and return its last statement.

    Raises:
        ProofError: at the first wrong line, or if the last one does not prove the claim.
    """
    if not lines:
        raise ProofError("the proof is empty")
    return check_each(claim, lines, [len(lines) - 1])[0]


def check_each(claim: Claim, lines: Sequence[Any], places: Sequence[Any]) -> list[Statement]:
    """Verify several proofs of one claim in one list; return the statements in these places.

    Raises:
        ProofError: at the first wrong line, or if one of the places does not prove the claim.
    """
    statements: list[Statement] = []
    for place, line in enumerate(lines):
        try:
            statement = follow(claim.board, line, statements)
        except ProofError as error:
            raise ProofError(str(error), place) from None
        statements.append(statement)
    chosen = [_named(place, statements) for place in places]
    for statement in chosen:
        _compare(claim, statement)
    return chosen


def _compare(claim: Claim, last: Statement) -> None:
    """Raise unless the last statement proves the claim."""
    board = claim.board
    if last.joins() != ((*sorted(board.ends), 0) if board.ends else ("", "", 1)):
        raise ProofError("the last line does not join what the winner has to join")
    if not last.safe and claim.winner != claim.to_move:
        raise ProofError("the last line needs a move, but the other side is to move")
    owned = board.set_of(point for point, color in claim.stones.items() if color == claim.winner)
    owned |= board.set_of(board.borders)
    if last.base & ~owned:
        raise ProofError(f"the last line needs stones on {board.names(last.base & ~owned)}")
    taken = last.carrier & (board.set_of(claim.stones) | board.set_of(board.borders))
    if taken:
        raise ProofError(f"the last line needs {board.names(taken)} empty")


def follow(board: ProofBoard, line: Any, known: Sequence[Statement]) -> Statement:
    """Return the statement of a line.

    Raises:
        ProofError: it does not follow from the statements before it.
    """
    statement = _read(board, line, known)
    if statement.base & statement.carrier:
        shared = board.names(statement.base & statement.carrier)
        raise ProofError(f"{shared} would be both owned and still to be won")
    return statement


def _read(board: ProofBoard, line: Any, known: Sequence[Statement]) -> Statement:
    match line:
        case ["path", [_, _, *_] as points]:
            return _path(board, points)
        case ["chain", str(start), [_, *_] as parts]:
            return _chain(board, start, [_named(part, known) for part in parts])
        case ["play", str(point), part] if point in board.points:
            return _play(board.set_of([point]), point, _named(part, known))
        case ["either", [_, *_] as parts]:
            return _either(board, [_named(part, known) for part in parts])
        case ["pairing", [*stones], [*pairs]]:
            return _pairing(board, stones, pairs)
    raise ProofError("this is no path, chain, play, either or pairing")


def _named(part: Any, known: Sequence[Statement]) -> Statement:
    if not isinstance(part, int) or isinstance(part, bool) or not 0 <= part < len(known):
        raise ProofError(f"{part!r} is not the number of an earlier line")
    return known[part]


def _path(board: ProofBoard, points: Sequence[Any]) -> Statement:
    turns = 0
    for one, other in itertools.pairwise(points):
        if not isinstance(one, str) or not isinstance(other, str) or not board.touch(one, other):
            raise ProofError(f"{one} and {other} do not touch")
        turns += board.crossings(one, other)
    return Statement((points[0], points[-1]), turns, board.set_of(points), 0, safe=True)


def _chain(board: ProofBoard, start: Name, parts: Sequence[Statement]) -> Statement:
    here = start
    turns = base = carrier = 0
    for part in parts:
        if not part.safe or part.is_ring:
            raise ProofError("a part of the chain is not a safe connection of two ends")
        if here not in part.ends:
            raise ProofError(f"a part of the chain does not begin at {here}")
        if part.carrier & carrier:
            raise ProofError(f"two parts of the chain need {board.names(part.carrier & carrier)}")
        forward = part.ends[0] == here
        here = part.ends[1] if forward else part.ends[0]
        turns += part.turns if forward else -part.turns
        base |= part.base
        carrier |= part.carrier
    return Statement((start, here), turns, base, carrier, safe=True)


def _play(move: int, point: Name, part: Statement) -> Statement:
    if not part.safe:
        raise ProofError("after the move the other side could spoil it")
    if not part.base & move:
        raise ProofError(f"{point} is not a stone that is needed")
    if point in part.ends and not part.is_ring:
        raise ProofError(f"{point} is an end of the connection")
    return Statement(part.ends, part.turns, part.base ^ move, part.carrier | move, safe=False)


def _either(board: ProofBoard, parts: Sequence[Statement]) -> Statement:
    common, base, carrier = -1, 0, 0
    for part in parts:
        if part.joins() != parts[0].joins():
            raise ProofError("the alternatives do not join the same ends")
        common &= part.carrier
        base |= part.base
        carrier |= part.carrier
    if common:
        raise ProofError(f"all alternatives need {board.names(common)}")
    return Statement(parts[0].ends, parts[0].turns, base, carrier, safe=True)


def _pairing(board: ProofBoard, stones: Sequence[Any], pairs: Sequence[Any]) -> Statement:
    """Return the statement of a pairing, by which the winner gets a point of each pair.

    A pair with one of the stones needs no answer, and is not in the carrier. The pairing joins the
    goals for one of two reasons:

    - Each pair joins the groups that both its points touch, and all together join the goals.
    - The exchange of the points of all pairs is a half turn of a sphere that keeps the goals in
      place, and the winner owns all points without a partner. A wall between the goals and its
      image would both go round a goal, with equally many points inside, so they would meet, and
      where they meet the other side would have both points of a pair.
    """
    partner: dict[Name, Name] = {}
    for pair in pairs:
        match pair:
            case [str(first), str(other)] if first != other and not {first, other} & partner.keys():
                partner |= {first: other, other: first}
            case _:
                raise ProofError(f"{pair} is not a pair of two points that no other pair has")
    for point in [*stones, *partner]:
        if point not in board.points:
            raise ProofError(f"{point} is not a point")
    base = board.set_of([*stones, *board.borders])
    answered = [(one, other) for one, other in pairs if not board.set_of([one, other]) & base]
    if not _joined_by_groups(board, stones, answered):
        _check_half_turn(board, set(stones), partner)
    ends = (board.ends[0], board.ends[1]) if board.ends else (board.points[0], board.points[0])
    carrier = board.set_of(itertools.chain.from_iterable(answered))
    return Statement(ends, 0 if board.ends else 1, base, carrier, safe=True)


class Groups:
    """Stones of the winner in groups, each with the turns of the way to the first of its group.

    Attributes:
        is_ring: whether two ways between the same stones have other turns.
    """

    def __init__(self, board: ProofBoard, stones: Iterable[Name]) -> None:
        """Join the stones and borders that touch."""
        self._board = board
        self._home = {stone: (stone, 0) for stone in [*stones, *board.borders]}
        self.is_ring = False
        for one, other in itertools.combinations(self._home, 2):
            if board.touch(one, other):
                self.join(one, other, board.crossings(one, other))

    def join(self, near: Name, far: Name, turns: int) -> bool:
        """Join two stones by a way with these turns; return whether they were two groups."""
        (first, here), (second, there) = self._home[near], self._home[far]
        turns += there - here
        if first == second:
            self.is_ring |= turns != 0
            return False
        for stone, (group, way) in self._home.items():
            if group == first:
                self._home[stone] = second, way + turns
        return True

    def group(self, stone: Name) -> Name | None:
        """Return the first stone of the group of a stone, or ``None`` without a stone."""
        return self._home.get(stone, (None, 0))[0]

    def ways(self, point: Name) -> set[tuple[Name, Name, int]]:
        """Return the groups that a stone on a point would join, with the turns from one to other.

        A group with itself and turns other than 0 would be a ring.
        """
        touched = {
            (group, self._board.crossings(point, stone) + way)
            for stone, (group, way) in self._home.items()
            if self._board.touch(point, stone)
        }
        return {(a, b, there - here) for a, here in touched for b, there in touched}

    def reach_goal(self) -> bool:
        """Return whether the goals are joined, or a ring is closed."""
        ends = self._board.ends
        return self.group(ends[0]) == self.group(ends[1]) is not None if ends else self.is_ring


def _joined_by_groups(
    board: ProofBoard, stones: Iterable[Name], pairs: Sequence[tuple[Name, Name]]
) -> bool:
    """Return whether the goals are joined if each pair joins the groups that both points touch."""
    groups = Groups(board, stones)
    is_new = True
    while is_new and not groups.reach_goal():
        is_new = False
        for point, other in pairs:
            ways = groups.ways(point), groups.ways(other)
            if {a for a, b, turns in ways[0] if a == b and turns} & {
                a for a, b, turns in ways[1] if a == b and turns
            }:
                return True
            for way in ways[0] & ways[1]:
                is_new |= groups.join(*way)
    return groups.reach_goal()


def _check_half_turn(board: ProofBoard, stones: set[Name], partner: Mapping[Name, Name]) -> None:
    """Raise unless the pairs are a half turn of a sphere that leaves the goals in place.

    The points and the goals must be a triangulated sphere, with neighbours as edges: on it a
    smallest wall between two goals is connected.
    """
    near: dict[Name, set[Name]] = {name: set(found) for name, found in board.touching.items()}
    for border in board.borders:
        for point in board.touching[border]:
            near[point].add(border)
    image = {name: partner.get(name, name) for name in near}
    keeps = all({image[other] for other in near[name]} == near[image[name]] for name in near)
    moved = [end for end in board.ends if image[end] != end]
    if not keeps or moved or not board.ends or not _is_sphere(near):
        raise ProofError("the pairs neither join the goals one by one, nor are they a half turn")
    for point in board.points:
        if image[point] == point and point not in stones:
            raise ProofError(f"{point} is in no pair, and not among the stones")


def _is_sphere(near: Mapping[Name, set[Name]]) -> bool:
    """Return whether a graph is a triangulated sphere: a surface with Euler characteristic 2."""
    # Euler's formula for triangles, each edge between two of them, and round each point its
    # neighbours in one ring.
    edges = sum(map(len, near.values())) // 2
    return (
        edges == 3 * len(near) - 6
        and _is_connected(near)
        and all(
            all(len(near[one] & around) == 2 for one in around)
            and _is_connected({one: near[one] & around for one in around})
            for around in near.values()
        )
    )


def _is_connected(near: Mapping[Name, set[Name]]) -> bool:
    found = set(itertools.islice(near, 1))
    fresh = set(found)
    while fresh:
        fresh = set().union(*(near[name] for name in fresh)) - found
        found |= fresh
    return found == near.keys()
