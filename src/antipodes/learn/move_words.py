"""Moves in words, with what they do: for coaches, hints and refutations.

Everything that these sentences say follows from the rules alone: no search is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

from antipodes.core import Color, Move
from antipodes.core.move import move_number
from antipodes.errors import Phrase
from antipodes.games.antipalos import AntipalosPosition
from antipodes.games.antipode import AntipodePosition
from antipodes.games.placement import PlacementPosition
from antipodes.games.position import Position
from antipodes.games.winning import winning_move
from antipodes.learn import rods
from antipodes.search.threats import null_move

_NAMED = 3  # stones in one clause; more are not easier to see

# How a move begins: as advice, and as the move of a colour.
_ACTS = {
    "stone": (Phrase("Put a stone on {place}"), Phrase("{colour} puts a stone on {place}")),
    "token": (Phrase("Put a token on {place}"), Phrase("{colour} puts a token on {place}")),
    "rod": (
        Phrase("Put a rod on {place}, as {diagonal}"),
        Phrase("{colour} puts a rod on {place}, as {diagonal}"),
    ),
    "joining rod": (
        Phrase("Put a rod from {start} to {place}"),
        Phrase("{colour} puts a rod from {start} to {place}"),
    ),
    "turned rod": (
        Phrase("Turn the rod on {place}, to {diagonal}"),
        Phrase("{colour} turns the rod on {place}, to {diagonal}"),
    ),
    "moved rod": (
        Phrase("Move the rod on {start} to {place}, as {diagonal}"),
        Phrase("{colour} moves the rod on {start} to {place}, as {diagonal}"),
    ),
    "swap": (Phrase("Swap"), Phrase("{colour} swaps")),
    "other": (Phrase("Play {place}"), Phrase("{colour} plays {place}")),
}
_SLIDES = Phrase("then your pawn can slide to {place}"), Phrase("then the pawn slides to {place}")
_AND = Phrase("{names} and {last}")
_MORE = Phrase("{clauses}; {last}")
_SENTENCE = Phrase("{act}.")
_SENTENCE_WITH_EFFECT = Phrase("{act}: {clauses}.")
_SWAPPED = Phrase("the first move changes hands")
_FLIPS = Phrase("it flips {places}")
_FLIPS_NOTHING = Phrase("it flips nothing")
_FLIPS_ON_WAY = Phrase("on its way it flips {places}")
_JOINS = Phrase("it joins {places}")
_MEETS = Phrase("it goes on from {places}")
_BRIDGES = Phrase("it makes a bridge to {places}")
_REACHES = Phrase("it reaches the edge")
_BRIDGES_TO_EDGE = Phrase("it makes a bridge to the edge")
_WINS = Phrase("this wins the game")
_LOSES = Phrase("this loses the game")
_DRAWS = Phrase("this ends the game in a draw")
_STOPS = Phrase("it stops {colour}, who would win with {move}")
_ALLOWS = Phrase("but then {colour} wins with {move}")
_THREATENS = Phrase("next comes {move}, which wins, unless {colour} stops it")


@dataclass(frozen=True, slots=True)
class _Told:
    """A move that is told.

    Attributes:
        before: the position.
        move: a legal move.
        after: the position after it.
        is_advice: whether the reader is to make the move.
    """

    before: Position
    move: Move
    after: Position
    is_advice: bool

    def named(self, cells: Iterable[int]) -> Phrase | str:
        """Return the names of some cells as moves write them, with an "and" before the last."""
        if isinstance(self.before, PlacementPosition):
            return _listed([self.before.format_move(cell) for cell in cells])
        return _listed([self.before.game.topology.name(cell) for cell in cells])

    def spoken(self, phrases: tuple[Phrase, Phrase], **values: object) -> Phrase:
        """Return a phrase as advice, or about the colour that moves."""
        colour = Phrase(self.before.to_move.title)
        return _filled(phrases[not self.is_advice], colour=colour, **values)


def move_in_words(position: Position, move: int | str, *, is_advice: bool = False) -> Phrase:
    """Return a sentence that says what a legal move does, with the first seat's names of points.

    Args:
        position: the position before the move.
        move: the move.
        is_advice: whether the reader is to make it; otherwise the sentence is about its colour.

    Raises:
        MoveError: the move is not legal.
    """
    number = position.parse_move(move) if isinstance(move, str) else Move(move_number(move))
    told = _Told(position, number, position.play(number), is_advice)
    act, clauses = _act(told), [*_effects(told), *_consequences(told)]
    if not clauses:
        return _filled(_SENTENCE, act=act)
    joined = reduce(lambda left, right: _filled(_MORE, clauses=left, last=right), clauses)
    return _filled(_SENTENCE_WITH_EFFECT, act=act, clauses=joined)


def line_in_words(position: Position, line: Iterable[int | str]) -> list[Phrase]:
    """Return a sentence about each move of a line.

    Raises:
        MoveError: a move is not legal.
    """
    sentences = []
    for move in line:
        sentences.append(move_in_words(position, move))
        position = position.play(move)
    return sentences


def texts() -> Iterator[tuple[str | None, str]]:
    """Yield the parts of sentences about moves, for the catalogues."""
    pairs = (*_ACTS.values(), _SLIDES)
    single = (_AND, _MORE, _SENTENCE, _SENTENCE_WITH_EFFECT, _SWAPPED, _FLIPS)
    placed = (_FLIPS_NOTHING, _FLIPS_ON_WAY, _JOINS, _MEETS, _BRIDGES, _REACHES, _BRIDGES_TO_EDGE)
    ends = (_WINS, _LOSES, _DRAWS, _STOPS, _ALLOWS, _THREATENS)
    for phrase in (*sum(pairs, ()), *single, *placed, *ends):
        yield None, phrase.template


def _filled(phrase: Phrase, **values: object) -> Phrase:
    return Phrase(phrase.template, values)


def _listed(names: Sequence[str]) -> Phrase | str:
    if len(names) == 1:
        return names[0]
    return _filled(_AND, names=tuple(names[:-1]), last=names[-1])


# --- what a player does ----------------------------------------------------------------------


def _act(told: _Told) -> Phrase:
    text = told.before.format_move(told.move)
    if told.move == told.before.game.swap_move:
        return told.spoken(_ACTS["swap"])
    if isinstance(told.before, AntipalosPosition):
        return _rod_act(told, text)
    kind = "token" if isinstance(told.before, AntipodePosition) else "stone"
    return told.spoken(_ACTS[kind], place=text.split("-")[0])


def _rod_act(told: _Told, text: str) -> Phrase:
    """Return how a rod is placed, turned or moved; moves name squares or the points it joins."""
    *origin, place = text.split("-")
    if "*" not in place:
        if len(origin) != 1:
            return told.spoken(_ACTS["other"], place=text)
        return told.spoken(_ACTS["joining rod"], start=origin[0], place=place)
    where = {"place": place.strip("*"), "diagonal": "/" if place.endswith("*") else "\\"}
    if not origin:
        return told.spoken(_ACTS["rod"], **where)
    start = origin[0].strip("*")
    if start == where["place"]:
        return told.spoken(_ACTS["turned rod"], **where)
    return told.spoken(_ACTS["moved rod"], start=start, **where)


# --- what the move changes on the board ------------------------------------------------------


def _effects(told: _Told) -> list[Phrase]:
    if told.move == told.before.game.swap_move:
        return [_SWAPPED]
    if isinstance(told.before, AntipodePosition):
        return _of_turn(told, told.before)
    if isinstance(told.before, AntipalosPosition):
        return _of_rod(told)
    if not isinstance(told.before, PlacementPosition):
        return []
    return _of_stone(told, told.before)


def _of_turn(told: _Told, before: AntipodePosition) -> list[Phrase]:
    by_token, by_pawn = before.flips(told.move)
    _cell, rest = before.steps(told.move)
    flips = _filled(_FLIPS, places=told.named(by_token)) if by_token else _FLIPS_NOTHING
    clauses = [flips, told.spoken(_SLIDES, place=told.named([rest]))]
    return clauses + ([_filled(_FLIPS_ON_WAY, places=told.named(by_pawn))] if by_pawn else [])


def _of_rod(told: _Told) -> list[Phrase]:
    board = rods.placed(told.before)
    rod = rods.moved(told.before, told.move)
    if len(steps := told.before.steps(told.move)) == 3:
        row, column = divmod(steps[0], int(told.before.game.options.size))
        board.pop((column, row), None)
    size = int(told.before.game.options.size)
    met = dict.fromkeys(rods.partners(board, told.before.to_move, rod).values())
    cells = [row * size + column for column, row in (other.square for other in met)]
    clauses = _touching(told, cells, cells)
    sides = ("bottom", "top", "left", "right")
    return clauses + ([_REACHES] if any(rods.touches(rod, side, size) for side in sides) else [])


def _of_stone(told: _Told, before: PlacementPosition) -> list[Phrase]:  # type: ignore[type-arg]
    (cell,) = before.steps(told.move)
    color, neighbours = before.to_move, before.game.topology.neighbours
    stones = before.stones()
    own = {place for place, owner in stones.items() if owner is color}
    chains = _chains(own, neighbours)
    beside = sorted(own.intersection(neighbours[cell]))
    joined = list({chains[stone]: stone for stone in beside}.values())
    empty = set(neighbours[cell]) - set(stones)
    met = {chains[stone] for stone in beside}
    bridged: dict[int, int] = {}
    for stone in sorted(own):
        if chains[stone] not in met and len(empty.intersection(neighbours[stone])) == 2:
            bridged.setdefault(chains[stone], stone)
    clauses = _touching(told, joined, beside)
    if bridged:
        clauses.append(_filled(_BRIDGES, places=told.named(list(bridged.values())[:_NAMED])))
    return clauses + _at_edges(told, cell, empty)


def _touching(told: _Told, joined: Sequence[int], beside: Sequence[int]) -> list[Phrase]:
    """Return the clause about own pieces beside a new one.

    Args:
        told: the move.
        joined: one piece of each chain that it touches.
        beside: all pieces that it touches.
    """
    if len(joined) > 1:
        return [_filled(_JOINS, places=told.named(joined[:_NAMED]))]
    return [_filled(_MEETS, places=told.named(beside[:1]))] if beside else []


def _at_edges(told: _Told, cell: int, empty: set[int]) -> list[Phrase]:
    """Return the clause about an edge that the mover's colour has to reach."""
    rims = told.before.game.topology.rims
    names = told.before.scene().goals.get(told.before.to_move, ())
    # The poles of a sphere are single points with stones, not edges.
    edges = [set(rims[name]) for name in names if name != "poles"]
    if any(cell in edge for edge in edges):
        return [_REACHES]
    return [_BRIDGES_TO_EDGE] if any(len(empty & edge) == 2 for edge in edges) else []


