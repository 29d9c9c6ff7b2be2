"""The delivery loop: wake-ups, due instants, and the fallback interval."""

import threading
from time import monotonic, sleep

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from antipodes.match import Play
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches import chat
from antipodes.web.matches.services import carry_out
from antipodes.web.matches.snapshots import look_up
from antipodes.web.notifications import (
    delivery,
    emails,
    followers,
    match_events,
    push,
)
from antipodes.web.notifications.delivery import DeliveryLoop
from antipodes.web.notifications.email_message import EmailMessage
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.models import CursorRow, EmailRow, NotificationRow
from antipodes.web.notifications.outbox import enqueue
from antipodes.web.notifications.services import notify
from antipodes.web.platform import locks, pubsub
from antipodes.web.platform.background import in_background
from antipodes.web.platform.clock import now
from tests.raising import raising
from tests.web.notifications.conftest import MINUTE

SOON = 5.0  # seconds: much less than the fallback interval
NEVER = 600.0


class Rounds:
    """A delivery task that notes its rounds."""

    __name__ = "rounds"

    def __init__(self):
        self.count = 0
        self._changed = threading.Condition()

    def __call__(self):
        with self._changed:
            self.count += 1
            self._changed.notify()

    def reach(self, count, seconds=SOON):
        with self._changed:
            return self._changed.wait_for(lambda: self.count >= count, seconds)


@pytest.fixture(autouse=True)
def _alarm(monkeypatch):
    monkeypatch.setattr(delivery, "alarm", delivery.Alarm())
    monkeypatch.setattr(delivery, "_PAUSE", 0.01)
    monkeypatch.setattr(pubsub, "is_shared", lambda: False)
    monkeypatch.setattr(pubsub, "_listeners", {})


@pytest.fixture
def rounds():
    """The only delivery task."""
    return Rounds()


@pytest.fixture
def start(rounds):
    """Start a loop, and wait until its first round is over."""
    loops = []

    def make(fallback=NEVER):
        loop = DeliveryLoop([rounds], fallback=fallback)
        loops.append(loop)
        loop.start()
        assert rounds.reach(1)

    yield make
    for loop in loops:
        loop.stop()
        loop.join(SOON)


def play(match):
    ply = look_up(match.slug).match.ply
    carry_out(match.slug, Play(seat=ply % 2, ply=ply, key=f"key-{ply:05}", move=ply))


def test_each_commit_is_delivered_at_once(begin, people, rounds, start):
    match = begin()
    start()
    for number in range(3):
        before = rounds.count
        play(match)
        assert rounds.reach(before + 1), number


def test_all_changes_with_notifications_wake_the_loop(match, reachable, prefer, rounds, start):
    ann, bob, *_ = reachable
    challenge = ChallengeRow.objects.create(game_id="hex", by=ann, made_at=0)
    start()
    changes = {
        "chat": lambda: chat.say(look_up(match.slug), ann, {"key": "a message", "text": "hello"}),
        "invitation": lambda: challenge.invited.set([bob]),
        "notification": lambda: notify(bob, NotificationKind.YOUR_TURN, key="1", match=match),
        "e-mail": lambda: enqueue(
            EmailMessage(key="k", to="x@example.org", subject="", text="", message_id="<x@y>")
        ),
    }
    for name, change in changes.items():
        before = rounds.count
        change()
        assert rounds.reach(before + 1), name


def test_the_fallback_catches_a_lost_wake_up(begin, people, rounds, start, monkeypatch):
    match = begin()
    monkeypatch.setattr(pubsub, "send_to_workers", lambda *_: None)
    start(fallback=0.2)
    before = rounds.count
    play(match)
    assert rounds.reach(before + 1)


def test_a_message_that_was_never_sent_is_delivered_by_a_round(slow, people, monkeypatch, time):
    monkeypatch.setattr(pubsub, "send_to_workers", lambda *_: None)
    match_events.turns = match_events.TurnNotifier()
    for feed in match_events.FEEDS:
        feed.forget()
    play(slow())
    delivery.run_round([match_events.notify_of_match_events])
    time.forward(5_000)
    delivery.run_round([match_events.notify_of_match_events])
    assert NotificationRow.objects.filter(user=people[1], kind=NotificationKind.YOUR_TURN).exists()


