"""Tests of two web processes that systemd runs behind each proxy, with the files of ``deploy``.

Needs root, for namespaces in which systemd is process 1.
"""

import asyncio
import itertools
import json
import os
import secrets
import socket
import subprocess
import threading
import time
import zipfile
from contextlib import suppress
from types import SimpleNamespace

import httpx
import pytest

from tests.deploy.proxies import NAME, Proxy, caddy, nginx, unchecked
from tests.live.logs import tracebacks
from tests.live.play import ENDING, Table
from tests.scale.conftest import PEOPLE, SEED
from tests.scale.site import ScaledSite
from tests.scale.systemd import UNITS, Systemd

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")

BEFORE = 2.0  # seconds of play before the failure
PAGES = ("/lobby/", "/rules/", "/tv/")
VISITS = 0.05  # seconds between two visits of a page


def free_tens():
    """Return the first digits of ten ports of which two are free for web processes."""
    for tens in range(2_000, 3_000):
        with suppress(OSError):
            for number in (1, 2):
                with socket.create_server(("127.0.0.1", 10 * tens + number)):
                    pass
            return tens
    raise AssertionError("no free ports")


@pytest.fixture(params=[nginx, caddy], ids=["nginx", "caddy"])
def hosted(request, postgresql, redis, tmp_path, with_tables):
    """A site as hosts run it, the seeded matches, and its service manager."""
    database = postgresql.create(f"site_{secrets.token_hex(4)}", like=with_tables)
    site = ScaledSite(tmp_path / "site", database, redis.url())
    seeded = json.loads(site.run(SEED, json.dumps({"people": PEOPLE})))
    tens = free_tens()
    proxy = Proxy(tmp_path / "proxy", 10 * tens + 1, 10 * tens + 2)
    settings = {
        name: site.environment[name] for name in ("DATABASE_URL", "REDIS_URL", "SECRET_KEY")
    }
    settings |= {
        "ANTIPODES_DATA": "/var/lib/antipodes",
        "EMAIL_URL": "dummymail://",
        "LIMIT_DRAIN_SECONDS": "15",  # a busy machine may need more than usual
        "HTTPS": "true",
        "TRUSTED_PROXIES": "1",
        "ALLOWED_HOSTS": NAME,
        "CSRF_TRUSTED_ORIGINS": proxy.origin,
    }
    manager = Systemd(tmp_path / "systemd", settings, tens)
    manager.start()
    try:
        manager.systemctl("start", "antipodes-web@1", "antipodes-web@2", "antipodes-work@1")
        proxy.start(request.param)
        found = SimpleNamespace(
            url=lambda path="": proxy.origin + path, tls=unchecked(), log_text=manager.log_text
        )
        for path in 2 * PAGES:  # each process draws its first pages slowly
            assert httpx.get(found.url(path), verify=False, timeout=60).status_code == 200
        yield found, seeded, manager
    finally:
        proxy.stop()
        manager.stop()
    assert not tracebacks(manager.log_text())


@pytest.fixture
def alone(tmp_path):
    """Return a function that starts systemd for a site with SQLite and some settings."""
    managers = []

    def start(**settings):
        given = {
            "ANTIPODES_DATA": "/var/lib/antipodes",
            "EMAIL_URL": "smtp://localhost",
            **settings,
        }
        managers.append(Systemd(tmp_path / "systemd", given, free_tens()))
        managers[0].start()
        return managers[0]

    yield start
    for manager in managers:
        manager.stop()


def test_a_site_keeps_its_folder_to_itself_and_takes_mail_at_a_socket_of_its_own(alone):
    manager = alone(MAIL_HOST="play.example.org", MAIL_LMTP="unix:/run/antipodes/lmtp")
    manager.systemctl("start", "antipodes")
    for _ in range(2):
        assert manager.run("stat", "--format=%a", "/var/lib/antipodes") == "700\n"
        # The worker makes the socket.
        until(manager, lambda: manager.run("find", "/run/antipodes", "-name", "lmtp", "-type", "s"))
        assert "Warning" not in manager.log_text()
        manager.systemctl("restart", "antipodes")
    assert not tracebacks(manager.log_text())


