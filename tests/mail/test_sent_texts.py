"""Replies that quote the site without marks, in languages and forms that no list has."""

import textwrap
from pathlib import Path

import pytest

from antipodes.mail.bodies import markup_text
from antipodes.mail.quoting import without_sent

BOARD = Path("tests/golden/mail/antipod.txt").read_text()
MARKUP = Path("tests/golden/mail/antipod.html").read_text()

INTRODUCTIONS = {
    "none": "",
    "an attribution": "Klo 2026-11-21 12:00 Games <play+abc@play.example> blurbed:\n",
    "wrapped": "Sab 21 Nwm 2026 12:00\nGames <play+abc@play.example>\nblurbed:\n",
    "a header": "Blurb: Games\nFloop: play+abc@play.example\nZonk: 21 Nwm 2026\nWip: Board\n",
    "a rule and a header": "________\nBlurb: Games\nFloop: Ann\n\n",
    "a word between hyphens": "----- Blurbed -----\n",
}
FORMS = {
    "as sent": BOARD,
    "wrapped again": "\n".join(
        part for line in BOARD.split("\n") for part in textwrap.wrap(line, 40) or [""]
    ),
    "from the middle": BOARD[BOARD.index("Link:") :],
    "indented": textwrap.indent(BOARD, "    "),
    "as markup": markup_text(MARKUP),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("introduction", INTRODUCTIONS)
def test_what_the_site_sent_is_cut_with_its_introduction(introduction, form):
    own = f"d4\n\nHave fun!\n  - Ann\n\n{INTRODUCTIONS[introduction]}\n{FORMS[form]}"
    assert without_sent(own, [BOARD]) == "d4\n\nHave fun!\n  - Ann"


def test_a_reply_below_the_quote_is_kept():
    assert without_sent(f"Blurb 2026-11-21 12:00:\n\n{BOARD}\n\nd4\nBye", [BOARD]) == "d4\nBye"


def test_each_mail_of_the_thread_is_known():
    assert without_sent(f"d4\n\n{BOARD}", ["Another text of the site", BOARD]) == "d4"
    assert without_sent(f"d4\n\n{BOARD}", []) == f"d4\n\n{BOARD}"


def test_commands_that_the_site_suggested_are_no_quote():
    sent = "\n".join(["You may reply:", *(f"accept {number}" for number in range(9)), BOARD])
    commands = "multiple\naccept 1\naccept 2\naccept 3\naccept 4"
    assert without_sent(commands, [sent]) == commands
    whole = "Reply with one of\naccept\ndecline\nshow"
    assert without_sent(whole, [whole]) == whole


def test_answers_between_marked_quotes_stay():
    parts = "\n".join(f"> {line}" for line in BOARD.split("\n"))
    between = f"d4\n\n{parts}\nThat was mean.\n{parts}\nBye"
    assert without_sent(between, [BOARD]) == between


def test_own_words_stay_even_if_some_are_those_of_the_site():
    for own in (
        "d4\n\nLegend: x Black, o White. Last move: h17.\nWhy that?",
        "accept",
        "d4\n\nThat was automatic.\nWhat I think: the state\nis good. At 12:00 in 2026:\nbye",
        "",
    ):
        assert without_sent(own, [BOARD]) == own
