"""Fixtures shared by tests of the site."""

import sqlite3
from contextlib import closing, contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.core.management.commands import flush
from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import Client
from django.utils import translation

from antipodes.games.registry import make_game
from antipodes.match import Terms
from antipodes.puzzles import store
from antipodes.web.accounts.models import User
from antipodes.web.jobs.models import Group as JobGroup
from antipodes.web.jobs.worker_threads import Lane, LaneThread
from antipodes.web.matches import presence
from antipodes.web.matches.services import begin_match
from antipodes.web.moderation.moderators import MODERATORS
from antipodes.web.platform import clock, heartbeats, limits, throttling, write_probe
from antipodes.web.platform.clock import SiteClock
from tests.docs.pages import register_crater
from tests.live import database
from tests.more_games import register_more_games


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings):
    """Copy a migrated database into SQLite's shared memory, where Django then has none to make."""
    if connection.vendor != "sqlite":
        yield
        return
    creation: Any = connection.creation
    name = creation._get_test_db_name()
    with closing(sqlite3.connect(name, uri=True)) as memory:
        with closing(sqlite3.connect(database.migrated())) as file:
            file.backup(memory)
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Reset the database quickly after each test that commits; let PostgreSQL drop it at last."""
    with pytest.MonkeyPatch.context() as patch:
        if connection.vendor == "sqlite":
            with django_db_blocker.unblock():
                patch.setattr(flush, "emit_post_migrate_signal", rows_of_migrations())
        yield
    # Streams may still have connections.
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


def rows_of_migrations():
    """Return a function that inserts all present rows again, which Django would compute."""
    with connection.cursor() as cursor:
        found = {}
        for table in connection.introspection.django_table_names(only_existing=True):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            if rows := cursor.fetchall():
                places = ", ".join(["%s"] * len(rows[0]))
                found[f"INSERT INTO {connection.ops.quote_name(table)} VALUES ({places})"] = rows

    def insert(*_args, **_options):
        with transaction.atomic(), connection.cursor() as cursor:
            for statement, rows in found.items():
                cursor.executemany(statement, rows)

    return insert


@pytest.fixture(scope="session", autouse=True)
def _work_is_not_throttled():
    """Process mails without pauses, which would be as long as the work."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(throttling, "_LONGEST", 0.0)
        yield


