"""Contests in a folder: the rows of its games, and a record of each, so that they can go on.

``contest.json`` says what is played, ``games.jsonl`` has a row for each game that has ended
(:mod:`antipodes.lab.results`), and ``0001.json`` and so on are the records. Several processes may
play one contest: each claims a game before it plays it (:mod:`antipodes.lab.claims`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from antipodes.core import Color
from antipodes.engine.gtp_client import ProgramFailure
from antipodes.errors import Fault, InputError
from antipodes.lab.claims import usable
from antipodes.lab.contest import Schedule, fixture_of
from antipodes.lab.duel import Effort, Fixture, Played
from antipodes.lab.matchup import Matchup
from antipodes.lab.results import Results
from antipodes.lab.tasks import MOST_GAMES, GameRow, GameTask, read_moves, row_of
from antipodes.records import Reason, Record, Result, save
from antipodes.search.analysis_result import line_texts

FORMAT = "antipodes-contest"
VERSION = 2
_HEAD = "contest.json"


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
        self._results = Results(folder)
        self.claims = self._results.claims
        self._matchup = matchup
        self._seed = schedule.seed
        self._played: dict[int, Played] = {}
        head = _head(matchup, schedule)
        path = folder / _HEAD
        with usable(folder), self.claims.lock:
            if path.exists():
                _check_same(path, head)
            else:
                path.write_text(json.dumps(head, indent=2) + "\n", encoding="utf-8")

    def played(self) -> list[Played]:
        """Return the games that are in the folder by now, those of other processes too.

        Raises:
            InputError: a row cannot be read; one that was not written to its end is left out.
        """
        for game in self._results.new(self._played_of):
            # Games of this process are known with all their moves.
            self._played.setdefault(game.fixture.number, game)
        return list(self._played.values())

    def done(self) -> set[str]:
        """Return the names of all games that are in the folder by now."""
        self.played()
        return set(map(str, self._played))

    def append(self, results: Sequence[Played]) -> None:
        """Add games: the record of each first, then its row."""
        for played in results:
            save(self.folder / f"{played.fixture.number:04}.json", record_of(self._matchup, played))
            row = row_of(self._task(played.fixture), self._matchup.game, played)
            self._results.append([row])
            self._played[played.fixture.number] = played

    def _task(self, fixture: Fixture) -> GameTask:
        game = self._matchup.game
        players = [self._matchup.names[side] for side in fixture.sides]
        opening = line_texts(game.initial(), fixture.opening)
        return GameTask.numbered(game, players, self._seed, fixture.number, opening)

    def _played_of(self, row: GameRow) -> Played:
        """Return a game as its row has it, with no moves but the opening."""
        game = self._matchup.game
        opening = tuple(read_moves(game, row.opening))
        fixture = fixture_of(game, self._seed, row.seed % MOST_GAMES + 1, opening)
        colors = {Color(name): side for name, side in zip(row.colors, fixture.sides, strict=True)}
        winner = None if row.winner is None else Color(row.winner)
        efforts = [Effort(), Effort()]
        spent = zip(row.turns, row.seconds, row.cpu, strict=True)
        for side, (turns, seconds, cpu) in zip(fixture.sides, spent, strict=True):
            efforts[side] += Effort(turns, seconds, cpu)
        return Played(
            fixture,
            opening,
            Result(winner, Reason(row.reason), row.text),
            0.5 if winner is None else float(colors[winner] == 0),
            tuple(efforts),
            colors,
            None if row.failing is None else ProgramFailure(row.failing),
        )


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
        "openings": [" ".join(line_texts(game.initial(), line)) for line in schedule.lines]
        or schedule.plies,
    }


def _check_same(path: Path, wanted: Mapping[str, Any]) -> None:
    """Raise InputError unless a folder's contest is the one that is wanted."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        message = f"{str(path.parent)!r} cannot be used for a contest: {error}"
        raise InputError([Fault("contest/folder", message)]) from None
    there = data if isinstance(data, dict) else {}
    other = [name for name in wanted if there.get(name) != wanted[name]]
    if other:
        name = other[0]
        message = (
            f"{str(path.parent)!r} has another contest in it: its {name} is "
            f"{json.dumps(there.get(name))}, not {json.dumps(wanted[name])}"
        )
        raise InputError([Fault("contest/other", message)])


def record_of(matchup: Matchup, played: Played) -> Record:
    """Return the record of a game."""
    record = Record.from_moves(matchup.game, played.moves)
    record.players = tuple(matchup.names[side] for side in played.fixture.sides)
    record.event = f"{matchup.names[0]} against {matchup.names[1]}"
    record.round = str(played.fixture.number)
    if matchup.seconds is not None:
        record.clock = f"{matchup.seconds:g} s a move ({matchup.timekeeping.value})"
    record.result = played.result
    record.extra = {
        "contest": {
            "pair": played.fixture.pair,
            "opening_plies": len(played.fixture.opening),
            "seeds": [played.fixture.seeds[side] for side in played.fixture.sides],
        }
    }
    return record
