"""Postfix pipes mail to the script of ``deploy``, which runs as another user."""

import contextlib
import os
import pwd
import shutil
import site
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.mailservers.servers import SITE, Postfix, open_to_all, wait_until

USER = pwd.getpwuid(65534).pw_name  # in place of antipodes, which only hosts have
ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "deploy/postfix/deliver"
_SERVICE = """\
antipodes unix - n n - 4 pipe
  flags=Rq user={user} argv={script} --sender ${{sender}} --recipient ${{recipient}}
"""


def python():
    """Return a Python of this version that the user may run; this one may be in root's home."""
    name = "python{}.{}".format(*sys.version_info)
    for candidate in (sys.executable, f"/usr/bin/{name}"):
        with contextlib.suppress(OSError):
            if subprocess.run([candidate, "-V"], user=USER, check=False).returncode == 0:
                return candidate
    return ""


class Piped:
    """A site whose mail goes through the script of ``deploy``, with an env file."""

    def __init__(self, scratch):
        self.folder = scratch / "pipe"
        self.data, self.settings = self.folder / "data", self.folder / "site.env"
        self.data.mkdir(parents=True)
        open_to_all(self.folder)
        for folder in (self.folder, self.data):
            os.chown(folder, pwd.getpwnam(USER).pw_uid, -1)
        self.settings.write_text(
            f"ANTIPODES_DATA='{self.data}'\nMAIL_HOST='{SITE}'\nEMAIL_URL='dummymail://'\n"
        )
        self.set_mode(0o640, group=pwd.getpwnam(USER).pw_gid)
        # The user may be unable to run the program of the checkout.
        self.program = self.folder / "antipodes"
        path = os.pathsep.join([*site.getsitepackages(), str(ROOT / "src")])
        self.program.write_text(
            f'#!/bin/sh\nexport PYTHONPATH="{path}" HOME={self.folder}\n'
            f'export ANTIPODES_ENV_FILE={self.settings}\nexec {python()} -m antipodes "$@"\n'
        )
        self.script = self.folder / "deliver"
        self.script.write_text(
            SCRIPT.read_text().replace("/opt/antipodes/bin/antipodes", str(self.program))
        )
        for file in (self.program, self.script):
            file.chmod(0o755)

    def set_mode(self, mode, group=0):
        os.chown(self.settings, 0, group)
        self.settings.chmod(mode)

    def call(self, *arguments):
        """Run a command as the user of the site."""
        return subprocess.run(
            [str(self.program), *arguments],
            user=USER,
            group=pwd.getpwnam(USER).pw_gid,
            extra_groups=(),
            env={"PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            check=False,
        )

    def mail_count(self):
        file = self.data / "site.sqlite3"
        if not file.exists() or not file.stat().st_size:
            return 0
        with closing(sqlite3.connect(file)) as database:
            return database.execute("SELECT count(*) FROM email_play_inboundmailrow").fetchone()[0]


@pytest.fixture(scope="module")
def piped(scratch):
    if not python():
        pytest.skip(f"user {USER} may run no Python {sys.version}")
    return Piped(scratch)


@pytest.fixture(scope="module")
def pipe(piped, scratch, dovecot):
    """A Postfix that runs the script for mail to the site."""
    server = Postfix(scratch / "postfix-with-a-pipe", lmtp=1, mailboxes=dovecot.socket)
    main, master = server.configuration / "main.cf", server.configuration / "master.cf"
    main.write_text(
        main.read_text().replace(f"{SITE}=lmtp:inet:127.0.0.1:1,", f"{SITE}=antipodes:,")
    )
    master.write_text(master.read_text() + _SERVICE.format(user=USER, script=piped.script))
    server.start()
    yield server
    server.stop()


def submit(pipe, number):
    raw = f"From: ann@people.test\r\nMessage-ID: <{number}@x>\r\nSubject: help\r\n\r\n".encode()
    pipe.submit(raw, "ann@people.test", [f"play@{SITE}"])


def test_mail_waits_until_the_user_can_read_the_settings_and_the_site_exists(piped, pipe):
    piped.set_mode(0o600)  # only root
    submit(pipe, 1)
    wait_until(lambda: "cannot be read" in pipe.said(), f"a refusal: {pipe.said()}")
    assert "status=deferred" in pipe.said()
    piped.set_mode(0o640, group=pwd.getpwnam(USER).pw_gid)
    pipe.flush()
    wait_until(lambda: "there is no site in" in pipe.said(), f"another refusal: {pipe.said()}")
    assert "status=bounced" not in pipe.said()
    done = piped.call("migrate")
    assert done.returncode == 0, done.stderr
    pipe.flush()
    wait_until(lambda: "status=sent" in pipe.said(), f"the mail: {pipe.said()}")
    assert piped.mail_count() == 1


def test_no_mail_is_lost_while_the_program_is_missing(piped, pipe):
    away = piped.program.with_name("away")
    shutil.move(piped.program, away)
    submit(pipe, 2)
    wait_until(lambda: "not found" in pipe.said(), f"a refusal: {pipe.said()}")
    shutil.move(away, piped.program)
    pipe.flush()
    wait_until(lambda: piped.mail_count() == 2, f"the mail: {pipe.said()}")
    assert "status=bounced" not in pipe.said()
