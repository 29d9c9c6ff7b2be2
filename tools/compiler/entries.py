"""The kernels that builds export, with the kernels that these get as arguments.

A kernel that another one takes as an argument is compiled into a copy of that one, so each choice
of kernels that a search makes is an entry of its own. Python has all of them; pages have those that
:data:`PAGE` lists, in a module for each family.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from itertools import product
from pathlib import Path

import antipodes
from antipodes.games.kernels import FAMILIES, Rules, Walks
from antipodes.games.kernels.native import name_of
from antipodes.games.kernels.registry import KERNELS
from antipodes.search.device import device_calls, export_name
from antipodes.search.families import families_of, given_kernels, search_family
from tools.compiler.kinds import Kernel, read_signature
from tools.compiler.translate import Function, registered


@dataclass(frozen=True)
class Entry:
    """A kernel that a build exports, with the kernels that it gets as arguments."""

    name: str
    function: Function
    given: Mapping[str, Function] = field(default_factory=dict)


# Entries of every family, as ``module.kernel``. A name of its own stands before the kernel; kernels
# that it gets behind it, unless they are the first choice of the family.
_EVERYWHERE = (
    *(f"{{family}}.{name}" for name in Rules.__dataclass_fields__),
    *(f"perft.{name}" for name in Walks.__dataclass_fields__),
    "wins.first_win",
    "{playout}.playout",
    "nodes.principal_line",
    "nodes.reroot",
    "nodes.list_children",
    "nodes.rank_children",
    "forced_wins.attack_wins",
)
PAGE = {
    "placement": (
        *_EVERYWHERE,
        "uct = uct.simulate step=place",
        "rave = rave.simulate step=place",
        "rave_with_bridges = rave.simulate step=play",
        "rave.sample_batches",
        "rave.weigh_cells",
        "tree_queries.find_query",
        "tree_queries.take_answer",
        "tree_queries.query_interval",
        "tree_queries.positions_due",
        "tree_queries.is_usable",
        "solver_knowledge.query",
        "solver_knowledge.prove",
        "network = puct.simulate",
        "puct.weigh_stones",
        "network_inputs.write_goals",
        "connection.find_sure_win",
        "connection.write_carriers",
        "connection.list_goal_rows",
        "connection.list_winning_rows",
        "proof_patterns.find_line",
        "proof_nodes.unpin",
        "proof_search.node_of",
        "proof_search.begin_search",
        "proof_search.go_on",
        "proof_search.abandon",
    ),
    "antipalos": (
        *_EVERYWHERE,
        "uct = uct.simulate estimate=no_estimate",
        "uct_with_estimates = uct.simulate estimate=estimate_antipalos",
        "antipalos_tree.add_root_visits",
        "antipalos_tree.has_begun",
        "antipalos_tree.is_done",
        "antipalos_tree.rank_moves",
        "antipalos_tree.copy_subtree",
        "antipalos_evaluation.write_win_chances",
    ),
    "antipode": (
        *_EVERYWHERE,
        "uct = uct.simulate",
        "antipode_deepening.set_position",
        "antipode_deepening.deepen",
        "antipode_deepening.is_done",
        "antipode_deepening.rank_turns",
        "antipode_deepening.value_of_turn",
        "antipode_table.table_slot",
        "antipode_table.probe_table",
        "antipode_analysis.weigh_cells",
    ),
}


def page_entries(family: str) -> Iterator[Entry]:
    """Yield what the module of a family exports; the names begin with the family."""
    search = search_family(family)
    assert search is not None
    choices = given_kernels(family)
    for line in PAGE[family]:
        words = line.format(family=family, playout=search.playout).split()
        path = next(word for word in words if "." in word)
        function = _kernel(path)
        given = {
            name: next(kernel for kernel in choices[name] if _is_chosen(words, name, kernel))
            for name in kernel_parameters(function)
        }
        name = words[0].rpartition(".")[2]
        yield Entry(f"{family}_{name}", function, given)


def device_entries(family: str) -> Iterator[Entry]:
    """Yield what the driver of pages calls besides; tests compare it with the server's moves."""
    for call in device_calls(family):
        yield Entry(export_name(family, call), call.kernel, call.given)


def _is_chosen(words: list[str], name: str, kernel: Function) -> bool:
    chosen = [word for word in words if word.startswith(f"{name}=")]
    return chosen in ([], [f"{name}={kernel.__name__}"])


def _kernel(path: str) -> Function:
    """Return the kernel that ``module.kernel`` names, of the rules or of the search."""
    module, name = path.split(".")
    folder = "games" if module in (*FAMILIES, "perft", "wins") else "search"
    kernel: Function = vars(import_module(f"antipodes.{folder}.kernels.{module}"))[name]
    return kernel


def all_entries() -> Iterator[Entry]:
    """Yield every kernel, once for each choice of kernels that the searches give it."""
    root = Path(antipodes.__file__).parent
    for path in sorted(root.glob("*/kernels/[!_]*.py")):
        name = ".".join(["antipodes", *path.relative_to(root).with_suffix("").parts])
        import_module(name)
        for function, _ in KERNELS.get(name, {}).values():
            yield from entries_of(function)


def entries_of(function: Function) -> Iterator[Entry]:
    """Yield a kernel, once for each choice of kernels that it may get as arguments."""
    parameters = kernel_parameters(function)
    if not parameters:
        yield Entry(name_of(function), function)
        return
    for family in families_of(function.__module__):
        choices = given_kernels(family)
        for given in product(*(choices[name] for name in parameters)):
            name = "__".join(map(name_of, (function, *given)))
            yield Entry(name, function, dict(zip(parameters, given, strict=True)))


def kernel_parameters(function: Function) -> list[str]:
    """Return the names of a kernel's parameters that are kernels."""
    kinds, _ = read_signature(function, registered(function)[1])
    names = function.__code__.co_varnames
    return [name for name, kind in zip(names, kinds, strict=False) if isinstance(kind, Kernel)]
