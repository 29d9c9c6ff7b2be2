"""A full disk: pages can be read, changes are refused with 503, until there is room again."""

import os
import shutil
import subprocess
import time

import httpx
import pytest

from tests.attack.client import _CSRF
from tests.attack.siege import ENDING
from tests.live.logs import tracebacks
from tests.live.site import Site

_ROOM = 8 * 1024 * 1024  # bytes that are free before the disk is filled
_PAUSE = 1.0  # seconds between two games; a user may begin twenty a minute

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")


@pytest.fixture
def disk(scratch, template):
    """A site whose data folder is on a small disk."""
    data, seeded = template
    folder = scratch / "disk"
    folder.mkdir()
    size = sum(path.stat().st_size for path in data.rglob("*") if path.is_file()) + _ROOM
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {done.stderr}")
    try:
        shutil.copytree(data, folder / "data")
        site = Site(folder / "data", scratch / "disk.log")
        site.set_environment(TRUSTED_PROXIES="1")
        site.start()
        yield site, folder, seeded
        site.kill()
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)


def fill(folder):
    """Fill the disk; return the file."""
    file = folder / "filler"
    with file.open("wb", buffering=0) as out:
        for size in (1024 * 1024, 4096):
            try:
                while True:
                    out.write(b"x" * size)
            except OSError:
                continue
    return file


def play(client, number):
    """Begin a game as a known guest; return the status."""
    fields = {"level": "1", "option-size": "5", "move": str(number)}
    return client.post("/play/hex/", data=fields, headers={"X-CSRFToken": _CSRF}).status_code


def test_a_full_disk_stops_only_writes(disk):
    site, folder, seeded = disk
    cookies = {"sessionid": seeded["guests"][0]["cookie"], "csrftoken": _CSRF}
    headers = {"X-Forwarded-For": "198.51.100.1"}
    with httpx.Client(
        base_url=site.url("").rstrip("/"), cookies=cookies, headers=headers, timeout=60
    ) as client:
        assert play(client, 0) == 302
        filler = fill(folder)
        statuses = set()
        end = time.monotonic() + 10
        while time.monotonic() < end:
            statuses.add(play(client, 1))
            assert client.get("/lobby/").status_code == 200
            time.sleep(_PAUSE)
        assert statuses <= {302, 503}, statuses  # the database file may have free pages
        assert 503 in statuses
        assert client.get("/healthz").status_code == 200
        filler.unlink()
        end = time.monotonic() + 30
        while (status := play(client, 2)) != 302:
            assert time.monotonic() < end, f"status {status} although there is room again"
            time.sleep(_PAUSE)
    assert site.terminate(ENDING) == 0
    assert not tracebacks(site.log_text())
