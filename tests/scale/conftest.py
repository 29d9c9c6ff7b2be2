"""The servers, once for all tests; a database and a site for each."""

import json
import secrets
from pathlib import Path

import pytest

from tests.scale.servers import PostgreSQL, Redis, what_is_missing
from tests.scale.site import ScaledSite

PEOPLE = 12
SEED = Path(__file__).parents[1] / "crash/seed.py"


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory):
    if missing := what_is_missing():
        pytest.exit(missing, returncode=2)
    server = PostgreSQL(tmp_path_factory.mktemp("postgresql") / "server")
    server.start()
    yield server
    server.stop("immediate")


@pytest.fixture(scope="session")
def redis(tmp_path_factory):
    server = Redis(tmp_path_factory.mktemp("redis") / "server")
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


@pytest.fixture
def seeded(empty_site):
    """The same with tables at which people can sit down; and who sits where."""
    done = empty_site.call("migrate")
    assert done.returncode == 0, done.stderr
    return empty_site, json.loads(empty_site.run(SEED, PEOPLE))
