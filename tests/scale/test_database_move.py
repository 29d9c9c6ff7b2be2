"""Tests of the move of a site from SQLite to PostgreSQL, with real databases."""

import secrets
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from antipodes.web.server.server_lock import FileLock
from tests.scale.site import ScaledSite

# Texts with all that the text format of PostgreSQL escapes, and other writing systems.
ODD = "a\tb\nc\rd\\e \\N \b\f\v é 🎲"
FILL = f"""
from antipodes.web.server.serve import prepare
prepare(creates=True)
from django.db import transaction
from django.utils import timezone
from antipodes.web.accounts.models import ProfileRow, User
from antipodes.web.ratings.models import PoolRow, RatingRow
from antipodes.web.studies.models import StudyRow
from tests.web.permission_world import World
with transaction.atomic():
    world = World()
ProfileRow.objects.update_or_create(user=world.ann, defaults={{"about": {ODD!r}}})
pool = PoolRow.objects.create(game_id="hex", speed="blitz", board_class="small")
for number, value in enumerate((0.1 + 0.2, 1500.0, 1e-7, 123456789.123456789)):
    RatingRow.objects.create(
        user=list(world.people.values())[number], pool=pool, value=value, deviation=80.0, games=1
    )
world.public.options = {{"zz": {ODD!r}, "a": [1, 2.5, None, {{"b": True}}]}}
world.public.save()
User.objects.filter(pk=world.ann.pk).update(last_login=timezone.now().replace(microsecond=120))
User.objects.filter(pk=world.bob.pk).update(last_login=timezone.now().replace(microsecond=0))
User.objects.create(username="deleted").delete()
"""
# Interrupts a move at ever later steps, until one comes to its end; prints how often.
INTERRUPTED = """
import itertools
import os
import sys
from antipodes.web.server import database_move

before = os.environ["DATABASE_URL"]
execute = database_move._Move._execute
database_move._BATCH, database_move._READ = 2, 1
for last in itertools.count(30, 30):
    steps = itertools.count(1)

    def step(move, statement):
        if next(steps) == last:
            move._target.connection.close()
            raise KeyboardInterrupt
        return execute(move, statement)

    database_move._Move._execute = step
    os.environ["DATABASE_URL"] = before
    try:
        database_move.move(sys.argv[1], lambda line: None)
    except KeyboardInterrupt:
        from django.db import connection
        connection.close()
    else:
        print(last // 30 - 1)
        break
"""
# Prints all rows of all models, in an order that does not depend on the database.
DUMP = """
from django.apps import apps
from django.db import connection
tables = set(connection.introspection.table_names()) - {"sqlite_sequence"}
models = apps.get_models(include_auto_created=True)
assert tables == {model._meta.db_table for model in models if model._meta.managed} | {
    "django_migrations"}, tables
import json
def text(value):
    return bytes(value).hex() if isinstance(value, bytes | memoryview) else str(value)
for model in models:
    rows = model._base_manager.order_by().values_list()
    for row in sorted(json.dumps(row, sort_keys=True, default=text) for row in rows):
        print(model._meta.label, row)
"""


class SQLiteSite(ScaledSite):
    """A site on SQLite that is not started."""

    def __init__(self, folder):
        super().__init__(folder, "", "")
        self.file = folder / "data" / "site.sqlite3"
        self.environment["PYTHONPATH"] = str(Path(__file__).parents[2])

    def execute(self, statement):
        """Execute a statement in the database; return the rows of a query."""
        with closing(sqlite3.connect(self.file)) as connection, connection:
            return connection.execute(statement).fetchall()

    def refusal(self, to):
        """Return why the site is not moved to a database."""
        done = self.call("migrate-database", "--to", to)
        assert done.returncode == 2, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stderr


@pytest.fixture(scope="session")
def filled(tmp_path_factory):
    """A site on SQLite with rows of all kinds; its last account was deleted."""
    site = SQLiteSite(tmp_path_factory.mktemp("filled") / "site")
    site.run_code(FILL)
    return site


