"""Tests of dependencies: `make style` checks that what is imported is declared, and the reverse."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def test_the_package_and_its_tests_are_checked_by_make_style():
    checks = re.findall(r"^\t@\$\(BIN\)/deptry (\w+)", MAKEFILE, re.MULTILINE)
    assert checks == ["src", "tests"]
