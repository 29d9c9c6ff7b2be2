"""Virtual time: it passes when nothing is left to do, and stands still meanwhile."""

import asyncio
import time
from datetime import UTC, datetime

import pytest

from antipodes.web.town.virtual_time import StuckError, VirtualLoop

BEGIN = datetime(2030, 1, 1, tzinfo=UTC)


def run(main):
    loop = VirtualLoop(BEGIN)
    with loop:
        try:
            return loop.run_until_complete(main(loop))
        finally:
            loop.close()


def test_timers_fire_in_order_at_their_instants_while_time_passes():
    async def main(loop):
        fired = []
        for seconds in (30, 10, 86_400):
            loop.call_later(seconds, lambda: fired.append(time.time() - BEGIN.timestamp()))
        await loop.advance(60)
        return fired, time.time() - BEGIN.timestamp()

    assert run(main) == ([10.0, 30.0], 60.0)


def test_a_sleep_takes_virtual_time_only():
    async def main(_loop):
        await asyncio.sleep(86_400)
        return datetime.now(UTC)

    assert run(main) == datetime(2030, 1, 2, tzinfo=UTC)


def test_time_stands_still_while_a_thread_works():
    async def main(loop):
        loop.call_later(0.001, lambda: None)
        before = time.time()
        await asyncio.to_thread(lambda: sum(range(10**6)))
        return time.time() - before

    assert run(main) == 0


def test_clocks_that_only_go_forward_are_virtual_too_until_the_end():
    async def main(loop):
        before = time.monotonic()
        await loop.advance(60)
        await asyncio.to_thread(time.sleep, 5)
        return time.monotonic() - before, time.monotonic_ns() / 1e9 - loop.time()

    real = time.monotonic
    passed, difference = run(main)
    assert (passed, round(difference, 6)) == (65, 0)
    assert time.monotonic is real


def test_waiting_for_nothing_is_an_error():
    async def main(loop):
        await loop.create_future()

    with pytest.raises(StuckError, match="nothing is left to do"):
        run(main)
