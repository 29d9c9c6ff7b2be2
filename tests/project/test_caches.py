"""No cache of the program grows without bound by keys that users choose."""

import ast
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from antipodes.core.array_cache import ArrayCache
from antipodes.games import base
from antipodes.games.registry import make_game

SOURCE = Path(__file__).parents[2] / "src" / "antipodes"

# Caches without a bound that have arguments, and why their keys are few.
FEW_KEYS = {
    "engine/schema/__init__.py validator": "parts of a schema",
    "games/options.py _described": "classes of options",
    "games/kernels/__init__.py plain_rules": "families of games",
    "games/kernels/__init__.py _native_rules": "families of games",
    "games/kernels/native.py find": "kernels of the program",
    "games/registry.py _class_of": "games; errors are not cached",
    "lab/schema/__init__.py schema": "schemas of the program",
    "learn/joining.py holds": "lives as long as one call",
    "mail/grammar.py _values_of": "games; errors are not cached",
    "puzzles/store.py puzzles": "games and the folder of the program",
    "puzzles/store.py _proof_texts": "games and the folder of the program",
    "records/schema/__init__.py _validator": "parts of a schema",
    "search/antipode/deepening.py read_weights": "a truth value",
    "search/network/evaluator.py trained_cells": "the networks of the host",
    "web/api/reference.py _rendered_operations": "languages of the site",
    "web/email_play/inbound/webhooks.py _view": "providers of anymail",
    "web/matches/snapshots.py _version_and_names": "with and without a lock",
    "web/matchmaking/pairing.py best": "lives as long as one call",
    "web/platform/limits.py _parsed": "amounts that the host sets",
    "web/puzzles/catalogue.py _usual_ruleset": "games; errors are not cached",
    "web/ratings/classes.py _standard_cells": "games; errors are not cached",
    "search/device.py device_search": "families of games",
    "web/matches/page_moves.py module_file": "families of games",
    "web/ratings/classes.py board_classes": "games; errors are not cached",
}

# Caches with a bound: the bytes of the largest entry with all that its key keeps in memory, as
# tests/web/test_cache_sizes.py measures those whose keys users choose.
LARGEST = {
    "boards/cylinder.py cylinder": 660_000,
    "boards/grid.py square_grid": 220_000,
    "boards/hexhex.py hexhex": 140_000,
    "boards/rhombus.py rhombus": 400_000,
    "boards/sphere.py directions": 80_000,
    "boards/sphere.py longitudes": 20_000,
    "boards/sphere.py rim_in_order": 40_000,
    "boards/sphere.py sphere": 310_000,
    "games/antipalos.py _rod_names": 180_000,
    "games/symmetry.py _cells_of": 4_000,
    "notation/svg/bodies.py body": 1_000_000,
    "notation/svg/layout.py layout": 1_000_000,
    "search/mcts_tree.py _board_arrays": 250_000,
    "search/network/directions.py directed_neighbours": 1_000_000,
    "web/archive/statistics.py _cached_game": 100_000,
    "web/archive/statistics.py _owner_of_first": 400,
    "web/connections/credentials.py auth_hash": 600,
    "web/courses/coaching.py _played": 16_000,
    "web/courses/coaching.py advice": 16_000,
    "web/courses/judging.py _judged": 12_000,
    "web/courses/judging.py suggestion": 12_000,
    "web/matches/presenters.py _step_texts": 250_000,
    "web/notifications/email_message.py _svg": 200_000,
    "web/notifications/email_message.py _pixels": 250_000,
    "web/platform/templatetags/picture_sizes.py _board_size": 100_000,
    "web/ratings/classes.py speed_of_text": 600,
    "web/ratings/history.py _month": 400,
}
MOST = 16 * 1024 * 1024  # bytes of one cache

# Caches with a bound whose keys users do not choose, and who does.
CHOSEN_BY_OTHERS = {
    "adapters/observation.py _images": "the programmer of an agent",
    "adapters/observation.py piece_kinds": "the programmer of an agent",
    "adapters/observation.py plane_names": "the programmer of an agent",
    "lab/tasks.py _game": "an experiment",
    "search/network/weights.py network_weights": "the networks of the host",
    "search/network/weights.py read_network": "the networks of the host",
    "search/proof/jobs.py _search_on": "a proof, in its own process",
    "search/proof/openings.py _facts_by_board": "the folder of the program",
    "search/proof/reduction.py _edge_keys": "one number a board, of boards with proofs",
    "training/boards.py board_of": "a training",
    "training/gpu.py _neighbours": "a training",
    "training/gpu.py _network": "a training",
    "tui/layout.py lay_out": "the user of a terminal, for themselves",
    "web/courses/coaching.py _begun": "games",
    "web/offline/kept.py _kept": "languages of the site, and moderators who retire puzzles",
    "web/platform/templatetags/modules.py _elements": "modules of the site's scripts",
    "web/platform/templatetags/modules.py imports_of": "modules of the site's scripts",
    "web/project/admission.py _response_body": "statuses, limits and languages of the site",
    "web/puzzles/judgements.py _referee": "boards of the puzzle collection, four at once",
    "web/rules/examples.py figure_picture": "figures of the rules",
    "web/rules/examples.py picture": "examples of the rules",
}

