"""Test the tests by mutation: make random small changes, and count those that a test detects.

    make mutants
    make mutants ARGS="--count 200 --seed 7 src/antipodes/web/lobby"

Numbers that are constants by name are left as they are: tests take them by their names.

All tests run once to find out which of them execute each line of the sampled files. Then each
mutant is written to a copy of the sources, and the tests that execute its line run until one fails.
Cosmic Ray makes the mutants. Kernels have none, since oracles and frozen games test those.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import os
import random
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import SimpleQueue

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names
from coverage import CoverageData

from tools.quick import dependents, nearest_tests

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "mutants"
PARTS = tuple(f"src/antipodes/{part}" for part in ("web", "mail", "match", "records", "engine"))
SKIPPED = {"migrations", "kernels"}
GOAL = 90  # per cent
COUNT = 60
MOST_TESTS = 150  # for one mutant
MOST_FILES = 12  # of tests, for a line that runs when its module is imported
MIGRATIONS = "tests/project/test_migrations.py"  # compares the fields of models with the database
TIMEOUT = 300  # seconds, after which a mutant counts as killed
WORKERS = max(1, os.cpu_count() or 1)
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")

COVERAGE = """
[run]
branch = false
data_file = {folder}/coverage
dynamic_context = test_function
parallel = true
patch = subprocess
include =
    {files}
"""


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
    tree = get_ast(text_of(path))
    constants = lines_of_constants(text_of(path))
    for name in operator_names():
        kind = get_operator(name)
        if not kind.arguments():
            places = (
                place for node in ast_nodes(tree) for place in kind().mutation_positions(node)
            )
            for occurrence, ((line, _), _) in enumerate(places):
                if line not in constants or "Number" not in name:
                    found[line].append(Mutant(path, line, name, occurrence))
    return found


def lines_of_constants(source: str) -> set[int]:
    """Return the lines of a module that define names in capitals, as in ``MOST = 20``."""
    found: set[int] = set()
    for one in ast.parse(source).body:
        if isinstance(one, ast.Assign) and all(
            isinstance(name, ast.Name) and name.id.isupper() for name in one.targets
        ):
            found.update(range(one.lineno, (one.end_lineno or one.lineno) + 1))
    return found


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


def executions(files: Sequence[str]) -> Mapping[str, Mapping[int, Sequence[str]]]:
    """Run all tests; return file -> line -> tests that execute it, as arguments of pytest."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    config = FOLDER / "coveragerc"
    text = COVERAGE.format(folder=FOLDER, files="\n    ".join(files))
    config.write_text(text, encoding="utf-8")
    run = [sys.executable, "-m", "coverage"]
    pytest = ["-m", "pytest", "-q", "-n", str(WORKERS), "-p", "no:cacheprovider"]
    subprocess.run([*run, "run", f"--rcfile={config}", *pytest], cwd=ROOT, check=True)  # noqa: S603
    subprocess.run([*run, "combine", "-q", f"--rcfile={config}"], cwd=ROOT, check=True)  # noqa: S603
    data = CoverageData(str(FOLDER / "coverage"))
    data.read()
    return {
        file: {
            line: sorted({test for context in contexts if (test := argument(context))})
            for line, contexts in data.contexts_by_lineno(str(ROOT / file)).items()
        }
        for file in files
    }


@cache
def argument(context: str) -> str:
    """Return pytest's argument for a function named with its module; nothing if unknown."""
    parts = context.split(".")
    for size in range(len(parts) - 1, 0, -1):
        path = Path(*parts[:size]).with_suffix(".py")
        if (ROOT / path).exists():
            return "::".join([path.as_posix(), *parts[size:]])
    return ""


def tests_of(mutant: Mutant, lines: Mapping[int, Sequence[str]]) -> Sequence[str]:
    """Return the tests that execute a mutant's line, or else the function that it introduces.

    Decorators and default values run when a module is imported.
    """
    if lines.get(mutant.line):
        return lines[mutant.line]
    found: set[str] = set()
    for node in ast.walk(ast.parse(text_of(mutant.path))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            if first <= mutant.line <= node.body[0].lineno:
                for line in range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1):
                    found.update(lines.get(line, ()))
    return sorted(found)


def verdict(mutant: Mutant, tests: Sequence[str], sources: Path) -> bool:
    """Return whether a test fails with a mutant in a copy of the sources."""
    copy = sources / Path(mutant.path).relative_to("src")
    copy.write_text(mutant.code(), encoding="utf-8")
    try:
        done = subprocess.run(  # noqa: S603 - constant program
            [*PYTEST, "-x", "-n", "0", *tests],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(sources), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    finally:
        copy.write_text(text_of(mutant.path), encoding="utf-8")
    return done.returncode not in (0, 5)  # all passed, or there was none


def killed(mutants: Sequence[Mutant]) -> Iterator[tuple[Mutant, bool]]:
    """Yield each mutant and whether a test detects it."""
    lines = executions(sorted({mutant.path for mutant in mutants}))
    graph = dependents()
    copies: SimpleQueue[Path] = SimpleQueue()
    for number in range(WORKERS):
        copy = FOLDER / str(number)
        shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
        copies.put(copy)

    def judge(mutant: Mutant) -> tuple[Mutant, bool]:
        near = nearest_tests([mutant.path], graph)
        ranks = {file: rank for rank, file in enumerate(near)}
        tests = tests_of(mutant, lines[mutant.path])
        tests = sorted(tests, key=lambda one: ranks.get(one.partition("::")[0], len(ranks)))
        copy = copies.get()
        try:
            # Imports, fixtures or other tasks execute a function that no test function executes.
            files = [*near[:MOST_FILES], *([MIGRATIONS] if "models" in mutant.path else [])]
            return mutant, verdict(mutant, tests[:MOST_TESTS] or files, copy)
        finally:
            copies.put(copy)

    with ThreadPoolExecutor(WORKERS) as pool:
        yield from pool.map(judge, mutants)


def main() -> None:
    """Run the tests with mutants, and print the mutants that survive."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=COUNT, help="number of mutants")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("folders", nargs="*", default=PARTS, help="files or folders of the sources")
    given = parser.parse_args()
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
