"""The ASGI application around the pages and sockets: its tasks, threads and outages."""

import asyncio
import threading
from collections import defaultdict
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.core.exceptions import RequestAborted
from django.db import OperationalError

from antipodes.web.connections import changes
from antipodes.web.matches import heartbeat, presence, resync
from antipodes.web.platform import heartbeats, pubsub, write_probe
from antipodes.web.platform.request_threads import RequestThreads
from antipodes.web.project import lifespan as lifespan_module
from antipodes.web.project.lifespan import lifespan


async def test_tasks_run_from_the_start_of_a_server_to_its_shutdown(monkeypatch):
    begun, cancelled, done = [], [], []
    is_failing = {resync}

    def forever(module, name):
        async def run():
            begun.append(name)
            if module in is_failing:
                raise ValueError("a task that failed")
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.append(name)

        monkeypatch.setattr(module, name, run)

    def note(module, name):
        async def run():
            done.append(name)

        monkeypatch.setattr(module, name, run)

    forever(heartbeat, "keep")
    forever(pubsub, "receive_broadcasts")
    forever(resync, "keep")
    forever(changes, "check_periodically")
    forever(presence, "publish_periodically")
    note(heartbeat, "beat")
    note(pubsub, "flush")
    monkeypatch.setattr(pubsub, "_loop", None)
    server = ApplicationCommunicator(lifespan, {"type": "lifespan"})
    await server.send_input({"type": "lifespan.startup"})
    assert await server.receive_output(5) == {"type": "lifespan.startup.complete"}
    await asyncio.sleep(0)
    assert pubsub._loop is asyncio.get_running_loop()
    assert (len(begun), cancelled, done) == (5, [], ["beat"])
    await server.send_input({"type": "lifespan.shutdown"})
    assert await server.receive_output(5) == {"type": "lifespan.shutdown.complete"}
    assert (len(cancelled), done) == (4, ["beat", "flush"])
    await server.wait(5)


async def test_a_server_that_did_not_start_can_shut_down():
    server = ApplicationCommunicator(lifespan, {"type": "lifespan"})
    await server.send_input({"type": "lifespan.shutdown"})
    assert await server.receive_output(5) == {"type": "lifespan.shutdown.complete"}
    await server.wait(5)


@pytest.mark.parametrize(
    ("module", "keep", "act", "pause"),
    [
        (changes, "check_periodically", "check", "CHECK_EVERY"),
        (heartbeat, "keep", "_beat", ""),
    ],
    ids=["checks", "heartbeat"],
)
async def test_periodic_tasks_continue_after_an_outage(
    db, monkeypatch, caplog, module, keep, act, pause
):
    rounds: list[int] = []
    loop, continued = asyncio.get_running_loop(), asyncio.Event()

    def fail(*_):
        rounds.append(len(rounds))
        if len(rounds) > 1:
            loop.call_soon_threadsafe(continued.set)
        raise OperationalError("away")

    monkeypatch.setattr(*(module, pause) if pause else (heartbeats, "BEAT"), 0)
    monkeypatch.setattr(module, act, fail)
    monkeypatch.setattr(write_probe, "note", lambda _error: None)
    task = asyncio.ensure_future(getattr(module, keep)())
    await asyncio.wait_for(continued.wait(), 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert "error=away" in caplog.text


async def test_requests_share_the_least_busy_threads():
    places = {}
    begun, ended = (defaultdict[str, asyncio.Event](asyncio.Event) for _ in range(2))

    async def serve(name, _receive, _send):
        places[name] = await sync_to_async(threading.get_ident)()
        begun[name].set()
        await ended[name].wait()

    application = RequestThreads(serve, threads=2)
    requests = {}

    async def begin(name):
        requests[name] = asyncio.ensure_future(application(name, None, None))
        await begun[name].wait()

    for name in "abc":
        await begin(name)
    assert places["a"] == places["c"] != places["b"]
    for name in "ac":
        ended[name].set()
        await requests[name]
    await begin("d")
    assert places["d"] == places["a"]
    await begin("e")
    await begin("f")
    assert {places["e"], places["f"]} == {places["a"], places["b"]}
    for name in "bdef":
        ended[name].set()
        await requests[name]


def test_a_request_that_was_cut_off_is_no_error_and_others_are():
    contexts: list[dict[str, Any]] = []
    loop: Any = SimpleNamespace(default_exception_handler=contexts.append)
    lifespan_module._note_exception(loop, {"exception": RequestAborted()})
    assert contexts == []
    for context in ({"exception": ValueError()}, {"message": "slow"}):
        lifespan_module._note_exception(loop, context)
        assert contexts.pop() is context
