"""Tests of pub/sub across processes."""

import asyncio
import io
import json
import os
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest

from antipodes.web.platform import pubsub
from antipodes.web.server.worker_supervisor import WorkerProcess


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    """No layer is shared, so that messages go through pipes."""
    monkeypatch.setattr(pubsub, "is_shared", lambda: False)


@pytest.fixture
def pipe(monkeypatch):
    """The pipe of a worker."""
    pipe = io.StringIO()
    monkeypatch.setattr(pubsub, "_pipe", pipe)
    return pipe


def test_a_message_to_a_group_is_forwarded(pipe, monkeypatch):
    pubsub.send_to_group("match-abc", {"type": "match.changed", "version": 3})
    line = pipe.getvalue()
    assert line.count("\n") == 1
    monkeypatch.setattr(pubsub, "_pipe", None)
    sent = []
    monkeypatch.setattr(
        pubsub, "send_to_group", lambda group, message: sent.append((group, message))
    )
    pubsub.forward_line(line)
    assert sent == [("match-abc", {"type": "match.changed", "version": 3})]


def test_a_message_to_the_server_reaches_its_listener(pipe, monkeypatch):
    pubsub.send_to_server("warm", {"family": "hex"})
    received: dict[str, str] = {}
    monkeypatch.setitem(pubsub._listeners, "warm", received.update)
    pubsub.forward_line(pipe.getvalue())
    assert received == {"family": "hex"}


def test_messages_without_event_loop_are_dropped(monkeypatch):
    monkeypatch.setattr(pubsub, "_loop", None)
    pubsub.send_to_group("match-abc", {"type": "match.changed", "version": 3})


def test_messages_to_an_ended_server_are_dropped(monkeypatch):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        monkeypatch.setattr(pubsub, "_pipe", pipe)
        for number in range(3):
            pubsub.send_to_group("match-abc", {"type": "match.changed", "version": number})


def test_no_line_is_lost_when_several_threads_write(pipe):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda n: pubsub.send_to_group("match-abc", {"n": n}), range(500)))
    numbers = [json.loads(line)[1]["n"] for line in pipe.getvalue().splitlines()]
    assert sorted(numbers) == list(range(500))


def test_a_message_to_workers_goes_to_the_worker_of_this_server(monkeypatch):
    lines: list[str] = []
    monkeypatch.setattr(pubsub, "_to_worker", lines.append)
    pubsub.send_to_workers("waiting", {"number": 1})
    received: list[dict[str, int]] = []
    monkeypatch.setitem(pubsub._listeners, "waiting", received.append)
    for line in lines:
        pubsub.forward_line(line)
    assert received == [{"number": 1}]


def test_a_worker_receives_its_own_messages(monkeypatch):
    received: list[dict[str, int]] = []
    monkeypatch.setitem(pubsub._listeners, "waiting", received.append)
    pubsub.send_to_workers("waiting", {"number": 1})
    assert received == [{"number": 1}]


