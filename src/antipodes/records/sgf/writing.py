"""Writing SGF."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Any

from antipodes.core import Color
from antipodes.games.position import Position
from antipodes.records.json_format import setup_data
from antipodes.records.record import Record
from antipodes.records.result import Reason, Result
from antipodes.records.sgf import names
from antipodes.records.sgf.grammar import (
    OutNode,
    Properties,
    serialise,
    write_text,
)
from antipodes.records.sgf.tokens import is_name, is_value
from antipodes.records.texts import plain_data, seconds_text
from antipodes.records.tree import Node

_REASONS = {Reason.RESIGNATION: "R", Reason.TIME: "T", Reason.FORFEIT: "F"}


def to_sgf(record: Record) -> str:
    """Write a record as SGF text.

    Raises:
        InvalidRecordError: the record contradicts itself, or ``extra`` holds what is not data.
    """
    record.check()
    root = OutNode(_root_properties(record))
    todo = [(record.root, root)]
    while todo:
        node, out = todo.pop()
        if node.children:
            position = node.position
            for child in node.children:
                written = OutNode(_node_properties(record, child, position))
                out.children.append(written)
                todo.append((child, written))
    return serialise(root)


# --- the root -------------------------------------------------------------------------------


def _root_properties(record: Record) -> Properties:
    game = record.game
    properties: Properties = {
        "FF": ["4"],
        "CA": ["UTF-8"],
        "GM": [game.sgf_number or names.OWN_NUMBER],
        names.GAME: [game.id],
        names.RULES_VERSION: [str(game.rules_version)],
        names.OPTIONS: [f"{name}:{value}" for name, value in game.options.as_dict().items()],
    }
    if game.sgf_number:
        (size,) = game.size_options
        properties["SZ"] = [str(getattr(game.options, size))]
    _write_start(properties, record)
    _write_players(properties, record)
    for name, identifier in names.LINES.items():
        if getattr(record, name):
            properties[identifier] = [write_text(getattr(record, name))]
    if record.comment:
        properties["GC"] = [write_text(record.comment)]
    if record.result is not None:
        _write_result(properties, record.result, record)
    _write_notes(properties, record.root, "", game.title)
    extra = plain_data(record.extra, "extra")
    if extra:
        properties[names.RECORD_EXTRA] = [_json_value(extra)]
    properties.setdefault("AP", [f"{names.PROGRAM}:{version('antipodes')}"])
    properties.setdefault("GN", [write_text(game.title)])
    return properties


def _write_start(properties: Properties, record: Record) -> None:
    if record.start is None:
        return
    properties[names.START] = [_json_value(setup_data(record.start))]
    if not record.game.sgf_number:
        return
    # Other programs show the stones, too.
    for letter, color in (("B", Color.BLACK), ("W", Color.WHITE)):
        points = [point for point, owner in record.start.stones if owner == color.value]
        if points:
            properties[f"A{letter}"] = points
    properties["PL"] = [names.letter_of(record.root.position.to_move, record.game.colors)]


def _write_players(found: Properties, record: Record) -> None:
    colors = record.game.colors
    if record.game.seats > 2:
        if any(record.players):
            found[names.NAMES] = [write_text(name) for name in record.players]
        return
    for name, color in zip(record.players, colors, strict=True):
        if name:
            found["P" + names.letter_of(color, colors)] = [write_text(name)]


def _write_result(properties: Properties, result: Result, record: Record) -> None:
    winner = "" if result.winner is None else result.winner.value
    loser = [] if result.loser is None else [result.loser.value]
    properties[names.RESULT] = [winner, result.reason.value, write_text(result.text), *loser]
    if result.winner is None:
        words = {Reason.VOID: "Void", Reason.ABANDONED: "Void", Reason.UNKNOWN: "?"}
        properties["RE"] = [words.get(result.reason, "Draw")]
        return
    letter = names.letter_of(result.winner, record.game.colors)
    if letter:
        properties["RE"] = [f"{letter}+{_REASONS.get(result.reason, '')}"]


# --- every node -----------------------------------------------------------------------------


def _node_properties(record: Record, node: Node, position: Position) -> Properties:
    assert node.move is not None
    color = position.to_move
    letter = names.letter_of(color, record.game.colors)
    text = write_text(_move_text(record, position, node.move))
    found: Properties = {letter: [text]} if letter else {names.MOVE: [f"{color}:{text}"]}
    _write_notes(found, node, letter, record.game.title)
    return found


def _move_text(record: Record, position: Position, move: int) -> str:
    game = record.game
    return game.swap_name if move == game.swap_move else position.format_move(move)


def _write_notes(properties: Properties, node: Node, letter: str, title: str) -> None:
    if node.comment:
        properties["C"] = [write_text(node.comment)]
    if node.time_left is not None:
        properties[names.time_property(letter)] = [seconds_text(node.time_left)]
    if node.time_spent is not None:
        properties[names.TIME_SPENT] = [seconds_text(node.time_spent)]
    if node.mark is not None:
        name, value = names.MARKS[node.mark]
        properties[name] = [value]
    extra: Any = plain_data(node.extra, "extra")
    others = extra.get("sgf")
    if _can_stand(others, names.known_names(letter, root=node.parent is None), title):
        del extra["sgf"]
        properties.update(others)
    if extra:
        properties[names.NODE_EXTRA] = [_json_value(extra)]


def _json_value(data: object) -> str:
    return write_text(json.dumps(data, ensure_ascii=False))


def _can_stand(others: object, known: frozenset[str], title: str) -> bool:
    """Tell whether properties of other programs can be written so that they are read back."""
    if not isinstance(others, dict) or not others:
        return False
    return all(
        is_name(name)
        and name not in known
        and isinstance(values, list)
        and values
        and not names.is_ours(name, values, title)
        and all(is_value(value) for value in values)
        for name, values in others.items()
    )
