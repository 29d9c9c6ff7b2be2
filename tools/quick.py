"""Check a change within half a minute: style, types, and the tests nearest to it.

    make quick                    the changes since the last commit, or the last commit itself
    make quick ARGS="--since main -- -k hex"

A test is near if it imports a changed file, directly or through other modules, or is in the folder
that mirrors its folder. The nearest tests run first, and none starts after the time is up. This
finds most faults early; ``make test`` finds the others.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 17  # of CPU time to collect and start tests; they wait for half as long again
MOST_FILES = 25  # more take too long to import
SLOW = re.compile(r"^pytestmark = .*\bslow\b", re.MULTILINE)  # no test of such a file runs

ELSEWHERE = {"browser", "crash", "mailservers", "scale", "deploy", "attack"}  # not in make test
CONFTESTS = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("conftest.py")}

Dependents = Mapping[str, Iterable[str]]


def output(*command: str) -> str:
    """Return the output of a program of the environment, or of git."""
    program, *arguments = command
    path = program if program == "git" else str(Path(sys.executable).with_name(program))
    done = subprocess.run(  # noqa: S603 - constant programs
        [path, *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


def changed_since(revision: str | None) -> list[str]:
    """Return the files that differ from a revision, or from the last commits by default."""
    new = output("git", "ls-files", "--others", "--exclude-standard").split()
    found = output("git", "diff", "--name-only", "--diff-filter=d", revision or "HEAD").split()
    if revision is None and not found and not new:
        found = output("git", "diff", "--name-only", "--diff-filter=d", "HEAD~1").split()
    return sorted({*found, *new})


def dependents() -> Dependents:
    """Return the files that import each Python file."""
    graph = ("ruff", "analyze", "graph", "--quiet", "--direction", "dependents")
    found: Dependents = json.loads(output(*graph, "src", "tests"))
    return found


def is_test(path: str) -> bool:
    """Return whether ``make test`` runs a file."""
    parts = Path(path).parts
    return parts[0] == "tests" and parts[-1].startswith("test_") and parts[1] not in ELSEWHERE


def mirror(path: str) -> Path:
    """Return the folder of tests that mirrors a file's folder; templates belong to their app."""
    parts = [part for part in Path(path).parts[:-1] if part not in ("templates", "static")]
    if parts[:2] == ["src", "antipodes"]:
        parts = ["tests", *parts[2:]]
    elif parts[:1] != ["tests"]:
        parts = ["tests", *parts]
    folder = ROOT.joinpath(*parts)
    while not folder.is_dir():
        folder = folder.parent
    return folder


def nearest_tests(changed: Iterable[str], graph: Dependents) -> list[str]:
    """Return test files, those nearest to the changed files first."""
    far: dict[str, float] = defaultdict(lambda: float("inf"))
    for path in changed:
        folder = mirror(path)
        if folder != ROOT / "tests":
            # Tests often import a shared file of their folder as ``.name``.
            for test in folder.rglob("test_*.py"):
                name = test.relative_to(ROOT).as_posix()
                names_it = Path(path).stem.rstrip("s") in test.stem
                far[name] = min(far[name], 0.5 if names_it else 1.5)
        far[path] = 0
    level, distance = [path for path in far if far[path] == 0], 0
    while level:
        distance += 1
        following = {near for path in level for near in graph.get(path, ())}
        level = [path for path in following if far[path] > distance and path not in CONFTESTS]
        far.update(dict.fromkeys(level, distance))
    return sorted((path for path in far if is_test(path)), key=lambda path: (far[path], path))


class TimeLimit:
    """A pytest plugin that starts no test after the time is up, and reports how many it skipped.

    The time is CPU time since the process started, so that a busy machine runs the same tests.
    """

    def __init__(self, seconds: float) -> None:
        """Set the CPU seconds after which no test starts."""
        self.seconds = seconds
        self.left = 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        """Skip a test if the time is up."""
        if time.process_time() < self.seconds:
            return None
        self.left += 1
        return True

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Report the number of skipped tests."""
        if self.left:
            terminalreporter.write_line(
                f"{self.left} tests less related to the change did not run; make test runs all"
            )


def main() -> int:
    """Check the changes; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--since", metavar="REVISION", help="revision to compare with")
    parser.add_argument("pytest", nargs="*", help="arguments of pytest, after --")
    given = parser.parse_args()
    changed = changed_since(given.since)
    more = " ..." if len(changed) > 8 else ""
    print(f"==> {len(changed)} changed files: {', '.join(changed[:8])}{more}", flush=True)
    types = subprocess.Popen(
        [sys.executable, "-m", "mypy"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    ruff = str(Path(sys.executable).with_name("ruff"))
    failed = False
    for words in (["check", "--quiet"], ["format", "--check", "--quiet"]):
        failed |= bool(subprocess.call([ruff, *words, "."], cwd=ROOT))  # noqa: S603
    near = nearest_tests(changed, dependents())
    tests = [path for path in near if not SLOW.search((ROOT / path).read_text("utf-8"))]
    if tests:
        # Schemathesis takes two seconds to import, and its tests are slow.
        options = ["-q", "-p", "no:schemathesis", "-m", "not slow and not extreme"]
        status = pytest.main(
            [*options, *given.pytest, *tests[:MOST_FILES]], plugins=[TimeLimit(SECONDS)]
        )
        failed |= status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
    type_errors, _ = types.communicate()
    print(type_errors, end="")
    return int(failed or types.returncode != 0)


if __name__ == "__main__":
    sys.exit(main())
