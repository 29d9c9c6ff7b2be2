"""Drafts: contents of files, before the rules have checked them. All readers make drafts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from antipodes.core import Color, Setup
from antipodes.errors import Fault, InputError, InvalidRecordError, MoveError, Phrase
from antipodes.games.position import Game, Position
from antipodes.games.registry import make_game
from antipodes.records.record import LINES, Record
from antipodes.records.result import Result
from antipodes.records.texts import clean_line, clean_text
from antipodes.records.tree import Node, Notes

MAX_FAULTS = 100
TITLES = {"json": "JSON", "sgf": "SGF", "hexworld": "HexWorld"}


class DraftNode(Notes):
    """A move as a file says it.

    Attributes:
        move: the move's text; empty at the root.
        where: its place in the file, for messages.
        color: the colour that the file says made the move, or ``None`` if it does not say.
        children: the moves after it.
        more_comments: comments on the same move in further places.
    """

    __slots__ = ("children", "color", "more_comments", "move", "where")

    def __init__(self, move: str, where: str, color: Color | None = None) -> None:
        """Make a node without notes and children."""
        super().__init__()
        self.move = move
        self.where = where
        self.color = color
        self.children: list[DraftNode] = []
        self.more_comments: list[str] = []

    def whole_comment(self) -> str:
        """Return all that is said about the move."""
        return "\n".join(filter(None, [self.comment, *self.more_comments]))


@dataclass
class Draft:
    """All that a file says; ``replay`` makes a record of it.

    Attributes:
        game_id: id of the game.
        options: values by name, perhaps as text.
        rules_version: of the program that wrote the file, or ``None``.
        start: the setup, or ``None`` for the game's own start.
        players: names by seat.
        lines: date, event and the like by name.
        comment: about the game as a whole.
        result: how it ended.
        extra: data that are not understood.
        root: the node before the first move.
        where: places of game, options, start, players and result in the file, for messages.
    """

    game_id: str
    options: Mapping[str, object]
    root: DraftNode
    rules_version: int | None = None
    start: Setup | None = None
    players: tuple[str, ...] = ()
    lines: dict[str, str] = field(default_factory=dict)
    comment: str = ""
    result: Result | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    where: Mapping[str, str] = field(default_factory=dict)


def replay(draft: Draft, faults: list[Fault]) -> Record | None:
    """Play a draft through by the rules and return the record.

    Errors are added to ``faults``. A line is kept up to its first illegal move. Without a
    game or a start there is no record, and the answer is ``None``.
    """
    record = _begin(draft, faults)
    if record is None:
        return None
    _fill_heads(record, draft, faults)
    _play_tree(record.root, draft.root, faults)
    complete = not faults
    wrong = record.faults()
    if wrong:
        # Left out, as the moves that were kept do not bear it out. It is a fault of the file only
        # where all moves were kept.
        record.result = None
        if complete:
            place = draft.where.get("result", "result")
            faults.extend(_placed(fault, place) for fault in wrong)
    return record


def _begin(draft: Draft, faults: list[Fault]) -> Record | None:
    game = _game(draft, faults)
    if game is None:
        return None
    if draft.rules_version is not None and draft.rules_version > game.rules_version:
        fault = Fault.of(
            "record/newer-rules",
            "the record follows version {version} of the rules of {game},"
            " but this program knows them up to version {known}",
            where=draft.where.get("rules_version", "rules_version"),
            version=draft.rules_version,
            game=Phrase(game.title),
            known=game.rules_version,
        )
        faults.append(fault)
    try:
        return Record(game, draft.start)
    except InputError as error:
        place = draft.where.get("start", "start")
        faults.extend(_placed(fault, place) for fault in error.faults)
        return None


def _game(draft: Draft, faults: list[Fault]) -> Game | None:
    try:
        return make_game(draft.game_id, draft.options)
    except InputError as error:
        for fault in error.faults:
            kind = "options" if fault.code.startswith("option") else "game"
            faults.append(_placed(fault, draft.where.get(kind, kind)))
        return None


def _fill_heads(record: Record, draft: Draft, faults: list[Fault]) -> None:
    seats = record.game.seats
    if len(draft.players) > seats:
        fault = Fault.of(
            "record/players",
            "there are {names} names, but {game} has {seats} seats",
            where=draft.where.get("players", "players"),
            names=len(draft.players),
            game=Phrase(record.game.title),
            seats=seats,
        )
        faults.append(fault)
    record.players = draft.players[:seats]
    for name in LINES:
        setattr(record, name, draft.lines.get(name, ""))
    record.comment = draft.comment
    record.result = draft.result
    record.extra = draft.extra


def _play_tree(root: Node, draft_root: DraftNode, faults: list[Fault]) -> None:
    """Add the draft's moves to the tree, each line up to its first fault."""
    _take_notes(root, draft_root)
    todo = [(root, child) for child in reversed(draft_root.children)]
    while todo:
        parent, draft = todo.pop()
        fault = _wrong_color(parent.position, draft)
        if fault is not None:
            faults.append(fault)
            continue
        try:
            node = parent.add(draft.move)
        except MoveError as error:
            after = _count_after(draft)
            faults.extend(_placed(f, draft.where, after) for f in error.faults)
            continue
        _take_notes(node, draft)
        todo.extend((node, child) for child in reversed(draft.children))


