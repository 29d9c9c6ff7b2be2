"""Tests of README: its example runs, its picture is current, its commands exist."""

import doctest
import re

from antipodes.cli.app import cli
from tests.docs.pages import DOCS, ROOT, module_of_docs, text_of

README = ROOT / "README.md"


def test_the_example_runs():
    result = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert result.attempted >= 5
    assert result.failed == 0


def test_the_picture_is_what_the_program_draws():
    pictures = module_of_docs("make_pictures.py", "make_pictures")
    committed = text_of(DOCS / "_static/board.svg")
    assert committed == pictures.draw(), "draw it again: python docs/make_pictures.py"


def test_the_first_screen_has_the_board_and_the_two_commands():
    first = text_of(README).splitlines()[:24]
    assert any("docs/_static/board.svg" in line for line in first)
    assert any(line.startswith("    make run ") for line in first)
    assert any(line.startswith("    make test ") for line in first)
    assert any("first move" in line for line in first)


def targets():
    return set(re.findall(r"^([a-z-]+):.*## ", text_of(ROOT / "Makefile"), re.MULTILINE))


def test_commands_and_targets_that_it_names_exist():
    text = text_of(README)
    assert set(re.findall(r"\bmake ([a-z-]+)", text)) <= targets()
    assert set(re.findall(r"`antipodes ([a-z-]+)", text)) <= set(cli.commands)


def test_the_inventors_are_credited():
    text = text_of(README)
    for name in ("Cameron Browne", "Martin Collier", "Shane Hendrickson", "Piet Hein", "John Nash"):
        assert name in text


def test_contributing_explains_targets_that_exist():
    text = text_of(ROOT / "CONTRIBUTING.md")
    named = set(re.findall(r"`make ([a-z-]+)|^    make ([a-z-]+)$", text, re.MULTILINE))
    assert {one or other for one, other in named} <= targets()
