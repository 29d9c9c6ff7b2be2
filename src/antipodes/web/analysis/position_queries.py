"""Positions in query strings: a game, its options, a setup, and moves as numbers or text."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Self
from urllib.parse import urlencode

from antipodes.core import Setup
from antipodes.core.numbers import read_number
from antipodes.errors import Fault, InputError, MoveError
from antipodes.games.position import Game, Position
from antipodes.games.registry import make_game
from antipodes.match import Start
from antipodes.notation.text import shorten
from antipodes.records.json_format import read_setup, setup_data
from antipodes.web.platform.client_json import read_object

MAX_MOVES = 1_500  # enough for all but the longest Phase Two, and played in well under a second
_MAX_OPTIONS = 20
_MAX_STEPS = 4
_MAX_SETUP = 20_000  # characters; the largest board has about 10,000
_KEPT = 256  # positions; with the longest lines some megabytes

# Names that are no options of games; addresses of pages and answers share them.
_OWN_NAMES = frozenset(
    {
        "game",
        "setup",
        "moves",
        "text",
        "since",
        "preview",
        "steps",
        "v",
        "for",
        "effort",
        "seat",
        "words",
    }
)


@dataclass(frozen=True, slots=True)
class Line:
    """A sequence of moves from the start of a game or from a setup.

    Attributes:
        game: the game with its options.
        moves: the moves, all legal.
        position: the position after the last move.
        played: number of moves that were played now; the rest came from the cache.
        setup_text: the position before the moves as JSON; empty for the start of the game.
    """

    game: Game
    moves: tuple[int, ...]
    position: Position
    played: int = 0
    setup_text: str = ""

    @classmethod
    def of(cls, game: Game, setup: Setup | None = None, moves: Sequence[int] = ()) -> Self:
        """Return a line whose setup and moves are known to be right."""
        start = Start(setup=setup, moves=tuple(map(int, moves)))
        text = "" if setup is None else _setup_text(setup)
        return cls(game, start.moves, start.position(game), setup_text=text)

    @property
    def fields(self) -> dict[str, int | str]:
        """The line as fields of a query or a form."""
        fields = game_fields(self.game)
        if self.setup_text:
            fields["setup"] = self.setup_text
        if self.moves:
            fields["moves"] = ",".join(map(str, self.moves))
        return fields

    @property
    def query(self) -> str:
        return urlencode(self.fields)

    @property
    def setup(self) -> Setup | None:
        """The position before the moves; ``None`` for the start of the game."""
        return read_setup(json.loads(self.setup_text)) if self.setup_text else None

    @property
    def start(self) -> Start:
        return Start(setup=self.setup, moves=self.moves)


def game_fields(game: Game) -> dict[str, int | str]:
    """Return a game and its options that differ from the defaults."""
    return {"game": game.id, **game.options.changed()}


def read_game(query: Mapping[str, str]) -> Game:
    """Read a game and its options; an option without a value has its default.

    Raises:
        InputError: there is no such game, or it has no such options.
    """
    options = {name: value for name, value in query.items() if name not in _OWN_NAMES and value}
    if "game" not in query:
        raise InputError([Fault("study/no-game", "there is no game in the address")])
    if len(options) > _MAX_OPTIONS:
        fault = Fault.of("study/too-long", "{count} options are too many", count=len(options))
        raise InputError([fault])
    return make_game(query["game"], options)


def read_line(query: Mapping[str, str]) -> Line:
    """Read a game, perhaps a ``setup``, and ``moves``, then one more typed move as ``text``.

    Moves are separated by commas. Digits alone are a move's number, anything else is its text. The
    typed move may be in the notation of a ``seat``.

    Raises:
        InputError: the query is invalid; for a move, the fault says which one.
    """
    game = read_game(query)
    setup_text, origin = _read_setup(query, game)
    items = [item.strip() for item in query.get("moves", "").split(",") if item.strip()]
    written = len(items)
    if query.get("text", "").strip():
        items.append(query["text"])
    if len(items) > MAX_MOVES:
        fault = Fault.of(
            "study/too-long",
            "{count} moves are too many; {most} are allowed",
            count=len(items),
            most=MAX_MOVES,
        )
        raise InputError([fault])
    numbers = [int(item) for item in takewhile(lambda text: read_number(text) is not None, items)]
    position, moves = _known.furthest(origin, setup_text, numbers)
    known = len(moves)
    for number, item in enumerate(items[known:], start=known + 1):
        try:
            move = _read_move(position, item, _seat(query, game) if number > written else 0)
            position = position.play(move)
        except MoveError as error:
            where = f"move {number}"
            raise type(error)([fault.at(where) for fault in error.faults]) from None
        moves.append(move)
    line = Line(game, tuple(moves), position, len(moves) - known, setup_text)
    _known.keep(line)
    return line


def _read_setup(query: Mapping[str, str], game: Game) -> tuple[str, Position]:
    """Read the position before the moves; return its setup as JSON too, if there is one.

    Raises:
        InputError: it is not a setup, or not a position of the game.
    """
    text = query.get("setup", "").strip()
    if not text:
        return "", game.initial()
    if len(text) > _MAX_SETUP:
        fault = Fault.of("study/too-long", "{count} characters are too many", count=len(text))
        raise InputError([fault])
    try:
        setup = read_setup(read_object(text, "study/setup"))
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
        fault = Fault.of("study/setup", "{text} is not a setup", text=shorten(text))
        raise InputError([fault]) from None
    position: Position = game.position(setup)
    return _setup_text(setup), position


def _setup_text(setup: Setup) -> str:
    return json.dumps(setup_data(setup), separators=(",", ":"))


class _KnownPositions:
    """Cache of recent positions, because users step through games move by move."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._positions: OrderedDict[tuple[Game, str, tuple[int, ...]], Position]
        self._positions = OrderedDict()

    def keep(self, line: Line) -> None:
        """Store the position at the end of a line."""
        key = line.game, line.setup_text, line.moves
        with self._lock:
            self._positions[key] = line.position
            self._positions.move_to_end(key)
            if len(self._positions) > _KEPT:
                self._positions.popitem(last=False)

    def after(self, game: Game, setup_text: str, moves: tuple[int, ...]) -> Position | None:
        """Return the position after some moves, if it is cached."""
        with self._lock:
            return self._positions.get((game, setup_text, moves))

    def furthest(
        self, origin: Position, setup_text: str, moves: list[int]
    ) -> tuple[Position, list[int]]:
        """Return the latest cached position of a line, and the moves that lead to it."""
        for count in (len(moves), len(moves) - 1):
            if count > 0:
                known = self.after(origin.game, setup_text, tuple(moves[:count]))
                if known is not None:
                    return known, moves[:count]
        return origin, []