@contextmanager
def kept(django_db_blocker):
    """Keep rows for several tests, which roll back their own changes; roll all back at last."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def _rate_limits_are_unused():
    """Reset rate limits before each test; a new limiter would start a thread."""
    limits.limiter().storage.reset()


@pytest.fixture(autouse=True)
def _presence_is_empty(monkeypatch):
    """Clear presence before each test, which has an event loop of its own."""
    monkeypatch.setattr(presence, "_task", None)
    for state in (presence._audiences, presence._changed, presence._asked, presence._stale):
        state.clear()


@pytest.fixture(autouse=True)
def _process_is_new(monkeypatch):
    """Forget the heartbeats and downtimes of earlier tests, and whether they could write."""
    monkeypatch.setattr(heartbeats, "_beats", {})
    monkeypatch.setattr(write_probe, "_failure", None)
    monkeypatch.setattr(write_probe, "_noted_at", float("-inf"))


@pytest.fixture(autouse=True)
def _language_is_reset():
    """Reset the language of the thread after each test, as a request does."""
    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def _connection_stays_open(monkeypatch):
    """Keep the connection open that has the transaction of the test.

    Django's test client does that by itself, but code that closes old connections, such as WSGI
    requests and threads of the worker, would close it. SQLite in memory is never closed.
    """
    close = BaseDatabaseWrapper.close_if_unusable_or_obsolete

    def close_unless_in_test(wrapper):
        if not wrapper.in_atomic_block:
            close(wrapper)

    monkeypatch.setattr(BaseDatabaseWrapper, "close_if_unusable_or_obsolete", close_unless_in_test)


@pytest.fixture(autouse=True)
def _on_commit_runs_at_once(monkeypatch):
    """Run ``on_commit`` callbacks at once in tests that are rolled back and never commit."""
    on_commit = transaction.on_commit

    def at_once(callback, using=None, robust=False):
        blocks: list[Any] = connection.atomic_blocks
        if blocks and blocks[0]._from_testcase:
            callback()
        else:
            on_commit(callback, using, robust)

    monkeypatch.setattr(transaction, "on_commit", at_once)


@pytest.fixture
def meanwhile(db):
    """A context in which another process acts just before a kind of SQL statement runs.

    Changes before a savepoint outlast an error after it, as those of another transaction do.
    """

    @contextmanager
    def before(act, statement="SAVEPOINT"):
        todo = [act]

        def wrapper(execute, sql, *arguments):
            if todo and sql.startswith(statement):
                todo.pop()()
            return execute(sql, *arguments)

        with connection.execute_wrapper(wrapper):
            yield
        assert not todo, f"there was no {statement}"

    return before


@pytest.fixture
def work_off(db):
    """A function that runs all waiting jobs, as one lane of an engine does."""

    def work():
        lane = LaneThread(Lane("everything", frozenset(JobGroup)))
        while lane.step():
            pass

    return work


@pytest.fixture
def people(db):
    """Four users with accounts."""
    return [User.objects.create(username=name) for name in ("ann", "bob", "cy", "dee")]


@pytest.fixture
def players(people):
    """Whom ``ann``, ``bob``, ``cy`` and ``dee`` name."""
    return people


@pytest.fixture
def ann(players):
    """The first of the people."""
    return players[0]


@pytest.fixture
def bob(players):
    """The second of the people."""
    return players[1]


@pytest.fixture
def cy(players):
    """The third of the people."""
    return players[2]


@pytest.fixture
def dee(players):
    """The fourth of the people."""
    return players[3]


@pytest.fixture
def browsers(people):
    """Four browsers in which ann, bob, cy and dee are signed in."""
    found = [Client() for _ in people]
    for browser, user in zip(found, people, strict=True):
        browser.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return found


@pytest.fixture
def begin(people):
    """A function that begins matches between the first of the people."""

    def make(game_id="hex", **options):
        game = make_game(game_id, options)
        users = people[: game.seats]
        return begin_match(Terms(game=game, players=tuple(str(u.pk) for u in users)), users)

    return make


@pytest.fixture
def row(begin):
    """A match of Hex on a small board between ann and bob; ann is to move."""
    return begin(size=3)


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    """The small site of the table of permissions; changes by requests are rolled back."""
    from tests.web.permission_world import World

    with kept(django_db_blocker):
        yield World()


@pytest.fixture
def crater(monkeypatch):
    """The game of the page "Adding a game", registered."""
    return register_crater(monkeypatch)


@pytest.fixture
def more_games(monkeypatch):
    """The games of another package, registered and allowed."""
    return register_more_games(monkeypatch)


@pytest.fixture
def moderator(db):
    """A member of the group of moderators."""
    user = User.objects.create(username="mod", is_staff=True)
    user.groups.add(Group.objects.get(name=MODERATORS))
    return user


@pytest.fixture
def root(db):
    return User.objects.create(username="rooty", is_staff=True, is_superuser=True)


class Clocks:
    """The clocks of a machine, which a test advances."""

    def __init__(self):
        """Start at the machine's time."""
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
    """Clocks that a test advances, in a process without heartbeats so far."""
    found = Clocks()
    monkeypatch.setattr(clock, "_wall", lambda: found.wall)
    monkeypatch.setattr(clock, "_database_now", lambda: found.wall)
    monkeypatch.setattr(clock, "_monotonic", lambda: found.monotonic)
    monkeypatch.setattr(clock, "_clock", SiteClock())
    monkeypatch.setattr(heartbeats, "_beats", {})
    return found


@pytest.fixture
def puzzle():
    """A puzzle of Hex with several moves to find."""
    return next(one for one in store.puzzles("hex") if one.length >= 3)


@pytest.fixture
def wrong(puzzle):
    """A first move that does not win."""
    position = puzzle.position
    moves = (position.format_move(move) for move in position.legal_moves)
    return next(text for text in moves if text != puzzle.line[0])
