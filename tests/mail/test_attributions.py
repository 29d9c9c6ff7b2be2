"""Attributions of quotes that mail programs wrap over two lines, in all languages."""

import textwrap

import pytest

from antipodes.mail.quoting import own_text
from tests.cases import for_each
from tests.mail.corpus.replies import ATTRIBUTIONS, UNMARKED

ADDRESS = "play+abcdefgh123@play.example"
NAMES = (
    "Ab",
    "Antipodes Play",
    "The Antipodes Play by Mail Server",
    "Games of the Club of Hamburg",
)
OWN = "d4\n\nHave fun!"
BOARD = "Antipod Board 101\nTurn: move 3\nd4"


def wrapped(line):
    """Yield an attribution as programs wrap it over two lines, also after the bracket."""
    for name in NAMES:
        words = line.replace("Games", name, 1).replace("<\n", "<").format(to=ADDRESS)
        for width in (60, 65, 70, 72, 76, 78):
            text = textwrap.fill(" ".join(words.split()), width, break_on_hyphens=False)
            if text.count("\n") == 1:
                yield text
                yield text.replace("\n<", " <\n")


@pytest.mark.parametrize("mark", ["> ", "| ", ""])
@for_each("line", [*ATTRIBUTIONS.values(), *UNMARKED.values()])
def test_an_attribution_over_two_lines_is_cut_with_its_quote(line, mark):
    quote = textwrap.indent(BOARD, mark)
    for text in wrapped(line):
        assert own_text(f"{OWN}\n\n{text}\n\n{quote}\n") == OWN, text


@for_each(
    "head",
    [
        "Date: Sat, 21 Nov 2026 12:00:00 +0100\nFrom: Games\nTo: Ann\nSubject: Hex",
        "Date: Saturday, 21 November\nFrom: Games\nTo: Ann\nSubject: Hex",
        "Sent: Saturday\nFrom: Games\nTo: Ann",
        "Subject: Hex\nDate: 21 Nov\nFrom: Games",
        "Datum: 21.11.2026\nVon: Games\nAn: Ann\nBetreff: Hex",
        "Datum: za 21 nov\nVan: Games\nAan: Ann\nOnderwerp: Hex",
        "Dato: lør. 21. nov.\nFra: Games\nTil: Ann\nEmne: Hex",
    ],
)
def test_the_fields_of_a_header_stand_in_any_order(head):
    assert own_text(f"{OWN}\n\n{head}\n\n{BOARD}\n") == OWN


@for_each(
    "text",
    [
        "You wrote on 2026-11-21 at 12:00\nabout the corner:\nit was mine.",
        "What he said in 2026:\nnothing.",
        "My plan:\nwait.",
    ],
)
def test_sentences_that_end_with_a_colon_are_no_attributions(text):
    assert own_text(f"d4\n\n{text}") == f"d4\n\n{text}"
