"""Laws of who is told who watches: seldom enough that a crowd is no burden."""

import pytest

from antipodes.web import wake
from antipodes.web.matches import watchers

SLUG = "a-match"


@pytest.fixture(autouse=True)
def nobody_watches(monkeypatch):
    for name in ("_audiences", "_changed", "_asked", "_stale"):
        monkeypatch.setattr(watchers, name, type(getattr(watchers, name))())
    monkeypatch.setattr(watchers, "_tell_soon", lambda: None)


class Crowd:
    """Spectators who come one after another, with the clock of a test."""

    def __init__(self):
        self.told = 0
        self.counts: dict[int, int] = {}

    def join(self, who):
        def listen(view):
            self.told += 1
            self.counts[who] = view["count"]

        watchers.come(SLUG, (), who, listen)


async def messages_for(spectators, rate):
    """Return how many messages are sent while so many join, so many a second."""
    crowd, at, step = Crowd(), 0.0, watchers._PAUSE
    joined = 0
    while joined < spectators or watchers._stale:
        at += step
        for _ in range(min(round(rate * step), spectators - joined)):
            crowd.join(joined)
            joined += 1
        watchers.tell_others()
        await watchers.tell_listeners(at)
    assert set(crowd.counts.values()) == {spectators}, "all know the number in the end"
    return crowd.told


async def test_what_a_crowd_costs_grows_with_the_crowd_and_not_with_its_square():
    small = await messages_for(500, 50)
    watchers._audiences.clear()
    large = await messages_for(8_000, 50)
    assert large / 8_000 <= 1.5 * max(small / 500, watchers._MESSAGES / 50)


async def test_a_socket_is_told_at_most_once_a_second():
    crowd = Crowd()
    for number in range(10):
        crowd.join(number)
        await watchers.tell_listeners(0.05 * number)
    assert crowd.told == 1
    await watchers.tell_listeners(watchers._INTERVAL)
    assert crowd.told == 1 + 10
    assert set(crowd.counts.values()) == {10}


def test_processes_tell_each_other_all_changes_in_one_message(monkeypatch):
    sent = []
    monkeypatch.setattr(wake, "is_shared", lambda: True)
    monkeypatch.setattr(wake, "tell_everybody", lambda kind, told: sent.append(told))
    for slug in ("one", "two"):
        for who in range(3):
            watchers.come(slug, (), who, lambda view: None)
    watchers.tell_others()
    [message] = sent
    assert message["counts"] == {"one": [[], 3], "two": [[], 3]}
    assert message["asks"] == ["one", "two"]
    for who in range(3):
        watchers.go("one", (), who)
    watchers.tell_others()
    assert sent[1]["counts"] == {"one": [[], 0]}
    assert set(watchers._audiences) == {"two"}


def test_counts_of_other_processes_are_added(monkeypatch):
    monkeypatch.setattr(wake, "is_shared", lambda: False)
    watchers.come(SLUG, (0,), "a player", lambda view: None)
    watchers.tell_others()
    watchers.hear({"process": "another", "counts": {SLUG: [[1], 5]}, "asks": [SLUG]})
    assert watchers.audience_of(SLUG).view() == {"type": "watching", "count": 5, "seats": [0, 1]}
    assert SLUG in watchers._changed