@pytest.fixture(scope="session")
def begun(postgresql, filled):
    """The name of a database where a move has made the tables, and was refused then."""
    filled.execute("CREATE TABLE other (number integer)")
    refusal = filled.refusal(postgresql.create("begun"))
    assert "only one of the databases has other.number" in refusal
    filled.execute("DROP TABLE other")
    return "begun"


@pytest.fixture
def site(filled, tmp_path):
    """The filled site, to be moved."""
    site = SQLiteSite(tmp_path / "before")
    shutil.copytree(filled.folder / "data", site.folder / "data")
    return site


@pytest.fixture
def moved_site(postgresql, redis, tmp_path, begun):
    """The site after the move, whose tables are empty."""
    database = postgresql.create(f"moved_{secrets.token_hex(4)}", like=begun)
    site = ScaledSite(tmp_path / "after", database, redis.url())
    yield site
    site.stop()


def test_a_site_moves_with_all_rows_after_refusals(site, moved_site):
    to = moved_site.environment["DATABASE_URL"]
    before = site.run_code(DUMP)
    with FileLock(site.folder / "data" / "lock"):  # as a server does
        assert "stop that first" in site.refusal(to)
    with closing(sqlite3.connect(site.file)) as other:  # as a command that takes no lock
        other.execute("BEGIN IMMEDIATE")
        assert "database is locked" in site.refusal(to)
    # PostgreSQL refuses a row of a late table.
    site.execute("UPDATE tournaments_tournamentrow SET title = printf('%.500c', 'x') WHERE id = 1")
    message = site.refusal(to)
    assert "tournaments_tournamentrow" in message
    assert "too long" in message
    unfinished = moved_site.call("migrate", "--check")
    assert unfinished.returncode == 2
    assert "not moved to this database completely" in unfinished.stderr
    site.execute("UPDATE tournaments_tournamentrow SET title = 'Cup' WHERE id = 1")
    # A row that was copied already has changed.
    site.execute("UPDATE accounts_profilerow SET country = 'France'")
    assert "differ in accounts_profilerow" in site.refusal(to)
    site.execute("UPDATE accounts_profilerow SET country = ''")
    done = site.call("migrate-database", "--to", to)
    assert done.returncode == 0, done.stderr
    assert "An earlier move is continued." in done.stdout
    assert moved_site.run_code(DUMP) == before == site.run_code(DUMP)
    assert "name an empty one" in site.refusal(to)
    # Sequences go on behind deleted rows too.
    ((last,),) = site.execute("SELECT seq FROM sqlite_sequence WHERE name = 'accounts_user'")
    new = moved_site.run_code(
        "from antipodes.web.accounts.models import User\n"
        "print(User.objects.create(username='new').pk)"
    )
    assert int(new) == last + 1


def test_a_move_goes_on_after_interruptions_at_all_steps(site, moved_site):
    program = site.folder / "interrupted.py"
    program.write_text(INTERRUPTED)
    before = site.run_code(DUMP)
    interruptions = int(site.run(program, moved_site.environment["DATABASE_URL"]))
    assert interruptions > 5
    assert moved_site.run_code(DUMP) == before


def test_databases_that_cannot_be_used_are_refused_with_the_reason(site, postgresql, moved_site):
    to = moved_site.environment["DATABASE_URL"]
    assert "'sqlite:///other' is no address of PostgreSQL" in site.refusal("sqlite:///other")
    name = to.rpartition("/")[2]
    empty = postgresql.create(f"empty_{secrets.token_hex(4)}")
    postgresql.call("psql", *postgresql.where(), "-c", "CREATE ROLE guest LOGIN", name)
    assert "permission denied" in site.refusal(empty.replace("antipodes@", "guest@"))
    assert "does not answer" in site.refusal(to.replace(name, "missing"))
    moved = moved_site.call("migrate-database", "--to", to)
    assert "this site is not on SQLite" in moved.stderr
