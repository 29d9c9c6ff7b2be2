"""JSON records: the canonical format. Variations stand beside the main line, not inside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from antipodes.core import Setup
from antipodes.errors import Fault, InvalidRecordError
from antipodes.games.position import Position
from antipodes.records import json_text
from antipodes.records.draft import Draft, DraftNode, faultless, finish, refusal
from antipodes.records.record import LINES, Record
from antipodes.records.result import Result
from antipodes.records.schema import schema_faults
from antipodes.records.texts import plain_data
from antipodes.records.tree import Mark, Node, Notes

FORMAT = "antipodes-record"
VERSION = 1

# --- writing --------------------------------------------------------------------------------


def to_json(record: Record) -> str:
    """Write a record as JSON text.

    Raises:
        InvalidRecordError: the record contradicts itself, or ``extra`` holds what is not data.
    """
    record.check()
    return json_text.write(record_data(record))


def record_data(record: Record) -> dict[str, Any]:
    """Return a record as the data that its JSON text holds."""
    main, variations = _lines(record)
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "game": record.game.id,
        "rules_version": record.game.rules_version,
        "options": record.game.options.as_dict(),
    }
    if record.start is not None:
        data["start"] = setup_data(record.start)
    if any(record.players):
        data["players"] = list(record.players)
    heads = {name: getattr(record, name) for name in (*LINES, "comment")}
    data.update({name: value for name, value in heads.items() if value})
    if record.result is not None:
        data["result"] = record.result.as_data()
    notes = _notes_data(record.root, "$.root")
    if notes:
        data["root"] = notes
    data["moves"] = main
    if variations:
        data["variations"] = variations
    if record.extra:
        data["extra"] = plain_data(record.extra, "$.extra")
    return data


def setup_data(setup: Setup) -> dict[str, Any]:
    """Return a setup as JSON holds it; default values are left out."""
    data: dict[str, Any] = {"stones": dict(setup.stones)}
    for name in ("to_move", "seat"):
        if getattr(setup, name) is not None:
            data[name] = getattr(setup, name)
    for name in ("pawns", "rods_left"):
        if getattr(setup, name):
            data[name] = dict(getattr(setup, name))
    for name in ("swapped", "phase_two_plies", "composed"):
        if getattr(setup, name):
            data[name] = getattr(setup, name)
    return data


def _notes_data(notes: Notes, where: str) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if notes.comment:
        data["comment"] = notes.comment
    for name in ("time_left", "time_spent"):
        seconds = getattr(notes, name)
        if seconds is not None:
            data[name] = int(seconds) if seconds.is_integer() else seconds
    if notes.mark is not None:
        data["mark"] = notes.mark.value
    if notes.extra:
        data["extra"] = plain_data(notes.extra, f"{where}.extra")
    return data


def _lines(record: Record) -> tuple[list[Any], list[Any]]:
    """Return the main line and the variations in an order that keeps siblings in theirs."""
    root = record.root
    main: list[Any] = []
    variations: list[Any] = []
    # A line to be written: its first node, and the line and the number of moves it parts from.
    todo: list[tuple[Node, int, int]] = []
    _write_line(main, root, (0, 0), todo)
    while todo:
        node, line, depth = todo.pop()
        assert node.parent is not None
        moves = [_move_data(node, node.parent.position)]
        variations.append({"line": line, "after": depth, "moves": moves})
        _write_line(moves, node, (len(variations), depth + 1), todo)
    return main, variations


def _write_line(
    moves: list[Any],
    node: Node,
    place: tuple[int, int],
    todo: list[tuple[Node, int, int]],
) -> None:
    """Write the first children after ``node``; note the variations that part from the line."""
    line, depth = place
    parting: list[tuple[Node, int, int]] = []
    while children := node.children:
        parting.extend((child, line, depth) for child in children[1:])
        moves.append(_move_data(children[0], node.position))
        node = children[0]
        depth += 1
    todo.extend(reversed(parting))


def _move_data(node: Node, position: Position) -> str | dict[str, Any]:
    """Return a move as text, or as an object if there are notes about it."""
    assert node.move is not None
    text = position.format_move(node.move)
    notes = _notes_data(node, f"move {text}")
    return {"move": text, **notes} if notes else text


# --- reading --------------------------------------------------------------------------------


def from_json(text: str) -> Record:
    """Read a record from JSON text.

    Raises:
        InvalidRecordError: with everything that is wrong and where.
    """
    return faultless(from_json_leniently(text), "json")


def from_json_leniently(text: str) -> tuple[Record, tuple[Fault, ...]]:
    """Read what can be read; lines end before their first illegal move.

    Returns the record and everything that is wrong with the text.

    Raises:
        InvalidRecordError: the text is not a record at all.
    """
    data = json_text.parse(text)
    faults = list(_kind_faults(data)) or list(schema_faults(data))
    if faults:
        raise refusal(faults, "json")
    assert isinstance(data, dict)
    draft = _draft(data, faults)
    return finish(draft, faults, "json")


def from_data(data: dict[str, Any]) -> Record:
    """Return the record of data that `record_data` made, unchanged since.

    Their shape is not checked, which would take more time than all the rest.
    """
    faults: list[Fault] = []
    return faultless(finish(_draft(data, faults), faults, "json"), "json")


def moves_in(data: dict[str, Any]) -> int:
    """Return the number of moves in the data of a record, with variations."""
    variations = data.get("variations", ())
    return len(data["moves"]) + sum(len(one["moves"]) for one in variations)


def _kind_faults(data: object) -> Iterator[Fault]:
    """Say it simply where the text is no record, or one of a later version."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        entry = f'"format": "{FORMAT}"'
        yield Fault.of(
            "record/not-a-record",
            "this is JSON, but not a record: it has no {entry}",
            where="$",
            entry=entry,
        )
        return
    version = data.get("version")
    if isinstance(version, int) and version > VERSION:
        values = {"version": version, "known": VERSION}
        yield Fault.of(
            "record/newer-format",
            "the record's format has version {version}, but this program reads {known}",
            where="$.version",
            **values,
        )


