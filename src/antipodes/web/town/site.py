"""The site of the town: web process, worker and post in this process, in virtual time.

Nothing of the site runs by itself: the town calls the same functions as the processes of a real
site do, which are named in :mod:`antipodes.web.project.wiring`.
"""

from __future__ import annotations

import gc
import logging
import os
import random
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any, cast

import httpx
from asgiref.testing import ApplicationCommunicator

from antipodes.web.town.virtual_time import VirtualLoop
from antipodes.web.town.weather import KilledError, Weather

HOST = "town.example"
_STEP = 600.0  # seconds that pass at most without work
_PAUSE = 20.0  # seconds between periodic work
_MAX_ROUNDS = 50  # of work at one instant
_VISITS = 16  # of a search
_BEFORE = 500  # milliseconds from the last heartbeat of an hour that has passed quietly


@dataclass(frozen=True)
class Letter:
    """A mail on its way from the site to a person."""

    to: str
    mail: EmailMessage
    source: str


@dataclass(frozen=True)
class Push:
    """A push on its way from the site to a browser."""

    endpoint: str
    payload: str


@dataclass
class Notes(logging.Handler):
    """Keeps what the site logs, and apart what it logs as an error."""

    errors: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(logging.INFO)

    def __hash__(self) -> int:
        return id(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a message with its traceback."""
        line = logging.Formatter().format(record)
        self.lines.append(line)
        if record.levelno >= logging.ERROR:
            self.errors.append(line)


def make_random(seed: int) -> None:
    """Let one seed decide everything in this process that is random."""
    source = random.Random(seed)
    os.urandom = source.randbytes
    vars(random)["_urandom"] = source.randbytes
    random.seed(seed)


def load(folder: Path) -> None:
    """Load Django for a site whose data is in a folder."""
    os.environ.update(
        ANTIPODES_DATA=str(folder),
        DJANGO_SETTINGS_MODULE="antipodes.web.project.settings",
        ANTIPODES_NETWORK="0",
        LOBBY_CHAT="1",
        EMAIL_URL="memorymail://",
        MAIL_HOST=HOST,
        SITE_URL=f"http://{HOST}",
        ALLOWED_HOSTS=HOST,
        ENGINE_ACCOUNTS="fay5,emil16",  # people who are programs
    )
    import django
    from django.conf import settings

    django.setup()
    # As safe as the town needs it; a strong hash takes longer than everything else.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    _think_little()
    _draw_here()
    # Loaded modules stay; the garbage collector need not look through them repeatedly.
    gc.collect()
    gc.freeze()


def _think_little() -> None:
    """Let all searches end after a few visits, whatever the speed of the machine."""
    from antipodes.search.interface import Limits
    from antipodes.search.runs import SearchRun

    begin = SearchRun.__init__

    def begin_short(
        run: SearchRun[Any], workers: Any, limits: Limits, *given: Any, **more: Any
    ) -> None:
        begin(run, workers, Limits(visits=min(limits.visits or _VISITS, _VISITS)), *given, **more)

    setattr(SearchRun, begin.__name__, begin_short)


def _draw_here() -> None:
    """Draw pictures in this process: that is quicker, and a busy machine changes nothing."""
    import resvg_py

    from antipodes.web.notifications import email_message
    from antipodes.web.platform import rasterizer

    def draw_png(svg: str, width: int, **how: Any) -> bytes:
        return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, **how))

    for module in (email_message, rasterizer):
        vars(module)[draw_png.__name__] = draw_png


class _Channel:
    """A WebSocket to the application of this process."""

    def __init__(
        self, application: Any, path: str, headers: Mapping[str, str], address: str
    ) -> None:
        bare, _, query = path.partition("?")
        all_headers = {"host": HOST, **headers, "sec-websocket-key": secrets.token_bytes(12).hex()}
        # asgiref has types for few of its functions.
        self._communicator: Any = cast(Any, ApplicationCommunicator)(
            application,
            {
                "type": "websocket",
                "asgi": {"version": "3.0"},
                "http_version": "1.1",
                "scheme": "ws",
                "path": bare,
                "raw_path": bare.encode(),
                "query_string": query.encode(),
                "root_path": "",
                "headers": [(name.encode(), text.encode()) for name, text in all_headers.items()],
                "client": (address, 40_000),
                "server": (HOST, 80),
                "subprotocols": [],
                "extensions": {},
            },
        )

    async def open(self) -> None:
        await self._communicator.send_input({"type": "websocket.connect"})

    async def send(self, text: str) -> None:
        await self._communicator.send_input({"type": "websocket.receive", "text": text})

    async def close(self) -> None:
        await self._communicator.send_input({"type": "websocket.disconnect", "code": 1001})

    def lose(self) -> None:
        self._communicator.stop(exceptions=False)

    def received(self) -> Iterator[Mapping[str, Any]]:
        queue = self._communicator.output_queue
        while not queue.empty():
            yield queue.get_nowait()


class TownSite:
    """A site that runs in a loop."""

    origin = f"http://{HOST}"
    mail_host = HOST
    password = "as-secret-as-a-town-needs"  # noqa: S105 - of people of the town only

    def __init__(self, loop: VirtualLoop) -> None:
        """Load the application; :func:`load` comes first."""
        from antipodes.web.email_play.models import InboundMailRow
        from antipodes.web.jobs import queue
        from antipodes.web.jobs.models import Group
        from antipodes.web.jobs.worker_threads import Lane, LaneThread
        from antipodes.web.notifications import delivery
        from antipodes.web.platform import clock, pubsub
        from antipodes.web.project.asgi import application
        from antipodes.web.server import serve

        serve.prepare(creates=True)
        self.loop = loop
        self.application: Any = application
        self.notes = Notes()
        logging.getLogger().handlers[:] = [self.notes]
        self.posted = 0  # mails that people have sent
        self.downtimes: list[tuple[int, int]] = []  # of the site's time
        self.pushes: list[Push] = []  # that no person has received yet
        self._receive_pushes()
        self.sent = 0  # mails to people
        self.older_mails = InboundMailRow.objects.count()  # of an earlier version's site
        self.weather = Weather()
        self.weather.reach_site()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="worker")
        self._jobs_wait = True
        self._lane = LaneThread(Lane("everything", frozenset(Group)))
        self._due: dict[Callable[[], None], float] = {}
        self._worked = float("-inf")  # when periodic work was done last
        vars(clock)["_monotonic"] = lambda: int(loop.time() * 1_000)
        pubsub.subscribe(queue.CHANGED, self._hear_of_jobs)
        pubsub.subscribe(delivery.WAITING, lambda _message: delivery.alarm.ring())

    def _receive_pushes(self) -> None:
        """Be the push services of all browsers."""
        from antipodes.web.notifications import push

        async def send(subscription: Any, payload: str, _session: Any) -> Any:
            self.pushes.append(Push(subscription.endpoint, payload))
            return push._Outcome.TAKEN  # noqa: SLF001 - as a push service that takes it

        vars(push).update(_send=send, new_session=nullcontext)

    async def start(self) -> None:
        """Start the processes."""
        from antipodes.web.analysis import services
        from antipodes.web.matches import heartbeat, periodic_tasks
        from antipodes.web.platform import clock, heartbeats, pubsub

        pubsub.attach_event_loop()
        await self.in_worker(heartbeats.start_clock)
        await self.in_worker(periodic_tasks.give_back_downtimes)
        await heartbeat.beat()
        await self.in_worker(clock.start)
        await self.in_worker(services.take_up)
        await self.work()

    async def restart(self, seconds: float) -> None:
        """Start the processes again after they were killed: their memory is lost."""
        from antipodes.web.matches import presence, snapshots
        from antipodes.web.platform import clock, heartbeats

        stopped = clock_now()
        snapshots.forget()
        vars(presence)["_task"] = None
        for name in ("_audiences", "_changed", "_asked", "_stale"):
            vars(presence)[name].clear()
        vars(heartbeats)["_beats"].clear()
        vars(clock)["_clock"] = clock.SiteClock()
        self._jobs_wait = True
        await self.loop.advance(seconds)
        await self.start()
        self.downtimes.append((stopped, clock_now()))

    async def clear_up(self) -> None:
        """Let the database work, messages arrive, and mail that is late come, the newest first."""
        late, weather = self.weather.late[::-1], self.weather
        if weather.outage:
            weather.outage, weather.stops_commits = "", False
            await self._beat_again()
        weather.loses_messages = weather.forgets_after_commit = False
        weather.keeps_mail = weather.doubles_mail = False
        weather.job_writes, weather.has_worker = None, True
        weather.late = []
        self._worked = float("-inf")  # periodic work is due
        self._jobs_wait = True
        for raw, sender, recipients in late:
            await self._receive(raw, sender, recipients)
        await self.work()

    def transport(self, address: str) -> httpx.AsyncBaseTransport:
        """Return what hands requests to the application."""
        return httpx.ASGITransport(
            self.application, raise_app_exceptions=False, client=(address, 40_000)
        )

    def channel(self, path: str, headers: Mapping[str, str], address: str) -> _Channel:
        """Return a WebSocket to the application."""
        return _Channel(self.application, path, headers, address)

    def stopwatch(self) -> float:
        """Return seconds of CPU time of this process, in which virtual time stands still."""
        return time.process_time()

    def now(self) -> int:
        """Return the site's time in milliseconds since 1970."""
        return clock_now()

    def _hear_of_jobs(self, _message: Any) -> None:
        self._jobs_wait = True

    async def in_worker(self, call: Callable[[], Any]) -> Any:
        """Call a function in the thread of the worker."""
        return await self.loop.run_in_executor(self._worker, call)

    async def pass_time(self, seconds: float) -> None:
        """Let time pass, in which the site does its periodic work."""
        while seconds > 0:
            step = min(seconds, _STEP)
            await self.loop.advance(step)
            seconds -= step
            await self.work()

    async def work(self) -> None:
        """Do what the processes of the site have to do at this instant.

        Periodic work waits for :data:`_PAUSE` seconds since the last, so that a day does
        not take a day of real time.
        """
        is_due = self.loop.time() - self._worked >= _PAUSE
        if is_due:
            self._worked = self.loop.time()
        is_due &= not self.weather.outage  # then they only say in their logs that it failed
        if is_due:
            await self._beat()
            await self.in_worker(self._run_periodic_tasks)
        for _ in range(_MAX_ROUNDS):
            if not await self.in_worker(self._run_waiting):
                break
            await self.loop.settle()
        if is_due:
            await self._look_after_sockets()
        await self.loop.settle()

    async def _beat(self) -> None:
        """Beat as if the processes had beaten all the time until now."""
        from antipodes.web.platform import clock, heartbeats
        from antipodes.web.platform.models import HeartbeatRow

        def keep_up() -> None:
            clock.follow()
            lately = clock.now() - _BEFORE
            HeartbeatRow.objects.filter(at__lt=lately).update(at=lately)
            beats: dict[Any, Any] = vars(heartbeats)["_beats"]
            for kind, (at, downtime) in beats.items():
                beats[kind] = max(at, lately), downtime

        await self.in_worker(keep_up)
        await self._beat_again()

    async def _beat_again(self) -> None:
        """Beat; a time without beats is then a downtime."""
        from antipodes.web.matches import heartbeat
        from antipodes.web.platform import heartbeats
        from antipodes.web.platform.models import ProcessKind

        await self.in_worker(lambda: heartbeats.beat(ProcessKind.ENGINE))
        await heartbeat.beat()

    def _run_periodic_tasks(self) -> None:
        from antipodes.web.notifications.delivery import alarm
        from antipodes.web.platform.background import run_task
        from antipodes.web.project.wiring import PERIODIC_TASKS

        at = self.loop.time()
        for seconds, task in PERIODIC_TASKS:
            if at >= self._due.get(task, at):
                self._due[task] = at + seconds
                run_task(_inside().get(task, task))
        alarm.ring()  # as after the interval without a message

    def _run_waiting(self) -> bool:
        """Run jobs and deliveries that wait; return whether there were any."""
        from antipodes.web.notifications import delivery
        from antipodes.web.platform.background import run_task
        from antipodes.web.project.wiring import DELIVERY_TASKS

        jobs = 0
        while self._jobs_wait and not self.weather.outage and self._run_job():
            jobs += 1
        self._jobs_wait = False
        alarm = delivery.alarm
        is_ringing, instant = vars(alarm)["_is_ringing"], vars(alarm)["_instant"]
        if not is_ringing and (instant is None or instant > clock_now()):
            return jobs > 0
        alarm.sleep(0)
        for task in DELIVERY_TASKS:
            run_task(_inside().get(task, task))
        return True

    def _run_job(self) -> bool:
        """Let the worker run a job, if it lives; return whether there was one."""
        weather = self.weather
        if not weather.has_worker:
            return False
        weather.is_in_job = True
        try:
            return self._lane.step()
        except KilledError:
            return False
        finally:
            weather.is_in_job = False

    async def _look_after_sockets(self) -> None:
        """Do what the web process does for its connections every few seconds."""
        from antipodes.web.challenges import author_presence
        from antipodes.web.connections import changes
        from antipodes.web.connections.registry import open_connections, users_online
        from antipodes.web.matches import presence, resync

        users = users_online()
        await self.in_worker(lambda: author_presence.note_present(users))
        await changes.check(open_connections())
        await resync.look()
        presence.publish_counts()

    async def appoint(self, name: str) -> bool:
        """Make a person a moderator, as the operator of the site does."""

        def make() -> bool:
            from django.contrib.auth.models import Group

            from antipodes.web.accounts.models import User
            from antipodes.web.moderation.moderators import MODERATORS

            for user in User.objects.filter(username=name):
                user.is_staff = True
                user.save()
                user.groups.add(Group.objects.get(name=MODERATORS))
                return True
            return False

        # In an outage the operator tries again later.
        return not self.weather.outage and bool(await self.in_worker(make))

    async def post(self, raw: bytes, sender: str, to: Iterable[str]) -> None:
        """Hand a mail to the site, as a mail server does, in good weather at once."""
        self.posted += 1
        recipients = list(to)
        if self.weather.keeps_mail or self.weather.outage:
            self.weather.late.append((raw, sender, recipients))
            return
        for _ in range(2 if self.weather.doubles_mail else 1):
            await self._receive(raw, sender, recipients)

    async def _receive(self, raw: bytes, sender: str, recipients: list[str]) -> None:
        from antipodes.web.email_play import inbox

        await self.in_worker(
            lambda: inbox.receive(raw, sender=sender, recipients=recipients, via="lmtp")
        )

    def letters(self) -> list[Letter]:
        """Return the mails that the site has sent since the last call."""
        from django.core import mail

        outbox: list[Any] = getattr(mail, "outbox", [])
        sent, outbox[:] = list(outbox), []
        self.sent += len(sent)
        return [
            Letter(address, _delivered(raw, message.from_email), raw.decode("utf-8", "replace"))
            for message in sent
            for raw in [message.message().as_bytes()]
            for address in message.recipients()
        ]


@cache
def _inside() -> dict[Callable[[], None], Callable[[], Any]]:
    """Return what tasks do that would do it in a thread of their own."""
    from antipodes.web.archive import open_data
    from antipodes.web.email_play import inbox_task
    from antipodes.web.notifications import emails, push

    in_threads = (open_data.update_stale_files, emails.deliver_emails, push.deliver_pushes)
    inside = {task: vars(task)["__wrapped__"] for task in in_threads}
    return {inbox_task.find_mail: inbox_task.process_due_mails, **inside}


def games_in_progress() -> int:
    """Return how many matches have not ended."""
    from antipodes.web.matches.models import MatchRow

    return MatchRow.objects.filter(ended_at=None).count()


def clock_now() -> int:
    """Return the site's time in milliseconds since 1970."""
    from antipodes.web.platform import clock

    return clock.now()


def _delivered(raw: bytes, sender: str) -> EmailMessage:
    """Return a mail as mail servers put it into a mailbox."""
    mail = message_from_bytes(raw, policy=policy.default)
    assert isinstance(mail, EmailMessage)
    mail["Return-Path"] = f"<{sender}>"
    return mail
