"""Records: a start, moves with variations and comments, names and a result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from antipodes.core import Move, Setup
from antipodes.errors import Fault, InvalidPositionError, InvalidRecordError
from antipodes.games.position import Game, Position
from antipodes.records.result import Result
from antipodes.records.texts import clean_line, clean_text
from antipodes.records.tree import Node

LINES = ("date", "event", "round", "place", "clock")


class Record:
    """A game as it is saved and exchanged. It can be changed; moves are checked when added.

    Attributes:
        game: the rules with their options; fixed.
        start: where the game begins, or ``None`` for the game's own start; fixed.
        root: the node before the first move.
        players: names by seat, in the order of the first turns; empty where unknown.
        date: when it was played; ``2026-11-20`` is read by every program.
        event: tournament or match.
        round: round or number of the game within the event.
        place: where it was played, perhaps a server.
        clock: the time control in words.
        comment: about the game as a whole; comments on moves belong to their nodes.
        result: how it ended, or ``None`` if it goes on or that is not known.
        extra: what other programs wrote and we do not understand; data that JSON can carry.
    """

    game: Game
    start: Setup | None
    root: Node
    players: tuple[str, ...]
    date: str
    event: str
    round: str
    place: str
    clock: str
    comment: str
    result: Result | None
    extra: dict[str, Any]

    def __init__(self, game: Game, start: Setup | None = None, players: Sequence[str] = ()) -> None:
        """Begin a record without moves.

        Raises:
            InvalidPositionError: the start is no position of the game; with all reasons.
        """
        position: Position = game.initial() if start is None else game.position(start)
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "start", None if start is None else _settled(game, position))
        object.__setattr__(self, "root", Node(position))
        self.players = tuple(players)
        for name in LINES:
            setattr(self, name, "")
        self.comment = ""
        self.result = None
        self.extra = {}

    @classmethod
    def from_moves(cls, game: Game, moves: Iterable[int | str]) -> Record:
        """Make a record of moves given as numbers or text; an end by the rules is its result.

        Raises:
            IllegalMoveError: a move is not legal.
            InvalidMoveError: a text is not a move of this game.
        """
        record = cls(game)
        node = record.root
        position = node.position
        for move in moves:
            node = node.add(move)
            position = node.position
        record.result = None if position.outcome is None else Result.of(position.outcome)
        return record

    def __setattr__(self, name: str, value: Any) -> None:
        """Clean texts and fill up names; game, start and root stay as they are."""
        if name in ("game", "start", "root"):
            raise AttributeError(f"{name} of a record is fixed; make a new record to change it")
        if name in LINES:
            value = clean_line(value)
        elif name == "comment":
            value = clean_text(value)
        elif name == "players":
            value = self._names(value)
        elif name not in ("result", "extra"):
            raise AttributeError(f"a record has no {name}")
        object.__setattr__(self, name, value)

    def _names(self, names: Sequence[str]) -> tuple[str, ...]:
        seats = self.game.seats
        if isinstance(names, str) or len(names) > seats:
            raise ValueError(f"{names!r} are not the names of {seats} players")
        return tuple(clean_line(name) for name in names) + ("",) * (seats - len(names))

    def __eq__(self, other: object) -> bool:
        """Be equal where everything written is the same."""
        if not isinstance(other, Record):
            return NotImplemented
        fields = ("game", "start", "players", *LINES, "comment", "result", "extra")
        same = all(getattr(self, name) == getattr(other, name) for name in fields)
        return same and self.root.same_tree(other.root)

    __hash__ = None  # type: ignore[assignment]  # records can be changed

    def __repr__(self) -> str:
        """Show the game, the number of moves and the result."""
        count = sum(1 for _ in self.main_line())
        return f"<Record of {self.game!r}, {count} moves, {self.result or 'no result'}>"

    # The main line.

    def main_line(self) -> Iterator[Node]:
        """Yield the nodes of the main line; the root is not among them."""
        return self.root.line()

    def moves(self) -> list[Move]:
        """Return the moves of the main line."""
        return [node.move for node in self.main_line() if node.move is not None]

    def positions(self) -> Iterator[Position]:
        """Yield the positions of the main line, the start first."""
        position = self.root.position
        yield position
        for move in self.moves():
            position = position.play(move)
            yield position

    @property
    def end(self) -> Node:
        """The last node of the main line; the root if there are no moves."""
        node = self.root
        for node in self.main_line():  # noqa: B007 - the last one is wanted
            pass
        return node

    def final_position(self) -> Position:
        """Return the position after the main line."""
        return self.end.position

    # The whole tree.

    def walk(self) -> Iterator[Node]:
        """Yield all nodes, the root and the main line first, each before its children."""
        return self.root.walk()

    def merge(self, other: Record) -> None:
        """Take over moves and comments of another record of the same game and start.

        Variations that are new come last; a comment that differs is put below the one here.

        Raises:
            InvalidRecordError: the other record is of another game or begins elsewhere.
        """
        if self.game != other.game or self.root.position != other.root.position:
            message = f"{other!r} begins elsewhere than {self!r}"
            raise InvalidRecordError([Fault("record/other-game", message)])
        todo = [(self.root, other.root)]
        while todo:
            mine, theirs = todo.pop()
            _merge_notes(mine, theirs)
            for child in theirs.children:
                assert child.move is not None
                todo.append((mine.play(child.move), child))

    # Checking.

    def faults(self) -> list[Fault]:
        """Return what contradicts itself: a result that the moves do not bear out."""
        if self.result is None:
            return []
        return list(_result_faults(self.result, self.game, self.final_position()))

    def check(self) -> None:
        """Raise InvalidRecordError if the record contradicts itself; writers call this."""
        faults = self.faults()
        if faults:
            raise InvalidRecordError(faults)


def _settled(game: Game, position: Position) -> Setup:
    """Return the one setup by which every record of this start describes it."""
    setup: Setup = position.to_setup()
    try:
        if game.position(setup) == position:
            return setup
    except InvalidPositionError:
        pass
    return replace(setup, composed=True)


def _merge_notes(mine: Node, theirs: Node) -> None:
    # A comment that is there already, as whole lines, is not said again.
    if theirs.comment and f"\n{theirs.comment}\n" not in f"\n{mine.comment}\n":
        mine.comment = f"{mine.comment}\n{theirs.comment}".strip("\n")
    for name in ("time_left", "time_spent", "mark"):
        if getattr(mine, name) is None:
            setattr(mine, name, getattr(theirs, name))
    mine.extra = {**theirs.extra, **mine.extra}


def _result_faults(result: Result, game: Game, position: Position) -> Iterator[Fault]:
    outcome = position.outcome
    values: dict[str, object] = {"colours": tuple(game.colors)}
    if result.winner is not None and result.winner not in game.colors:
        yield Fault.of(
            "record/result",
            "the winner is {colour}, but colours here are {colours}",
            where="result",
            colour=result.winner,
            **values,
        )
    elif result.loser is not None and result.loser not in game.colors:
        yield Fault.of(
            "record/result",
            "the loser is {colour}, but colours here are {colours}",
            where="result",
            colour=result.loser,
            **values,
        )
    elif outcome is None and result.reason.termination is not None:
        yield Fault.of(
            "record/result",
            "the result is {result}, but the game goes on after the last move",
            where="result",
            result=result,
        )
    elif outcome is not None and outcome.winner != result.winner:
        values = {"result": result, "outcome": outcome}
        yield Fault.of(
            "record/result",
            "the result is {result}, but the moves end with: {outcome}",
            where="result",
            **values,
        )
