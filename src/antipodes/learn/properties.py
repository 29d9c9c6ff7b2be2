"""Facts that tasks ask for: computed from positions by the rules or the search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from antipodes.core import Color, Move
from antipodes.errors import InputError, Phrase
from antipodes.games.antipode import AntipodePosition
from antipodes.games.pairing_strategy import opposites
from antipodes.games.placement import PlacementPosition, is_connection_game
from antipodes.games.position import Position
from antipodes.games.winning import winning_moves
from antipodes.learn import rods
from antipodes.learn.joining import chain_between, ends
from antipodes.puzzles.play import ForcedWinReferee, Referee
from antipodes.search.threats import null_move


def selection(position: Position, task: Mapping[str, Any], ref: Referee) -> frozenset[int]:
    """Return the points or moves that a task of kind ``select`` asks for.

    Raises:
        InputError: the task asks for something that this game does not have.
    """
    found: frozenset[int] = _rule(task)(position, task, ref)
    return found


def read_selection(position: Position, task: Mapping[str, Any], text: str) -> frozenset[int]:
    """Return the points or moves that an answer names.

    Raises:
        InputError: it names something that is not on the board.
        MoveError: it names a move that is not legal.
    """
    words = text.replace(",", " ").split()
    if task["of"] in MOVES:
        return frozenset(int(position.parse_move(word)) for word in words)
    return frozenset(_cell(position, word) for word in words)


def _rule(task: Mapping[str, Any]) -> Callable[[Position, Mapping[str, Any], Referee], Any]:
    found = _SELECTIONS.get(str(task.get("of")))
    if found is None:
        known = ", ".join(_SELECTIONS)
        raise InputError.single("learn/no-such-selection", f"select is of one of {known}")
    return found


def _cell(position: Position, name: str) -> int:
    found = position.game.topology.cell(name)
    if found is None:
        raise InputError.single("learn/no-such-point", f"{name[:20]} is not on this board")
    return found


def _neighbours(position: Position, task: Mapping[str, Any], _ref: Referee) -> frozenset[int]:
    return frozenset(position.game.topology.neighbours[_cell(position, task["point"])])


def _opposite(position: Position, task: Mapping[str, Any], _ref: Referee) -> frozenset[int]:
    return frozenset({opposites(position.game)[_cell(position, task["point"])]})


def _rests(position: Position, task: Mapping[str, Any], _ref: Referee) -> frozenset[int]:
    assert isinstance(position, AntipodePosition)
    return frozenset(position.rests(_cell(position, task["point"])))


def _flipped(position: Position, task: Mapping[str, Any], _ref: Referee) -> frozenset[int]:
    """Return the tokens that a new token flips."""
    return frozenset(position.flipped_by([_cell(position, task["point"])]))


def _locked(position: Position, _task: Mapping[str, Any], _ref: Referee | None) -> frozenset[int]:
    """Return the corners whose neighbours are all occupied: nothing flips them any more."""
    assert isinstance(position, AntipodePosition)
    tokens = position.tokens()
    locks = position.game.locks()
    return frozenset(corner for corner, beside in locks.items() if all(c in tokens for c in beside))


def _winning(position: Position, task: Mapping[str, Any], ref: Referee) -> frozenset[int]:
    """Return the moves that win, within so many turns where the task limits them."""
    turns = task.get("turns")
    if turns == 1:
        return frozenset(map(int, winning_moves(position)))
    return frozenset(
        int(move)
        for move in position.legal_moves
        if _won(position.play(move), position.to_move, None if turns is None else turns - 1, ref)
    )


def _won(after: Position, color: Color, turns: int | None, ref: Referee) -> bool:
    if after.outcome is not None:
        return after.outcome.winner is color
    return bool(ref.wins(after, turns))


def _holding(position: Position, task: Mapping[str, Any], ref: Referee) -> frozenset[int]:
    """Return the moves after which the opponent does not win."""
    if is_connection_game(position.game):
        return _winning(position, {}, ref)
    turns = int(task.get("turns", 1))
    search = ForcedWinReferee(position.game)
    return frozenset(
        int(move)
        for move in position.legal_moves
        if not _loses(position.play(move), position.to_move, turns, search)
    )


def _loses(after: Position, color: Color, turns: int, search: ForcedWinReferee) -> bool:
    if after.outcome is not None:
        return after.outcome.winner is not color
    return search.answer(after, turns) is not None


def threats_of(after: Position) -> list[Move]:
    """Return the moves by which the colour that has just moved would win if the other passed."""
    passed = null_move(after)
    return [] if passed is None else winning_moves(passed)


def reply_to_threats(after: Position) -> Move | None:
    """Return a reply after which the colour that has just moved cannot win at once, or ``None``.

    A reply that wins the game is one, too.
    """
    for move in after.legal_moves:
        then: Position = after.play(move)
        if then.outcome is not None:
            if then.outcome.winner is after.to_move:
                return move
        elif not winning_moves(then):
            return move
    return None


def _forking(position: Position, _task: Mapping[str, Any], _ref: Referee) -> frozenset[int]:
    """Return the moves that make two threats to win, of which no reply stops both."""
    found: set[int] = set()
    for move in position.legal_moves:
        after: Position = position.play(move)
        if after.outcome is None and len(threats_of(after)) > 1 and reply_to_threats(after) is None:
            found.add(int(move))
    return frozenset(found)


def _crossings(position: Position, _task: Mapping[str, Any], _ref: Referee) -> frozenset[int]:
    """Return the squares through which the colour to move can cross a straight chain."""
    return rods.crossings(position)


_SELECTIONS: Mapping[str, Callable[[Position, Mapping[str, Any], Referee], frozenset[int]]] = {
    "neighbours": _neighbours,
    "opposite": _opposite,
    "rests": _rests,
    "flipped": _flipped,
    "locked": _locked,
    "winning": _winning,
    "holding": _holding,
    "forking": _forking,
    "crossings": _crossings,
}
MOVES = frozenset({"winning", "holding", "forking"})  # of which answers are moves


def missing(
    before: Position, move: Move, after: Position, task: Mapping[str, Any]
) -> Phrase | None:
    """Return what a move lacks that a task of kind ``play`` asks for, or ``None``."""
    for name, wanted in task.items():
        if name in _CHECKS and (found := _CHECKS[name](before, move, after, wanted)) is not None:
            return found
    return None


def _lacks_flips(before: Position, _move: Move, after: Position, wanted: Any) -> Phrase | None:
    assert isinstance(before, AntipodePosition)
    assert isinstance(after, AntipodePosition)
    old, new = before.tokens(), after.tokens()
    count = sum(new[cell] is not color for cell, color in old.items())
    if count >= wanted:
        return None
    values = {"count": count, "wanted": wanted}
    return Phrase("This turn changes {count} tokens; {wanted} are wanted.", values)


def _lacks_rest(before: Position, move: Move, _after: Position, wanted: Any) -> Phrase | None:
    rest = before.game.topology.name(before.steps(move)[-1])
    if rest == wanted:
        return None
    return Phrase("The pawn rests on {rest}, not on {wanted}.", {"rest": rest, "wanted": wanted})


def _lacks_color(before: Position, _move: Move, after: Position, wanted: Any) -> Phrase | None:
    """Return which of some points do not have the mover's colour."""
    assert isinstance(after, AntipodePosition)
    tokens = after.tokens()
    lost = [n for n in str(wanted).split() if tokens.get(_cell(after, n)) is not before.to_move]
    if not lost:
        return None
    return Phrase("Not your colour after this turn: {points}.", {"points": tuple(lost)})