def _chains(own: set[int], neighbours: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return for each of some stones the number of its chain: the lowest stone in it."""
    chains: dict[int, int] = {}
    for first in sorted(own):
        pending = [] if first in chains else [first]
        while pending:
            cell = pending.pop()
            if cell not in chains:
                chains[cell] = first
                pending.extend(own.intersection(neighbours[cell]))
    return chains


# --- what follows by the rules ---------------------------------------------------------------


def _consequences(told: _Told) -> list[Phrase]:
    """Return how the move ends the game, what it stops, and which win comes next."""
    color, outcome = told.before.to_move, told.after.outcome
    if outcome is not None:
        if outcome.winner is None:
            return [_DRAWS]
        return [_WINS if outcome.winner is color else _LOSES]
    answer = winning_move(told.after)
    if answer is not None:
        return [_of_win(_ALLOWS, told.after, answer)]
    clauses = []
    passed = null_move(told.before)
    stopped = None if passed is None else winning_move(passed)
    if passed is not None and stopped is not None:
        clauses.append(_of_win(_STOPS, passed, stopped))
    again = null_move(told.after)
    following = None if again is None else winning_move(again)
    if again is not None and following is not None:
        clauses.append(_of_win(_THREATENS, again, following, told.after.to_move))
    return clauses


def _of_win(phrase: Phrase, position: Position, move: Move, color: Color | None = None) -> Phrase:
    name = Phrase((color or position.to_move).title)
    return _filled(phrase, colour=name, move=position.format_move(move))
