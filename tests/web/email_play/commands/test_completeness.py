"""Every command has a handler, an entry in the table, help and documentation."""

from pathlib import Path

from antipodes.mail.layout import write_help
from antipodes.mail.requests import COMMANDS, Verb
from antipodes.web.email_play.commands.handlers import handler_for
from tests.cases import for_each

ROOT = Path(__file__).parents[4]

# The parser handles it.
_PARSED = {Verb.MULTIPLE}


def test_the_table_lists_every_command_once():
    assert sorted(info.verb for info in COMMANDS) == sorted(Verb)


@for_each("verb", [verb for verb in Verb if verb not in _PARSED])
def test_every_command_has_a_handler(verb):
    found = {handler_for(verb, on_board=True), handler_for(verb, on_board=False)}
    assert found != {None}


@for_each("verb", list(Verb))
def test_every_command_has_help(verb):
    assert verb.value in write_help(verb.value)


def test_the_docs_are_generated_from_the_table():
    page = (ROOT / "docs/mail.md").read_text(encoding="utf-8")
    assert "{mail-commands}" in page
