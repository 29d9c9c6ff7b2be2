"""Tests of backups: restored sites are started."""

import asyncio
import os
import subprocess
import sys

from tests.live.play import Table, view_of
from tests.live.site import Site
from tests.scale.site import ScaledSite

SOME = 4  # moves before the dump


async def play_some(site, seeded):
    table = Table(site, seeded)
    await table.play(SOME)
    await table.left()


def played_at(site, slug):
    """Return the players and moves of a match."""
    view = view_of(site, slug)
    return [seat["name"] for seat in view["seats"]], [made["move"] for made in view["moves"]]


def test_a_dump_of_postgresql_restores_the_site(seeded, postgresql, redis, tmp_path):
    site, tables = seeded
    site.start(web=1, engines=0)
    asyncio.run(play_some(site, tables["tables"][0]))
    slugs = [table["slug"] for table in tables["tables"]]
    before = [played_at(site, slug) for slug in slugs]
    assert len(before[0][1]) == SOME
    name = site.environment["DATABASE_URL"].rpartition("/")[2]
    folder = postgresql.folder / "dumps"
    postgresql.call("pg_dump", *postgresql.where(), "-Fc", "-f", f"{folder}-{name}", name)
    site.stop()
    url = postgresql.create(f"again_{name}")
    postgresql.call(
        "pg_restore", *postgresql.where(), "--no-owner", "-d", f"again_{name}", f"{folder}-{name}"
    )
    again = ScaledSite(tmp_path / "again", url, redis.url(1))
    try:
        assert again.call("migrate", "--check").returncode == 0
        again.start(web=2, engines=1)
        assert [played_at(again, slug) for slug in slugs] == before
    finally:
        again.stop()


def antipodes(folder, *arguments):
    environment = {**os.environ, "ANTIPODES_DATA": str(folder)}
    for name in ("DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL"):
        environment.pop(name, None)
    return subprocess.run(
        [sys.executable, "-m", "antipodes", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_backup_of_a_running_site_with_sqlite_is_restored_elsewhere(tmp_path, monkeypatch):
    monkeypatch.delenv("SECRET_KEY", raising=False)  # each site keeps its own in a file
    site = Site(tmp_path / "first", tmp_path / "log")
    copy = tmp_path / "copy.zip"
    site.start()
    try:
        site.shell(
            "from antipodes.web.accounts.models import User\n"
            "User.objects.create(username='ann', email='ann@example.org')"
        )
        done = antipodes(site.folder, "backup", str(copy))
        assert done.returncode == 0, done.stderr
        refused = antipodes(site.folder, "restore", str(copy), "--replace")
        assert refused.returncode == 2
        assert "stop that first" in refused.stderr
    finally:
        site.stop()
    second = Site(tmp_path / "second", tmp_path / "log2")
    done = antipodes(second.folder, "restore", str(copy))
    assert done.returncode == 0, done.stderr
    key = "secret-key"
    assert (second.folder / key).read_text() == (site.folder / key).read_text()
    second.start()
    try:
        second.shell(
            "from antipodes.web.accounts.models import User\n"
            "assert User.objects.get(username='ann').email == 'ann@example.org'"
        )
    finally:
        second.stop()
    refused = antipodes(second.folder, "restore", str(copy))
    assert refused.returncode == 2
    assert "--replace" in refused.stderr
