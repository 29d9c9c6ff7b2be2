"""Measure the engine of pages in Node (V8) beside the native edition: the same seeded searches.

Both run in turn, in one thread, and a rate is the best of all runs; all bytes that a search writes
must be the same. Run it on an idle machine, on one pinned core, after ``make wasm``.
"""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from antipodes.games.kernels import edition
from antipodes.games.registry import make_game
from antipodes.search import antipalos_tree, mcts_tree
from antipodes.search.antipode import deepening
from antipodes.search.mcts_tree import MctsTree, TreeSettings, network_settings

MODULES = Path(__file__).parents[1] / "src/antipodes/web/static/antipodes/engine"
SCRIPT = Path(__file__).with_suffix(".mjs")
NODE = Path(sys.executable).with_name("node")
ROUNDS = 3
RUNS = 150  # in each round, short ones, so that some are undisturbed
SIZE = 1 << 24  # bytes of a tree

Search = Callable[[int], object]

HEX = make_game("hex", {"size": 11}).initial()
ANTIPOD = make_game("antipod", {"side": 6}).initial()
ANTIPALOS = make_game("antipalos", {"size": 12}).initial()
ANTIPODE = make_game("antipode").initial()
UCT = TreeSettings(exploration=0.7, threshold=8)
LEAF = TreeSettings(exploration=0.7, threshold=1 << 40)  # never expanded
RAVE = TreeSettings(batches=True, exploration=0.02, threshold=1)
BRIDGES = TreeSettings(batches=True, exploration=0.02, threshold=1, bridges=True)


def antipode() -> Search:
    """Return an alpha-beta search in one thread."""
    search = deepening.IterativeDeepening(np.zeros(1 << 20, np.int64), 7, 0.0)
    search.set_position(ANTIPODE)
    while search.depth < 7:
        search.add_visits(1_000)
    return search.add_visits


# Name, entry of the module, search, visits.
CASES: list[tuple[str, str, Callable[[], Search], int]] = [
    (f"{name} {kind}", f"placement_{entry}", lambda p=p, s=s: MctsTree(p, s, 7, SIZE).add_visits, n)
    for name, p in (("hex 11", HEX), ("antipod 6", ANTIPOD))
    for kind, entry, s, n in (
        ("leaf playouts", "uct", LEAF, 4_000),
        ("UCT", "uct", UCT, 4_000),
        ("RAVE", "rave", RAVE, 1_000),
        ("RAVE, bridges", "rave_with_bridges", BRIDGES, 1_000),
    )
]
CASES += [
    (
        "antipalos 12",
        "antipalos_add_root_visits",
        lambda: antipalos_tree.AntipalosTree(ANTIPALOS, 7, SIZE, 1.0).add_visits,
        100,
    ),
    (
        "antipode leaf playouts",
        "antipode_uct",
        lambda: MctsTree(ANTIPODE, LEAF, 7, SIZE).add_visits,
        2_000,
    ),
    ("antipode UCT", "antipode_uct", lambda: MctsTree(ANTIPODE, UCT, 7, SIZE).add_visits, 2_000),
    (
        "hex 11 network",
        "placement_network",
        lambda: MctsTree(HEX, network_settings(HEX.game), 7, SIZE).add_visits,
        100,
    ),
    ("antipode alpha-beta", "antipode_deepen", antipode, 8_000),
]


class Call:
    """A kernel's call in a search, with the arrays as they were before it."""

    def __init__(self, function: Callable[..., int], given: list[Any]) -> None:
        """Keep copies of the arrays."""
        self._function, self._given = function, given
        flat = [
            each for group in given for each in (group if isinstance(group, tuple) else [group])
        ]
        self.numbers = [each for each in flat if isinstance(each, int)]  # behind all arrays
        self.given = flat[: len(flat) - len(self.numbers)]
        self.arrays = list({id(array): array for array in self.given}.values())
        self.before = [array.copy() for array in self.arrays]

    def run(self) -> float:
        """Make the call again from the same arrays; return its seconds."""
        for array, before in zip(self.arrays, self.before, strict=True):
            array[...] = before
        began = time.perf_counter()
        self._function(*self._given)
        return time.perf_counter() - began

    def digest(self) -> str:
        """Return a digest of all arrays."""
        together = sha256()
        for array in self.arrays:
            together.update(np.ascontiguousarray(array))
        return together.hexdigest()

    def kit(self, entry: str) -> bytes:
        """Return the call as a file for the script."""
        places = {id(array): place for place, array in enumerate(self.arrays)}
        described = {
            "entry": entry,
            "sizes": [array.nbytes for array in self.arrays],
            "given": [[places[id(array)], *array.shape] for array in self.given],
            "numbers": self.numbers,
            "runs": RUNS,
        }
        text = json.dumps(described).encode()
        return b"".join(
            [len(text).to_bytes(4, "little"), text, *map(np.ndarray.tobytes, self.before)]
        )


@contextmanager
def recorded() -> Iterator[list[Call]]:
    """Record the first calls of kernels that grow a tree, which are made later."""
    calls: list[Call] = []

    def recording(module: ModuleType, name: str, **given: Any) -> Callable[..., int]:
        compiled = edition(module, name, **given)
        if name not in ("simulate", "add_root_visits", "deepen"):
            return compiled
        parameters = inspect.signature(vars(module)[name]).parameters
        names = [each for each in parameters if each not in given]

        def call(*arguments: Any, **named: Any) -> int:
            calls.append(
                Call(compiled, [*arguments, *(named[each] for each in names[len(arguments) :])])
            )
            return compiled(*arguments, **named)

        return call

    modules: list[Any] = [mcts_tree, antipalos_tree, deepening]
    for module in modules:
        module.edition = recording
    yield calls
    for module in modules:
        module.edition = edition


def measure(entry: str, make: Callable[[], Search], visits: int) -> tuple[float, float, bool]:
    """Return the visits per second of both, and whether they wrote the same bytes."""
    search = make()
    with recorded() as calls:
        search(visits)
    call = calls[0]
    ours, theirs, same = [], [], True
    call.run()
    with tempfile.NamedTemporaryFile() as kit:
        kit.write(call.kit(entry))
        kit.flush()
        module = MODULES / f"{entry.partition('_')[0]}.wasm"
        for _ in range(ROUNDS):
            ours += [call.run() for _ in range(RUNS)]
            command = [NODE, SCRIPT, module, kit.name]
            said = subprocess.run(command, check=True, capture_output=True)
            answer = json.loads(said.stdout)
            theirs += answer["times"]
            same = same and answer["digest"] == call.digest()
    return visits / min(ours), visits / min(theirs), same


def main() -> None:
    """Print the rates of all cases."""
    print(f"{'search':24}{'native':>12}{'page':>12}{'ratio':>8}  bytes")
    for name, entry, make, visits in CASES:
        if all(word in name for word in sys.argv[1:]):
            ours, theirs, same = measure(entry, make, visits)
            words = "same" if same else "DIFFERENT"
            print(f"{name:24}{ours:12,.0f}{theirs:12,.0f}{theirs / ours:8.2f}  {words}", flush=True)


if __name__ == "__main__":
    main()
