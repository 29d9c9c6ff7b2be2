"""Tests of the pages on commands and errors, which are complete."""

import ast
import re
from pathlib import Path

from antipodes.cli import cli, exits
from antipodes.core import Illegality
from tests.cases import for_each

ROOT = Path(__file__).resolve().parents[2]
COMMANDS_PAGE = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
# The pages of options, by their addresses in the first one.
COMMANDS_PARTS = {
    f"commands/{path.name}": path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "docs/commands").glob("*.md"))
}
ERRORS_PAGE = (ROOT / "docs/errors.md").read_text(encoding="utf-8")
CODE = re.compile(r"[a-z][a-z-]*/[a-z][a-z-]*")


MEDIA_TYPES = ("application/", "image/", "message/", "multipart/", "text/")


def sections():
    """Return each command with the address of its section, and the text of the section."""
    return [
        (command, f"{address}#{label}", text)
        for address, page in COMMANDS_PARTS.items()
        for label, text, command in re.findall(
            r"^\(([\w-]+)\)=\n(## `antipodes ([a-z-]+)[` ].*?)(?=^\([\w-]+\)=\n|\Z)",
            page,
            re.MULTILINE | re.DOTALL,
        )
    ]


def section(command):
    """Return the section of the pages on a command."""
    (text,) = [text for name, _, text in sections() if name == command]
    return text


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


def test_every_command_has_one_section_and_nothing_else_has_one():
    headings = [
        heading
        for page in COMMANDS_PARTS.values()
        for heading in re.findall(r"^## (.+)$", page, re.MULTILINE)
    ]
    assert sorted(name for name, _, _ in sections()) == sorted(cli.commands)
    assert len(headings) == len(cli.commands)


def test_the_first_page_leads_to_the_section_of_each_command_in_the_order_of_the_parts():
    row = re.compile(r"^\| \[`antipodes ([a-z-]+)`\]\(([\w/.#-]+)\) \| \w.+ \|$", re.MULTILINE)
    listed = row.findall(COMMANDS_PAGE)
    assert sorted(listed) == sorted((name, address) for name, address, _ in sections())
    for part in COMMANDS_PARTS:
        rows = [pair for pair in listed if pair[1].startswith(part)]
        assert rows == [(name, to) for name, to, _ in sections() if to.startswith(part)]


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
