"""Laws of costs: what others receive is bounded, message by message."""

import json
import sys
from collections import defaultdict
from types import SimpleNamespace
from typing import Any

import pytest

from antipodes.web.town.laws import costs

_FLIPS = {str(cell): ["blue", "red"] for cell in range(20)}


def town_that_received(*messages):
    received = SimpleNamespace(
        person=SimpleNamespace(number=2), where="/m/a/socket", text=json.dumps(messages)
    )
    event = SimpleNamespace(who=1)
    return SimpleNamespace(events=[event], received=[received], measured=defaultdict(list))


@pytest.mark.parametrize(
    ("messages", "breaches"),
    [
        ([{"type": "chat", "text": "hello"}], 0),
        ([{"type": "chat", "text": "x" * costs._FRAME}], 1),
        ([{"type": "chat"}] * (costs._MESSAGES + 1), 1),
        ([{"match": {"moves": [{"text": "x" * 100}] * 500}}], 0),
        ([{"match": {"moves": [{"text": "x" * 300}] * 500}}], 1),
        ([{"match": {"moves": [{"changed": {"26": ["blue*", "red"]}}] * 500}}], 0),
        ([{"match": {"moves": [{"changed": _FLIPS, "text": "x" * 100}] * 500}}], 0),
        ([{"match": {"moves": None, "legal": [[1, 2, 3]] * 2_000}}], 0),
    ],
)
def test_a_message_may_grow_with_the_moves_that_it_tells(messages, breaches):
    assert len(list(costs.an_act_sends_little(town_that_received(*messages)))) == breaches


def test_memory_counts_from_the_beginning_of_the_town(monkeypatch):
    town: Any = SimpleNamespace(events=[], memory={}, measured=defaultdict(list))
    unit = 1 if sys.platform == "darwin" else 1_024
    for most, breaches in ((900_000_000, 0), (1_200_000_000, 0), (1_400_000_000, 1)):
        usage = SimpleNamespace(ru_maxrss=most // unit)
        monkeypatch.setattr("resource.getrusage", lambda _, usage=usage: usage)
        assert len(list(costs.memory_grows_with_what_people_do(town))) == breaches