def _draft(data: dict[str, Any], faults: list[Fault]) -> Draft:
    root = DraftNode("", "$.root")
    _read_notes(root, data.get("root", {}), faults)
    _read_lines(root, data, faults)
    result = data.get("result")
    names = ("game", "options", "rules_version", "start", "players", "result")
    return Draft(
        game_id=data["game"],
        options=data.get("options", {}),
        root=root,
        rules_version=data.get("rules_version"),
        start=read_setup(data["start"]) if "start" in data else None,
        players=tuple(data.get("players", ())),
        lines={name: data[name] for name in LINES if name in data},
        comment=data.get("comment", ""),
        result=None if result is None else Result.read(result),
        extra=_extra(data, "$.extra", faults),
        where={name: f"$.{name}" for name in names},
    )


def read_setup(data: dict[str, Any]) -> Setup:
    """Return the setup that data of the schema's shape describe."""
    # The schema takes 1.0 for a whole number, so that numbers may come as floats.
    found = dict(data)
    for name in ("seat", "phase_two_plies"):
        if name in found:
            found[name] = int(found[name])
    found["rods_left"] = {color: int(n) for color, n in found.get("rods_left", {}).items()}
    found["stones"] = tuple(found["stones"].items())
    return Setup(**found)


def _extra(data: dict[str, Any], where: str, faults: list[Fault]) -> dict[str, Any]:
    try:
        found = plain_data(data.get("extra", {}), where)
    except InvalidRecordError as error:
        faults.extend(error.faults)
        return {}
    assert isinstance(found, dict)
    return found


def _read_notes(notes: Notes, data: dict[str, Any], faults: list[Fault]) -> None:
    """Read notes whose shape the schema has checked."""
    if not data:
        return
    notes.comment = data.get("comment", "")
    notes.time_left = data.get("time_left")
    notes.time_spent = data.get("time_spent")
    notes.mark = Mark(data["mark"]) if "mark" in data else None
    if "extra" in data:
        where = notes.where if isinstance(notes, DraftNode) else ""
        notes.extra = _extra(data, f"{where}.extra", faults)


def _read_lines(root: DraftNode, data: dict[str, Any], faults: list[Fault]) -> None:
    """Build the draft's tree; a line that parts from nowhere is a fault."""
    # For each line: the line it parts from, after how many moves, and its own nodes.
    lines: list[tuple[int, int, list[DraftNode]]] = []
    lines.append((0, 0, _read_line(root, data["moves"], "$.moves", faults)))
    for index, variation in enumerate(data.get("variations", ())):
        where = f"$.variations[{index}]"
        line, after = int(variation["line"]), int(variation["after"])
        parent = _node_at(root, lines, line, after)
        if parent is None:
            values = {"after": after, "line": line}
            faults.append(
                Fault.of(
                    "record/no-such-place",
                    "there is no place after {after} moves of line {line} above",
                    where=where,
                    **values,
                )
            )
            parent = DraftNode("", where)  # moves that hang nowhere
        nodes = _read_line(parent, variation["moves"], f"{where}.moves", faults)
        lines.append((line, after, nodes))


def _read_line(
    parent: DraftNode, moves: list[Any], where: str, faults: list[Fault]
) -> list[DraftNode]:
    nodes = []
    for index, item in enumerate(moves):
        is_plain = isinstance(item, str)
        node = DraftNode(item if is_plain else item["move"], f"{where}[{index}]")
        if not is_plain:
            _read_notes(node, item, faults)
        parent.children.append(node)
        nodes.append(node)
        parent = node
    return nodes


def _node_at(
    root: DraftNode, lines: list[tuple[int, int, list[DraftNode]]], line: int, after: int
) -> DraftNode | None:
    """Return the node after so many moves of a line, counted from the start of the game."""
    if after == 0:
        return root if line < len(lines) else None
    while line < len(lines):
        earlier, parted, nodes = lines[line]
        if after > parted:
            own = after - parted
            return nodes[own - 1] if own <= len(nodes) else None
        line = earlier
    return None
