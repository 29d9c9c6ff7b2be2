"""Postfix hands mail to a program: the script of ``deploy``, run as a user of its own."""

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

USER = "nobody"  # in place of antipodes, whom only hosts have
ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "deploy/postfix/deliver"
_SERVICE = """\
antipodes unix - n n - 4 pipe
  flags=Rq user={user} argv={script} --sender ${{sender}} --recipient ${{recipient}}
"""


def python():
    """Return a Python like this one that the user may run: this one may lie in a home of root."""
    name = "python{}.{}".format(*sys.version_info)
    for candidate in (sys.executable, f"/usr/bin/{name}"):
        with contextlib.suppress(OSError):
            if subprocess.run([candidate, "-V"], user=USER, check=False).returncode == 0:
                return candidate
    return ""


class Piped:
    """A site whose mail is handed to the script of ``deploy``, with a file of settings."""

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
        # The program of a host lies where everybody can run it; that of a checkout may not.
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

    def taken(self):
        file = self.data / "site.sqlite3"
        if not file.exists() or not file.stat().st_size:
            return 0
        with closing(sqlite3.connect(file)) as database:
            return database.execute("SELECT count(*) FROM mailroom_arrivalrow").fetchone()[0]


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


def test_mail_waits_until_its_user_can_read_the_settings_and_there_is_a_site(piped, pipe):
    piped.set_mode(0o600)  # root alone
    submit(pipe, 1)
    wait_until(lambda: "cannot be read" in pipe.said(), f"a refusal: {pipe.said()}")
    assert "status=deferred" in pipe.said()
    piped.set_mode(0o640, group=pwd.getpwnam(USER).pw_gid)
    pipe.try_again()
    wait_until(lambda: "there is no site in" in pipe.said(), f"another refusal: {pipe.said()}")
    assert "status=bounced" not in pipe.said()
    done = piped.call("migrate")
    assert done.returncode == 0, done.stderr
    pipe.try_again()
    wait_until(lambda: "status=sent" in pipe.said(), f"the mail: {pipe.said()}")
    assert piped.taken() == 1


def test_a_program_that_is_gone_for_a_while_loses_no_mail(piped, pipe):
    away = piped.program.with_name("away")
    shutil.move(piped.program, away)
    submit(pipe, 2)
    wait_until(lambda: "not found" in pipe.said(), f"a refusal: {pipe.said()}")
    shutil.move(away, piped.program)
    pipe.try_again()
    wait_until(lambda: piped.taken() == 2, f"the mail: {pipe.said()}")
    assert "status=bounced" not in pipe.said()
