"""Tests of the pages on commands and errors, which are complete."""

import ast
import re
from pathlib import Path

from antipodes.cli import cli, exits
from antipodes.core import Illegality
from tests.cases import for_each

ROOT = Path(__file__).resolve().parents[2]
COMMANDS_PAGE = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
ERRORS_PAGE = (ROOT / "docs/errors.md").read_text(encoding="utf-8")
CODE = re.compile(r"[a-z][a-z-]*/[a-z][a-z-]*")


MEDIA_TYPES = ("application/", "image/", "message/", "multipart/", "text/")


def section(command):
    """Return the section of the page on a command."""
    found = re.search(
        rf"^## `antipodes {command}[` ].*?(?=^## |\Z)", COMMANDS_PAGE, re.MULTILINE | re.DOTALL
    )
    assert found, f"docs/commands.md has no section on {command}"
    return found[0]


def options(command):
    """Return the options of a command and of its subcommands."""
    below = getattr(command, "commands", {}).values()
    own = {option for parameter in command.params for option in parameter.opts}
    return own.union(*(options(one) for one in below))


def codes_in_source():
    """Return the error codes in the source: strings of the form ``kind/name``."""
    # URLs look like codes.
    paths = [path for path in (ROOT / "src").rglob("*.py") if path.name != "urls.py"]
    sources = [path.read_text(encoding="utf-8") for path in paths]
    texts = {
        node.value
        for source in sources
        if re.search(f'"{CODE.pattern}"', source)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    codes = {text for text in texts if CODE.fullmatch(text) and not text.startswith(MEDIA_TYPES)}
    return codes | {one.code for one in Illegality}


@for_each("name", sorted(cli.commands))
def test_every_command_has_a_section_with_all_its_options(name):
    documented = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", section(name)))
    existing = options(cli.commands[name])
    assert {option for option in existing if option.startswith("-")} <= documented


@for_each("name", sorted(cli.commands))
def test_every_option_in_a_section_is_one_of_the_command(name):
    rows = re.findall(r"^\| (`-.*?) \|", section(name), re.MULTILINE)
    documented = {
        option for row in rows for option in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", row)
    }
    existing = options(cli.commands[name])
    assert documented <= existing


def test_every_command_is_in_the_first_table():
    listed = re.findall(r"^\| \[`antipodes ([a-z-]+)`\]\(#", COMMANDS_PAGE, re.MULTILINE)
    assert sorted(listed) == sorted(cli.commands)


def test_every_exit_code_is_documented():
    documented = {int(code) for code in re.findall(r"^\| (\d+) \|", COMMANDS_PAGE, re.MULTILINE)}
    assert documented == {
        value for name, value in vars(exits).items() if name.isupper() and isinstance(value, int)
    }


def test_exactly_the_error_codes_are_documented():
    documented = set(re.findall(r"^\| `([a-z/-]+)` \|", ERRORS_PAGE, re.MULTILINE))
    assert documented == codes_in_source()


def test_no_code_is_documented_twice():
    documented = re.findall(r"^\| `([a-z/-]+)` \|", ERRORS_PAGE, re.MULTILINE)
    assert len(documented) == len(set(documented))
