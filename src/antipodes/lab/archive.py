"""Contests in a folder: one record for each game, and a line about it, so that they can go on.

``contest.json`` says what is played, ``games.jsonl`` has a line for each game that has ended, and
``0001.json`` and so on are the records.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from antipodes.core import Color, Move
from antipodes.engine.gtp_client import Failing
from antipodes.errors import AntipodesError, Fault, InputError
from antipodes.games.base import BoardGame
from antipodes.lab.contest import Plan
from antipodes.lab.duel import Effort, Fixture, Played
from antipodes.lab.workers import Table
from antipodes.records import Reason, Record, Result, save

FORMAT = "antipodes-contest"
VERSION = 1
_HEAD = "contest.json"
_LINES = "games.jsonl"


class Archive:
    """A folder with a contest."""

    def __init__(self, folder: Path, table: Table, plan: Plan) -> None:
        """Open a folder; it is made if it is not there.

        How many games are wanted and how they are tested may change from one time to the next.

        Raises:
            InputError: the folder cannot be used, or has another contest in it.
        """
        self.folder = folder
        self._table = table
        head = _head(table, plan)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / _HEAD
            if path.exists():
                _check_same(path, json.loads(path.read_text(encoding="utf-8")), head)
            else:
                path.write_text(json.dumps(head, indent=2) + "\n", encoding="utf-8")
        except (OSError, ValueError) as error:
            if isinstance(error, AntipodesError):
                raise
            reason = getattr(error, "strerror", None) or str(error)
            message = f"{str(folder)!r} cannot be used for a contest: {reason}"
            raise InputError([Fault("contest/folder", message)]) from None

    def played(self) -> list[Played]:
        """Return the games that are in the folder.

        Raises:
            InputError: a line cannot be read; one that was not written to its end is left out.
        """
        path = self.folder / _LINES
        if not path.exists():
            return []
        found: dict[int, Played] = {}
        text = path.read_text(encoding="utf-8")
        for number, line in enumerate(text.splitlines(keepends=True), start=1):
            if not line.endswith("\n"):
                break
            try:
                one = _read_line(self._table.game, json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                message = f"cannot be read: {type(error).__name__}: {error}"
                where = f"{path}, line {number}"
                raise InputError([Fault("contest/line", message, where)]) from None
            found[one.fixture.number] = one
        return list(found.values())

    def keep(self, one: Played) -> None:
        """Add a game: its record first, then its line."""
        name = f"{one.fixture.number:04}.json"
        save(self.folder / name, record_of(self._table, one))
        path = self.folder / _LINES
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        line = json.dumps(_line(self._table.game, one, name)) + "\n"
        if text and not text.endswith("\n"):
            # The program was ended in the middle of a line.
            path.write_text(text[: text.rfind("\n") + 1] + line, encoding="utf-8")
            return
        with path.open("a", encoding="utf-8") as file:
            file.write(line)


def _head(table: Table, plan: Plan) -> dict[str, Any]:
    game = table.game
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": game.id,
        "options": game.options.as_dict(),
        "sides": list(table.specs),
        "seconds": table.seconds,
        "timekeeping": table.timekeeping.value,
        "seed": plan.seed,
        "openings": [_text(game, line) for line in plan.lines] or plan.plies,
    }


def _check_same(path: Path, found: Any, wanted: Mapping[str, Any]) -> None:
    """Raise InputError unless a folder's contest is the one that is wanted."""
    there = found if isinstance(found, dict) else {}
    other = [name for name in wanted if there.get(name) != wanted[name]]
    if other:
        name = other[0]
        message = (
            f"{str(path.parent)!r} has another contest in it: its {name} is "
            f"{json.dumps(there.get(name))}, not {json.dumps(wanted[name])}"
        )
        raise InputError([Fault("contest/other", message)])


def record_of(table: Table, one: Played) -> Record:
    """Return the record of a game."""
    record = Record.from_moves(table.game, one.moves)
    record.players = tuple(table.specs[side] for side in one.fixture.sides)
    record.event = f"{table.specs[0]} against {table.specs[1]}"
    record.round = str(one.fixture.number)
    if table.seconds is not None:
        record.clock = f"{table.seconds:g} s a move ({table.timekeeping.value})"
    record.result = one.result
    record.extra = {
        "contest": {
            "pair": one.fixture.pair,
            "opening_plies": len(one.fixture.opening),
            "seeds": [one.fixture.seeds[side] for side in one.fixture.sides],
        }
    }
    return record


def _text(game: BoardGame[Any, Any], moves: tuple[Move, ...]) -> str:
    position = game.initial()
    words = []
    for move in moves:
        words.append(position.format_move(move))
        position = position.play(move)
    return " ".join(words)


def _line(game: BoardGame[Any, Any], one: Played, name: str) -> dict[str, Any]:
    fixture = one.fixture
    return {
        "game": fixture.number,
        "pair": fixture.pair,
        "sides": list(fixture.sides),
        "seeds": list(fixture.seeds),
        "opening": _text(game, fixture.opening),
        "points": one.points,
        "winner": None if one.result.winner is None else one.result.winner.value,
        "reason": one.result.reason.value,
        "text": one.result.text,
        "failing": None if one.failing is None else one.failing.value,
        "plies": len(one.moves),
        "moves": [effort.moves for effort in one.efforts],
        "seconds": [round(effort.seconds, 4) for effort in one.efforts],
        "cpu": [round(effort.cpu, 4) for effort in one.efforts],
        "record": name,
    }


def _read_line(game: BoardGame[Any, Any], data: dict[str, Any]) -> Played:
    """Return a game as its line tells it; its moves beyond the opening stand in its record."""
    opening = []
    position = game.initial()
    for word in data["opening"].split():
        opening.append(position.parse_move(word))
        position = position.play(opening[-1])
    first, second = data["seeds"]
    fixture = Fixture(
        data["game"], data["pair"], tuple(data["sides"]), tuple(opening), (first, second)
    )
    winner = None if data["winner"] is None else Color(data["winner"])
    efforts = [
        Effort(moves, seconds, cpu)
        for moves, seconds, cpu in zip(data["moves"], data["seconds"], data["cpu"], strict=True)
    ]
    return Played(
        fixture,
        tuple(opening),
        Result(winner, Reason(data["reason"]), data["text"]),
        float(data["points"]),
        (efforts[0], efforts[1]),
        None if data["failing"] is None else Failing(data["failing"]),
    )
