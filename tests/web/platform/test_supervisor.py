"""The supervisor of web processes: which it starts, restarts, kills and replaces, and when."""

import json
import logging
import signal
import subprocess
import sys
import threading
from functools import partial
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from antipodes.web.platform import checks, data_files, kernel_warmup, pubsub, shared_metrics
from antipodes.web.platform.kernel_warmup import Use
from antipodes.web.server import serve, supervisor, worker_supervisor
from antipodes.web.server import worker as worker_module
from antipodes.web.server.supervisor import Supervisor, WebProcess
from antipodes.web.server.web_process import READY
from antipodes.web.server.worker_supervisor import WorkerProcess

LISTENING: Any = SimpleNamespace(fileno=lambda: 5)


class Time:
    """A clock that passes while the supervisor sleeps; then something may happen."""

    def __init__(self):
        self.at = 1_000.0
        self.events: dict[float, Any] = {}

    def monotonic(self):
        return self.at

    def sleep(self, seconds):
        self.at += seconds
        for at in sorted(self.events):
            if at <= self.at:
                self.events.pop(at)()


class Process:
    """A web process of which a test decides whether it runs, is ready and is silent."""

    def __init__(self, world, messages):
        self.started_at = world.time.at
        self.lines = list(messages)
        self.is_running = True
        self.is_hanging = False
        self.is_ready = SimpleNamespace(is_set=lambda: world.is_ready, wait=self._wait)
        self.done: list[str] = []
        self.process = SimpleNamespace(
            pid=len(world.processes), returncode=1, kill=self.kill, wait=lambda: None
        )
        self._world = world
        world.processes.append(self)

    def _wait(self, seconds):
        if not self._world.is_ready:
            self._world.time.sleep(seconds)
        return self._world.is_ready

    def send(self, line):
        self.lines.append(line)

    def is_hanging_after(self, _seconds):
        return self.is_hanging

    def kill(self):
        self.is_running = False
        self.done.append("kill")

    def terminate(self):
        self.is_running = False
        self.done.append("terminate")

    def wait(self):
        self.done.append("wait")


@pytest.fixture
def world(monkeypatch):
    """A supervisor of two processes."""
    found = SimpleNamespace(time=Time(), processes=[], is_ready=True, handlers={}, forgotten=[])
    monkeypatch.setattr(supervisor, "time", found.time)
    monkeypatch.setattr(supervisor, "WebProcess", lambda _socket, lines: Process(found, lines))
    monkeypatch.setattr("signal.signal", found.handlers.__setitem__)
    monkeypatch.setattr(shared_metrics, "forget", found.forgotten.append)
    found.supervisor = Supervisor(LISTENING, 2)
    return found


def receive(world, number):
    """Receive a signal."""
    world.handlers[number]()


def run(world, seconds, **events):
    """Run the supervisor, with events some seconds after its start; return when it started."""
    started = []
    begun = world.time.at
    for name, after in {**events, "SIGTERM": seconds}.items():
        number = getattr(signal, name)
        world.time.events[begun + after] = partial(receive, world, number)
    world.supervisor.run(lambda: started.append(world.time.at - begun))
    return started


def test_all_processes_run_until_the_server_ends(world):
    assert run(world, 5) == [0]
    assert [one.done for one in world.processes] == [["terminate", "wait"]] * 2


def test_ctrl_c_ends_the_server(world):
    run(world, 100, SIGINT=3)
    assert world.time.at < 1_005
    assert len(world.processes) == 2


def test_the_server_has_started_when_the_first_process_is_ready(world):
    world.is_ready = False
    world.time.events[1_003] = lambda: setattr(world, "is_ready", True)
    [started] = run(world, 10)
    assert 3 <= started <= 3 + supervisor._CHECK_EVERY


def test_a_process_that_ends_early_is_restarted_after_growing_pauses(world):
    begun = []
    for _ in range(6):
        begun.append(len(world.processes))
        world.supervisor._check()
        world.processes[-1].is_running = False
        while world.supervisor._processes[1] or world.time.at < world.supervisor._not_before[1]:
            world.supervisor._check() if world.supervisor._processes[1] else world.time.sleep(0.1)
    starts = [one.started_at for one in world.processes[1:]]
    pauses = [round(after - before, 1) for before, after in pairwise(starts)]
    assert pauses == pytest.approx([0.2, 1.0, 5.0, 15.0, 15.0], abs=0.2)
    assert len(world.processes) == 1 + 6
    assert world.processes[0].is_running


def test_a_process_that_ran_for_long_is_restarted_soon(world):
    world.supervisor._check()
    for seconds, failures in ((1, 1), (1, 2), (supervisor._STABLE_AFTER, 3)):
        world.time.at += seconds
        world.supervisor._note_failure(
            0,
            SimpleNamespace(started_at=world.time.at - seconds, process=world.processes[0].process),
        )
        assert world.supervisor._failures[0] == failures
    old = SimpleNamespace(
        started_at=world.time.at - supervisor._STABLE_AFTER - 1, process=world.processes[0].process
    )
    world.supervisor._note_failure(0, old)
    assert world.supervisor._failures == [0, 0]
    assert world.supervisor._not_before[0] == world.time.at + supervisor._PAUSES[0]
    assert world.forgotten == [0] * 4


def test_a_process_that_hangs_is_killed_and_restarted(world):
    world.supervisor._check()
    world.processes[0].is_hanging = True
    world.supervisor._check()
    assert world.processes[0].done == ["kill"]
    assert world.processes[1].done == []
    world.time.sleep(supervisor._PAUSES[0])
    world.supervisor._check()
    assert len(world.processes) == 3


