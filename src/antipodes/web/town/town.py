"""The town: people who act one after another, as their habits and chance decide."""

from __future__ import annotations

import hashlib
import heapq
import random
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TextIO

from antipodes.web.town import world
from antipodes.web.town.chronicle import Chronicle
from antipodes.web.town.clients import Browser
from antipodes.web.town.coverage import Coverage
from antipodes.web.town.person import Habit, Person, Received
from antipodes.web.town.reach import Reach
from antipodes.web.town.site import TownSite, games_in_progress

Law = Callable[["Town"], Iterator[str]]

_DAY = 86_400.0
# People come at the same hours, so that they meet, and then do one thing after another.
_GATHERING = 7_200.0  # seconds from one such hour to the next
_LATEST = 300.0  # seconds after the hour, at which the last ones come
_CALM = 200.0  # seconds between two acts of the world at most, while people are there
_COMES = 0.6  # chance of a person to come at the next hour
_STEP = 10.0  # seconds between two acts of a visit, on average
_ACTS_OF_VISIT = 40  # on average
_CLOSES = 0.6  # chance to close all pages at the end of a visit
SANCTIONS = "sanctions"  # in the memory of laws: kinds of those in force, by the name of an account


@dataclass(frozen=True)
class Event:
    """Something that a person did.

    Attributes:
        number: of the event, from 0.
        at: virtual seconds since the beginning.
        who: the person's number; that of the world is negative.
        act: number of the act among those of the person.
        what: in words.
    """

    number: int
    at: float
    who: int
    act: int
    what: str

    def __str__(self) -> str:
        day, seconds = divmod(self.at, _DAY)
        minutes = int(seconds // 60)
        clock = f"day {int(day)} {minutes // 60:02}:{minutes % 60:02}"
        who = "world" if self.who == world.NUMBER else f"person {self.who}"
        return f"{self.number:6} {clock} {who}, act {self.act}: {self.what}"


@dataclass(frozen=True)
class Breach:
    """A law that was broken, and after which event."""

    law: str
    what: str
    event: int


@dataclass
class Town:
    """A site with people.

    Attributes:
        seed: decides everything that is random.
        weights_of: returns a person's habits with their weights.
        laws: checked after each hour at which people come, from the second day on once a day.
        quick_laws: checked after each event.
        events: all so far.
        breaches: of laws.
        received: what people have received since the last event, mails first.
        log: gets a line for each event and each breach.
        acts: the only acts that people do, as pairs of person and number; ``None`` for all.
        memory: of laws.
        measured: by laws, of each act.
        coverage: what people have used of the site.
        reach: what people did and what laws judged; ``None`` if that is not to be counted.
        chronicle: of each hour, for a picture.
        written: tables that have changed between the last two checks of the quick laws; ``None``
            before these.
    """

    site: TownSite
    seed: int
    weights_of: Callable[[Person], Mapping[Habit, float]]
    laws: tuple[Law, ...]
    quick_laws: tuple[Law, ...]
    people: list[Person] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    breaches: list[Breach] = field(default_factory=list)
    received: list[Received] = field(default_factory=list)
    log: TextIO | None = None
    acts: frozenset[tuple[int, int]] | None = None
    memory: dict[str, Any] = field(default_factory=dict)
    measured: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    coverage: Coverage = field(default_factory=Coverage)
    reach: Reach | None = None
    chronicle: Chronicle | None = None
    written: set[str] | None = None
    _digest: Any = field(default_factory=hashlib.sha256)

    def settle_people(self, count: int) -> None:
        """Let people move into the town."""
        for number in range(count):
            chance = self._chance(number, -1)
            browser = Browser(
                self.site,
                f"10.{number // 250}.{number % 250}.7",
                chance.choice(["en", "en", "de", "fr"]),
                coverage=self.coverage,
            )
            self.people.append(Person(number, self.site, chance, browser))

    def _chance(self, who: int, act: int) -> random.Random:
        return random.Random(f"{self.seed}/{who}/{act}")

    async def live(self, days: float, *, most: int | None = None) -> None:
        """Live for some days, or until a number of events.

        Args:
            days: of virtual time.
            most: events at most.
        """
        begin = self.site.loop.time()
        queue = [
            (begin + self._chance(number, -2).uniform(0, _LATEST), number, 0)
            for number in (*range(len(self.people)), world.NUMBER)
        ]
        heapq.heapify(queue)
        next_check = begin + _GATHERING
        while queue and queue[0][0] < begin + days * _DAY:
            if most is not None and len(self.events) >= most:
                break
            at, who, act = heapq.heappop(queue)
            while at >= next_check:
                await self.site.pass_time(next_check - self.site.loop.time())
                await self.site.clear_up()
                await self.check(self.laws)
                next_check += _GATHERING if next_check < begin + _DAY else _DAY
            if at > self.site.loop.time():
                await self.site.pass_time(at - self.site.loop.time())
            chance = self._chance(who, act)
            later = begin + next_act(at - begin, who, chance)
            heapq.heappush(queue, (later, who, act + 1))
            if self.acts is None or (who, act) in self.acts:
                leaves = later - at > _LATEST and who != world.NUMBER
                await self._act(at - begin, who, act, chance, leaves=leaves)
        await self.site.clear_up()
        await self.check(self.laws)

    async def _act(
        self, at: float, who: int, act: int, chance: random.Random, *, leaves: bool
    ) -> None:
        if who != world.NUMBER and self.site.loop.time() < self.people[who].asleep_until:
            return
        self.site.weather.written = 0
        what = await self._do(who, chance, leaves=leaves)
        await self.site.loop.settle()
        await self.site.work()
        self._deliver()
        event = Event(len(self.events), at, who, act, what)
        self.events.append(event)
        self._note(str(event))
        if self.chronicle is not None:
            games = partial(self.site.in_worker, games_in_progress)
            await self.chronicle.note(at, who, self._waits(), self.mails, games)
        # Mails come first: they make secrets known with their owners.
        self.received = [text for person in self.people for text in person.new_letters()]
        self.received += self._new_pushes()
        self.received += [text for person in self.people for text in person.new_texts()]
        self.written, self.site.weather.tables = self.site.weather.tables, set()
        await self.check(self.quick_laws)
        for person in self.people:
            person.spoken.clear()

    async def _do(self, who: int, chance: random.Random, *, leaves: bool) -> str:
        """Let a person or the world act; return what they did in words."""
        if who == world.NUMBER:
            return await world.act(self, chance)
        person = self.people[who]
        person.chance, person.did = chance, ""
        person.acted_at = self.site.loop.time()
        weights = self.weights_of(person)
        [habit] = chance.choices(list(weights), list(weights.values()))
        if self.reach is not None:
            kinds, _ = self.memory.get(SANCTIONS, ({}, {}))
            self.reach.note(habit.__name__, who, kinds.get(person.name, ()))
        await habit(person)
        if leaves and person.sockets and chance.random() < _CLOSES:
            await person.leave()
        return f"{habit.__name__}{person.did}"

    def _waits(self) -> list[float]:
        """Return the milliseconds of the answers since the last event."""
        return [visit.milliseconds for each in self.people for visit in each.browser.visits]

    @property
    def mails(self) -> int:
        """How many mails people have sent and received."""
        return self.site.posted + self.site.sent

    def _deliver(self) -> None:
        by_address = {
            f"{name}@home.example": person for person in self.people for name in person.names
        }
        for letter in self.site.letters():
            if (person := by_address.get(letter.to)) is not None:
                person.receive(letter.mail, letter.source)
                self._note(f"       mail to {person.name}: {letter.mail['Subject']}")

    def _new_pushes(self) -> list[Received]:
        pushes, self.site.pushes[:] = list(self.site.pushes), []
        by_name = {name: person for person in self.people for name in person.names}
        return [
            Received(person, "a push", push.payload)
            for push in pushes
            if (person := by_name.get(push.endpoint.split("/")[2].partition(".")[0])) is not None
        ]

    def _note(self, line: str) -> None:
        self._digest.update(line.encode())
        if self.log is not None:
            print(line, file=self.log)

    def has_changed(self, *tables: str) -> bool:
        """Return whether a table whose name begins so was written to since the last check."""
        return self.written is None or any(table.startswith(tables) for table in self.written)

    def remember(self, name: str, tables: tuple[str, ...], read: Callable[[], Any]) -> Any:
        """Return what a quick law reads from tables; read it again only when these have changed."""
        if name not in self.memory or self.has_changed(*tables):
            self.memory[name] = read()
        return self.memory[name]

    def is_excused(self, status: int) -> bool:
        """Return whether an outage excuses a status."""
        return status == 503 and bool(self.site.weather.outage)

    async def check(self, laws: tuple[Law, ...]) -> None:
        """Check laws; remember what breaks them."""
        # Together, as a hop to another thread takes longer than most laws.
        for law, what in await self.site.in_worker(lambda: _all_breaches(laws, self)):
            breach = Breach(law.__name__, what, len(self.events) - 1)
            self.breaches.append(breach)
            self._note(f"BROKEN after {breach.event}: {law.__name__}: {what}")

    @property
    def digest(self) -> str:
        """A hash of all events."""
        return str(self._digest.hexdigest())[:16]


def next_act(at: float, who: int, chance: random.Random) -> float:
    """Return when a person, or the world, acts again: in the same visit, or at a later hour."""
    if chance.random() < 1 / _ACTS_OF_VISIT:
        hours = at // _GATHERING + 1
        while chance.random() > _COMES:
            hours += 1
        return hours * _GATHERING + chance.uniform(0, _LATEST)
    if who == world.NUMBER:
        return at + chance.uniform(0, _CALM)
    return at + chance.expovariate(1 / _STEP) + 0.001


def _all_breaches(laws: tuple[Law, ...], town: Town) -> list[tuple[Law, str]]:
    return [(law, what) for law in laws for what in _breaches(law, town)]


def _breaches(law: Law, town: Town) -> list[str]:
    """Return what breaks a law; a site that is so broken that its law fails breaks it too."""
    watch = nullcontext() if town.reach is None else town.reach.watch(law)
    try:
        with watch:
            return list(law(town))
    except Exception:  # noqa: BLE001 - whatever it is, it is the site's
        return [traceback.format_exc()]
