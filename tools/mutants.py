"""Test the tests by mutation: make random small changes, and count those that a test detects.

    make mutants
    make mutants ARGS="--count 200 --seed 7 src/antipodes/web/lobby"

All tests run once to record which of them execute each line; the record is kept in build/mutants,
and used again until ``--record`` makes a new one. The tool compares files with those of that time:
a line that has not changed keeps its tests, and changed files of tests run as a whole.

Each mutant is written to a copy of the sources, and the tests that execute its line run until one
fails: first those in the files nearest to it, and those that execute little else.

Cosmic Ray makes the mutants. Kernels have none, since oracles and frozen games test those. Some
kinds of changes are left out, because no test should notice them:

- Values of constants: tests take them by their names.
- Comparisons, other than by their opposite (``==`` by ``!=``) and at their limit (``<`` by ``<=``),
  as other tools have it: ``==`` and ``>=`` are the same if nothing can be greater.
- Annotations of types, and ``frozen``, ``slots`` and ``kw_only`` of dataclasses, which are for mypy
  and developers.
- Caches, and arguments of log messages.
- How many characters of a wrong value a message shows: ``{text[:20]!r}``.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import difflib
import json
import os
import py_compile
import random
import re
import shutil
import sqlite3
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import SimpleQueue

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names
from coverage.numbits import numbits_to_nums

from tools.contexts import VARIABLE
from tools.quick import dependents, nearest_tests

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "mutants"
PARTS = tuple(f"src/antipodes/{part}" for part in ("web", "mail", "match", "records", "engine"))
RECORDED = FOLDER / "recorded"  # the sources and tests at that time
IGNORED = shutil.ignore_patterns("__pycache__")
SKIPPED = {"migrations", "kernels"}
GOAL = 90  # per cent
COUNT = 60
MOST_TESTS = 300  # for one mutant
# Requests that a decorator refuses never come to its function, so no line tells who makes them.
REFUSALS = "tests/web/test_permissions.py"
MOST_FILES = 20  # of tests, for a line that runs when its module is imported
AT_ONCE = 10  # tests of one file before those of the next
MIGRATIONS = "tests/project/test_migrations.py"  # compares the fields of models with the database
TIMEOUT = 600  # seconds, after which a mutant counts as killed
WORKERS = max(1, os.cpu_count() or 1)
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-x", "-n", "0")
SLOW_PLUGIN = ("-p", "no:schemathesis")  # takes a second to import
ITS_TESTS = "tests/web/api/test_schema.py"

COVERAGE = f"""
[run]
branch = false
data_file = {FOLDER}/coverage
parallel = true
context = ${{{VARIABLE}-}}
patch = subprocess, _exit
sigterm = true
relative_files = true
source = {ROOT}/src/antipodes
omit = */kernels/*, */migrations/*
"""

# Comparisons by their opposite, and at their limit.
COMPARISONS = {
    *("Eq_NotEq", "NotEq_Eq", "Is_IsNot", "IsNot_Is"),
    *("Lt_LtE", "Lt_GtE", "LtE_Lt", "LtE_Gt", "Gt_GtE", "Gt_LtE", "GtE_Gt", "GtE_Lt"),
}
KINDS = [
    name
    for name in operator_names()
    if "Comparison" not in name or name.partition("Operator_")[2] in COMPARISONS
]
CACHES = {"cache", "lru_cache"}
FOR_DEVELOPERS = {"frozen", "slots", "kw_only"}

Place = tuple[int, int]  # line and column


@dataclass(frozen=True)
class Mutant:
    """One small change of one file.

    Attributes:
        path: of the file, from the root of the repository.
        line: where the change begins.
        operator: Cosmic Ray's name of the kind of change.
        occurrence: number of the place among those of this kind in the file.
    """

    path: str
    line: int
    operator: str
    occurrence: int

    def code(self) -> str:
        """Return the text of the changed file."""
        changed: str = mutate_code(
            text_of(self.path), get_operator(self.operator)(), self.occurrence
        )
        return changed

    def changes_code(self) -> bool:
        """Return whether more than annotations and docstrings change, and the code is valid."""
        try:
            return bare(self.code()) != bare(text_of(self.path))
        except SyntaxError:
            return False

    def __str__(self) -> str:
        """Return the place and the changed lines."""
        pair = text_of(self.path).splitlines(), self.code().splitlines()
        lines = list(difflib.unified_diff(*pair, n=0, lineterm=""))[3:]
        return "\n    ".join([f"{self.path}:{self.line}", *lines])


@cache
def text_of(path: str) -> str:
    """Return the text of a file."""
    return (ROOT / path).read_text(encoding="utf-8")


def bare(source: str) -> str:
    """Return a program's syntax tree, without its annotations and docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return ast.dump(tree)


@cache
def mutants_of(path: str) -> Mapping[int, Sequence[Mutant]]:
    """Return line -> mutants that begin there."""
    found: dict[int, list[Mutant]] = defaultdict(list)
    text = text_of(path)
    lines, syntax, tree = text.splitlines(), ast.parse(text), get_ast(text)
    constants = lines_of_constants(syntax)
    unseen = list(unobservable(syntax))
    strings = [span(node) for node in ast.walk(syntax) if isinstance(node, ast.JoinedStr)]
    for name in KINDS:
        kind = get_operator(name)
        if not kind.arguments():
            places = (
                place for node in ast_nodes(tree) for place in kind().mutation_positions(node)
            )
            for occurrence, (place, _) in enumerate(places):
                line, column = place
                is_cut = lines[line - 1][:column].endswith("[:") and is_in(place, strings)
                is_value = line in constants and ("Number" in name or "Binary" in name)
                is_left_out = is_cut or is_value or is_in(place, unseen)
                if not is_left_out:
                    found[line].append(Mutant(path, line, name, occurrence))
    return found


def lines_of_constants(tree: ast.Module) -> set[int]:
    """Return the lines of a module that define names in capitals, as in ``MOST = 20``."""
    found: set[int] = set()
    for one in tree.body:
        if isinstance(one, ast.Assign) and all(
            isinstance(name, ast.Name) and name.id.isupper() for name in one.targets
        ):
            found.update(range(one.lineno, (one.end_lineno or one.lineno) + 1))
    return found


def unobservable(tree: ast.Module) -> Iterator[tuple[Place, Place]]:
    """Yield the places of caches, of log messages, and of options of dataclasses."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for one in node.decorator_list:
                if ast.unparse(one).partition("(")[0].rpartition(".")[2] in CACHES:
                    (line, column), end = span(one)
                    yield (line, column - 1), end  # with the "@"
        elif (isinstance(node, ast.keyword) and node.arg in FOR_DEVELOPERS) or (
            isinstance(node, ast.Call) and ast.unparse(node.func).startswith("logger.")
        ):
            yield span(node)


def span(node: ast.expr | ast.keyword) -> tuple[Place, Place]:
    """Return where a node of a syntax tree begins and ends."""
    last = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return (node.lineno, node.col_offset), last


def is_in(place: Place, spans: Iterable[tuple[Place, Place]]) -> bool:
    """Return whether a place is in one of some spans."""
    return any(first <= place < last for first, last in spans)


def sample(folders: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """Draw mutants: a file by its length, one of its lines, and a change of that line."""
    files = [path for one in folders for path in sorted((ROOT / one).rglob("*.py")) or [ROOT / one]]
    names = [one.relative_to(ROOT).as_posix() for one in files if not SKIPPED & set(one.parts)]
    lengths = [text_of(name).count("\n") for name in names]
    chance = random.Random(seed)
    found: dict[Mutant, None] = {}
    for _ in range(20 * count):
        if len(found) == count:
            break
        by_line = mutants_of(*chance.choices(names, lengths))
        if by_line:
            mutant = chance.choice(by_line[chance.choice(sorted(by_line))])
            if mutant.changes_code():
                found[mutant] = None
    return list(found)


def record() -> None:
    """Run all tests, and record which of them execute each line."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, RECORDED / name, ignore=IGNORED)
    config = FOLDER / "coveragerc"
    config.write_text(COVERAGE, encoding="utf-8")
    run = [sys.executable, "-m", "coverage"]
    pytest = ["-m", "pytest", "-q", "-n", str(WORKERS), "--dist", "worksteal"]
    plugin = ["-p", "tools.contexts", "-o", f"cache_dir={FOLDER}/cache"]
    done = subprocess.run(  # noqa: S603
        [*run, "run", f"--rcfile={config}", *pytest, *plugin],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    if done.returncode not in (0, 1):
        sys.exit("The tests did not run")
    subprocess.run([*run, "combine", "-q", f"--rcfile={config}"], cwd=ROOT, check=True)  # noqa: S603


class Record:
    """Which tests execute each line, from the last record and what has changed since."""

    def __init__(self) -> None:
        """Open the record, and compare the files of tests."""
        self._data = sqlite3.connect(FOLDER / "coverage")
        last = FOLDER / "cache/v/cache/lastfailed"
        self._failed = set(json.loads(last.read_text("utf-8"))) if last.exists() else set()
        query = (
            "SELECT context, sum(length(numbits)) FROM line_bits"
            " JOIN context ON context.id = context_id GROUP BY context"
        )
        self._lengths: dict[str, int] = dict(self._data.execute(query))
        self.changed = {
            path.relative_to(ROOT).as_posix()
            for path in (ROOT / "tests").rglob("test_*.py")
            if path.read_bytes() != earlier(path.relative_to(ROOT).as_posix()).encode()
        }

    def lines(self, path: str) -> Mapping[int, set[str]]:
        """Return line -> tests that execute it, as arguments of pytest."""
        query = (
            "SELECT context, numbits FROM line_bits JOIN context ON context.id = context_id"
            " JOIN file ON file.id = file_id WHERE file.path = ?"
        )
        found: dict[int, set[str]] = defaultdict(set)
        for test, bits in self._data.execute(query, [path]):
            name = test.partition("::")[0]
            if test and test not in self._failed and (ROOT / name).exists():
                for line in numbits_to_nums(bits):
                    found[line].add(name if name in self.changed else test)
        blocks = difflib.SequenceMatcher(
            None, earlier(path).splitlines(), text_of(path).splitlines(), autojunk=False
        ).get_matching_blocks()
        return {
            new + at + 1: found[old + at + 1]
            for old, new, size in blocks
            for at in range(size)
            if old + at + 1 in found
        }

    def length(self, test: str) -> int:
        """Return a number that is the greater the more lines a test executes."""
        return self._lengths.get(test, 0)


def earlier(path: str) -> str:
    """Return the text of a file when the record was made; nothing if it did not exist."""
    file = RECORDED / path
    return file.read_text(encoding="utf-8") if file.exists() else ""


def tests_of(mutant: Mutant, lines: Mapping[int, set[str]]) -> set[str]:
    """Return the tests that execute a mutant's line, or the function that it introduces.

    Decorators and default values run when a module is imported, perhaps during any test. So nothing
    is returned for lines outside of functions.
    """
    functions = [
        node
        for node in ast.walk(ast.parse(text_of(mutant.path)))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and first_line(node) <= mutant.line <= (node.end_lineno or node.lineno)
    ]
    if not functions:
        return set()
    inner = max(functions, key=first_line)
    body = range(inner.body[0].lineno, (inner.end_lineno or inner.lineno) + 1)
    known = mutant.line in body and lines.get(mutant.line)
    found = known or {test for line in body for test in lines.get(line, ())}
    return found | {REFUSALS} if mutant.line < inner.lineno else set(found)


def first_line(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the line of the first decorator of a function, or of its name."""
    return min([node.lineno, *(one.lineno for one in node.decorator_list)])


def in_order(tests: Iterable[str], near: Sequence[str], record: Record) -> list[str]:
    """Return tests in the order in which they run: some of each file, the nearest file first."""
    files: dict[str, list[str]] = defaultdict(list)
    for test in sorted(tests, key=lambda test: (record.length(test), test)):
        files[test.partition("::")[0]].append(test)
    ranks = {file: rank for rank, file in enumerate(near)}
    places = {
        test: (place // AT_ONCE, ranks.get(file, len(ranks)))
        for file, its_tests in files.items()
        for place, test in enumerate(its_tests)
    }
    return sorted(places, key=lambda test: places[test])


def is_detected(mutant: Mutant, tests: Sequence[str], sources: Path) -> bool:
    """Return whether a test fails with a mutant in a copy of the sources, and not without it."""
    copy = sources / Path(mutant.path).relative_to("src")
    copy.write_text(mutant.code(), encoding="utf-8")
    try:
        needed = tests_until_failure(tests, sources)
    finally:
        copy.write_text(text_of(mutant.path), encoding="utf-8")
    # Some tests pass only in their usual order.
    return bool(needed) and not tests_until_failure(needed, sources)


def tests_until_failure(tests: Sequence[str], sources: Path) -> Sequence[str]:
    """Run tests with a copy of the sources until one fails, or does not end.

    Returns:
        the tests up to that one, or nothing if all have passed.
    """
    plugins = () if any(one.startswith(ITS_TESTS) for one in tests) else SLOW_PLUGIN
    try:
        done = subprocess.run(  # noqa: S603 - constant program
            [*PYTEST, *plugins, *tests],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(sources), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return tests
    if done.returncode in (0, 5):  # all passed, or there was none
        return ()
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED ")]
    places = [place for place, test in enumerate(tests) if is_named(test, failed)]
    return tests[: places[0] + 1] if places else tests


def is_named(test: str, failed: Iterable[str]) -> bool:
    """Return whether lines such as ``FAILED tests/test_a.py::test_b - error`` name a test."""
    return any(re.match(rf"FAILED {re.escape(test)}( - |::|$)", line) for line in failed)


def killed(mutants: Sequence[Mutant]) -> Iterator[tuple[Mutant, bool]]:
    """Yield each mutant and whether a test detects it."""
    record = Record()
    lines = {path: record.lines(path) for path in {mutant.path for mutant in mutants}}
    graph = dependents()
    copies: SimpleQueue[Path] = SimpleQueue()
    for number in range(WORKERS):
        copy = FOLDER / "copies" / str(number)
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(ROOT / "src", copy, ignore=IGNORED)
        # Compiled code that Python compares with its source by a hash: mutants follow in a second.
        hashed = py_compile.PycInvalidationMode.CHECKED_HASH
        compileall.compile_dir(str(copy), quiet=2, invalidation_mode=hashed)
        copies.put(copy)

    def judge(mutant: Mutant) -> tuple[Mutant, bool]:
        near = nearest_tests([mutant.path], graph)
        if "models" in mutant.path:
            near = [MIGRATIONS, *near]
        # Imports, fixtures or other tasks execute a function that no test function executes.
        tests = tests_of(mutant, lines[mutant.path]) or set(near[:MOST_FILES])
        tests = tests | (record.changed & set(near))
        copy = copies.get()
        try:
            return mutant, is_detected(mutant, in_order(tests, near, record)[:MOST_TESTS], copy)
        finally:
            copies.put(copy)

    with ThreadPoolExecutor(WORKERS) as pool:
        yield from pool.map(judge, mutants)


def main() -> None:
    """Run the tests with mutants, and print the mutants that survive."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=COUNT, help="number of mutants")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--record", action="store_true", help="run all tests again at first")
    parser.add_argument("folders", nargs="*", default=PARTS, help="files or folders of the sources")
    given = parser.parse_args()
    if given.record or not (FOLDER / "coverage").exists():
        record()
    mutants = sample(given.folders, given.count, given.seed)
    survived = 0
    for number, (mutant, is_killed) in enumerate(killed(mutants), start=1):
        survived += not is_killed
        print(f"{number} of {len(mutants)} {'killed' if is_killed else 'SURVIVED'}", end=" ")
        print(mutant if not is_killed else f"{mutant.path}:{mutant.line}", flush=True)
    share = 100 * (len(mutants) - survived) / max(1, len(mutants))
    print(
        f"{len(mutants) - survived} of {len(mutants)} mutants killed: {share:.0f} %, goal {GOAL} %"
    )


if __name__ == "__main__":
    main()
