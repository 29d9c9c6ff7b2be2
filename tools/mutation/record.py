"""The record of which tests execute each line of the sources.

It is made by running all tests, kept in build/mutants, and compared with the files of today: a line
that has not changed keeps its tests, and changed files of tests run as a whole.
"""

from __future__ import annotations

import ast
import difflib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coverage.numbits import numbits_to_nums

from tools.contexts import VARIABLE
from tools.mutation.mutant import ROOT, Mutant, text_of
from tools.quick import dependents, nearest_tests

FOLDER = ROOT / "build" / "mutants"
RECORDED = FOLDER / "recorded"  # the sources and tests at that time
# Tests of what modules of the site declare when they are imported: fields of models, forms, tasks,
# operations of the API, and decorators that refuse requests before a function runs.
DECLARATIONS = (
    "tests/project/test_migrations.py",
    "tests/web/test_declarations.py",
    "tests/web/platform/test_scheduler.py",
)
SLOW_DECLARATIONS = ("tests/web/api/test_reference.py", "tests/web/test_permissions.py")
MOST_TESTS = 300  # for one mutant
MOST_FILES = 20  # of tests, for a line that runs when its module is imported
IMPORT = "import"  # stands for a test where modules are imported
AT_ONCE = 10  # tests of one file before those of the next

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


def record(jobs: int) -> None:
    """Run all tests, and record which of them execute each line."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, RECORDED / name, ignore=shutil.ignore_patterns("__pycache__"))
    config = FOLDER / "coveragerc"
    config.write_text(COVERAGE, encoding="utf-8")
    coverage = [sys.executable, "-m", "coverage"]
    run = [*coverage, "run", f"--rcfile={config}"]
    pytest = ["-m", "pytest", "-q", "-o", f"cache_dir={FOLDER}/cache"]
    parallel = ["-n", str(jobs), "--dist", "worksteal", "-p", "tools.contexts"]
    in_root: Mapping[str, Any] = {"cwd": ROOT, "env": {**os.environ, "PYTHONPATH": str(ROOT)}}
    subprocess.run([*run, f"--context={IMPORT}", *pytest, "--collect-only"], check=True, **in_root)  # noqa: S603
    done = subprocess.run([*run, *pytest, *parallel], check=False, **in_root)  # noqa: S603
    if done.returncode not in (0, 1):
        sys.exit("The tests did not run")
    subprocess.run([*coverage, "combine", "-q", f"--rcfile={config}"], check=True, **in_root)  # noqa: S603


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
        """Return line -> tests that execute it, as arguments of pytest, perhaps with IMPORT."""
        query = (
            "SELECT context, numbits FROM line_bits JOIN context ON context.id = context_id"
            " JOIN file ON file.id = file_id WHERE file.path = ?"
        )
        found: dict[int, set[str]] = defaultdict(set)
        for test, bits in self._data.execute(query, [path]):
            name = test.partition("::")[0]
            if test == IMPORT or (test not in self._failed and (ROOT / name).is_file()):
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


def function_of(mutant: Mutant) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """Return the innermost function that a mutant changes, perhaps in its decorators."""
    functions = [
        node
        for node in ast.walk(ast.parse(text_of(mutant.path)))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and first_line(node) <= mutant.line <= (node.end_lineno or node.lineno)
    ]
    return max(functions, key=first_line, default=None)


def tests_of(
    line: int,
    function: ast.FunctionDef | ast.AsyncFunctionDef | None,
    lines: Mapping[int, set[str]],
) -> set[str]:
    """Return the tests that execute a line of a function, or any of its body.

    What classes and modules declare is used by the functions of the file, so any of them counts.
    """
    if function is None:
        return set().union(*lines.values()) - {IMPORT}
    body = range(function.body[0].lineno, (function.end_lineno or function.lineno) + 1)
    known = line in body and lines.get(line)
    found = known or set().union(*(lines.get(one, ()) for one in body))
    return {test for test in found if test != IMPORT}


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


@dataclass(frozen=True)
class Trial:
    """A mutant and what may detect it.

    Attributes:
        mutant: what to test.
        tests: arguments of pytest, in the order in which they run.
        is_imported: whether the line of the mutant runs when modules are imported.
    """

    mutant: Mutant
    tests: Sequence[str]
    is_imported: bool


def trials(mutants: Sequence[Mutant]) -> Iterator[Trial]:
    """Yield mutants with their tests."""
    record = Record()
    graph = dependents()
    lines = {path: record.lines(path) for path in {mutant.path for mutant in mutants}}
    for mutant in mutants:
        near = nearest_tests([mutant.path], graph)
        its_lines, function = lines[mutant.path], function_of(mutant)
        # Decorators, default values and what classes declare run at import.
        is_imported = (
            function is None
            or mutant.line < function.body[0].lineno
            or IMPORT in its_lines.get(mutant.line, ())
        )
        tests = tests_of(mutant.line, function, its_lines)
        # Imports, fixtures or other tasks execute a function that no test function executes.
        nearest = near[:MOST_FILES] if is_imported or not tests else []
        tests = tests | (record.changed & set(near))
        chosen = [*in_order(tests, near, record)[:MOST_TESTS], *nearest]
        if is_imported and mutant.path.startswith("src/antipodes/web"):
            chosen = [*DECLARATIONS, *chosen, *SLOW_DECLARATIONS]
        yield Trial(mutant, list(dict.fromkeys(chosen)), is_imported)
