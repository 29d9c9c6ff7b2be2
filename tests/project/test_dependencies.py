"""Tests of dependencies: imports are declared, and declared dependencies are imported."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
CHECKS = re.findall(r"^\t@\$\(BIN\)/deptry (.*)$", MAKEFILE, re.MULTILINE)


def test_the_package_and_its_tests_are_checked_by_make_lint():
    assert [check.split()[0] for check in CHECKS] == ["src", "tests"]


@pytest.mark.parametrize("arguments", CHECKS)
def test_declared_dependencies_are_those_imported(arguments):
    command = [sys.executable, "-m", "deptry", *arguments.split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
