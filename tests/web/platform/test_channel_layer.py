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
    clock[0] = 1_005.0
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


async def test_a_message_to_a_group_reaches_all_channels_but_those_whose_queue_is_full():
    layer = InMemoryChannelLayer(capacity=2)
    for channel in ("one", "two"):
        await layer.group_add("match", channel)
    await layer.group_add("another", "three")
    for number in range(3):
        await layer.group_send("match", {"type": "x", "number": number})
        if number < 2:
            assert (await layer.receive("two"))["number"] == number
    assert [(await layer.receive("one"))["number"] for _ in range(2)] == [0, 1]
    assert (await layer.receive("two"))["number"] == 2
    assert layer.channels == {}


async def test_receivers_of_a_group_have_messages_of_their_own(monkeypatch):
    monkeypatch.setattr("antipodes.web.platform.channel_layer.time.time", lambda: 1_000.0)
    layer = InMemoryChannelLayer(expiry=60)
    for channel in ("one", "two"):
        await layer.group_add("match", channel)
    await layer.group_send("match", {"type": "x"})
    kept = [layer.channels[channel].get_nowait() for channel in ("one", "two")]
    assert kept == [(1_060.0, {"type": "x"})] * 2
    assert kept[0][1] is not kept[1][1]


async def test_the_name_of_a_group_must_be_valid():
    with pytest.raises(TypeError):
        await InMemoryChannelLayer().group_send("a group!", {"type": "x"})
