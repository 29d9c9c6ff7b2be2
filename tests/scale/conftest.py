"""Fixtures: the servers, once for all tests; a database and a site for each."""

import json
import secrets
from pathlib import Path

import pytest

from tests.scale.servers import PostgreSQL, Redis, missing_programs
from tests.scale.site import ScaledSite
from tests.scratch import scratch_folder

PEOPLE = 12
SEED = Path(__file__).parents[1] / "live/seed.py"


@pytest.fixture(scope="session")
def scratch():
    with scratch_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def postgresql(scratch):
    if missing := missing_programs():
        pytest.exit(missing, returncode=2)
    server = PostgreSQL(scratch / "postgresql" / "server")
    server.start()
    yield server
    server.stop("immediate")


@pytest.fixture(scope="session")
def redis(scratch):
    server = Redis(scratch / "redis" / "server")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def empty_site(postgresql, redis, tmp_path):
    """A site with an empty database, not started."""
    database = postgresql.create(f"site_{secrets.token_hex(4)}")
    site = ScaledSite(tmp_path / "site", database, redis.url())
    yield site
    site.stop()


@pytest.fixture(scope="session")
def with_tables(postgresql, redis, tmp_path_factory):
    """The name of a database with all tables and no rows, to copy quickly."""
    name = "with_tables"
    folder = tmp_path_factory.mktemp(name) / "site"
    site = ScaledSite(folder, postgresql.create(name), redis.url())
    done = site.call("migrate")
    assert done.returncode == 0, done.stderr
    return name


@pytest.fixture
def seeded(postgresql, redis, tmp_path, with_tables):
    """A seeded site, not started, and the seeded matches."""
    database = postgresql.create(f"site_{secrets.token_hex(4)}", like=with_tables)
    site = ScaledSite(tmp_path / "site", database, redis.url())
    yield site, json.loads(site.run(SEED, json.dumps({"people": PEOPLE})))
    site.stop()
