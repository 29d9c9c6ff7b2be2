"""Lists of moves in answers as HTML; the golden answers have everything else."""

from antipodes.mail.layout import html_of
from antipodes.mail.layout.items import Answer, Moves, Title


def html_with(*texts, **more):
    moves = Moves(name="Tried", texts=texts, seats=2, **more)
    return html_of(Answer.of([Title("Hex")], [moves]), "")


def test_moves_are_numbered_and_do_not_break_from_their_numbers():
    page = html_with("a1", "b2", first=5, automatic=(False, True))
    assert "Tried: 5.\xa0a1 6.\xa0b2\xa0(auto)</p>" in page


def test_no_moves_leave_nothing():
    assert "Tried" not in html_with()