@pytest.mark.django_db
def test_an_idle_loop_runs_no_queries():
    tasks = [
        match_events.notify_of_match_events,
        followers.notify_of_started_matches,
        followers.notify_of_followed_matches,
        emails.deliver_emails.__wrapped__,  # type: ignore[attr-defined]
        push.deliver_pushes.__wrapped__,  # type: ignore[attr-defined]
    ]
    with CaptureQueriesContext(connection) as in_one_round:
        delivery.run_round(tasks)
    loop = DeliveryLoop(tasks, fallback=NEVER)
    threading.Timer(1.0, loop.stop).start()
    with CaptureQueriesContext(connection) as in_one_second:
        loop.run()
    assert len(in_one_second) <= len(in_one_round)


def test_a_round_begins_at_the_instant_that_a_task_asks_for(rounds, start):
    start()
    asked_at = monotonic()
    delivery.alarm.set_at(now() + 60_000)
    delivery.alarm.set_at(now() + 300)
    delivery.alarm.set_at(None)
    assert rounds.reach(2)
    assert monotonic() - asked_at > 0.25


def test_wake_ups_during_a_round_lead_to_one_more(rounds, start):
    start()
    with rounds._changed:  # the next round cannot end
        delivery.alarm.ring()
        sleep(0.1)
        for _ in range(5):
            delivery.alarm.ring()
    assert rounds.reach(3)
    assert not rounds.reach(4, seconds=0.2)


@pytest.mark.django_db
def test_a_failing_task_stops_no_other_task_and_is_tried_again(rounds, monkeypatch, caplog):
    monkeypatch.setattr(delivery, "_RETRY", 100)
    delivery.run_round([raising(OperationalError("the database is unavailable")), rounds])
    assert rounds.count == 1
    assert "task skipped: outage task=fail" in caplog.text
    begun = monotonic()
    delivery.alarm.sleep(NEVER)
    assert monotonic() - begun < SOON


def test_an_inactive_worker_runs_no_rounds(rounds):
    loop = DeliveryLoop([rounds], lambda: False, fallback=0.01)
    threading.Timer(0.3, loop.stop).start()
    loop.run()
    assert rounds.count == 0


def test_a_background_task_that_is_called_during_its_run_runs_again():
    runs, gate = Rounds(), threading.Event()

    def work():
        runs()
        gate.wait(SOON)

    task = in_background(work)
    task()
    assert runs.reach(1)
    for _ in range(3):
        task()
    gate.set()
    assert runs.reach(2)
    assert not runs.reach(3, seconds=0.2)


def test_the_alarm_is_set_for_what_is_due_next(people, time):
    for number, user in enumerate(people):
        for channel in ("mail_due", "push_due"):
            seen_at = time.at if number == 1 else None
            at = time.at + (number + (channel == "push_due")) * MINUTE
            NotificationRow.objects.create(
                user=user,
                key=channel,
                kind=NotificationKind.CHAT,
                made_at=time.at,
                seen_at=seen_at,
                **{channel: at},
            )
    for task, instant in ((push.deliver_pushes, MINUTE), (emails.deliver_emails, 2 * MINUTE)):
        delivery.alarm = delivery.Alarm()
        task.__wrapped__()  # type: ignore[attr-defined]
        assert delivery.alarm._instant == time.at + instant, task
    EmailRow.objects.create(key="k", to="ann@example.org", made_at=0, due_at=time.at + 1)
    emails.deliver_emails.__wrapped__()  # type: ignore[attr-defined]
    assert delivery.alarm._instant == time.at + 1


def test_a_lost_lease_and_early_matches_set_the_alarm(slow, people, time, monkeypatch):
    for feed in match_events.FEEDS:
        feed.forget()
    CursorRow.objects.all().delete()
    slow()
    match_events.notify_of_match_events()
    assert delivery.alarm._instant == time.at + match_events._ARRIVAL
    delivery.alarm = delivery.Alarm()
    monkeypatch.setattr(locks, "acquire_lease", lambda *_: False)
    match_events.notify_of_match_events()
    assert delivery.alarm._instant == time.at + match_events._LEASE_RETRY
