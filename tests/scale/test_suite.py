"""All tests of the site, with PostgreSQL and Redis."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_whole_suite_passes_with_postgresql_and_redis(postgresql, redis):
    environment = {
        **os.environ,
        "DATABASE_URL": postgresql.create("suite"),
        "REDIS_URL": redis.url(9),
    }
    command = [sys.executable, "-m", "pytest", "-n", "2", "-q", "tests/web"]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
    assert done.returncode == 0
