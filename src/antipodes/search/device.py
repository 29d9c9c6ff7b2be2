"""The calls of kernels, and their arrays, that the engine in a visitor's page needs of a game.

The page has a small driver without rules and without a search of its own; a *kit* of
:mod:`antipodes.search.device_kit` tells it which arrays each kernel takes. A search chooses the
moves of levels, and analyses positions; for either, a seed gives the same in the page as here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType, ModuleType
from typing import Any, Protocol

import numpy as np

from antipodes.games.kernels import placement, plain_rules
from antipodes.games.placement import PlacementGame
from antipodes.games.position import Game, Position
from antipodes.search.answers import new_answer
from antipodes.search.antipalos_tree import MAX_DEPTH, AntipalosTree, new_moves
from antipodes.search.antipode.deepening import IterativeDeepening
from antipodes.search.arrays import lazy_zeros, new_keyed_rows
from antipodes.search.families import given_kernels, imported, plain_playout, search_family
from antipodes.search.interface import SearchSettings
from antipodes.search.kernels import (
    antipalos_analysis,
    antipalos_choices,
    antipode_analysis,
    antipode_choices,
    antipode_deepening,
    antipode_table,
    estimates,
    forced_wins,
    network_analysis,
    network_choices,
    puct,
    rave,
    reports,
    tree_analysis,
    tree_choices,
    tree_queries,
)
from antipodes.search.kernels.choosing import Choice, generator_state
from antipodes.search.kernels.connection_store import MOST_GOALS
from antipodes.search.kernels.nodes import Walk
from antipodes.search.kernels.reports import Report
from antipodes.search.levels import Level, levels
from antipodes.search.mcts_tree import (
    MctsTree,
    network_settings,
    new_children,
    node_bytes,
    settings_for,
)
from antipodes.search.network.evaluator import has_network
from antipodes.search.proof.knowledge import MAX_POSITIONS, SolverKnowledge
from antipodes.search.skill import Skill

Function = Callable[..., int]

MEMORY = 8 << 20  # bytes of a table that chooses a move
ANALYSIS = "analysis_"  # begins the names of calls for analyses
NETWORK = "network_"  # continues it where the game has a network
LARGE_MEMORY = 4 * MEMORY  # where positions have thousands of moves
ANALYSIS_MEMORY = 64 << 20  # bytes of a tree that analyses a position
_LEVELS = 16  # plies of a search for forced wins
_EFFORT = 2_000_000  # positions of it, a second or less
_ALL = 1 << 40  # proof nodes: as many as are kept


@dataclass(frozen=True, slots=True)
class DeviceCall:
    """A kernel that the driver calls, with the kernels that it gets as arguments.

    Attributes:
        name: for the driver.
        kernel: as plain Python.
        given: kernels by the names of its parameters.
        number: the number that the driver gives as the last argument; empty for none.
    """

    name: str
    kernel: Function
    given: Mapping[str, Function] = field(default_factory=dict)
    number: str = ""


_SHOWN = ("play", "moves", "pieces", "chain")  # kernels of the rules


def _rules_calls(family: str) -> tuple[DeviceCall, ...]:
    """Return the kernels with which the driver plays moves and shows positions."""
    rules = plain_rules(family)
    numbers = {"play": "move"}
    return tuple(
        DeviceCall(name, getattr(rules, name), number=numbers.get(name, "")) for name in _SHOWN
    )


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

    def plays(self, game: Game, skill: Skill) -> bool:
        """Return whether the page has all that a skill needs."""
        ...

    def calls(self, family: str) -> tuple[DeviceCall, ...]:
        """Return the kernels that the driver calls."""
        ...

    def arguments(self, position: Position, choice: Choice, skill: Skill) -> dict[str, list[Any]]:
        """Return the groups and arrays that each call takes.

        For the skills of a kit they differ in the lengths of arrays without contents alone.
        """
        ...

    def analysis_calls(self, family: str) -> tuple[DeviceCall, ...]:
        """Return the kernels that the driver calls for an analysis."""
        ...

    def analysis(self, position: Position, report: Report) -> dict[str, list[Any]]:
        """Return the groups and arrays that each of these takes."""
        ...

    def settings(self) -> SearchSettings:
        """Return the settings with which a search here analyses as the page does."""
        ...

    def names(self, game: Game) -> list[str]:
        """Return the names that descriptions of moves consist of."""
        ...


class TreeOnDevice:
    """A tree of batches of random games or with the network, with knowledge or without."""

    def plays(self, game: Game, skill: Skill) -> bool:  # noqa: ARG002 - its trees are the server's
        """Return whether the search plays all moves."""
        return not (skill.network and skill.haste)

    def calls(self, family: str) -> tuple[DeviceCall, ...]:
        """Return the kernels of one tree, and those of one with the network."""
        rules = plain_rules(family)
        given = {"moves": rules.moves, "play": rules.play}
        return (
            *_rules_calls(family),
            DeviceCall("begin", tree_choices.begin_with_facts, given),
            DeviceCall("grow", tree_choices.grow, given | {"step": placement.place}, "visits"),
            DeviceCall("end", tree_choices.end),
            DeviceCall(f"{NETWORK}grow", network_choices.grow, given, "visits"),
            DeviceCall(f"{NETWORK}end", network_choices.end),
        )

    def arguments(self, position: Position, choice: Choice, skill: Skill) -> dict[str, list[Any]]:
        """Return the arrays of the tree and of its knowledge, with the room that a skill needs."""
        game = position.game
        assert isinstance(game, PlacementGame)
        settings = settings_for(position, knowledge=False, latest=skill.latest)
        if skill.network:
            settings = network_settings(game, latest=skill.latest)
        grown = MctsTree(position, settings, seed=1, size=_tree_bytes(game, skill))
        walk, tree, *guides = grown.arrays.values()
        if skill.network:
            guides = [grown.way, *guides]
        ranked = np.zeros(game.max_branching, np.int64)
        of_network = NETWORK if skill.network else ""
        proofs = settings.proof_price and tree_queries.FEW + _visits(skill) // settings.proof_price
        known = _knowledge(game, skill, proofs)
        return {
            **_rules_arguments(walk, game),
            "begin": [walk, known["facts"], known["answer"], choice],
            f"{of_network}grow": [walk, tree, *guides, *known.values(), choice],
            f"{of_network}end": [walk, tree, new_children(len(ranked)), ranked, choice],
        }

    def analysis_calls(self, family: str) -> tuple[DeviceCall, ...]:
        """Return the kernels of one tree, and those of one with the network."""
        return (
            *_analysis_calls(family, tree_analysis, {}),
            _analysis_call(family, "connect", tree_analysis.tell_connections),
            _analysis_call(family, f"{NETWORK}grow", network_analysis.grow, "visits"),
            _analysis_call(family, f"{NETWORK}tell", network_analysis.tell),
        )

    def analysis(self, position: Position, report: Report) -> dict[str, list[Any]]:
        """Return the arrays of the tree, with the network where the game has one."""
        game = position.game
        assert isinstance(game, PlacementGame)
        with_network = has_network(game)
        settings = (
            network_settings(game) if with_network else settings_for(position, knowledge=True)
        )
        tree = MctsTree(position, settings, seed=1, size=ANALYSIS_MEMORY)
        grown = tree.arrays
        walk = grown["walk"]
        knowledge = SolverKnowledge(game, short_proofs=with_network)
        known = _queried(knowledge, _ALL, MAX_POSITIONS, game)
        ranked = np.zeros(game.max_branching, np.int64)
        weights = np.zeros(game.topology.cell_count)
        told = [new_children(game.max_branching), ranked, weights, report]
        goals = MOST_GOALS + 1
        arguments = {
            "play": [walk.tables, walk.root, walk.work],
            "begin": [walk],
            "connect": [
                walk,
                known["store"],
                known["limits"],
                np.zeros(goals, np.int64),
                np.zeros((goals, len(known["patterns"].moves)), np.int64),
                np.zeros(goals, np.int64),
                report,
            ],
        }
        trees = [walk, grown["tree"]]
        if with_network:
            guides = list(grown.values())[2:]
            arguments[f"{NETWORK}grow"] = [*trees, tree.way, *guides, *known.values()]
            return arguments | {f"{NETWORK}tell": [*trees, *guides[1:], *told]}
        layout, batches = grown["layout"], grown["batches"]
        sampled = batches._replace(records=np.zeros_like(batches.records))
        sampling = np.array([generator_state(rave.SAMPLED)], np.int64)
        return arguments | {
            "grow": [*grown.values(), *known.values()],
            "tell": [*trees, layout, batches, sampled, sampling, *told],
        }

    def settings(self) -> SearchSettings:
        """Return the usual settings with a tree of the same size."""
        return SearchSettings(memory=ANALYSIS_MEMORY >> 20)

    def names(self, game: Game) -> list[str]:
        """Return the texts of all moves."""
        start = game.initial()
        return [start.format_move(move) for move in range(game.move_count)]


def _visits(skill: Skill) -> int:
    """Return the visits of a skill; none if it has another limit."""
    return skill.visits or 0


def _tree_bytes(game: Game, skill: Skill) -> int:
    """Return the size of a skill's tree: twice what the visits need, or that of the server's.

    A tree grows more slowly when half of it is full, so it has the same nodes as the server's.
    """
    node = node_bytes(puct.ROWS if skill.network else rave.ROWS)
    visits = 1 + _visits(skill)
    return min((2 + 2 * game.max_branching * visits) * node, skill.memory << 20)


def _knowledge(game: PlacementGame[Any, Any], skill: Skill, proofs: int) -> dict[str, Any]:
    """Return the arrays of the knowledge that a skill queries; some have room for all levels.

    The proof search of the root looks at so many positions.
    """
    alike = device_levels(game, network=skill.network)
    most = max(_queries_of(level.skill(game)) for level in alike)
    knowledge = SolverKnowledge(game, positions=most)
    nodes = _queries_of(skill) * knowledge.effort + proofs
    return _queried(knowledge, nodes, most, game)


def _queried(knowledge: SolverKnowledge, nodes: int, positions: int, game: Game) -> dict[str, Any]:
    """Return the arrays of a source of knowledge, and of its answers about so many positions.

    Its proof search has room for so many nodes.
    """
    arrays = knowledge.arrays(nodes)
    # The page draws keys of its own: any do.
    symmetries = arrays["symmetries"]
    arrays["symmetries"] = symmetries._replace(keys=np.zeros_like(symmetries.keys))
    del arrays["tables"]
    answer = new_answer(game.topology.cell_count + 2)
    answers = new_keyed_rows(positions, 1 + len(answer))
    numbers = np.zeros(tree_queries.QUERIES, np.int64)
    return {**arrays, "answers": answers, "queries": numbers, "answer": answer}


def _queries_of(skill: Skill) -> int:
    """Return the most queries of a search."""
    # The first round follows the first visit, and small boards have the shortest intervals.
    rounds = 1 + _visits(skill) // tree_queries.LEAST_INTERVAL
    return rounds * tree_queries.MOST_QUERIES


class AlphaBetaOnDevice:
    """The alpha-beta search of Antipode."""

    def plays(self, game: Game, skill: Skill) -> bool:  # noqa: ARG002 - its table has one size
        """Return whether the search plays all moves."""
        return skill.knowledge and not skill.haste

    def calls(self, family: str) -> tuple[DeviceCall, ...]:
        """Return the kernels of the search."""
        rules = plain_rules(family)
        given = {"moves": rules.moves}
        return (
            *_rules_calls(family),
            DeviceCall("begin", antipode_choices.begin, given | {"play": rules.play}),
            DeviceCall("grow", antipode_choices.grow, number="visits"),
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

    def analysis_calls(self, family: str) -> tuple[DeviceCall, ...]:
        """Return the kernels of the search."""
        given = {"playout": plain_playout(family)}
        return (*_analysis_calls(family, antipode_analysis, given), _refuting_call(family))

    def analysis(self, position: Position, report: Report) -> dict[str, list[Any]]:
        """Return the arrays of one thread."""
        game = position.game
        table = lazy_zeros(ANALYSIS_MEMORY // 8, np.int64)
        search, progress = IterativeDeepening(table, 1, 0.0).arrays
        root = position.searchable_state(1)
        ranked, efforts = np.zeros((2, antipode_deepening.TURNS), np.int64)
        rng, sampling = np.zeros((2, 1), np.int64)
        walk = Walk(
            tables=game.tables,
            root=root,
            state=root.copy(),
            work=game.work(),
            rng=rng,
            out=np.zeros(game.max_branching, np.int64),
        )
        cells = game.topology.cell_count
        told = [sampling, np.zeros(2 * cells, np.int64), np.zeros(cells), report]
        return {
            "play": [walk.tables, walk.root, walk.work],
            "begin": [walk, search, progress],
            "grow": [walk, search, progress],
            "tell": [walk, search, progress, efforts, ranked, *told],
            "refute": _refuting_arguments(walk, game),
        }

    def settings(self) -> SearchSettings:
        """Return the usual settings with a table of the same size."""
        return SearchSettings(memory=ANALYSIS_MEMORY >> 20)

    def names(self, game: Game) -> list[str]:
        """Return the names of the cells."""
        return [game.topology.name(cell) for cell in range(game.topology.cell_count)]


class AntipalosOnDevice:
    """The tree of Antipalos with circuits, and one without them for hasty moves."""

    def plays(self, game: Game, skill: Skill) -> bool:  # noqa: ARG002 - its trees have one size
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
            DeviceCall("grow", antipalos_choices.grow, given | more, "visits"),
            DeviceCall("end", antipalos_choices.end),
        )

    def arguments(self, position: Position, choice: Choice, skill: Skill) -> dict[str, list[Any]]:
        """Return the arrays of both trees."""
        game = position.game
        settings = settings_for(position, knowledge=False, latest=skill.latest)
        quick = MctsTree(position, settings, seed=1, size=LARGE_MEMORY).arrays
        tree, *grown = AntipalosTree(
            position, 1, LARGE_MEMORY, 1.0, virtual_connections=skill.latest, varied=skill.varied
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

    def analysis_calls(self, family: str) -> tuple[DeviceCall, ...]:
        """Return the kernels of one tree."""
        return (*_analysis_calls(family, antipalos_analysis, {}), _refuting_call(family))

    def analysis(self, position: Position, report: Report) -> dict[str, list[Any]]:
        """Return the arrays of the tree with circuits."""
        game = position.game
        tree, *grown = AntipalosTree(position, 1, ANALYSIS_MEMORY, 1.0).arrays
        visit, tuning, scratch, circuits, lists = grown
        root = position.searchable_state(MAX_DEPTH + 1)
        walk = Walk(
            tables=game.tables,
            root=root,
            state=root.copy(),
            work=game.work(),
            rng=np.zeros(1, np.int64),
            out=lists.moves,
        )
        most, cells = len(lists.moves), game.topology.cell_count
        ranked = np.zeros((2, most), np.int64)
        weights = np.zeros((2, cells))
        told = [new_moves(most), new_moves(most), *ranked, *weights, report]
        return {
            "play": [walk.tables, walk.root, walk.work],
            "begin": [walk],
            "grow": [walk, tree, *grown],
            "tell": [walk, tree, visit, tuning, scratch, circuits, *told],
            "refute": _refuting_arguments(walk, game),
        }

    def settings(self) -> SearchSettings:
        """Return the usual settings with a tree of the same size."""
        return SearchSettings(memory=ANALYSIS_MEMORY >> 20)

    def names(self, game: Game) -> list[str]:
        """Return the texts of the rods, and of the swap."""
        start, placements = game.initial(), 2 * game.topology.cell_count
        return [*(start.format_move(move) for move in range(placements)), "swap"]


def _refuting_call(family: str) -> DeviceCall:
    """Return the call that refutes a move after which a win takes too many turns."""
    given = {"wins": given_kernels(family)["wins"][0]}
    return _analysis_call(family, "refute", forced_wins.refuting_move, "turns", given)


def _refuting_arguments(walk: Walk, game: Game) -> list[Any]:
    """Return the arrays of that call."""
    levels = forced_wins.Levels(
        states=np.zeros((_LEVELS, len(walk.root)), np.int64),
        lists=np.zeros((_LEVELS, game.max_branching), np.int64),
        places=np.full((_LEVELS, forced_wins.PLACES), -1, np.int64),
    )
    scratch = np.zeros(7 * game.topology.cell_count + 64, np.int64)
    effort = np.array([_EFFORT], np.int64)
    return [walk.tables, walk.root, levels, walk.work, scratch, effort]


def _analysis_calls(
    family: str, module: ModuleType, given: Mapping[str, Function]
) -> tuple[DeviceCall, ...]:
    """Return the calls of an analysis whose kernels are in a module."""
    kernels = vars(module)
    return (
        DeviceCall("play", plain_rules(family).play, number="move"),
        # A search whose tables have to be set up begins by a kernel of its own.
        _analysis_call(family, "begin", kernels.get("begin", reports.begin), "seed", given),
        _analysis_call(family, "grow", kernels["grow"], "visits", given),
        _analysis_call(family, "tell", kernels["tell"], given=given),
        _analysis_call(family, "threaten", reports.threaten),
        _analysis_call(family, "mark_threats", reports.mark_threats),
        _analysis_call(family, "find_turning_points", reports.find_turning_points, "count"),
    )


def _analysis_call(
    family: str,
    name: str,
    kernel: Any,
    number: str = "",
    given: Mapping[str, Function] = MappingProxyType({}),
) -> DeviceCall:
    """Return a call of an analysis with the kernels that it takes."""
    choices = given_kernels(family)
    names = ("moves", "play", "describe", "null_move")
    given = {**{each: choices[each][0] for each in names}, **given}
    taken = kernel.__code__.co_varnames[: kernel.__code__.co_argcount]
    chosen = {each: given[each] for each in taken if each in given}
    return DeviceCall(f"{ANALYSIS}{name}", kernel, chosen, number)


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
    if search is None:
        return ()
    # An analysis plays moves like a choice.
    return (*search.calls(family), *search.analysis_calls(family)[1:])


def export_name(family: str, call: DeviceCall) -> str:
    """Return the name of a call in the module."""
    return f"{family}_device_{call.name}"


def plays_on_device(game: Game, level: Level) -> bool:
    """Return whether a level plays in the page."""
    search = device_search(game.family)
    return search is not None and search.plays(game, level.skill(game))


def needs_network(game: Game, level: Level) -> bool:
    """Return whether a level plays with the neural network, which is in a kit of its own."""
    return level.skill(game).network


def device_levels(game: Game, *, network: bool = False) -> tuple[Level, ...]:
    """Return the levels that play in the page, with the network or without it."""
    playing = (level for level in levels() if plays_on_device(game, level))
    return tuple(level for level in playing if needs_network(game, level) == network)
