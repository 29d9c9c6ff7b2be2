"""Laws of telling sockets across processes."""

import io
import json
import os

import pytest

from antipodes.web import wake


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    """No layer is shared: pipes are for the site on one machine."""
    monkeypatch.setattr(wake, "is_shared", lambda: False)


@pytest.fixture
def pipe(monkeypatch):
    """A process that thinks, as far as it writes."""
    pipe = io.StringIO()
    monkeypatch.setattr(wake, "_pipe", pipe)
    return pipe


def test_what_one_process_writes_another_passes_on(pipe, monkeypatch):
    wake.tell("match-abc", {"type": "match.changed", "version": 3})
    line = pipe.getvalue()
    assert line.count("\n") == 1
    monkeypatch.setattr(wake, "_pipe", None)
    told = []
    monkeypatch.setattr(wake, "tell", lambda group, message: told.append((group, message)))
    wake.pass_on(line)
    assert told == [("match-abc", {"type": "match.changed", "version": 3})]


def test_what_is_for_the_server_is_heard_there_by_its_name(pipe, monkeypatch):
    wake.tell_server("warm", {"family": "hex"})
    heard: dict[str, str] = {}
    monkeypatch.setitem(wake._listeners, "warm", heard.update)
    wake.pass_on(pipe.getvalue())
    assert heard == {"family": "hex"}


def test_nobody_listening_is_no_trouble(monkeypatch):
    monkeypatch.setattr(wake, "_loop", None)
    wake.tell("match-abc", {"type": "match.changed", "version": 3})


def test_news_for_a_server_that_is_gone_go_nowhere(monkeypatch):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        monkeypatch.setattr(wake, "_pipe", pipe)
        for number in range(3):
            wake.tell("match-abc", {"type": "match.changed", "version": number})


def test_no_line_is_lost_when_several_threads_write(pipe):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda n: wake.tell("match-abc", {"n": n}), range(500)))
    numbers = [json.loads(line)[1]["n"] for line in pipe.getvalue().splitlines()]
    assert sorted(numbers) == list(range(500))
