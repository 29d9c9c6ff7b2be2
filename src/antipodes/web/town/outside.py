"""People of the town at a real site: what ``antipodes simulate --against`` does.

They act in real time and at once. Only what can be seen from outside is checked.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx

from antipodes.errors import Fault, InputError
from antipodes.web.town import habits
from antipodes.web.town.clients import NO_ANSWER, Browser
from antipodes.web.town.coverage import Coverage
from antipodes.web.town.habits import accounts, letters, moderating
from antipodes.web.town.habits.play import view_of
from antipodes.web.town.laws import answers, secrets
from antipodes.web.town.person import Habit, Person, Received
from antipodes.web.town.real_site import MailRoute, RealSite
from antipodes.web.town.town import Breach, Event, next_act

_BASE = 72_000  # numbers of people differ by multiples of it between runs; no character changes
_RUNS = 10_000
_FIRST = 60.0  # seconds in which a site that has just started answers
_PATIENCE = 10.0  # seconds in which a page must have shown the present board, and a mail come
_DELETIONS = 5  # attempts to delete an account
_LAWS = (
    secrets.secrets_stay_with_their_owners,
    answers.the_site_never_fails,
    answers.no_mail_has_a_traceback,
)
_BY_MAIL: frozenset[Habit] = frozenset(
    [
        accounts.confirm_address,
        accounts.forget_password,
        accounts.open_link_of_mail,
        accounts.play_by_mail,
        accounts.make_mail_token,
    ]
)


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of a run against a site.

    Attributes:
        url: of the site.
        seed: decides who does what; not when the site answers.
        people: how many.
        minutes: of real time.
        rate: acts a second of all people together at most.
        events: acts at most; ``None`` for no limit.
        mail: how mail goes; ``None`` leaves out everything by mail.
    """

    url: str
    seed: int
    people: int
    minutes: float
    rate: float
    events: int | None = None
    mail: MailRoute | None = None