def test_a_worker_that_does_not_read_blocks_no_sender():
    worker = WorkerProcess()
    with subprocess.Popen(
        [sys.executable, "-c", "input(); import time; time.sleep(60)"],
        text=True,
        stdin=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        os.set_blocking(process.stdin.fileno(), False)
        worker._process = process
        for _ in range(10_000):
            worker.send("x" * 100)
        process.kill()
    worker.send("to a process that has ended")


def test_workers_receive_messages_through_redis(monkeypatch):
    monkeypatch.undo()
    if not pubsub.is_shared():
        pytest.skip("needs REDIS_URL")
    received = threading.Event()
    monkeypatch.setitem(pubsub._listeners, "waiting", lambda _: received.set())
    pubsub.receive_as_worker()
    for _ in range(20):  # the subscription takes a moment
        pubsub.send_to_workers("waiting", {})
        if received.wait(0.25):
            break
    assert received.is_set()


class Layer:
    """A channel layer of several processes, whose connection fails at first."""

    def __init__(self, messages):
        self.messages = messages
        self.groups: list[str] = []
        self.outages = 1

    async def new_channel(self):
        if self.outages:
            self.outages -= 1
            raise OSError("away")
        return "channel"

    async def group_add(self, group, channel):
        assert channel == "channel"
        self.groups.append(group)

    async def receive(self, _channel):
        if not self.messages:
            raise asyncio.CancelledError
        return self.messages.pop(0)

    async def group_send(self, group, _message):
        self.groups.append(group)
        raise OSError("away")


async def test_broadcasts_are_received_again_after_an_outage(monkeypatch, caplog):
    received: list[object] = []
    layer = Layer([{"kind": "waiting", "message": {"number": number}} for number in (1, 2)])
    monkeypatch.setattr(pubsub, "is_shared", lambda: True)
    monkeypatch.setattr(pubsub, "get_channel_layer", lambda: layer)
    monkeypatch.setattr(pubsub, "_PAUSE", 0)
    monkeypatch.setitem(pubsub._listeners, "waiting", received.append)
    with pytest.raises(asyncio.CancelledError):
        await pubsub.receive_broadcasts()
    assert received == [{"number": 1}, {"number": 2}]
    assert layer.groups == [pubsub._ALL_PROCESSES]
    assert "receiving broadcasts failed" in caplog.text


async def test_a_process_alone_receives_no_broadcasts(monkeypatch):
    monkeypatch.setattr(pubsub, "get_channel_layer", lambda: Layer([]))
    await pubsub.receive_broadcasts()
    monkeypatch.setattr(pubsub, "_running_loop", None)
    pubsub.receive_as_worker()


async def test_a_process_ends_when_its_messages_are_sent_or_lost(monkeypatch, caplog):
    layer = Layer([])
    monkeypatch.setattr(pubsub, "get_channel_layer", lambda: layer)
    pubsub._send("match-x", {"type": "match.changed"})
    assert layer.groups == []
    await pubsub.flush()
    assert layer.groups == ["match-x"]
    assert not pubsub._sending
    assert "message lost group=match-x error=away" in caplog.text


def test_a_process_without_event_loop_starts_one_in_a_thread(monkeypatch):
    monkeypatch.setattr(pubsub, "_loop", None)
    before = set(threading.enumerate())
    loop = pubsub._running_loop()
    assert loop.is_running()
    assert pubsub._running_loop() is loop
    [thread] = set(threading.enumerate()) - before
    assert thread.name == "pubsub"
    assert thread.daemon
    loop.call_soon_threadsafe(loop.stop)
    thread.join(5)
    loop.close()


@pytest.fixture
def sent(monkeypatch):
    """Calls of a shared layer, with function and arguments."""
    calls: list[tuple[object, ...]] = []
    loop = SimpleNamespace(call_soon_threadsafe=lambda *call: calls.append(call))
    monkeypatch.setattr(pubsub, "is_shared", lambda: True)
    monkeypatch.setattr(pubsub, "_running_loop", lambda: loop)
    monkeypatch.setattr(pubsub, "_pipe", None)
    monkeypatch.setattr(pubsub, "_to_worker", lambda _line: pytest.fail("the layer is shared"))
    return calls


@pytest.mark.parametrize(
    ("send", "group"),
    [(pubsub.broadcast, "all-processes"), (pubsub.send_to_workers, "workers")],
)
def test_a_shared_layer_carries_messages_to_processes(sent, send, group):
    send("news", {"number": 1})
    message = {"type": "broadcast", "kind": "news", "message": {"number": 1}}
    assert sent == [(pubsub._send, group, message)]


def test_a_process_receives_its_broadcast_before_a_shared_layer_carries_it(sent, monkeypatch):
    received: dict[str, int] = {}
    monkeypatch.setitem(pubsub._listeners, "news", received.update)
    pubsub.broadcast("news", {"number": 1})
    assert received == {"number": 1}


def test_without_a_shared_layer_a_broadcast_reaches_the_server_and_this_process(pipe, monkeypatch):
    received: list[object] = []
    monkeypatch.setitem(pubsub._listeners, "news", received.append)
    pubsub.broadcast("news", {"number": 1})
    assert received == [{"number": 1}]
    assert json.loads(pipe.getvalue()) == ["!news", {"number": 1}]


def test_a_worker_receives_messages_in_its_event_loop(sent, monkeypatch):
    begun: list[object] = []
    monkeypatch.setattr(pubsub, "_receive", lambda group: f"receiving from {group}")
    monkeypatch.setattr(
        pubsub,
        "asyncio",
        SimpleNamespace(run_coroutine_threadsafe=lambda *task: begun.append(task)),
    )
    pubsub.receive_as_worker()
    assert begun == [("receiving from workers", pubsub._running_loop())]


async def test_functions_and_messages_go_through_the_event_loop_of_the_process(monkeypatch):
    called: list[object] = []
    monkeypatch.setattr(pubsub, "_pipe", None)
    monkeypatch.setattr(pubsub, "_loop", None)
    monkeypatch.setattr(pubsub, "_send", lambda *message: called.append(message))
    pubsub.call_in_event_loop(lambda: called.append("too early"))
    pubsub.attach_event_loop()
    assert pubsub._loop is asyncio.get_running_loop()
    pubsub.call_in_event_loop(lambda: called.append("a function"))
    pubsub.send_to_group("match-x", {"type": "match.changed"})
    assert called == []
    await asyncio.sleep(0)
    assert called == ["a function", ("match-x", {"type": "match.changed"})]


def test_functions_and_messages_for_an_event_loop_that_has_ended_are_dropped(monkeypatch):
    loop = asyncio.new_event_loop()
    loop.close()
    monkeypatch.setattr(pubsub, "_pipe", None)
    monkeypatch.setattr(pubsub, "_loop", loop)
    pubsub.call_in_event_loop(lambda: pytest.fail("it is called"))
    pubsub.send_to_group("match-x", {"type": "match.changed"})


def test_a_web_process_sends_no_messages_to_itself_as_the_server(monkeypatch):
    monkeypatch.setattr(pubsub, "_pipe", None)
    monkeypatch.setattr(pubsub, "_write", lambda *_: pytest.fail("it is written"))
    pubsub.send_to_server("warm", {"family": "hex"})
    pubsub.deliver_here("a kind without listener", {})


def test_a_line_for_a_process_names_its_kind(monkeypatch):
    line = pubsub.format_line("warm", {"use": None})
    assert json.loads(line) == ["!warm", {"use": None}]
