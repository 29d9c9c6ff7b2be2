"""Facts that tasks ask for: computed from positions by the rules or the search."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from antipodes.core import Color, Move
from antipodes.errors import InputError
from antipodes.games.antipalos import AntipalosPosition
from antipodes.games.antipode import AntipodePosition
from antipodes.games.pairing import opposites
from antipodes.games.placement import PlacementGame, PlacementPosition
from antipodes.games.position import Position
from antipodes.learn.joining import ends
from antipodes.puzzles.play import ForcedWinReferee, Referee
from antipodes.search.players import winning_moves

_ROD = re.compile(r"(\*?)([A-Z])(\d+)(\*?)")


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
    if task["of"] in ("winning", "holding"):
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


def _locked(position: Position, _task: Mapping[str, Any], _ref: Referee) -> frozenset[int]:
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
    if isinstance(position.game, PlacementGame):
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


_SELECTIONS: Mapping[str, Callable[[Position, Mapping[str, Any], Referee], frozenset[int]]] = {
    "neighbours": _neighbours,
    "opposite": _opposite,
    "rests": _rests,
    "flipped": _flipped,
    "locked": _locked,
    "winning": _winning,
    "holding": _holding,
}


def wins_within(after: Position, color: Color, turns: int) -> bool:
    """Return whether a colour that has just moved wins within so many further turns."""
    if after.outcome is not None:
        return after.outcome.winner is color
    if turns == 0:
        return False
    for reply in after.legal_moves:
        then: Position = after.play(reply)
        if then.outcome is not None:
            return False
        if not any(wins_within(then.play(move), color, turns - 1) for move in then.legal_moves):
            return False
    return True


def missing(before: Position, move: Move, after: Position, task: Mapping[str, Any]) -> str:
    """Return what a move lacks that a task of kind ``play`` asks for, or an empty text."""
    checks = {
        "flips": _lacks_flips,
        "rest": _lacks_rest,
        "joins": _lacks_join,
        "touches": _lacks_touch,
        "keeps": _lacks_color,
        "points": _lacks_points,
        "zigzag": _lacks_zigzag,
    }
    for name, wanted in task.items():
        if name in checks and (message := checks[name](before, move, after, wanted)):
            return message
    return ""


def _lacks_flips(before: Position, _move: Move, after: Position, wanted: Any) -> str:
    assert isinstance(before, AntipodePosition)
    assert isinstance(after, AntipodePosition)
    old, new = before.tokens(), after.tokens()
    count = sum(new[cell] is not color for cell, color in old.items())
    return "" if count >= wanted else f"This turn changes {count} tokens; {wanted} are wanted."


def _lacks_rest(before: Position, move: Move, _after: Position, wanted: Any) -> str:
    rest = before.game.topology.name(before.steps(move)[-1])
    return "" if rest == wanted else f"The pawn rests on {rest}, not on {wanted}."


def _lacks_color(before: Position, _move: Move, after: Position, wanted: Any) -> str:
    """Return which of some points do not have the mover's colour."""
    assert isinstance(after, AntipodePosition)
    tokens = after.tokens()
    lost = [n for n in str(wanted).split() if tokens.get(_cell(after, n)) is not before.to_move]
    return f"{', '.join(lost)} would not have your colour." if lost else ""


def _lacks_join(before: Position, _move: Move, after: Position, wanted: Any) -> str:
    """Return that two points or edges are not joined by a chain of the mover."""
    here, there = wanted
    assert isinstance(after, PlacementPosition)
    own = {cell for cell, color in after.stones().items() if color is before.to_move}
    seen = own & ends(after, here)
    pending = list(seen)
    while pending:
        new = own.intersection(after.game.topology.neighbours[pending.pop()]) - seen
        seen |= new
        pending.extend(new)
    return "" if seen & ends(after, there) else f"{here} and {there} are not joined yet."


def _lacks_touch(before: Position, move: Move, _after: Position, wanted: Any) -> str:
    """Return that a rod does not touch another one, or a side of the board."""
    here = _rod_ends(before.format_move(move).split("-")[-1])
    size = int(before.game.options.size)
    sides: dict[str, Callable[[tuple[int, int]], bool]] = {
        "bottom": lambda point: point[1] == 0,
        "top": lambda point: point[1] == size,
        "left": lambda point: point[0] == 0,
        "right": lambda point: point[0] == size,
    }
    for name in str(wanted).split():
        test = sides.get(name)
        met = any(map(test, here)) if test else bool(here & _rod_ends(name))
        if not met:
            return f"This rod does not touch {name}."
    return ""


def _lacks_points(_before: Position, _move: Move, after: Position, wanted: Any) -> str:
    """Return that a move does not win with so many points of Chart A."""
    if after.outcome is None:
        return "This does not win yet."
    points = after.outcome.points
    return "" if points == wanted else f"This wins, but it scores {points}."


def _lacks_zigzag(before: Position, move: Move, _after: Position, _wanted: Any) -> str:
    """Return that a rod does not touch an own rod in a square beside its own."""
    assert isinstance(before, AntipalosPosition)
    text = before.format_move(move)
    here, (column, row) = _rod_ends(text), _square(text)
    for square, rod in before.rods().items():
        name = before.game.topology.name(square)
        other = f"{name}*" if rod.diagonal == "/" else f"*{name}"
        across, up = _square(other)
        beside = abs(across - column) + abs(up - row) == 1
        if rod.color is before.to_move and beside and here & _rod_ends(other):
            return ""
    return "This rod does not make a zigzag with one of yours."


def _square(text: str) -> tuple[int, int]:
    """Return column and row of a rod's square."""
    match = _ROD.fullmatch(text)
    assert match is not None
    return ord(match[2]) - ord("A"), int(match[3]) - 1


def _rod_ends(text: str) -> set[tuple[int, int]]:
    """Return the two grid points of a rod such as ``B4*``."""
    match = _ROD.fullmatch(text)
    if match is None:
        raise InputError.single("learn/no-such-point", f"{text[:20]} is not a rod")
    column, row = ord(match[2]) - ord("A"), int(match[3]) - 1
    if match[4]:
        return {(column, row), (column + 1, row + 1)}
    return {(column, row + 1), (column + 1, row)}