def _lacks_lock(before: Position, _move: Move, after: Position, wanted: Any) -> Phrase | None:
    """Return that a corner is not locked in the mover's colour."""
    assert isinstance(after, AntipodePosition)
    corner = _cell(after, wanted)
    locked = corner in _locked(after, {}, None) and after.tokens()[corner] is before.to_move
    return None if locked else Phrase("{point} is not locked for you yet.", {"point": wanted})


def _lacks_join(before: Position, _move: Move, after: Position, wanted: Any) -> Phrase | None:
    """Return that two points or edges are not joined by a chain of the mover."""
    here, there = wanted
    assert isinstance(after, PlacementPosition)
    own = frozenset(cell for cell, color in after.stones().items() if color is before.to_move)
    if chain_between(after.game.topology, own, ends(after, here), ends(after, there)):
        return None
    return Phrase("{here} and {there} are not joined yet.", {"here": here, "there": there})


def _lacks_touch(before: Position, move: Move, _after: Position, wanted: Any) -> Phrase | None:
    """Return that a rod does not touch another one, or a side of the board."""
    size = int(before.game.options.size)
    here = rods.moved(before, move)
    for name in str(wanted).split():
        if not rods.touches(here, name, size):
            return Phrase("This rod does not touch {name}.", {"name": name})
    return None


def _lacks_points(_before: Position, _move: Move, after: Position, wanted: Any) -> Phrase | None:
    """Return that a move does not win with so many points of Chart A."""
    if after.outcome is None:
        return Phrase("This does not win yet.")
    points = after.outcome.points
    if points == wanted:
        return None
    return Phrase("This wins, but it scores {points}.", {"points": points})


def _lacks_denial(_before: Position, _move: Move, after: Position, wanted: Any) -> Phrase | None:
    """Return that the next player can win at once with so many points of Chart A."""
    ends = (after.play(move).outcome for move in winning_moves(after))
    most = max((end.points for end in ends if end is not None), default=0)
    if most < wanted:
        return None
    return Phrase("The opponent can still score {points}.", {"points": most})


def _lacks_zigzag(before: Position, move: Move, _after: Position, _wanted: Any) -> Phrase | None:
    """Return that a rod does not touch an own rod in a square beside its own."""
    if rods.partners(rods.placed(before), before.to_move, rods.moved(before, move)):
        return None
    return Phrase("This rod does not make a zigzag with one of yours.")


def _lacks_v(before: Position, move: Move, _after: Position, wanted: Any) -> Phrase | None:
    """Return that a rod does not make a V with two open ends towards a side of the board."""
    placed, rod = rods.placed(before), rods.moved(before, move)
    if rods.makes_v(placed, before.to_move, rod, str(wanted)):
        return None
    return Phrase("This does not make a V whose two ends are open.")


_CHECKS: Mapping[str, Callable[[Position, Move, Position, Any], Phrase | None]] = {
    "flips": _lacks_flips,
    "rest": _lacks_rest,
    "joins": _lacks_join,
    "touches": _lacks_touch,
    "keeps": _lacks_color,
    "locks": _lacks_lock,
    "points": _lacks_points,
    "denies": _lacks_denial,
    "zigzag": _lacks_zigzag,
    "v": _lacks_v,
}
