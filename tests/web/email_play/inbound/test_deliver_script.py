"""Exit codes of the script that Postfix runs: accepted, refused, or tried again later."""

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
    ("code", "expected"),
    [(0, 0), (65, 65), (67, 67), (69, 69), (1, 75), (2, 75), (70, 75), (75, 75), (130, 75)],
)
def test_exit_codes_other_than_refusals_defer_the_mail(tmp_path, code, expected):
    program = tmp_path / "antipodes"
    program.write_text(f'#!/bin/sh\necho "$@"\ncat >/dev/null\nexit {code}\n')
    program.chmod(0o755)
    done = deliver(program)
    assert done.returncode == expected
    arguments = b"mail deliver --sender a@b.example --recipient play@x.example\n"
    assert done.stdout == arguments


def test_a_missing_program_defers_the_mail(tmp_path):
    assert deliver(tmp_path / "antipodes").returncode == 75
