"""The calls of kernels, and their arrays, that the engine in a visitor's page needs of a game.

The page has a small driver without rules and without a search of its own. It gets a *kit* for each
game: an array for everything that a search writes or reads, with the contents that it has here, and
which of them each kernel takes. Then a level and a seed give the same move in the page as here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from antipodes.games.kernels import header, placement, plain_rules
from antipodes.games.position import Game, Position
from antipodes.search.antipalos_tree import AntipalosTree, new_moves
from antipodes.search.antipode.deepening import IterativeDeepening
from antipodes.search.families import imported, plain_playout, search_family
from antipodes.search.kernels import (
    antipalos_choices,
    antipode_choices,
    antipode_deepening,
    antipode_table,
    estimates,
    tree_choices,
)
from antipodes.search.kernels.choosing import Choice
from antipodes.search.kernels.nodes import Walk
from antipodes.search.levels import Level, levels
from antipodes.search.mcts_tree import MctsTree, new_children, settings_for
from antipodes.search.players import new_choice
from antipodes.search.skill import Skill

Function = Callable[..., int]

MEMORY = 8 << 20  # bytes of a tree
_ALIGNED = 16  # bytes to whose multiples parts of a kit are padded
_VARIABLE = {"play": "move", "grow": "visits"}  # numbers that the driver gives


@dataclass(frozen=True, slots=True)
class DeviceCall:
    """A kernel that the driver calls, with the kernels that it gets as arguments.

    Attributes:
        name: for the driver.
        kernel: as plain Python.
        given: kernels by the names of its parameters.
    """

    name: str
    kernel: Function
    given: Mapping[str, Function] = field(default_factory=dict)


# Of the header of a position, for pages that show it.
_HEADER = {
    "color": header.COLOR,
    "seat": header.SEAT,
    "winner": header.WINNER,
    "reason": header.REASON,
    "swapped": header.SWAPPED,
    "last": header.LAST,
}


_SHOWN = ("play", "moves", "pieces", "chain")  # kernels of the rules


def _rules_calls(family: str) -> tuple[DeviceCall, ...]:
    """Return the kernels with which the driver plays moves and shows positions."""
    rules = plain_rules(family)
    return tuple(DeviceCall(name, getattr(rules, name)) for name in _SHOWN)


def _rules_arguments(walk: Walk, game: Game) -> dict[str, list[Any]]:
    """Return the arrays of these calls; the last one of a list is what the kernel writes."""
    position = [walk.tables, walk.root]
    pieces, chain = np.zeros((2, game.topology.cell_count + 8), np.int64)
    return {
        "play": [*position, walk.work],
        "moves": [*position, walk.work, walk.out],
        "pieces": [*position, walk.work, pieces],
        "chain": [*position, np.zeros(game.chain_work_size, np.int64), chain],
    }


class DeviceSearch(Protocol):
    """The search of a family of games in the page."""

    def plays(self, skill: Skill) -> bool:
        """Return whether a skill needs nothing that only Python knows, such as proofs."""
        ...

    def calls(self, family: str) -> tuple[DeviceCall, ...]:
        """Return the kernels that the driver calls."""
        ...

    def arguments(self, position: Position, choice: Choice, skill: Skill) -> dict[str, list[Any]]:
        """Return the groups and arrays that each call takes."""
        ...


class TreeOnDevice:
    """A tree of batches of random games, without knowledge."""

    def plays(self, skill: Skill) -> bool:
        """Return whether the tree needs no knowledge and no network."""
        return not (skill.knowledge or skill.network)

    def calls(self, family: str) -> tuple[DeviceCall, ...]:
        """Return the kernels of one tree."""
        rules = plain_rules(family)
        given = {"moves": rules.moves, "play": rules.play}
        return (
            *_rules_calls(family),
            DeviceCall("begin", tree_choices.begin, given),
            DeviceCall("grow", tree_choices.grow, given | {"step": placement.place}),
            DeviceCall("end", tree_choices.end),
        )

    def arguments(self, position: Position, choice: Choice, skill: Skill) -> dict[str, list[Any]]:
        """Return the arrays of the tree."""
        game = position.game
        settings = settings_for(position, knowledge=False, latest=skill.latest)
        tree = MctsTree(position, settings, seed=1, size=MEMORY)
        grown = tree.arrays
        walk = grown["walk"]
        ranked = np.zeros(game.max_branching, np.int64)
        return {
            **_rules_arguments(walk, game),
            "begin": [walk, choice],
            "grow": [*grown.values(), choice],
            "end": [walk, grown["tree"], new_children(game.max_branching), ranked, choice],
        }


class AlphaBetaOnDevice:
    """The alpha-beta search of Antipode."""

    def plays(self, skill: Skill) -> bool:
        """Return whether the search plays all moves."""
        return skill.knowledge and not skill.haste

    def calls(self, family: str) -> tuple[DeviceCall, ...]:
        """Return the kernels of the search."""
        rules = plain_rules(family)
        given = {"moves": rules.moves}
        return (
            *_rules_calls(family),
            DeviceCall("begin", antipode_choices.begin, given | {"play": rules.play}),
            DeviceCall("grow", antipode_choices.grow),
            DeviceCall("end", antipode_choices.end, given),
        )

    def arguments(self, position: Position, choice: Choice, skill: Skill) -> dict[str, list[Any]]:
        """Return the arrays of one thread."""
        game = position.game
        entries = MEMORY // (8 * antipode_table.ENTRY)
        table = np.zeros(entries * antipode_table.ENTRY, np.int64)
        # The page varies the weights, by the seed of each search.
        search, progress = IterativeDeepening(table, 1, 0.0, latest=skill.latest).arrays
        root = position.searchable_state(1)
        ranked, efforts = np.zeros((2, antipode_deepening.TURNS), np.int64)
        walk = Walk(
            tables=game.tables,
            root=root,
            state=root.copy(),
            work=game.work(),
            rng=np.zeros(1, np.int64),
            out=np.zeros(game.max_branching, np.int64),
        )
        return {
            **_rules_arguments(walk, game),
            "begin": [walk, search, progress, choice],
            "grow": [walk, search, progress, choice],
            "end": [walk, search, progress, efforts, ranked, choice],
        }


class AntipalosOnDevice:
    """The tree of Antipalos with circuits, and one without them for hasty moves."""

    def plays(self, skill: Skill) -> bool:
        """Return whether the search plays all moves."""
        return skill.knowledge

    def calls(self, family: str) -> tuple[DeviceCall, ...]:
        """Return the kernels of both trees."""
        rules = plain_rules(family)
        given = {"moves": rules.moves, "play": rules.play}
        more = {
            "step": rules.play,
            "playout": plain_playout(family),
            "estimate": estimates.estimate_antipalos,
        }
        return (
            *_rules_calls(family),
            DeviceCall("begin", tree_choices.begin, given),
            DeviceCall("grow", antipalos_choices.grow, given | more),
            DeviceCall("end", antipalos_choices.end),
        )

    def arguments(self, position: Position, choice: Choice, skill: Skill) -> dict[str, list[Any]]:
        """Return the arrays of both trees."""
        game = position.game
        settings = settings_for(position, knowledge=False, latest=skill.latest)
        quick = MctsTree(position, settings, seed=1, size=2 * MEMORY).arrays
        tree, *grown = AntipalosTree(
            position, 1, 4 * MEMORY, 1.0, virtual_connections=skill.latest, varied=skill.varied
        ).arrays
        lists = grown[-1]
        walk = quick["walk"]._replace(out=lists.moves)
        ranked = np.zeros(game.max_branching, np.int64)
        most = game.max_branching
        trees = [walk, quick["tree"]]
        return {
            **_rules_arguments(walk, game),
            "begin": [walk, choice],
            "grow": [*trees, quick["way"], quick["outcome"], tree, *grown, choice],
            "end": [*trees, new_children(most), tree, new_moves(most), ranked, choice],
        }


@cache
def device_search(family: str) -> DeviceSearch | None:
    """Return the search of a family in the page, or ``None`` if pages have none."""
    entry = search_family(family)
    if entry is None or not entry.device:
        return None
    search: DeviceSearch = imported(entry.device)()
    return search


def device_calls(family: str) -> tuple[DeviceCall, ...]:
    """Return the kernels that the driver calls in a family of games; none if it has no engine."""
    search = device_search(family)
    return () if search is None else search.calls(family)


def export_name(family: str, call: DeviceCall) -> str:
    """Return the name of a call in the module."""
    return f"{family}_device_{call.name}"


def plays_on_device(game: Game, level: Level) -> bool:
    """Return whether a level plays in the page."""
    search = device_search(game.family)
    return search is not None and search.plays(level.skill(game))


def device_levels(game: Game) -> tuple[Level, ...]:
    """Return the levels that play in the page."""
    return tuple(level for level in levels() if plays_on_device(game, level))


def make_kit(position: Position) -> bytes:
    """Return the kit of games that begin with a position, as a file.

    It has the length of its description in 4 bytes, the description as JSON, and the contents of
    the arrays, in the byte order of WebAssembly.

    Raises:
        ValueError: none of the levels plays in the page.
    """
    game = position.game
    search, playing = device_search(game.family), device_levels(game)
    if search is None or not playing:
        raise ValueError(f"no level of {game.title} plays in the page")
    skills = {level.number: level.skill(game) for level in playing}
    usual = skills[playing[0].number]
    rng = np.zeros(1, np.int64)
    choice = new_choice(game, usual, rng)
    arguments = search.arguments(position, choice, usual)
    parts = _Parts()
    calls = {
        call.name: {
            "name": export_name(game.family, call),
            "arguments": [
                *parts.places(arguments[call.name]),
                *filter(None, [_VARIABLE.get(call.name)]),
            ],
        }
        for call in search.calls(game.family)
    }
    described = {
        "calls": calls,
        "arrays": parts.described,
        "rng": parts.places([choice.rng])[0],
        "skill": parts.places([choice.skill])[0],
        "root": calls["play"]["arguments"][1],
        "header": _HEADER,
        "levels": {
            number: new_choice(game, skill, rng).skill.tolist() for number, skill in skills.items()
        },
    }
    text = json.dumps(described, separators=(",", ":")).encode()
    text += b" " * (-(4 + len(text)) % _ALIGNED)
    return len(text).to_bytes(4, "little") + text + bytes(parts.contents)


class _Parts:
    """The arrays of a kit, each once."""

    def __init__(self) -> None:
        self.described: list[dict[str, Any]] = []
        self.contents = bytearray()
        self._arrays: list[npt.NDArray[Any]] = []

    def places(self, groups: Iterable[Any]) -> list[int]:
        """Return the numbers of arrays and of the arrays of groups; add those that are new."""
        arrays = [
            array for group in groups for array in (group if isinstance(group, tuple) else (group,))
        ]
        return [self._place(array) for array in arrays]

    def _place(self, array: npt.NDArray[Any]) -> int:
        for number, known in enumerate(self._arrays):
            if known is array:
                return number
        at = None
        if array.any():
            at = len(self.contents)
            self.contents += np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()
            self.contents += bytes(-len(self.contents) % _ALIGNED)
        kind = f"{array.dtype.kind}{array.dtype.itemsize}"
        self.described.append({"type": kind, "shape": list(array.shape), "at": at})
        self._arrays.append(array)
        return len(self._arrays) - 1