_known = _KnownPositions()


def position_after(line: Line, ply: int) -> Position:
    """Return the position after the first moves of a line."""
    moves = line.moves[:ply]
    position = _known.after(line.game, line.setup_text, moves)
    if position is None:
        position = Start(setup=line.setup, moves=moves).position(line.game)
    return position


def _read_move(position: Position, item: str, seat: int) -> int:
    number = read_number(item)
    return int(position.parse_move(item, seat)) if number is None else number


def _seat(query: Mapping[str, str], game: Game) -> int:
    """Read the seat in whose notation a move is written; the first one by default.

    Raises:
        InputError: there is no such seat.
    """
    text = query.get("seat", "0")
    seat = read_number(text, game.seats - 1)
    if seat is None:
        message = f"seat is {text[:20]!r}, but must be 0 to {game.seats - 1}"
        raise InputError([Fault("study/seat", message)])
    return seat


def read_steps(query: Mapping[str, str]) -> list[int]:
    """Read the first steps of a move, separated by commas.

    Raises:
        InputError: they are not numbers of cells.
    """
    items = [item for item in query.get("steps", "").split(",") if item]
    cells = [cell for item in items if (cell := read_number(item)) is not None]
    if len(items) > _MAX_STEPS or len(cells) < len(items):
        message = f"steps is {query.get('steps', '')[:20]!r}, but must be numbers of cells"
        raise InputError([Fault("study/steps", message)])
    return cells


def read_since(query: Mapping[str, str]) -> int:
    """Read the number of moves that the client knows already.

    Raises:
        InputError: it is not a number.
    """
    text = query.get("since", "0")
    since = read_number(text)
    if since is None:
        message = f"since is {text[:20]!r}, but must be a number of moves"
        raise InputError([Fault("study/since", message)])
    return since
