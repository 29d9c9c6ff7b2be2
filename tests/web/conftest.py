"""What tests of the site share."""

from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import translation

from antipodes.games.registry import make_game
from antipodes.match import Terms
from antipodes.web.accounts.models import User
from antipodes.web.jobs.models import Kind
from antipodes.web.jobs.worker_threads import Lane, LaneThread
from antipodes.web.matches import presence
from antipodes.web.matches.services import begin_match
from antipodes.web.moderation.moderators import MODERATORS
from antipodes.web.platform import clock, heartbeats, limits, write_probe
from antipodes.web.platform.clock import SiteClock


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Streams have a connection of their own, and PostgreSQL drops no database that is in use."""
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@contextmanager
def kept(django_db_blocker):
    """Keep rows for several tests: what each of them does is undone, and at last these rows too."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def nothing_counted():
    """Begin each test as if nobody had done anything yet."""
    limits.limiter.cache_clear()
    limits.limiter().storage.reset()
    yield
    limits.limiter.cache_clear()


@pytest.fixture(autouse=True)
def empty_audiences(monkeypatch):
    """Each test has an event loop of its own: none waits for what another one's would tell."""
    monkeypatch.setattr(presence, "_task", None)
    for left in (presence._audiences, presence._changed, presence._asked, presence._stale):
        left.clear()


@pytest.fixture(autouse=True)
def writes_work(monkeypatch):
    """Forget after each test whether the database could be written."""
    monkeypatch.setattr(write_probe, "_failure", None)
    monkeypatch.setattr(write_probe, "_noted_at", float("-inf"))


@pytest.fixture(autouse=True)
def language_is_left():
    """No test leaves its language to the next one in the same thread, as a request does."""
    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def connection_stays(monkeypatch):
    """The transaction of a test is in its connection, which nobody may take for an old one.

    Django's own client for tests takes care of that; what asks by WSGI, or ends a thread's work, as
    a process of the site does, does not. A database in memory is never closed: it shows nothing.
    """
    close = BaseDatabaseWrapper.close_if_unusable_or_obsolete

    def unless_of_a_test(wrapper):
        blocks: list[Any] = wrapper.atomic_blocks
        if not (blocks and blocks[0]._from_testcase):
            close(wrapper)

    monkeypatch.setattr(BaseDatabaseWrapper, "close_if_unusable_or_obsolete", unless_of_a_test)


@pytest.fixture(autouse=True)
def told_at_once(monkeypatch):
    """Tests that are rolled back never commit; there, what follows a commit happens at once."""
    after_commit = transaction.on_commit

    def at_once(do, using=None, robust=False):
        blocks: list[Any] = connection.atomic_blocks
        if blocks and blocks[0]._from_testcase:
            do()
        else:
            after_commit(do, using, robust)

    monkeypatch.setattr(transaction, "on_commit", at_once)


@pytest.fixture
def work_off(db):
    """A function that does all jobs that wait, as one lane of an engine does."""

    def work():
        lane = LaneThread(Lane("everything", frozenset(Kind), pause=0.0))
        while lane.step():
            pass

    return work


@pytest.fixture
def people(db):
    """Four users with accounts."""
    return [User.objects.create(username=name) for name in ("ann", "bob", "cy", "dee")]


@pytest.fixture
def begin(people):
    """Begin matches between the first of them."""

    def make(game_id="hex", **options):
        game = make_game(game_id, options)
        users = people[: game.seats]
        return begin_match(Terms(game=game, players=tuple(str(u.pk) for u in users)), users)

    return make


@pytest.fixture
def moderator(db):
    """Somebody of the group that the migration has made."""
    user = User.objects.create(username="mod", is_staff=True)
    user.groups.add(Group.objects.get(name=MODERATORS))
    return user


@pytest.fixture
def root(db):
    """A superuser."""
    return User.objects.create(username="rooty", is_staff=True, is_superuser=True)


class Clocks:
    """The clocks of a machine; they advance when a test says so."""

    def __init__(self):
        """Read real clocks once."""
        self.wall = clock._wall()
        self.monotonic = 1_000_000

    def advance(self, milliseconds):
        """Let time pass."""
        self.wall += milliseconds
        self.monotonic += milliseconds

    def set_wall(self, by):
        """Set the wall clock forward, or back."""
        self.wall += by


@pytest.fixture
def clocks(monkeypatch):
    """Clocks that stand still, in a process that has not beaten yet."""
    found = Clocks()
    monkeypatch.setattr(clock, "_wall", lambda: found.wall)
    monkeypatch.setattr(clock, "_database_now", lambda: found.wall)
    monkeypatch.setattr(clock, "_monotonic", lambda: found.monotonic)
    monkeypatch.setattr(clock, "_clock", SiteClock())
    monkeypatch.setattr(heartbeats, "_beats", {})
    return found
