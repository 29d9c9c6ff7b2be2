"""Laws of telling sockets across processes."""

import io
import json
import os

import pytest

from antipodes.web.platform import pubsub


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    """No layer is shared: pipes are for the site on one machine."""
    monkeypatch.setattr(pubsub, "is_shared", lambda: False)


@pytest.fixture
def pipe(monkeypatch):
    """A process that thinks, as far as it writes."""
    pipe = io.StringIO()
    monkeypatch.setattr(pubsub, "_pipe", pipe)
    return pipe


def test_what_one_process_writes_another_passes_on(pipe, monkeypatch):
    pubsub.send_to_group("match-abc", {"type": "match.changed", "version": 3})
    line = pipe.getvalue()
    assert line.count("\n") == 1
    monkeypatch.setattr(pubsub, "_pipe", None)
    told = []
    monkeypatch.setattr(
        pubsub, "send_to_group", lambda group, message: told.append((group, message))
    )
    pubsub.forward_line(line)
    assert told == [("match-abc", {"type": "match.changed", "version": 3})]


def test_what_is_for_the_server_is_heard_there_by_its_name(pipe, monkeypatch):
    pubsub.send_to_server("warm", {"family": "hex"})
    heard: dict[str, str] = {}
    monkeypatch.setitem(pubsub._listeners, "warm", heard.update)
    pubsub.forward_line(pipe.getvalue())
    assert heard == {"family": "hex"}


def test_nobody_listening_is_no_trouble(monkeypatch):
    monkeypatch.setattr(pubsub, "_loop", None)
    pubsub.send_to_group("match-abc", {"type": "match.changed", "version": 3})


def test_news_for_a_server_that_is_gone_go_nowhere(monkeypatch):
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
