"""Tests of the in-memory channel layer."""

import asyncio

import pytest
from channels.layers import InMemoryChannelLayer as ChannelsOwn

from antipodes.web.platform.channel_layer import InMemoryChannelLayer


@pytest.fixture
def cleanings(monkeypatch):
    """Calls of the cleanup of Channels' own layer."""
    found: list[ChannelsOwn] = []

    def clean(layer):
        found.append(layer)

    monkeypatch.setattr(ChannelsOwn, "_clean_expired", clean)
    return found


@pytest.fixture
def clock(monkeypatch):
    """Set the monotonic time, in seconds."""
    at = [1_000.0]
    monkeypatch.setattr("antipodes.web.platform.channel_layer.time.monotonic", lambda: at[0])
    return at


async def test_many_messages_cause_one_cleanup(cleanings):
    layer = InMemoryChannelLayer()
    await layer.group_add("match", "one")
    for number in range(50):
        await layer.group_send("match", {"type": "x", "number": number})
        assert (await layer.receive("one"))["number"] == number
    assert len(cleanings) == 1


async def test_expired_messages_are_cleaned_every_five_seconds(cleanings, clock):
    layer = InMemoryChannelLayer()
    await layer.group_send("match", {"type": "x"})
    clock[0] += 4.9
    await layer.group_send("match", {"type": "x"})
    assert len(cleanings) == 1
    clock[0] += 0.2
    await layer.group_send("match", {"type": "x"})
    assert len(cleanings) == 2


async def test_a_message_that_was_not_received_in_time_is_removed():
    layer = InMemoryChannelLayer(expiry=0)
    await layer.send("one", {"type": "old"})
    await asyncio.sleep(0.01)
    receiving = asyncio.ensure_future(layer.receive("one"))
    await asyncio.sleep(0.01)
    assert not receiving.done()
    receiving.cancel()