def test_the_unit_of_backups_writes_to_their_folder_and_deletes_old_ones(alone, tmp_path):
    manager = alone()
    manager.systemctl("start", "antipodes")
    backups = tmp_path / "systemd/backups"
    backups.mkdir()
    for day in range(10, 26):
        (backups / f"antipodes-202011{day}-031500.zip").touch()
    manager.systemctl("start", "antipodes-backup")
    names = sorted(path.name for path in backups.iterdir())
    assert names[0] == "antipodes-20201113-031500.zip"
    assert len(names) == 14
    assert zipfile.is_zipfile(backups / names[-1])
    assert manager.systemctl("show", "--property=Result", "antipodes-backup") == "Result=success\n"


@pytest.mark.parametrize("unit", [file.name for file in sorted(UNITS.glob("*.service"))])
def test_units_give_the_site_few_rights(unit):
    rating = ["systemd-analyze", "security", "--offline=true", "--threshold=20", UNITS / unit]
    done = subprocess.run(rating, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_wrong_settings_are_said_once(alone):
    manager = alone(MAIL_LMTP="nowhere")
    with pytest.raises(AssertionError):
        manager.systemctl("start", "antipodes")
    time.sleep(3)  # a restart would begin after two
    assert manager.systemctl("show", "--property=NRestarts", "antipodes") == "NRestarts=0\n"
    assert manager.log_text().count("MAIL_LMTP is 'nowhere'") == 1
    assert "Antipodes is at" not in manager.log_text()
    assert not tracebacks(manager.log_text())


def restart_one_after_another(manager):
    for number in (1, 2):
        manager.systemctl("restart", f"antipodes-web@{number}")


def kill_a_web_process(manager):
    manager.systemctl("kill", "--signal=KILL", "antipodes-web@1")
    until_restarted(manager)


def hang_a_web_process(manager):
    manager.systemctl("kill", "--signal=STOP", "antipodes-web@1")
    until_restarted(manager)


def until_restarted(manager):
    shown = ("systemctl", "show", "--property=NRestarts", "antipodes-web@1")
    until(manager, lambda: "NRestarts=0" not in manager.run(*shown))


def until(manager, is_so):
    end = time.monotonic() + ENDING
    while not is_so():
        assert time.monotonic() < end, manager.log_text()
        time.sleep(0.2)


class Visitor(threading.Thread):
    """Reads pages all the time."""

    def __init__(self, origin):
        super().__init__()
        self.origin = origin
        self.statuses = []
        self.slowest = 0.0
        self.is_ending = threading.Event()

    def run(self):
        with httpx.Client(verify=False, base_url=self.origin, timeout=60) as client:
            for path in itertools.cycle(PAGES):
                begun = time.monotonic()
                answer = client.get(path)
                self.statuses.append(answer.status_code)
                self.slowest = max(self.slowest, time.monotonic() - begun)
                if self.is_ending.wait(VISITS):
                    return


async def play_through(site, seeded, failure):
    """Play during a failure; return the tables, and the codes that closed their sockets."""
    tables = [Table(site, one) for one in seeded["tables"]]
    games = [asyncio.ensure_future(table.play()) for table in tables]
    await asyncio.sleep(BEFORE)
    await asyncio.to_thread(failure)
    async with asyncio.timeout(ENDING):
        await asyncio.gather(*games)
    codes = [code for table in tables for seat in table.seats for code in seat.codes]
    await asyncio.gather(*(table.left() for table in tables))
    return tables, codes


@pytest.mark.parametrize(
    "failure", [restart_one_after_another, kill_a_web_process, hang_a_web_process]
)
def test_games_go_on_while_systemd_restarts_web_processes(hosted, failure):
    site, seeded, manager = hosted
    visitor = Visitor(site.url())
    visitor.start()
    try:
        tables, codes = asyncio.run(play_through(site, seeded, lambda: failure(manager)))
    finally:
        visitor.is_ending.set()
        visitor.join()
    for table in tables:
        view = httpx.get(site.url(f"/m/{table.slug}/match.json"), verify=False, timeout=60).json()
        moves = [made["move"] for made in view["moves"]]
        assert moves == table.acknowledged, "acknowledged moves are there, once and in order"
    print(f"\n{failure.__name__}: {len(visitor.statuses)} pages, slowest {visitor.slowest:.2f} s")
    if failure is restart_one_after_another:
        assert set(visitor.statuses) == {200}, "no visitor sees an error"
        assert codes, "sockets were closed"
        assert set(codes) == {1012}, "so that pages reconnect"
