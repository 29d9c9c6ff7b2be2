"""Laws of the script that Postfix runs: a mail is taken, refused for good, or tried again later."""

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[4] / "deploy/postfix/deliver"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")


def deliver(program):
    return subprocess.run(
        ["/bin/sh", str(SCRIPT), "--sender", "a@b.example", "--recipient", "play@x.example"],
        env={"PATH": os.environ["PATH"], "ANTIPODES": str(program)},
        input=b"Subject: help\n\n",
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("code", "answered"),
    [(0, 0), (65, 65), (67, 67), (69, 69), (1, 75), (2, 75), (70, 75), (75, 75), (130, 75)],
)
def test_whatever_fails_on_this_machine_the_mail_is_kept(tmp_path, code, answered):
    program = tmp_path / "antipodes"
    program.write_text(f'#!/bin/sh\necho "$@"\ncat >/dev/null\nexit {code}\n')
    program.chmod(0o755)
    done = deliver(program)
    assert done.returncode == answered
    said = b"mail deliver --sender a@b.example --recipient play@x.example\n"
    assert done.stdout == said


def test_a_program_that_is_not_there_keeps_the_mail(tmp_path):
    assert deliver(tmp_path / "antipodes").returncode == 75
