"""The worker process of a server: when it is restarted, what it forwards, and how it stops."""

import signal
import subprocess
import sys
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from antipodes.web.platform import checks, data_files, pubsub
from antipodes.web.server import serve, worker_supervisor
from antipodes.web.server import worker as worker_module
from antipodes.web.server.worker_supervisor import WorkerProcess


class Child:
    """The process behind a worker."""

    pid = 7

    def __init__(self, lines=()):
        self.stdout = iter(lines)
        self.written: list[str] = []
        self.signals: list[str] = []
        self.code: int | None = None
        self.is_deaf = False
        self.stdin = SimpleNamespace(write=self._write, flush=lambda: None)

    def _write(self, text):
        if self.code is not None:
            raise BrokenPipeError
        self.written.append(text)

    def poll(self):
        return self.code

    def terminate(self):
        self.signals.append("terminate")

    def kill(self):
        self.signals.append("kill")
        self.code = -9

    def wait(self, timeout=None):
        if self.is_deaf and timeout is not None:
            raise subprocess.TimeoutExpired("web", timeout)
        return self.code


@pytest.fixture
def worker(monkeypatch):
    """A worker process, the times that each of its runs takes, and the pauses between them."""
    found = WorkerProcess()
    runs: list[float] = []
    pauses: list[float] = []
    clock = SimpleNamespace(at=0.0)

    def run_once():
        clock.at += runs.pop(0)
        if not runs:
            found._is_stopping.set()

    monkeypatch.setattr(worker_supervisor, "time", SimpleNamespace(monotonic=lambda: clock.at))
    monkeypatch.setattr(pubsub, "set_worker", lambda _send: None)
    monkeypatch.setattr(found, "_run_once", run_once)
    monkeypatch.setattr(found._is_stopping, "wait", pauses.append)
    return SimpleNamespace(process=found, runs=runs, pauses=pauses)


def test_a_worker_that_ends_early_is_restarted_after_growing_pauses(worker):
    stable = worker_supervisor._STABLE_AFTER
    worker.runs += [1, 1, 1, stable, stable + 1, 1, 1]
    worker.process.run()
    pause = worker_supervisor._pause_after
    assert worker.pauses == [pause(number) for number in (1, 2, 3, 4, 0, 1)]
    assert [pause(number) for number in (0, 1, 2, 3, 4, 50)] == [0.2, 0.2, 1.0, 5.0, 30.0, 30.0]


def test_a_worker_that_was_never_started_can_be_stopped():
    process = WorkerProcess()
    assert process.pid is None
    process.stop()
    process.run()
    assert process.pid is None


@pytest.mark.parametrize("is_deaf", [True, False])
def test_a_worker_that_does_not_stop_is_killed(is_deaf):
    process, child = WorkerProcess(), Child()
    closed = threading.Event()
    child.stdin = SimpleNamespace(close=closed.set)
    child.is_deaf = is_deaf
    process._process = child  # type: ignore[assignment]
    assert process.pid == 7
    process.stop()
    assert closed.is_set()
    assert child.signals == (["kill"] if is_deaf else [])
    closed.clear()
    child.code = 0
    process.stop()
    assert not closed.is_set()


def test_messages_of_the_worker_are_forwarded_although_one_fails(monkeypatch, caplog, tmp_path):
    lines = ["one", "wrong", "two"]
    forwarded: list[str] = []

    def forward(line):
        if line == "wrong":
            raise ValueError(line)
        forwarded.append(line)

    with (tmp_path / "pipe").open("w") as pipe:
        child = Child(lines)
        child.stdin = pipe
        monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: child)
        monkeypatch.setattr("os.set_blocking", lambda *given: given)
        monkeypatch.setattr(pubsub, "forward_line", forward)
        WorkerProcess()._run_once()
    assert forwarded == ["one", "two"]
    assert "message of the worker not forwarded" in caplog.text


@pytest.mark.parametrize("is_alive", [True, False])
def test_a_stop_waits_for_the_thread(monkeypatch, is_alive):
    process = WorkerProcess()
    waited: list[float] = []
    monkeypatch.setattr(process, "is_alive", lambda: is_alive)
    monkeypatch.setattr(process, "join", waited.append)
    process.stop()
    assert waited == ([worker_supervisor._STOP_TIMEOUT] if is_alive else [])


@pytest.fixture
def works(monkeypatch):
    """The work of a worker, and the handlers of signals."""
    found = SimpleNamespace(handlers={}, ended=[])

    def work(ended):
        for number in found.handlers:
            ended.clear()
            found.handlers[number]()
            found.ended.append((number, ended.is_set()))

    monkeypatch.setattr("signal.signal", found.handlers.__setitem__)
    monkeypatch.setattr(worker_module, "_work", work)
    return found


def test_a_worker_on_its_own_machine_checks_the_site_and_works_until_a_signal(works, monkeypatch):
    steps: list[object] = []

    def note(name):
        return lambda *given: steps.append((name, *given))

    monkeypatch.setattr(data_files, "check_writable", note("check"))
    monkeypatch.setattr(checks, "check_sharing", note("sharing"))
    for name in ("load", "prepare", "report_inbound_mail"):
        monkeypatch.setattr(serve, name, note(name))
    say = note("say")
    worker_module.run_standalone(say)
    assert steps == [
        ("check",),
        ("load",),
        ("sharing", "work"),
        ("prepare",),
        ("say", "A worker runs for the site.  (Ctrl-C to stop)"),
        ("report_inbound_mail", say),
    ]
    assert works.ended == [(signal.SIGTERM, True), (signal.SIGINT, True)]


def test_the_worker_of_a_server_sends_messages_by_its_output_and_prints_elsewhere(
    works, monkeypatch
):
    pipes, threads = list[Any](), list[threading.Thread]()
    output, errors = SimpleNamespace(), SimpleNamespace()
    monkeypatch.setattr("sys.stdout", output)
    monkeypatch.setattr("sys.stderr", errors)
    monkeypatch.setattr("django.setup", lambda: None)
    monkeypatch.setattr(pubsub, "write_to", pipes.append)
    monkeypatch.setattr(threading.Thread, "start", lambda *thread: threads.extend(thread))
    worker_module.main()
    assert pipes == [output]
    assert sys.stdout is errors
    assert [thread.daemon for thread in threads] == [True]
    assert works.ended == [(signal.SIGTERM, True)]


def test_a_worker_is_not_interrupted_with_its_server(monkeypatch, tmp_path):
    started: list[tuple[list[str], dict[str, Any]]] = []
    blocking: list[tuple[int, bool]] = []
    with (tmp_path / "pipe").open("w") as pipe:
        child = Child()
        child.stdin = pipe

        def popen(command, **options):
            started.append((command[1:], options))
            return child

        monkeypatch.setattr(subprocess, "Popen", popen)
        monkeypatch.setattr("os.set_blocking", lambda *given: blocking.append(given))
        WorkerProcess()._run_once()
        assert blocking == [(pipe.fileno(), False)]
    options = {"text": True, "start_new_session": True, "stdin": -1, "stdout": -1}
    assert started == [(["-m", "antipodes.web.server.worker"], options)]
