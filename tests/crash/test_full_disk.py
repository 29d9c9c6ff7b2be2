"""Tests of a server on a small disk that is full: it keeps running and loses no data."""

import asyncio
import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from http.cookiejar import CookieJar

import pytest
import websockets

from tests.live.site import Site

SIZE = "24m"  # of the disk: enough for the database, its WAL, and compressed files
TIMEOUT = 60  # seconds


@pytest.fixture
def disk(tmp_path):
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=0700", "antipodes", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount command")
    if done.returncode:
        pytest.skip(f"a disk cannot be mounted here: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture
def site(disk, tmp_path):
    found = Site(disk / "data", tmp_path / "log")
    yield found
    found.kill()


@pytest.fixture
def tables(site):
    return site.seed(people=4, computers=1)["tables"]


@contextmanager
def filled(disk):
    """Fill a disk to the last byte for the block."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 20, 4096, 512, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue
        yield
    filler.unlink()


def status_of(site, path):
    try:
        with urllib.request.urlopen(site.url(path), timeout=TIMEOUT) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def is_running(site):
    return site._process.poll() is None


def form_status(site, path):
    """Return the status of a form sent by a client without an account."""
    cookies = CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))
    with opener.open(site.url("/"), timeout=TIMEOUT) as page:
        page.read()
    token = str(next(one.value for one in cookies if one.name == "csrftoken"))
    request = urllib.request.Request(
        site.url(path), b"", {"X-CSRFToken": token, "Referer": site.url("/")}
    )
    try:
        with opener.open(request, timeout=TIMEOUT) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def moves_of(site, table):
    return [
        one["move"]
        for one in json.loads(status_of(site, f"/m/{table['slug']}/match.json")[1])["moves"]
    ]


class Player:
    """Plays both seats of a match, as pages do."""

    def __init__(self, site, table):
        self.site, self.table = site, table
        self.acknowledged = 0

    async def __aenter__(self):
        address = self.site.url(f"/m/{self.table['slug']}/socket").replace("http", "ws", 1)
        self.sockets = [
            await websockets.connect(
                address,
                additional_headers={"Cookie": f"sessionid={cookie}", "Origin": self.site.url("")},
                open_timeout=TIMEOUT,
            )
            for cookie in self.table["cookies"]
        ]
        return self

    async def __aexit__(self, *_):
        for socket in self.sockets:
            await socket.close()

    async def play(self):
        """Send the next move; return the answer to it."""
        ply = self.acknowledged
        key = f"move number {ply:04}"
        command = {"command": "play", "seat": ply % 2, "ply": ply, "key": key, "move": ply}
        socket = self.sockets[ply % 2]
        await socket.send(json.dumps(command))
        while (answer := json.loads(await asyncio.wait_for(socket.recv(), TIMEOUT))).get(
            "key"
        ) != key:
            pass
        self.acknowledged += answer["type"] == "done"
        return answer

    async def play_until(self, kind):
        end = time.monotonic() + TIMEOUT
        while (answer := await self.play())["type"] != kind:
            assert time.monotonic() < end
            await asyncio.sleep(0.2)
        return answer


def test_a_full_disk_is_readable_and_moves_work_again_when_there_is_room(site, tables, disk):
    site.start()
    table = tables[0]

    async def play():
        async with Player(site, table) as player:
            for _ in range(3):
                assert (await player.play())["type"] == "done"
            with filled(disk):
                refusal = await player.play_until("later")
                assert refusal["code"] in ("site/disk-full", "site/not-writable")
                await asyncio.to_thread(check_readable, site, table)
                assert (await player.play())["type"] == "later"
            await player.play_until("done")
            for _ in range(2):
                assert (await player.play())["type"] == "done"
            return player.acknowledged

    acknowledged = asyncio.run(play())
    assert moves_of(site, table) == list(range(acknowledged))
    assert form_status(site, "/play/hex/") == 200
    end = time.monotonic() + TIMEOUT
    while status_of(site, "/readyz")[0] != 200 and time.monotonic() < end:
        time.sleep(0.2)
    assert status_of(site, "/readyz")[0] == 200
    assert is_running(site)
    site.restart()
    assert moves_of(site, table) == list(range(acknowledged))


def check_readable(site, table):
    """Check that pages can be read, and that changes are refused."""
    for path in (
        "/",
        "/lobby/",
        "/rules/",
        "/rules/hex/",
        f"/m/{table['slug']}/",
        "/games/",
        "/metrics",
    ):
        assert status_of(site, path)[0] == 200, (path, site.log_text())
    assert form_status(site, "/play/hex/") == 503
    status, text = status_of(site, "/readyz")
    assert status == 503
    assert "fails: the disk" in json.loads(text)["writing"]
    assert is_running(site), site.log_text()


def test_a_server_does_not_start_on_a_full_disk(site, tables, disk):
    with filled(disk):
        done = serve(site)
    assert done.returncode == 2
    assert f"{site.folder} cannot be written: No space left on device; make room" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_server_does_not_start_on_a_read_only_disk(site, tables, disk):
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    done = serve(site)
    assert done.returncode == 2
    assert f"{site.folder} cannot be written: Read-only file system" in done.stderr
    assert "Traceback" not in done.stderr


def serve(site):
    command = [sys.executable, "-m", "antipodes", "serve", "--port", "0"]
    return subprocess.run(
        command,
        env=site.environment,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