def test_a_reload_replaces_one_process_after_another(world):
    run(world, 10, SIGHUP=2)
    assert len(world.processes) == 4
    assert all(one.done == ["terminate", "wait"] for one in world.processes)
    assert len(world.supervisor._processes) == 2


@pytest.mark.parametrize("ends", [True, False])
def test_a_reload_keeps_the_processes_when_a_new_one_is_not_ready(world, caplog, ends):
    world.supervisor._check()
    world.is_ready = False
    begun = world.time.at
    if ends:
        world.time.events[begun + 3] = lambda: setattr(world.processes[-1], "is_running", False)
    world.supervisor._replace_all()
    assert world.supervisor._processes == world.processes[:2]
    assert [one.done for one in world.processes[:2]] == [[], []]
    assert world.processes[2].done[-2:] == ["terminate", "wait"]
    assert "keeping the old ones" in caplog.text
    limit = 3 if ends else supervisor._START_TIMEOUT
    assert limit <= world.time.at - begun <= limit + 2 * supervisor._CHECK_EVERY


def test_new_processes_know_the_kernels_that_are_ready(world):
    world.supervisor.report_kernels(Use.PLAY, "hex")
    world.supervisor._check()
    world.supervisor.report_kernels(None, "")
    for process in world.processes:
        sent = [json.loads(line)[1] for line in process.lines]
        assert sent == [{"use": "play", "family": "hex"}, {"use": None, "family": ""}]


class Child:
    """The process behind a web process."""

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
def started(monkeypatch):
    """A function that starts a web process with some lines of its output, and messages to it."""
    monkeypatch.setattr(shared_metrics, "forget", lambda _pid: None)

    def start(lines=(), messages=()):
        child = Child(lines)
        monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: child)
        return WebProcess(LISTENING, list(messages)), child

    return start


def test_a_process_is_ready_when_it_says_so(started):
    process, _ = started([f"{READY}\n"])
    assert process.is_ready.wait(5)
    process, _ = started(["something else\n"])
    process._read()
    assert not process.is_ready.is_set()


def test_a_process_hangs_after_a_long_silence_once_it_is_ready(started):
    process, _ = started()
    timeout = supervisor._HEARTBEAT_TIMEOUT
    assert not process.is_hanging_after(timeout + 1)
    process.is_ready.set()
    process.silence = 0.0
    assert not process.is_hanging_after(timeout)
    assert process.is_hanging_after(0.1)
    process.process.stdout = iter(["heartbeat\n"])
    process._read()
    assert process.silence == 0.0
    assert not process.is_hanging_after(timeout)
    another, _ = started()
    another.is_ready.set()
    assert not another.is_hanging_after(timeout)
    assert another.is_hanging_after(0.1)


def test_a_process_gets_messages_from_its_start_until_its_end(started, caplog):
    caplog.set_level(logging.DEBUG, logger="antipodes")
    process, child = started(messages=["first"])
    process.send("second")
    assert child.written == ["first\n", "second\n"]
    child.code = 0
    process.send("third")
    assert len(child.written) == 2


def test_a_process_is_terminated_once_and_killed_after_a_timeout(started):
    process, child = started()
    assert process.is_running
    process.terminate()
    process.wait()
    assert child.signals == ["terminate"]
    child.is_deaf = True
    process.wait()
    assert child.signals == ["terminate", "kill"]
    assert not process.is_running
    process.terminate()
    assert child.signals == ["terminate", "kill"]


# The worker.


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
    forwarded, forgotten = [], list[int]()

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
        monkeypatch.setattr(shared_metrics, "forget", forgotten.append)
        WorkerProcess()._run_once()
    assert (forwarded, forgotten) == (["one", "two"], [7])
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
    """The work of a worker, with what it is given, and the handlers of signals."""
    found = SimpleNamespace(given=[], handlers={}, ended=[])

    def work(ended, report, meanwhile=None):
        found.given.append((report, meanwhile))
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
    for name in ("load", "prepare", "report_inbound_mail", "report_compiling"):
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
    [(report, meanwhile)] = works.given
    assert report is None
    meanwhile()
    assert steps[-1] == ("report_compiling", say)


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
    assert works.given == [(kernel_warmup.report_to_server, None)]
    assert works.ended == [(signal.SIGTERM, True)]


def test_processes_of_a_server_are_not_interrupted_with_it(monkeypatch, tmp_path):
    started: list[tuple[list[str], dict[str, Any]]] = []
    blocking: list[tuple[int, bool]] = []
    with (tmp_path / "pipe").open("w") as pipe:
        child = Child()
        child.stdin = pipe
        threads = []

        def popen(command, **options):
            started.append((command[1:], options))
            return child

        monkeypatch.setattr(subprocess, "Popen", popen)
        monkeypatch.setattr("os.set_blocking", lambda *given: blocking.append(given))
        monkeypatch.setattr(shared_metrics, "forget", lambda _pid: None)
        WorkerProcess()._run_once()
        monkeypatch.setattr(threading.Thread, "start", lambda *thread: threads.extend(thread))
        WebProcess(LISTENING, [])
        assert blocking == [(pipe.fileno(), False)]
    usual = {"text": True, "start_new_session": True, "stdin": -1, "stdout": -1}
    assert started == [
        (["-m", "antipodes.web.server.worker"], usual),
        (["-m", "antipodes.web.server.web_process", "5"], {**usual, "pass_fds": [5]}),
    ]
    assert [thread.daemon for thread in threads] == [True]
