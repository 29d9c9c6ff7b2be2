"""Queries of the analysis engine, read from lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from antipodes.core import Color, Move, Setup
from antipodes.engine import dialect
from antipodes.engine.move_limits import MoveLimit, moves_left
from antipodes.engine.schema import query_faults
from antipodes.engine.wire import GtpError
from antipodes.errors import Fault, InputError, InvalidRecordError, MoveError
from antipodes.games.position import Game, Position
from antipodes.games.registry import make_game
from antipodes.notation.text import shorten
from antipodes.records import json_text, read_record
from antipodes.records.json_format import read_setup
from antipodes.records.schema import setup_faults
from antipodes.search.interface import Limits

# Longer lines are refused unread; records with long comments are shorter.
MAX_QUERY = 1 << 20

_ANALYZE = "analyze"
_ACTIONS = ("query_version", "query_models", "clear_cache", "terminate", "terminate_all")
_POSITION_FIELDS = ("game", "options", "setup", "initialStones", "initialPlayer", "moves")


class QueryError(Exception):
    """A line that is not a valid query.

    Attributes:
        query_id: the id in the line, if any.
        faults: of the line, at least one.
    """

    def __init__(self, query_id: str | None, faults: Sequence[Fault]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.query_id = query_id
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class AnalysisQuery:
    """Positions to analyse.

    Attributes:
        id: repeated by all answers.
        positions: turn -> position.
        allowed: turn -> the only moves that are searched there, or ``None`` for all.
        limits: of each search.
        moves: the most moves in an answer.
        seed: of each search.
        threats: whether to search for threats.
        criticality: whether to estimate the criticality of cells.
        policy: whether to tell the network's probabilities of the moves.
        report_every: seconds between answers during a search, or ``None`` for none.
        priority: greater priorities come first.
    """

    id: str
    positions: dict[int, Position]
    allowed: dict[int, tuple[Move, ...] | None]
    limits: Limits
    moves: int
    seed: int
    threats: bool
    criticality: bool
    policy: bool
    report_every: float | None
    priority: int


@dataclass(frozen=True, slots=True)
class AnalysisAction:
    """An action other than an analysis.

    Attributes:
        name: of the action.
        data: the line, which some answers repeat.
    """

    name: str
    data: dict[str, Any]

    @property
    def id(self) -> str:
        """The id, which the answer repeats."""
        return str(self.data["id"])

    @property
    def target(self) -> str | None:
        """The id of the query to end; ``None`` for all."""
        return self.data.get("terminateId")

    @property
    def turns(self) -> list[int] | None:
        """The turns to end; ``None`` for all."""
        return self.data.get("turnNumbers")


def read_query(line: str, default: Limits) -> AnalysisQuery | AnalysisAction | None:
    """Read a line; ``None`` if it is empty.

    Args:
        line: JSON text.
        default: limits of queries without limits.

    Raises:
        QueryError: with all faults of the line.
    """
    if len(line) > MAX_QUERY:
        message = f"the line has more than {MAX_QUERY} characters"
        raise QueryError(None, [Fault("query/too-long", message)])
    if not line.strip():
        return None
    try:
        data = json_text.parse(line)
    except InvalidRecordError as error:
        faults = [Fault("query/not-json", fault.message, fault.where) for fault in error.faults]
        raise QueryError(None, faults) from None
    if not isinstance(data, dict):
        raise QueryError(None, [Fault("query/malformed", "a query is an object", "$")])
    query_id = _id_of(data)
    action = data.get("action", _ANALYZE)
    if action != _ANALYZE and action not in _ACTIONS:
        shown = shorten(action) if isinstance(action, str) else json.dumps(action)[:60]
        message = f"there is no action {shown}; there are {', '.join(_ACTIONS)}"
        raise QueryError(query_id, [Fault("query/no-such-action", message, "$.action")])
    faults = list(query_faults(data, action))
    if faults:
        raise QueryError(query_id, faults)
    if action != _ANALYZE:
        return AnalysisAction(action, data)
    try:
        return _read_analyze(data, default)
    except InputError as error:
        raise QueryError(query_id, error.faults) from None


def _id_of(data: dict[str, Any]) -> str | None:
    """Return the id of a line that may have other faults."""
    found = data.get("id")
    return found if isinstance(found, str) and 1 <= len(found) <= 200 else None


def _read_analyze(data: dict[str, Any], default: Limits) -> AnalysisQuery:
    """Read a query that fits the schema.

    Raises:
        InputError: its values are wrong.
    """
    positions = _positions(data)
    last = len(positions) - 1
    wanted = [int(turn) for turn in data.get("analyzeTurns", [last])]
    beyond = [turn for turn in wanted if turn > last]
    if beyond:
        message = f"there is no turn {beyond[0]}; there are {last} moves"
        raise InputError([Fault("query/no-such-turn", message, "$.analyzeTurns")])
    limits = default
    if "maxVisits" in data or "maxSeconds" in data:
        visits = data.get("maxVisits")
        limits = Limits(visits=visits and int(visits), seconds=data.get("maxSeconds"))
    return AnalysisQuery(
        id=data["id"],
        positions={turn: positions[turn] for turn in wanted},
        allowed={turn: _allowed_moves(data, positions[turn]) for turn in wanted},
        limits=limits,
        moves=int(data.get("maxMoves", 20)),
        seed=int(data.get("seed", 1)),
        threats=data.get("includeThreats", False),
        criticality=data.get("includeCriticality", data.get("includeOwnership", False)),
        policy=data.get("includePolicy", False),
        report_every=data.get("reportDuringSearchEvery"),
        priority=int(data.get("priority", 0)),
    )


def _positions(data: dict[str, Any]) -> list[Position]:
    """Return the positions of the game of a query, the start first.

    Raises:
        InputError: there is no such game.
    """
    others = [name for name in _POSITION_FIELDS if name in data]
    if "record" in data:
        if others:
            message = f"a record is complete; {', '.join(others)} cannot be combined with it"
            raise InputError([Fault("query/conflict", message, f"$.{others[0]}")])
        text = data["record"]
        whole = text if isinstance(text, str) else json.dumps(text)
        return list(read_record(whole.encode("utf-8", "replace")).positions())
    if "game" not in data:
        message = "there is neither a game nor a record"
        raise InputError([Fault("query/no-game", message, "$")])
    position = _start(data)
    positions = [position]
    for index, move in enumerate(data.get("moves", ())):
        where = f"$.moves[{index}]"
        color, text = (None, move) if isinstance(move, str) else move
        if color is not None and _color(position.game, color, where) is not position.to_move:
            message = f"{text} is a move of {shorten(color)}, but {position.to_move} is to move"
            raise InputError([Fault("query/turn", message, where)])
        try:
            position = position.play(position.parse_move(text))
        except MoveError as error:
            raise _at(error, where) from None
        positions.append(position)
    return positions


def _color(game: Game, text: str, where: str) -> Color:
    """Return the colour with a name or a first letter.

    Raises:
        InputError: the game has no such colour.
    """
    try:
        return dialect.read_color(game, text)
    except GtpError as error:
        raise InputError([Fault("query/no-such-color", str(error), where)]) from None


def _at(error: InputError, where: str) -> InputError:
    """Return an error whose faults have a place in the query."""
    return InputError([Fault(fault.code, fault.message, where) for fault in error.faults])


def _allowed_moves(data: dict[str, Any], position: Position) -> tuple[Move, ...] | None:
    """Return the only moves to search in a position; ``None`` for all.

    Raises:
        InputError: a colour or a move is wrong, or no move is left.
    """
    limits: list[MoveLimit] = []
    left = None
    for field in ("avoidMoves", "allowMoves"):
        for index, limit in enumerate(data.get(field, ())):
            where = f"$.{field}[{index}]"
            color = _color(position.game, limit["player"], f"{where}.player")
            limits.append(MoveLimit(color, tuple(limit["moves"]), field == "allowMoves"))
            try:
                left = moves_left(position, limits)
            except InputError as error:
                raise _at(error, where) from None
    return left


def _initial_position(data: dict[str, Any], game: Game) -> Position:
    """Return the position of initial stones.

    The colour to move is that of ``initialPlayer``, else that of the first move if it is told, else
    the one that follows from the numbers of stones.

    Raises:
        InputError: a colour is wrong, or this is not a position of the game.
    """
    stones = tuple(
        (point, _color(game, color, f"$.initialStones[{index}]").value)
        for index, (color, point) in enumerate(data["initialStones"])
    )
    moves = data.get("moves", ())
    first = moves[0][0] if moves and not isinstance(moves[0], str) else None
    player = data.get("initialPlayer", first)
    to_move = None if player is None else _color(game, player, "$.initialPlayer").value
    position: Position = game.position(
        Setup(stones=stones, to_move=to_move, composed=to_move is not None)
    )
    return position


def _start(data: dict[str, Any]) -> Position:
    game = make_game(data["game"], data.get("options", {}))
    if "initialStones" in data:
        if "setup" in data:
            message = "a setup is complete; initialStones cannot be combined with it"
            raise InputError([Fault("query/conflict", message, "$.initialStones")])
        return _initial_position(data, game)
    if "initialPlayer" in data:
        message = "initialPlayer tells who begins after initialStones, which are missing"
        raise InputError([Fault("query/conflict", message, "$.initialPlayer")])
    if "setup" not in data:
        start: Position = game.initial()
        return start
    faults = [
        Fault("query/malformed", fault.message, fault.where.replace("$", "$.setup", 1))
        for fault in setup_faults(data["setup"])
    ]
    if faults:
        raise InputError(faults)
    position: Position = game.position(read_setup(data["setup"]))
    return position
