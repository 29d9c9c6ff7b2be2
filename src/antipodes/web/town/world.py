"""The world: what happens to a site although no person does it.

Processes are killed and started again, also in a job or between a commit and its messages; the disk
is full or the database locked; messages between processes are lost; mail is late, in another order,
or comes twice; the machine's clock is set. Each act ends what the last one has begun.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from typing import Protocol

from antipodes.web.town.person import Person
from antipodes.web.town.site import TownSite

NUMBER = -1  # of the world among those who act
_DOWN = (1.0, 20.0, 120.0, 3_600.0)  # seconds
_SET = (-3_600.0, -30.0, -0.5, 0.5, 30.0, 3_600.0)  # seconds


class Inhabited(Protocol):
    """A site with its people, such as the town."""

    site: TownSite
    people: list[Person]


WorldAct = Callable[[Inhabited, random.Random], Awaitable[str]]


async def have_peace(_town: Inhabited, _chance: random.Random) -> str:
    """Let nothing happen."""
    return ""


async def kill(town: Inhabited, chance: random.Random) -> str:
    """Kill the site's processes, and start them again, as also for a new version."""
    seconds = chance.choice(_DOWN)
    await _restart(town, seconds)
    return f" for {seconds} s"


async def kill_after_commit(town: Inhabited, _chance: random.Random) -> str:
    """Kill the processes at the next commit, before they have told anybody of it."""
    town.site.weather.forgets_after_commit = True
    return ""


async def kill_in_job(town: Inhabited, chance: random.Random) -> str:
    """Kill the worker in the middle of its next job, after some of its writes."""
    town.site.weather.job_writes = writes = chance.randrange(6)
    return f" after {writes} writes"


async def fill_disk(town: Inhabited, _chance: random.Random) -> str:
    """Let no write succeed."""
    town.site.weather.outage = "database or disk is full"
    return ""


async def fail_commits(town: Inhabited, _chance: random.Random) -> str:
    """Let the disk be full when a transaction ends, after all its writes have succeeded."""
    town.site.weather.outage = "database or disk is full"
    town.site.weather.stops_commits = True
    return ""


async def lock_database(town: Inhabited, _chance: random.Random) -> str:
    """Let another process hold the lock of the database."""
    town.site.weather.outage = "database is locked"
    return ""


async def lose_messages(town: Inhabited, _chance: random.Random) -> str:
    """Lose all messages between processes."""
    town.site.weather.loses_messages = True
    return ""


async def delay_mail(town: Inhabited, _chance: random.Random) -> str:
    """Keep mail to the site, which then comes in another order."""
    town.site.weather.keeps_mail = True
    return ""


async def double_mail(town: Inhabited, _chance: random.Random) -> str:
    """Deliver each mail to the site twice, as after a lost answer of its server."""
    town.site.weather.doubles_mail = True
    return ""


async def set_clock(town: Inhabited, chance: random.Random) -> str:
    """Set the machine's clock."""
    seconds = chance.choice(_SET)
    town.site.loop.set_wall_clock(seconds)
    return f" by {seconds} s"


ACTS: tuple[WorldAct, ...] = (
    have_peace, kill, kill_after_commit, kill_after_commit, kill_in_job, fill_disk, fail_commits,
    lock_database, lose_messages, delay_mail, double_mail, set_clock,
)  # fmt: skip


async def act(town: Inhabited, chance: random.Random) -> str:
    """End what the last act has begun, and do one; return it in words."""
    was_killed = town.site.weather.forgets_after_commit
    await town.site.clear_up()
    if was_killed:
        await _restart(town, 1.0)
    what = chance.choice(ACTS)
    return f"{what.__name__}{await what(town, chance)}"


async def _restart(town: Inhabited, seconds: float) -> None:
    for person in town.people:
        for socket in person.sockets.values():
            socket.lose()
    await town.site.loop.settle()
    await town.site.restart(seconds)