# Caches of arrays, which are bounded in bytes.
IN_BYTES = {
    "games/base.py _TABLES",
    "records/tree.py _latest",
    "web/analysis/engine_kits.py _kits",
    "web/analysis/presenters.py _boards",
    "web/platform/templatetags/fragments.py _fragments",
    "web/studies/chapters.py _pieces",
    "web/studies/consumers.py _sent",
}

# Containers of modules, which functions may fill, and what bounds them.
CONTAINERS = {
    "cli/line_mode/commands.py COMMANDS": "registered on import",
    "engine/commands.py COMMANDS": "registered on import",
    "games/kernels/registry.py KERNELS": "registered on import",
    "games/registry.py _registered": "games of installed packages",
    "lab/contestants.py _present": "players of one experiment",
    "web/accounts/data_export.py sections": "set by the wiring",
    "web/connections/registry.py _open": "LIMIT_CONNECTIONS",
    "web/connections/refusals.py _refused_until": "_MAX_ADDRESSES",
    "web/jobs/worker_threads.py _running": "jobs that run; each choice drops those that ended",
    "web/jobs/queue.py handlers": "kinds of jobs",
    "web/jobs/lending.py lendable": "kinds of jobs that are lent",
    "web/matches/presence.py _audiences": "matches with open sockets: LIMIT_CONNECTIONS",
    "web/matches/resync.py _telling": "open sockets: LIMIT_CONNECTIONS",
    "web/matches/snapshots.py _kept": "a number of snapshots",
    "web/notifications/emails.py writers": "set by the wiring",
    "web/platform/heartbeats.py _beats": "kinds of processes",
    "web/platform/limits.py defined": "registered on import",
    "web/matches/open_chat.py finders": "set by the wiring",
    "web/platform/previews.py providers": "set by the wiring",
    "web/platform/pubsub.py _listeners": "topics of the program",
    "web/puzzles/judgements.py others": "set by the wiring",
    "web/town/habits/explorer.py _documents": "two documents of each site that people visit",
}


@cache
def modules():
    return [
        (path.relative_to(SOURCE).as_posix(), ast.parse(path.read_text(encoding="utf-8")))
        for path in sorted(SOURCE.rglob("*.py"))
    ]


def is_unbounded(decorator):
    text = ast.unparse(decorator)
    return text in {"cache", "functools.cache"} or "maxsize=None" in text


def unbounded_caches():
    for name, tree in modules():
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                and ast.unparse(node.args)
                and any(map(is_unbounded, node.decorator_list))
            ):
                yield f"{name} {node.name}"


def bounded_caches():
    """Yield the name and the bound of each cache with one."""
    for name, tree in modules():
        numbers = {
            ast.unparse(node.targets[0]): node.value.value
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for decorator in node.decorator_list:
                text = ast.unparse(decorator).removeprefix("functools.")
                if text == "lru_cache":
                    yield f"{name} {node.name}", 128
                elif text.startswith("lru_cache(") and not is_unbounded(decorator):
                    size = text.removeprefix("lru_cache(").removesuffix(")").split("=")[-1]
                    yield f"{name} {node.name}", numbers.get(size) or int(size)


def containers():
    for name, tree in modules():
        for node in tree.body:
            if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
                continue
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            text = ast.unparse(node.value)
            if text == "{}" or text.startswith(("OrderedDict(", "defaultdict(", "dict()")):
                yield f"{name} {ast.unparse(target)}"


def test_a_cache_without_bound_has_few_keys():
    assert set(unbounded_caches()) == set(FEW_KEYS)


def test_a_cache_with_a_bound_has_entries_of_known_size():
    known = {**LARGEST, **CHOSEN_BY_OTHERS}
    assert {name for name, _ in bounded_caches()} == set(known)
    assert len(known) == len(LARGEST) + len(CHOSEN_BY_OTHERS)
    sizes = {name: count * LARGEST[name] for name, count in bounded_caches() if name in LARGEST}
    assert {name: size for name, size in sizes.items() if size > MOST} == {}


def test_the_caches_of_arrays_are_known():
    found = {
        f"{name} {ast.unparse(node.target)}"
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.AnnAssign) and "ArrayCache(" in ast.unparse(node.value or node)
    }
    assert found == IN_BYTES


def test_a_container_of_a_module_has_a_bound():
    assert set(containers()) == set(CONTAINERS)


def test_a_cache_of_arrays_is_bounded_in_bytes():
    cache: ArrayCache[str, npt.NDArray[np.int64]] = ArrayCache(1_000)
    latest = first = cache.get("0", lambda: np.zeros(50, np.int64))
    for number in range(1, 100):
        latest = cache.get(str(number), lambda: np.zeros(50, np.int64))
        assert cache.nbytes <= 1_000
    assert cache.get("99", lambda: np.zeros(50, np.int64)) is latest
    assert cache.get("0", lambda: np.zeros(50, np.int64)) is not first
    assert cache.get("large", lambda: np.zeros(500, np.int64)).nbytes == cache.nbytes == 4_000


def test_equal_games_share_their_tables_beyond_the_cache(monkeypatch):
    monkeypatch.setattr(base, "_TABLES", ArrayCache(1))
    first = make_game("hex", {"size": 5})
    assert first.tables is not make_game("hex", {"size": 6}).tables
    assert make_game("hex", {"size": 5}).tables is first.tables
