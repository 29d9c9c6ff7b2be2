"""Every command has somebody who carries it out, an entry in the table, help and docs."""

from pathlib import Path

import pytest

from antipodes.mail.layout import write_help
from antipodes.mail.requests import COMMANDS, Verb
from antipodes.web.email_play.context import handler_for

ROOT = Path(__file__).parents[4]

# It parts a mail into commands, before anybody carries out one.
_READ = {Verb.MULTIPLE}


def test_the_table_has_every_command_once():
    assert sorted(info.verb for info in COMMANDS) == sorted(Verb)


@pytest.mark.parametrize("verb", [verb for verb in Verb if verb not in _READ])
def test_every_command_is_carried_out_by_somebody(verb):
    found = {handler_for(verb, on_board=True), handler_for(verb, on_board=False)}
    assert found != {None}


@pytest.mark.parametrize("verb", Verb)
def test_every_command_has_help(verb):
    assert verb.value in write_help(verb.value)


def test_the_docs_are_made_from_the_table():
    page = (ROOT / "docs/mail.md").read_text(encoding="utf-8")
    assert "{mail-commands}" in page