def _take_notes(node: Node, draft: DraftNode) -> None:
    node.copy_notes(draft)
    if draft.more_comments:
        node.comment = draft.whole_comment()


def _wrong_color(position: Position, draft: DraftNode) -> Fault | None:
    if draft.color is None or draft.color is position.to_move or position.outcome is not None:
        return None
    return Fault.of(
        "record/turn",
        "{move} is a move of {colour}, but {next} is to move",
        where=draft.where,
        move=draft.move,
        colour=draft.color,
        next=position.to_move,
    )


def _count_after(draft: DraftNode) -> int:
    count = 0
    todo = list(draft.children)
    while todo:
        count += 1
        todo.extend(todo.pop().children)
    return count


def _placed(fault: Fault, where: str, after: int = 0) -> Fault:
    """Return a fault with its place in the file, and how many moves after it were not read."""
    if fault.where and not where.endswith(fault.where):
        where = f"{where}, {fault.where}"
    if not after:
        return fault.at(where)
    return Fault.of(
        fault.code,
        "{fault} (and {after} after it not looked at)",
        where=where,
        fault=fault.phrase,
        after=after,
    )


def finish(draft: Draft | None, faults: list[Fault], kind: str) -> tuple[Record, tuple[Fault, ...]]:
    """Return what can be made of a draft, with everything that is wrong.

    Raises:
        InvalidRecordError: not even a game and its start could be found out.
    """
    record = None if draft is None else replay(draft, faults)
    if record is None:
        raise refusal(faults, kind)
    return record, tuple(map(_printable, faults))


def _printable(fault: Fault) -> Fault:
    """Return a fault without characters of the file that would upset a terminal."""
    values = {name: _clean_value(value) for name, value in fault.values.items()}
    where = clean_line(fault.where)[:200]
    return Fault(fault.code, clean_text(fault.message), where, fault.template, values)


def _clean_value(value: object) -> object:
    if isinstance(value, Phrase):
        parts = {name: _clean_value(part) for name, part in value.values.items()}
        return Phrase(clean_text(value.template), parts)
    if isinstance(value, tuple):
        return tuple(map(_clean_value, value))
    # Colours and reasons are texts of ours.
    return clean_text(value) if type(value) is str else value


def refusal(faults: list[Fault] | tuple[Fault, ...], kind: str) -> InvalidRecordError:
    """Return the error with all faults, or the first hundred of very many."""
    shown = [_printable(fault) for fault in faults[:MAX_FAULTS]]
    if len(faults) > MAX_FAULTS:
        shown.append(Fault("record/more-faults", "and more is wrong after that"))
    return InvalidRecordError(shown, f"This {TITLES.get(kind, kind)} record cannot be read:")


def faultless(reading: tuple[Record, tuple[Fault, ...]], kind: str) -> Record:
    """Return the record of a lenient reading that found nothing wrong.

    Raises:
        InvalidRecordError: with everything that it found wrong.
    """
    record, faults = reading
    if faults:
        raise refusal(faults, kind)
    return record
