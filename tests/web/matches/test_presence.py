"""Presence updates: rarely enough that a crowd of spectators is no burden."""

import asyncio
import time
from functools import partial

import pytest

from antipodes.web.matches import presence
from antipodes.web.platform import pubsub
from antipodes.web.platform.locks import THIS_PROCESS

SLUG = "a-match"


@pytest.fixture(autouse=True)
def empty_audiences(monkeypatch):
    for name in ("_audiences", "_changed", "_asked", "_stale"):
        monkeypatch.setattr(presence, name, type(getattr(presence, name))())
    monkeypatch.setattr(presence, "_publish_soon", lambda: None)
    # Else counts wait for the answers of other processes.
    monkeypatch.setattr(pubsub, "is_shared", lambda: False)


class Crowd:
    """Spectators who come one after another, with the clock of a test."""

    def __init__(self):
        self.told = 0
        self.counts: dict[int, int] = {}

    def join(self, who):
        def listen(view):
            self.told += 1
            self.counts[who] = view["count"]

        presence.join(SLUG, (), who, listen)


async def messages_for(spectators, rate):
    """Return how many messages are sent while so many join, so many a second."""
    crowd, at, step = Crowd(), 0.0, presence._DELAY
    joined = 0
    while joined < spectators or presence._stale:
        at += step
        for _ in range(min(round(rate * step), spectators - joined)):
            crowd.join(joined)
            joined += 1
        presence.publish_counts()
        await presence.notify_listeners(at)
    assert set(crowd.counts.values()) == {spectators}, "all know the number in the end"
    return crowd.told


async def test_messages_grow_linearly_with_the_crowd():
    small = await messages_for(500, 50)
    presence._audiences.clear()
    large = await messages_for(8_000, 50)
    assert large / 8_000 <= 1.5 * max(small / 500, presence._MESSAGES / 50)


async def test_a_socket_gets_the_audience_at_most_once_a_second():
    crowd = Crowd()
    for number in range(10):
        crowd.join(number)
        await presence.notify_listeners(0.05 * number)
    assert crowd.told == 1
    await presence.notify_listeners(presence._INTERVAL)
    assert crowd.told == 1 + 10
    assert set(crowd.counts.values()) == {10}


def test_a_process_publishes_all_changes_in_one_message(monkeypatch):
    sent = []
    monkeypatch.setattr(pubsub, "is_shared", lambda: True)
    monkeypatch.setattr(pubsub, "broadcast", lambda kind, told: sent.append(told))
    for slug in ("one", "two"):
        for who in range(3):
            presence.join(slug, (), who, lambda view: None)
    presence.publish_counts()
    [message] = sent
    assert message["counts"] == {"one": [[], 3], "two": [[], 3]}
    assert message["asks"] == ["one", "two"]
    for who in range(3):
        presence.leave("one", (), who)
    presence.publish_counts()
    assert sent[1]["counts"] == {"one": [[], 0]}
    assert set(presence._audiences) == {"two"}


def test_counts_of_other_processes_are_added(monkeypatch):
    presence.join(SLUG, (0,), "a player", lambda view: None)
    presence.publish_counts()
    presence.receive_counts({"process": "another", "counts": {SLUG: [[1], 5]}, "asks": [SLUG]})
    assert presence.audience_of(SLUG).view() == {"type": "watching", "count": 5, "seats": [0, 1]}
    assert SLUG in presence._changed


def test_a_socket_that_has_left_is_counted_no_longer():
    presence.join(SLUG, (0,), "a player", lambda view: None)
    presence.join(SLUG, (0,), "the same player", lambda view: None)
    presence.join(SLUG, (), "a spectator", lambda view: None)
    presence.leave(SLUG, (), "a client who never joined")
    presence.leave("another-match", (), "a spectator")
    audience = presence.audience_of(SLUG)
    found = [audience.view()]
    for who, seats in (("a player", (0,)), ("the same player", (0,)), ("a spectator", ())):
        presence.leave(SLUG, seats, who)
        found.append(audience.view())
    assert [(view["count"], view["seats"]) for view in found] == [
        (1, [0]),
        (1, [0]),
        (1, []),
        (0, []),
    ]


def test_counts_of_another_process_expire_after_a_minute():
    at = time.monotonic()
    elsewhere = {
        "a killed process": presence.Count((0,), 5, at - 60),
        "another": presence.Count((1,), 2, at - 50),
    }
    view = presence.Audience(elsewhere=elsewhere).view()
    assert (view["count"], view["seats"]) == (2, [1])


def test_one_process_alone_publishes_nothing(monkeypatch):
    sent = []
    monkeypatch.setattr(pubsub, "is_shared", lambda: False)
    monkeypatch.setattr(pubsub, "broadcast", lambda kind, told: sent.append(told))
    presence.join(SLUG, (), "a spectator", lambda view: None)
    presence.publish_counts()
    assert sent == []


async def test_a_match_whose_audience_waits_delays_no_other():
    told: list[str] = []
    for number in range(20):
        slug = f"match {number}"
        presence.join(slug, (), number, partial(lambda slug, _view: told.append(slug), slug))
        presence.audience_of(slug).due = 5.0 if number % 2 else 0.0
    await presence.notify_listeners(1.0)
    assert sorted(told) == sorted(f"match {number}" for number in range(0, 20, 2))


def test_the_own_counts_of_a_process_are_not_added_again(monkeypatch):
    presence.join(SLUG, (0,), "a player", lambda view: None)
    presence._changed.clear()
    own = {"process": THIS_PROCESS, "counts": {SLUG: [[1], 5]}, "asks": [SLUG]}
    presence.receive_counts(own)
    assert presence.audience_of(SLUG).view() == {"type": "watching", "count": 0, "seats": [0]}
    assert SLUG not in presence._changed


async def test_counts_are_published_again_and_again_so_that_they_do_not_expire(monkeypatch):
    published = []
    monkeypatch.setattr(presence, "REPEAT_SECONDS", 0)
    monkeypatch.setattr(presence, "_publish_soon", lambda: published.append(set(presence._changed)))
    presence.join(SLUG, (), "a spectator", lambda view: None)
    published.clear()
    task = asyncio.ensure_future(presence.publish_periodically())
    for _ in range(5):
        await asyncio.sleep(0)
    task.cancel()
    assert len(published) > 1
    assert published[0] == {SLUG}