@dataclass
class Visitors:
    """People at a site elsewhere, in the role that the town has for laws.

    Attributes:
        received: what people have received since the last act.
        waits: milliseconds until answers, by what the person did.
        statuses: of answers.
    """

    terms: Terms
    site: RealSite
    say: Callable[[str], object]
    people: list[Person] = field(default_factory=list)
    received: list[Received] = field(default_factory=list)
    breaches: list[Breach] = field(default_factory=list)
    memory: dict[str, Any] = field(default_factory=dict)
    waits: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    statuses: Counter[int] = field(default_factory=Counter)
    acts: Counter[str] = field(default_factory=Counter)
    mails: int = 0
    _begun: float = 0.0
    _turn: float = 0.0

    def is_excused(self, _status: int) -> bool:
        """Return whether an outage excuses a status: of none is known here."""
        return False

    async def live(self) -> None:
        """Let people act until the time is over or all acts are done."""
        number = int(time.time()) % _RUNS * _BASE
        coverage = Coverage(counts=False)
        self._begun = self._turn = self.site.loop.time()
        for who in range(self.terms.people):
            browser = Browser(self.site, f"10.{who // 250}.{who % 250}.7", coverage=coverage)
            chance = random.Random(f"{self.terms.seed}/{who}")
            self.people.append(Person(number + who, self.site, chance, browser))
        lives = [asyncio.create_task(self._live(*each)) for each in enumerate(self.people)]
        try:
            # The first who finds that all acts are done ends it for all.
            seconds = self.terms.minutes * 60
            await asyncio.wait(lives, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for life in lives:
                life.cancel()
            await asyncio.wait(lives)

    async def _live(self, who: int, person: Person) -> None:
        """Let a person act until all acts are done."""
        act = 0
        while self.terms.events is None or self.acts.total() < self.terms.events:
            if act:
                at = self.site.loop.time() - self._begun
                await asyncio.sleep(next_act(at, who, person.chance) - at)
            self._turn = max(self._turn + 1 / self.terms.rate, self.site.loop.time())
            await asyncio.sleep(self._turn - self.site.loop.time())
            if self.site.loop.time() >= person.asleep_until:
                await self._act(who, act, person)
            act += 1

    async def _act(self, who: int, act: int, person: Person) -> None:
        weights = {
            habit: weight
            for habit, weight in habits.weights_of(person).items()
            if habit is not moderating.moderate and (self.terms.mail or not _is_by_mail(habit))
        }
        [habit] = person.chance.choices(list(weights), list(weights.values()))
        person.did, person.acted_at = "", self.site.loop.time()
        at, number = person.acted_at - self._begun, self.acts.total()
        self.acts[habit.__name__] += 1
        try:
            await habit(person)
        except Exception as error:  # noqa: BLE001 - whatever an answer has caused
            self._break("people_can_use_the_answers", f"{person.did}: {error!r}")
        self.say(str(Event(number, at, who, act, f"{habit.__name__}{person.did}")))
        self._note(habit.__name__, person)
        self._check()

    def _note(self, action: str, person: Person) -> None:
        """Note how long the answers to a person took."""
        visits = person.browser.visits
        self.statuses.update(visit.status for visit in visits)
        self.waits[action] += [visit.milliseconds for visit in visits]
        self.waits[action] += self.site.waits.pop(person.browser.address, [])

    def _check(self) -> None:
        """Check the laws with what people have received meanwhile."""
        by_address = {
            f"{name}@home.example": person for person in self.people for name in person.names
        }
        for address, mail in self.site.letters():
            self.mails += 1
            if (owner := by_address.get(address)) is not None:
                owner.receive(mail, mail.as_string())
        self.received = [text for each in self.people for text in each.new_letters()]
        self.received += [text for each in self.people for text in each.new_texts()]
        for law in _LAWS:
            for what in law(self):
                self._break(law.__name__, what)
        for text in self.received:
            if text.status == NO_ANSWER:
                self._break("each_request_is_answered", f"{text.where}: {text.text}")
        for each in self.people:
            each.spoken.clear()

    def _break(self, law: str, what: str) -> None:
        breach = Breach(law, what, self.acts.total() - 1)
        self.breaches.append(breach)
        self.say(f"BROKEN after {breach.event}: {law}: {what}")

    async def look_at_boards(self) -> None:
        """Compare open pages of matches with pages that are opened now."""
        for person in self.people:
            for path, old in list(person.sockets.items()):
                old.look()
                if not path.startswith("/m/") or not old.is_open or view_of(old) is None:
                    continue
                new = await person.browser.open_socket(path)
                if problem := await self._compare(old, new):
                    law = "open_pages_show_the_present_board"
                    self._break(law, f"{person.name} {problem} at {path}")
                await new.close()

    async def _compare(self, old: Any, new: Any) -> str:
        """Return how an open page differs from a new one, after some patience."""
        first = view_of(old)
        assert first is not None
        end, problem = self.site.loop.time() + _PATIENCE, "sees no board"
        while problem and self.site.loop.time() < end:
            await self.site.loop.settle()
            shown, present = view_of(old), view_of(new)
            if not old.is_open or not new.is_open:
                return ""  # closed by the site, as when the person has left
            if shown is not None and present is not None:
                versions = f"version {shown['version']}, and a new page {present['version']}"
                problem = f"sees {versions}" if shown["version"] != present["version"] else ""
                if present["version"] < first["version"]:
                    return f"saw version {first['version']}, which is lost: {versions}"
        return problem

    async def leave(self) -> None:
        """Let people close their pages and delete their accounts; try again if answers are late."""
        for person in self.people:
            await person.leave()
        for _ in range(_DELETIONS):
            for person in self.people:
                if person.has_account:
                    await accounts.leave_for_ever(person)
            if not any(person.has_account for person in self.people):
                break
            await self.site.loop.settle()
        await self._delete_by_mail()

    async def _delete_by_mail(self) -> None:
        """Delete the accounts that mail has made, which have no password: ask, and confirm."""
        leaving: list[Person] = []
        asked: set[Person] = set()
        end = self.site.loop.time() + _PATIENCE
        while self.terms.mail and self.site.loop.time() < end:
            self._check()
            for each in self.people:
                # The mail with the token, without which one cannot ask, may be late too.
                if each not in asked and await letters.ask_for_deletion(each):
                    asked.add(each)
                    leaving.append(each)
                    end = self.site.loop.time() + _PATIENCE
            leaving = [each for each in leaving if not await letters.confirm_deletion(each)]
            await self.site.loop.settle()

    def report(self) -> Iterator[str]:
        """Yield what people did, and how long the site took to answer."""
        took = self.site.loop.time() - self._begun
        requests = self.statuses.total()
        yield (
            f"{self.acts.total()} acts of {len(self.people)} people in {took:.0f} s:"
            f" {requests} requests, {self.site.posted} mails to the site, {self.mails} from it"
        )
        yield "status: " + ", ".join(
            f"{count} × {status or 'no answer'}" for status, count in sorted(self.statuses.items())
        )
        yield f"{'action':24} {'acts':>6} {'answers':>7} {'p50 ms':>8} {'p95 ms':>8} {'max ms':>8}"
        lines = [(name, count, self.waits[name]) for name, count in self.acts.most_common()]
        every = [wait for _, _, waits in lines for wait in waits]
        for name, count, waits in [*lines, ("all", self.acts.total(), every)]:
            shares = " ".join(f"{value:8.1f}" for value in percentiles(waits))
            yield f"{name:24} {count:6} {len(waits):7} {shares}"
        broken = Counter(breach.law for breach in self.breaches)
        yield "laws broken: " + (
            ", ".join(f"{law} {count} times" for law, count in broken.most_common()) or "none"
        )


def percentiles(values: list[float]) -> tuple[float, float, float]:
    """Return the median, the 95th percentile and the greatest of some values; 0 without any."""
    ordered = sorted(values) or [0.0]
    last = len(ordered) - 1
    return ordered[round(0.5 * last)], ordered[round(0.95 * last)], ordered[-1]


def _is_by_mail(habit: Habit) -> bool:
    return habit in _BY_MAIL or habit.__module__ == letters.__name__


async def visit(terms: Terms, say: Callable[[str], object]) -> Visitors:
    """Let people use a site; return them, with their report.

    Args:
        terms: of the run.
        say: gets each act and each breach as a line.

    Raises:
        InputError: there is no site at the address.
    """
    site = RealSite(terms.url, terms.mail)
    await _find(site)
    await site.start()
    visitors = Visitors(terms, site, say)
    try:
        try:
            await visitors.live()
        except asyncio.CancelledError:  # the operator has seen enough
            say("Interrupted; people leave")
        await visitors.look_at_boards()
        await visitors.leave()
    finally:
        await site.stop()
    return visitors


async def _find(site: RealSite) -> None:
    """Ask an address whether a site of Antipodes is there.

    Raises:
        InputError: there is none.
    """
    address = f"{site.origin}/api/openapi.json"
    try:
        async with httpx.AsyncClient(timeout=_FIRST) as client:
            response = await client.get(address)
        title = str(response.raise_for_status().json()["info"]["title"])
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError) as error:
        message = f"no site answers at {site.origin!r}: {error!r}"
        raise InputError([Fault("simulate/no-site", message, "--against")]) from None
    if "Antipodes" not in title:
        message = f"the site at {site.origin!r} is not one of Antipodes but {title!r}"
        raise InputError([Fault("simulate/no-site", message, "--against")])
