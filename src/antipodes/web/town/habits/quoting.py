"""Quotes: how mail programs put a person's own words beside the mail that is answered."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable

_ATTRIBUTIONS = (
    "On Mon, Mar 4, 2030 at 12:00 PM Antipodes <{to}> wrote:",
    "On Mon, Mar 4, 2030 at 12:00 PM Antipodes\n<{to}>\nwrote:",
    "On 04/03/2030 12:00, Antipodes wrote:",
    "Am 04.03.2030 um 12:00 schrieb Antipodes <{to}>:",
    "Am Mo., 4. März 2030 um 12:00 Uhr schrieb Antipodes <\n{to}>:",
    "Le lun. 4 mars 2030 à 12:00, Antipodes <{to}>\na écrit :",
    "Il giorno lun 4 mar 2030 alle ore 12:00 Antipodes <{to}> ha scritto:",
    "Op ma 4 mrt 2030 om 12:00 heeft Antipodes <{to}>\nhet volgende geschreven:",
    "2030年3月4日(月) 12:00 Antipodes <{to}>:",
)
_HEADS = (
    "-----Original Message-----\nFrom: Antipodes <{to}>\nSent: Monday\nTo: {own}",
    "________________________________\nFrom: Antipodes <{to}>\nSent: Monday",
    "*From:* Antipodes <{to}>\n*Sent:* Monday\n*To:* {own}\n*Subject:* {subject}",
    "Von: Antipodes <{to}>\nGesendet: Montag\nAn: {own}\nBetreff: {subject}",
    "---------- Forwarded message ---------\nFrom: Antipodes <{to}>",
)
# A person who has set up no mail program well: nothing says where the quote begins.
_BARE = ("\n", "\n--\n{own}\n", "\nI answer to {to}, as {own}.\n")


def _above(chance: random.Random, words: str, quoted: str) -> str:
    return f"{words}\n\n{chance.choice(_ATTRIBUTIONS)}\n\n{_marked(chance, quoted)}\n"


def _below(chance: random.Random, words: str, quoted: str) -> str:
    return f"{chance.choice(_ATTRIBUTIONS)}\n{_marked(chance, quoted)}\n\n{words}\n"


def _between(chance: random.Random, words: str, quoted: str) -> str:
    lines = quoted.splitlines()
    middle = chance.randrange(len(lines) + 1)
    before, after = ("\n".join(part) for part in (lines[:middle], lines[middle:]))
    return f"{_marked(chance, before)}\n\n{words}\n\n{_marked(chance, after)}\n"


def _under_a_head(chance: random.Random, words: str, quoted: str) -> str:
    return f"{words}\n\n{chance.choice(_HEADS)}\n\n{quoted}\n"


def _unmarked(chance: random.Random, words: str, quoted: str) -> str:
    return f"{words}\n\n{chance.choice(_ATTRIBUTIONS)}\n\n{quoted}\n"


def _bare(chance: random.Random, words: str, quoted: str) -> str:
    return f"{words}\n{chance.choice(_BARE)}{quoted if chance.random() < 0.5 else ''}"


def _marked(chance: random.Random, text: str) -> str:
    return textwrap.indent(text, chance.choice(["> ", "> ", "| ", ">> "]), lambda _line: True)


_WAYS: tuple[Callable[[random.Random, str, str], str], ...] = (
    lambda _chance, words, _quoted: f"{words}\n",
    _above,
    _below,
    _between,
    _under_a_head,
    _unmarked,
    _bare,
)


def quoting(
    chance: random.Random, words: str, quoted: str, to: str, own: str, subject: str = ""
) -> str:
    """Return the text of an answer.

    Args:
        chance: chooses the way of quoting.
        words: what the person writes.
        quoted: the text of the mail that is answered.
        to: the address that is answered.
        own: the person's address.
        subject: of the mail that is answered.
    """
    text = chance.choice(_WAYS)(chance, words, quoted)
    for name, value in (("to", to), ("own", own), ("subject", subject)):
        text = text.replace(f"{{{name}}}", value)
    return text
