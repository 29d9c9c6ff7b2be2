"""No cache of the program grows without bound by keys that users choose."""

import ast
from pathlib import Path

import numpy as np
import numpy.typing as npt

from antipodes.core.array_cache import ArrayCache

SOURCE = Path(__file__).parents[2] / "src" / "antipodes"

# Caches without a bound that have arguments, and why their keys are few.
FEW_KEYS = {
    "engine/schema/__init__.py validator": "parts of a schema",
    "games/kernels/__init__.py plain_rules": "families of games",
    "games/kernels/jit.py cache_folder": "modules of the program",
    "games/kernels/jit.py sources": "modules of the program",
    "games/registry.py _class_of": "games; errors are not cached",
    "lab/schema/__init__.py schema": "schemas of the program",
    "learn/joining.py holds": "lives as long as one call",
    "mail/grammar.py _values_of": "games; errors are not cached",
    "puzzles/store.py puzzles": "games and the folder of the program",
    "puzzles/store.py _proof_texts": "games and the folder of the program",
    "records/schema/__init__.py _validator": "parts of a schema",
    "search/antipode/deepening.py read_weights": "a truth value",
    "search/network/evaluator.py _is_for_rhombus": "networks of the host",
    "web/api/reference.py _rendered_operations": "languages of the site",
    "web/email_play/inbound/webhooks.py _view": "providers of anymail",
    "web/matchmaking/pairing.py best": "lives as long as one call",
    "web/platform/limits.py _parsed": "amounts that the host sets",
    "web/ratings/classes.py _standard_cells": "games; errors are not cached",
    "web/ratings/classes.py board_classes": "games; errors are not cached",
}

# Containers of modules, which functions may fill, and what bounds them.
CONTAINERS = {
    "cli/line_mode/commands.py COMMANDS": "registered on import",
    "engine/commands.py COMMANDS": "registered on import",
    "games/kernels/__init__.py _LOADED": "families of games",
    "games/kernels/jit.py _COMPILED": "families of games",
    "games/kernels/registry.py KERNELS": "registered on import",
    "lab/contestants.py _present": "players of one experiment",
    "search/compiling.py _compilers": "families of games",
    "web/accounts/data_export.py sections": "registered on import",
    "web/connections/registry.py _open": "LIMIT_CONNECTIONS",
    "web/connections/refusals.py _refused_until": "_MAX_ADDRESSES",
    "web/email_play/context.py _with_board": "registered on import",
    "web/email_play/context.py _without_board": "registered on import",
    "web/jobs/worker_threads.py _running": "jobs that run; each choice drops those that ended",
    "web/jobs/queue.py _runs": "kinds of jobs",
    "web/matches/presence.py _audiences": "matches with open sockets: LIMIT_CONNECTIONS",
    "web/matches/resync.py _telling": "open sockets: LIMIT_CONNECTIONS",
    "web/matches/snapshots.py _kept": "a number of snapshots",
    "web/matches/snapshots.py _renamed": "a number of users",
    "web/matchmaking/presets.py _STANDARD": "constant",
    "web/notifications/emails.py writers": "registered on import",
    "web/platform/heartbeats.py _beats": "kinds of processes",
    "web/platform/limits.py defined": "registered on import",
    "web/platform/previews.py _providers": "registered on import",
    "web/platform/pubsub.py _listeners": "registered on import",
    "web/puzzles/judgements.py _others": "beginnings of ids of the puzzle collection",
}


def modules():
    for path in sorted(SOURCE.rglob("*.py")):
        yield path.relative_to(SOURCE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


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
