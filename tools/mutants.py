"""Test the tests by mutation: make random small changes, and count those that a test detects.

    make mutants
    make mutants ARGS="--count 200 --seed 7 src/antipodes/web/lobby"

All tests run once to record which of them execute each line; ``--record`` makes a new record. For
each mutant, the tests that execute its line run until one fails: first those in the files nearest
to it, and those that execute little else.
"""

from __future__ import annotations

import argparse
import os
import sys

import pytest

from tools.mutation.forks import OPTIONS, Forks
from tools.mutation.mutant import Mutant, sample
from tools.mutation.record import FOLDER, record, trials

PARTS = tuple(f"src/antipodes/{part}" for part in ("web", "mail", "match", "records", "engine"))
GOAL = 90  # per cent
COUNT = 60


class Report:
    """Prints the verdict on each mutant as it comes, and the share at last."""

    def __init__(self, expected: int) -> None:
        """Keep the terminal as output, which pytest will lose."""
        self._expected = expected
        self._verdicts: list[bool] = []
        self._output = os.fdopen(os.dup(sys.stdout.fileno()), "w")

    def add(self, mutant: Mutant, is_detected: bool) -> None:
        """Print a verdict."""
        self._verdicts.append(is_detected)
        verdict = f"killed {mutant.path}:{mutant.line}" if is_detected else f"SURVIVED {mutant}"
        print(f"{len(self._verdicts)} of {self._expected} {verdict}", file=self._output, flush=True)

    def end(self) -> None:
        """Print the share of mutants that a test detects."""
        if len(self._verdicts) < self._expected:
            sys.exit(f"pytest has ended early, see {FOLDER / 'log'}")
        killed = sum(self._verdicts)
        share = 100 * killed / max(1, self._expected)
        print(
            f"{killed} of {self._expected} mutants killed: {share:.0f} %, goal {GOAL} %",
            file=self._output,
            flush=True,
        )


def main() -> None:
    """Run the tests with mutants, and print the mutants that survive."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=COUNT, help="number of mutants")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at once")
    parser.add_argument("--record", action="store_true", help="run all tests again at first")
    parser.add_argument("folders", nargs="*", default=PARTS, help="files or folders of the sources")
    given = parser.parse_args()
    if given.record or not (FOLDER / "coverage").exists():
        record(given.jobs)
    mutants = sample(given.folders, given.count, given.seed)
    report = Report(len(mutants))
    chosen = list(trials(mutants))
    files = {test.partition("::")[0] for trial in chosen for test in trial.tests}
    with (FOLDER / "log").open("w") as log:
        os.dup2(log.fileno(), sys.stdout.fileno())
        os.dup2(log.fileno(), sys.stderr.fileno())
        pytest.main([*OPTIONS, *sorted(files)], plugins=[Forks(chosen, given.jobs, report.add)])
    report.end()


if __name__ == "__main__":
    main()
