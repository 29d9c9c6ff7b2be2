"""Kits: the arrays of a search and the calls of its kernels, as files for the engine in pages.

A kit has the length of its description in 4 bytes, the description as JSON, and the contents of
the arrays, in the byte order of WebAssembly.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from antipodes.games.kernels import header
from antipodes.games.position import TERMINATIONS, Game, Position
from antipodes.search.device import (
    ANALYSIS,
    NETWORK,
    DeviceCall,
    device_levels,
    device_search,
    export_name,
)
from antipodes.search.kernels import reports
from antipodes.search.kernels.reports import GameReport, Report
from antipodes.search.players import new_choice

_ALIGNED = 16  # bytes to whose multiples parts of a kit are padded

# Of the header of a position, for pages that show it.
_HEADER = {
    "color": header.COLOR,
    "seat": header.SEAT,
    "winner": header.WINNER,
    "reason": header.REASON,
    "swapped": header.SWAPPED,
    "last": header.LAST,
}


def make_kit(position: Position, *, network: bool = False) -> bytes:
    """Return the kit with which levels play games that begin with a position.

    Args:
        position: the first one.
        network: whether the kit is for the levels with the neural network, or for the others.

    Raises:
        ValueError: none of these levels plays in the page.
    """
    game = position.game
    search, playing = device_search(game.family), device_levels(game, network=network)
    if search is None or not playing:
        raise ValueError(f"no level of {game.title} plays in the page")
    skills = {level.number: level.skill(game) for level in playing}
    rng = np.zeros(1, np.int64)
    choices = {number: new_choice(game, skill, rng) for number, skill in skills.items()}
    arguments = {
        number: search.arguments(position, choices[number], skill)
        for number, skill in skills.items()
    }
    usual = playing[0].number
    parts = _Parts()
    calls = parts.calls(game.family, search.calls(game.family), arguments[usual])
    described = {
        "calls": calls,
        "root": calls["play"]["arguments"][1],
        "header": _HEADER,
        "rng": parts.places([choices[usual].rng])[0],
        "skill": parts.places([choices[usual].skill])[0],
        "levels": {number: choice.skill.tolist() for number, choice in choices.items()},
        "shapes": {
            number: parts.other_shapes(arguments[usual], taken)
            for number, taken in arguments.items()
        },
    }
    return parts.packed(described)


def make_analysis_kit(position: Position) -> bytes:
    """Return the kit with which a page analyses a position and those that follow it.

    Raises:
        ValueError: the page does not analyse this game.
    """
    game = position.game
    search = device_search(game.family)
    if search is None:
        raise ValueError(f"pages do not analyse {game.title}")
    report, whole = _new_report(game), _new_game_report(game)
    parts = _Parts()
    arguments = search.analysis(position, report)
    arguments |= {
        "threaten": [arguments["begin"][0], report],
        "mark_threats": [report],
        "find_turning_points": [whole],
    }
    described = {
        "calls": parts.calls(game.family, search.analysis_calls(game.family), arguments),
        "report": dict(zip(Report._fields, parts.places([report]), strict=True)),
        "game": dict(zip(GameReport._fields, parts.places([whole]), strict=True)),
        "names": search.names(game),
        "cells": [game.topology.name(cell) for cell in range(game.topology.cell_count)],
        "terminations": {reason: ending.value for reason, ending in TERMINATIONS.items()},
        "colors": [color.value for color in game.kernel_colors],
        "order": [game.kernel_colors.index(color) for color in game.colors],
    }
    return parts.packed(described)


def _new_report(game: Game) -> Report:
    """Return room for the results of an analysis."""
    listed, line = reports.LISTED, reports.LINE
    moves, visits, proven, cells, endings, threats, lengths = np.zeros((7, listed), np.int64)
    values, errors = np.zeros((2, listed))
    return Report(
        numbers=np.zeros(reports.NUMBERS, np.int64),
        chances=np.zeros(reports.CHANCES + len(game.colors)),
        moves=moves,
        visits=visits,
        values=values,
        errors=errors,
        proven=proven,
        cells=cells,
        endings=endings,
        threats=threats,
        lengths=lengths,
        lines=np.zeros((listed, 2 * line), np.int64),
        joins=np.zeros(reports.JOINS + game.topology.cell_count, np.int64),
        heat=np.zeros(game.topology.cell_count),
        before=np.zeros(1),
        move=np.zeros(header.DESCRIPTION, np.int64),
        line=np.zeros(line, np.int64),
    )


def _new_game_report(game: Game) -> GameReport:
    """Return room for the values of a game."""
    values, errors, left = np.zeros((3, reports.GAME + 1))
    proven, movers, best, played, turns, decides = np.zeros((6, reports.GAME + 1), np.int64)
    return GameReport(
        values=values,
        errors=errors,
        chances=np.zeros((reports.GAME + 1, len(game.colors))),
        proven=proven,
        movers=movers,
        best=best,
        played=played,
        turns=turns,
        left=left,
        decides=decides,
    )


def flattened(groups: Iterable[Any]) -> list[npt.NDArray[Any]]:
    """Return arrays and the arrays of groups, and of groups in these, in their order."""
    return [
        array
        for group in groups
        for array in (flattened(group) if isinstance(group, tuple) else (group,))
    ]


class _Parts:
    """The arrays of a kit, each once."""

    def __init__(self) -> None:
        self._described: list[dict[str, Any]] = []
        self._contents = bytearray()
        self._arrays: list[npt.NDArray[Any]] = []

    def calls(
        self, family: str, calls: Sequence[DeviceCall], arguments: dict[str, list[Any]]
    ) -> dict[str, Any]:
        """Return the exports of calls with the numbers of the arrays that they take."""
        described = {}
        for call in calls:
            name = call.name.removeprefix(ANALYSIS)
            if name not in arguments:
                continue  # of games with a network, or without one
            taken = [*self.places(arguments[name]), *filter(None, [call.number])]
            export = {"name": export_name(family, call), "arguments": taken}
            described[name.removeprefix(NETWORK)] = export
        return described

    def places(self, groups: Iterable[Any]) -> list[int]:
        """Return the numbers of arrays and of the arrays of groups; add those that are new."""
        return [self._place(array) for array in flattened(groups)]

    def other_shapes(
        self, usual: dict[str, list[Any]], others: dict[str, list[Any]]
    ) -> dict[int, list[int]]:
        """Return the shapes of other arguments' arrays, by number, which differ from the usual."""
        return {
            self._place(known): list(other.shape)
            for name, groups in usual.items()
            for known, other in zip(flattened(groups), flattened(others[name]), strict=True)
            if known.shape != other.shape
        }

    def _place(self, array: npt.NDArray[Any]) -> int:
        for number, known in enumerate(self._arrays):
            if known is array:
                return number
        at = None
        if array.any():
            at = len(self._contents)
            self._contents += np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()
            self._contents += bytes(-len(self._contents) % _ALIGNED)
        kind = f"{array.dtype.kind}{array.dtype.itemsize}"
        self._described.append({"type": kind, "shape": list(array.shape), "at": at})
        self._arrays.append(array)
        return len(self._arrays) - 1

    def packed(self, described: dict[str, Any]) -> bytes:
        """Return a kit with the arrays so far and what else is described."""
        described = {**described, "arrays": self._described}
        text = json.dumps(described, separators=(",", ":")).encode()
        text += b" " * (-(4 + len(text)) % _ALIGNED)
        return len(text).to_bytes(4, "little") + text + bytes(self._contents)
