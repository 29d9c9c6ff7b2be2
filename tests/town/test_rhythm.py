"""When people and the world act, and how the world kills the worker in a job."""

import random

import pytest

from antipodes.web.town import world
from antipodes.web.town.town import next_act
from antipodes.web.town.weather import KilledError, Weather


@pytest.mark.parametrize("who", [0, world.NUMBER], ids=["a person", "the world"])
def test_visits_begin_within_minutes_of_the_same_hours(who):
    chance = random.Random(5)
    at, begins, visits = 0.0, [], 0
    while visits < 50:
        after = next_act(at, who, chance)
        assert after > at
        if after // 7_200 > at // 7_200 and after - at > 600:
            begins.append(after % 7_200)
            visits += 1
        at = after
    assert max(begins) <= 300


def test_a_worker_is_killed_at_a_write_of_its_job_and_at_no_other():
    weather = Weather(job_writes=1)
    for _ in range(5):
        weather.write_in_job()
    weather.is_in_job = True
    weather.write_in_job()
    assert weather.has_worker
    with pytest.raises(KilledError):
        weather.write_in_job()
    assert weather.job_writes is None
    weather.write_in_job()
