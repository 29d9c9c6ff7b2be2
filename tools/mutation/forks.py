"""Run tests with mutants, in forks of a process that has imported the sources and all tests.

A fork gives functions the code of a mutant, and runs some of the tests; processes that these start
import the mutant from a copy of the sources. What runs when a module is imported, such as
decorators and default values, is tested in new processes, which take seconds to begin.
"""

from __future__ import annotations

import gc
import importlib
import inspect
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from ctypes import c_int
from multiprocessing.sharedctypes import RawValue
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FunctionType
from typing import Any

import pytest

from antipodes.games.kernels import FAMILIES
from antipodes.web.platform.kernel_warmup import Use, load
from tools.mutation.mutant import ROOT, Mutant, text_of
from tools.mutation.record import FOLDER, Trial

OPTIONS = ("-q", "-p", "tools.mutation.limits", "-p", "no:cacheprovider", "-x", "-n", "0")
SLOW_PLUGIN = ("-p", "no:schemathesis")  # takes a second to import
ITS_TESTS = "tests/web/api/test_schema.py"

Replacements = Sequence[tuple[FunctionType, CodeType]]


class Forks:
    """A pytest plugin that tests mutants in forks, once pytest has collected the tests.

    Attributes:
        begun: number of tests that the current fork has begun.
    """

    def __init__(
        self, trials: Sequence[Trial], jobs: int, report: Callable[[Mutant, bool], None]
    ) -> None:
        """Set what to test.

        Args:
            trials: the mutants and their tests.
            jobs: number of mutants that are tested at once.
            report: is called with each mutant and whether a test detects it.
        """
        self._trials = trials
        self._jobs = jobs
        self._report = report
        self.begun = RawValue(c_int)

    def pytest_runtest_logstart(self) -> None:
        """Count a test."""
        self.begun.value += 1

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Test all mutants, in one process for each copy of the sources; run no other tests."""
        for trial in self._trials:
            importlib.import_module(module_of(trial.mutant.path))
        for use in Use:
            for family in FAMILIES:
                load(use, family)
        functions = loaded_functions()
        reader, writer = os.pipe()
        with TemporaryDirectory(dir=FOLDER, prefix="copies-") as copies:
            for number in range(self._jobs):
                if not os.fork():
                    self.begun = RawValue(c_int)
                    worker = Worker(session, functions, Path(copies) / str(number), self.begun)
                    for place in range(number, len(self._trials), self._jobs):
                        verdict = worker.detects(self._trials[place])
                        os.write(writer, json.dumps([place, verdict]).encode() + b"\n")
                    os._exit(0)
            os.close(writer)
            with os.fdopen(reader) as lines:
                for line in lines:
                    place, verdict = json.loads(line)
                    self._report(self._trials[place].mutant, verdict)
        return True


class Worker:
    """Tests one mutant after the other in forks of its own."""

    def __init__(
        self,
        session: pytest.Session,
        functions: dict[str, list[FunctionType]],
        folder: Path,
        begun: c_int,
    ) -> None:
        """Copy the sources to a folder."""
        main: Any = session.config.pluginmanager.get_plugin("main")
        self._loop: Callable[[pytest.Session], object] = main.pytest_runtestloop
        self._session = session
        self._functions = functions
        self._folder = folder
        self._environment = {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
        self._begun = begun
        self._items: dict[str, list[pytest.Item]] = defaultdict(list)
        for item in session.items:
            self._items[item.nodeid].append(item)
            self._items[item.nodeid.partition("::")[0]].append(item)
        shutil.copytree(ROOT / "src", folder)

    def detects(self, trial: Trial) -> bool:
        """Return whether a test fails with a mutant, and not without it."""
        if replacements := self._replacements(trial.mutant):
            items = [item for test in trial.tests for item in self._items[test]]
            with self._changed(trial.mutant):
                count = self._tests_of_fork(items, replacements)
            # Some tests pass only in their usual order.
            if count and not self._tests_of_fork(items[:count], ()):
                return True
            if not trial.is_imported:
                return False
        with self._changed(trial.mutant):
            needed = self._tests_of_new_process(trial.tests)
        return bool(needed) and not self._tests_of_new_process(needed)

    @contextmanager
    def _changed(self, mutant: Mutant) -> Iterator[None]:
        """Have a mutant in the copy of the sources for a while."""
        copy = self._folder / Path(mutant.path).relative_to("src")
        copy.write_text(mutant.code(), encoding="utf-8")
        try:
            yield
        finally:
            shutil.copy2(ROOT / mutant.path, copy)

    def _replacements(self, mutant: Mutant) -> Replacements:
        """Return functions and their code with a mutant; none if more than functions change."""
        file = str(ROOT / mutant.path)
        pairs = [
            (old, new)
            for old, new in code_pairs(
                compile(text_of(mutant.path), file, "exec", dont_inherit=True),
                compile(mutant.code(), file, "exec", dont_inherit=True),
            )
            if old != new
        ]
        if any(
            own(old) != own(new)
            and not (old.co_flags & inspect.CO_NEWLOCALS and old.co_freevars == new.co_freevars)
            for old, new in pairs
        ):
            return ()
        changed = {place_of(old): new for old, new in pairs}
        return [
            (function, changed[place])
            for function in self._functions[file]
            if (place := place_of(function.__code__)) in changed
        ]

    def _tests_of_fork(self, tests: Sequence[pytest.Item], replacements: Replacements) -> int:
        """Run tests in a fork until one fails; return their number, or 0 if all have passed."""
        self._begun.value = 0
        pid = os.fork()
        if not pid:
            os.setsid()
            for function, code in replacements:
                function.__code__ = code
            os.environ.update(self._environment)
            os._exit(self._run(tests))
        _, status = os.waitpid(pid, 0)
        end_group(pid)
        if status and not self._begun.value:
            raise ChildProcessError("A fork did not begin its tests")
        return int(self._begun.value) if status else 0

    def _run(self, tests: Sequence[pytest.Item]) -> int:
        """Run tests until one fails, then end the fixtures; return the exit status."""
        session = self._session
        session.items[:] = tests
        try:
            self._loop(session)
        except session.Failed:
            return 1
        else:
            return 0
        finally:
            session.config.hook.pytest_sessionfinish(session=session, exitstatus=0)

    def _tests_of_new_process(self, tests: Sequence[str]) -> Sequence[str]:
        """Run tests until one fails; return those up to that one, or nothing if all have passed."""
        plugins = () if any(one.startswith(ITS_TESTS) for one in tests) else SLOW_PLUGIN
        output = self._folder.with_suffix(".log")
        with output.open("w") as file:
            process = subprocess.Popen(  # noqa: S603 - constant program
                [sys.executable, "-m", "pytest", *OPTIONS, *plugins, *tests],
                cwd=ROOT,
                env={**os.environ, **self._environment},
                stdout=file,
                start_new_session=True,
            )
        status = process.wait()
        end_group(process.pid)
        if status in (0, 5):  # all passed, or there was none
            return ()
        lines = output.read_text("utf-8", errors="replace").splitlines()
        failed = [line for line in lines if line.startswith(("FAILED ", "ERROR "))]
        places = [place for place, test in enumerate(tests) if is_named(test, failed)]
        return tests[: places[0] + 1] if places else tests


def end_group(pid: int) -> None:
    """End the processes that tests have started and not ended."""
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def is_named(test: str, failed: Iterable[str]) -> bool:
    """Return whether lines such as ``FAILED tests/test_a.py::test_b - error`` name a test."""
    return any(re.match(rf"(FAILED|ERROR) {re.escape(test)}( - |::|$)", line) for line in failed)


def module_of(path: str) -> str:
    """Return the name of the module in a file."""
    return ".".join(Path(path).relative_to("src").with_suffix("").parts).removesuffix(".__init__")


def loaded_functions() -> dict[str, list[FunctionType]]:
    """Return file -> functions of this process that it defines."""
    gc.unfreeze()
    found: dict[str, list[FunctionType]] = defaultdict(list)
    for one in gc.get_objects():
        if isinstance(one, FunctionType):
            found[one.__code__.co_filename].append(one)
    gc.freeze()
    return found


def code_pairs(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Yield the code objects of two versions of a source, and of the functions in it, in pairs."""
    yield old, new
    inner = [[one for one in code.co_consts if isinstance(one, CodeType)] for code in (old, new)]
    if len(inner[0]) == len(inner[1]):
        for pair in zip(*inner, strict=True):
            yield from code_pairs(*pair)


def own(code: CodeType) -> CodeType:
    """Return a code object without its place and the functions in it."""
    constants = tuple(None if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_consts=constants, co_firstlineno=1, co_linetable=b"")


def place_of(code: CodeType) -> tuple[str, int, bytes]:
    """Return what distinguishes a function in its file."""
    return code.co_name, code.co_firstlineno, code.co_linetable
