"""Contests in a folder: one record for each game, and a line about it, so that they can go on.

``contest.json`` says what is played, ``games.jsonl`` has a line for each game that has ended, and
``0001.json`` and so on are the records. Several processes may play one contest: each claims a game
before it plays it (:mod:`antipodes.lab.claims`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from antipodes.core import Color, Move
from antipodes.engine.gtp_client import ProgramFailure
from antipodes.errors import AntipodesError, Fault, InputError
from antipodes.games.position import Game
from antipodes.lab.claims import Claims
from antipodes.lab.contest import Schedule
from antipodes.lab.duel import Effort, Fixture, Played
from antipodes.lab.matchup import Matchup
from antipodes.records import Record, Result, save
from antipodes.search.analysis_result import line_texts

FORMAT = "antipodes-contest"
VERSION = 1
_HEAD = "contest.json"
_LINES = "games.jsonl"
_LOCKS = "locks"


class Archive:
    """A folder with a contest, which several processes may use at once.

    Attributes:
        folder: the folder.
        claims: games that this process plays, by their numbers as text.
    """

    def __init__(self, folder: Path, matchup: Matchup, schedule: Schedule) -> None:
        """Open a folder; it is made if it is not there.

        How many games are wanted and how they are tested may change from one time to the next.

        Raises:
            InputError: the folder cannot be used, or has another contest in it.
        """
        self.folder = folder
        self._matchup = matchup
        self._found: dict[int, Played] = {}
        self._read = 0  # bytes of the lines that have been read
        self._lines_read = 0
        head = _head(matchup, schedule)
        try:
            self.claims = Claims(folder / _LOCKS)
            self._lock = self.claims.lock
            with self._lock:
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
        """Return the games that are in the folder by now, those of other processes too.

        Raises:
            InputError: a line cannot be read; one that was not written to its end is left out.
        """
        for line in self._new_lines():
            self._lines_read += 1
            try:
                one = _read_line(self._matchup.game, json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                message = f"cannot be read: {type(error).__name__}: {error}"
                where = f"{self.folder / _LINES}, line {self._lines_read}"
                raise InputError([Fault("contest/line", message, where)]) from None
            # Games of this process are known with all their moves.
            self._found.setdefault(one.fixture.number, one)
        return list(self._found.values())

    def _new_lines(self) -> list[bytes]:
        """Return the whole lines that have come since the last look."""
        path = self.folder / _LINES
        with self._lock:
            if not path.exists():
                return []
            with path.open("rb") as file:
                file.seek(self._read)
                whole, end, _ = file.read().rpartition(b"\n")
        self._read += len(whole) + len(end)
        return whole.split(b"\n") if end else []

    def done(self) -> set[str]:
        """Return the names of all games that are in the folder by now."""
        self.played()
        return set(map(str, self._found))

    def append(self, results: Sequence[Played]) -> None:
        """Add games: the record of each first, then its line."""
        for game in results:
            name = f"{game.fixture.number:04}.json"
            save(self.folder / name, record_of(self._matchup, game))
            line = json.dumps(_line(self._matchup.game, game, name)) + "\n"
            with self._lock, (self.folder / _LINES).open("a+b") as file:
                _cut_half_line(file)
                file.write(line.encode())
            self._found[game.fixture.number] = game


def _cut_half_line(file: IO[bytes]) -> None:
    """Cut off what a process wrote that was ended in the middle of a line."""
    file.seek(0)
    text = file.read()
    if text and not text.endswith(b"\n"):
        file.truncate(text.rfind(b"\n") + 1)


def _head(matchup: Matchup, schedule: Schedule) -> dict[str, Any]:
    game = matchup.game
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": game.id,
        "options": game.options.as_dict(),
        "sides": list(matchup.names),
        "seconds": matchup.seconds,
        "timekeeping": matchup.timekeeping.value,
        "seed": schedule.seed,
        "openings": [_text(game, line) for line in schedule.lines] or schedule.plies,
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


def record_of(matchup: Matchup, one: Played) -> Record:
    """Return the record of a game."""
    record = Record.from_moves(matchup.game, one.moves)
    record.players = tuple(matchup.names[side] for side in one.fixture.sides)
    record.event = f"{matchup.names[0]} against {matchup.names[1]}"
    record.round = str(one.fixture.number)
    if matchup.seconds is not None:
        record.clock = f"{matchup.seconds:g} s a move ({matchup.timekeeping.value})"
    record.result = one.result
    record.extra = {
        "contest": {
            "pair": one.fixture.pair,
            "opening_plies": len(one.fixture.opening),
            "seeds": [one.fixture.seeds[side] for side in one.fixture.sides],
        }
    }
    return record


def _text(game: Game, moves: tuple[Move, ...]) -> str:
    return " ".join(line_texts(game.initial(), moves))


def _line(game: Game, one: Played, name: str) -> dict[str, Any]:
    fixture = one.fixture
    return {
        "game": fixture.number,
        "pair": fixture.pair,
        "sides": list(fixture.sides),
        "seeds": list(fixture.seeds),
        "opening": _text(game, fixture.opening),
        "colors": {color.value: side for color, side in one.colors.items()},
        "points": one.points,
        **one.result.as_data(),
        "failing": None if one.failing is None else one.failing.value,
        "plies": len(one.moves),
        "moves": [effort.moves for effort in one.efforts],
        "seconds": [round(effort.seconds, 4) for effort in one.efforts],
        "cpu": [round(effort.cpu, 4) for effort in one.efforts],
        "record": name,
    }


def _read_line(game: Game, data: dict[str, Any]) -> Played:
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
    # Older lines do not tell which side had which colour in the end.
    colors = data.get("colors") or dict(zip(game.colors, data["sides"], strict=False))
    efforts = [
        Effort(moves, seconds, cpu)
        for moves, seconds, cpu in zip(data["moves"], data["seconds"], data["cpu"], strict=True)
    ]
    return Played(
        fixture,
        tuple(opening),
        Result.read(data),
        float(data["points"]),
        (efforts[0], efforts[1]),
        {Color(color): side for color, side in colors.items()},
        None if data["failing"] is None else ProgramFailure(data["failing"]),
    )
