"""The position that an e-mail of the site, or a quote of it, shows."""

from pathlib import Path

from antipodes.mail.bodies import markup_text
from antipodes.mail.quoting import shown_ply

GOLDEN = Path("tests/golden/mail")


def golden(name):
    return (GOLDEN / name).read_text()


def quoted(text, mark="> "):
    return "\n".join(f"{mark}{line}" for line in text.split("\n"))


def test_the_text_says_it_also_in_every_quote():
    for text in (golden("antipod.txt"), markup_text(golden("antipod.html"))):
        for mark in ("", "> ", ">> ", "| ", "  > "):
            assert shown_ply(quoted(text, mark), 101) == 6


def test_a_quote_may_begin_below_the_title():
    text = golden("antipod.txt").partition("Options:")[2]
    assert shown_ply(text, 101) == shown_ply(text, 7) == 6


def test_of_several_boards_and_quotes_the_first_one_counts():
    digest = golden("digest.txt")
    assert shown_ply(digest, 101) == 3
    other = digest.replace("Hex Board 101", "Hex Board 7", 1)
    assert shown_ply(other, 101) == 6
    assert shown_ply(other, 8) is None
    earlier = quoted(golden("antipod.txt").replace("move 7;", "move 5;"), ">> ")
    assert shown_ply(quoted(golden("antipod.txt")) + earlier, 101) == 6


def test_boards_that_are_over_or_only_tried_say_nothing():
    assert shown_ply(golden("preview.txt"), 101) is None
    assert shown_ply(golden("antipod-won.txt"), 101) is None
    assert shown_ply("", 101) is None
    assert shown_ply("Turn: move 99999999999; x", 101) is None
