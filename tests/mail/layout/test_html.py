"""Lists of moves and pictures in answers as HTML; the golden answers have everything else."""

import re
from html import escape

import pytest

from antipodes.mail.layout import board_answer, board_html, html_of, svg_of
from antipodes.mail.layout.items import Answer, Moves, Title
from tests.mail.layout.boards import begun, played, reported


def html_with(*texts, **more):
    moves = Moves(name="Tried", texts=texts, seats=2, **more)
    return html_of(Answer.of([Title("Hex")], [moves]), "")


def test_moves_are_numbered_and_do_not_break_from_their_numbers():
    page = html_with("a1", "b2", first=5, automatic=(False, True))
    assert "Tried: 5.\xa0a1 6.\xa0b2\xa0(auto)</p>" in page


def test_no_moves_leave_nothing():
    assert "Tried" not in html_with()


@pytest.fixture
def report():
    """A report about a board with two stones, seen from the second seat."""
    match = played(begun("antipalos", {"size": 12}), ["A1*", "*B2"])
    return reported(match, side=1)


def test_the_drawing_of_a_board_is_seen_from_the_side_of_its_reader(report):
    position = report.match.position
    assert svg_of(board_answer(report)) == position.to_svg(seat=1)
    assert svg_of(board_answer(report)) != position.to_svg(seat=0)
    assert svg_of(board_answer(report, ply=0)) == report.match.terms.origin.to_svg(seat=1)
    with pytest.raises(ValueError, match="no board"):
        svg_of(Answer.of([Title("Hex")]))


def test_without_a_drawing_a_board_is_shown_in_characters(report):
    page = board_html(report, "")
    picture = escape(report.match.position.picture(1))
    assert f'<pre style="line-height: 1.15;">{picture}</pre>' in page
    assert "<img" not in page
    with_drawing = board_html(report, "board@x")
    assert 'src="cid:board@x"' in with_drawing
    assert "<pre" not in with_drawing
    # The same words explain both.
    meaning = re.compile(r'(?:</pre>|</p>)(<p style="[^"]*">[^<]*</p>)')
    found = meaning.search(page, page.index("</pre>"))
    assert found is not None
    assert found[1] in with_drawing


def test_a_board_is_shown_after_one_of_its_moves_only(report):
    for ply in (0, 1, 2):
        picture = board_answer(report, ply=ply).picture
        assert picture is not None
        assert picture.ply == ply
    for ply in (-1, 3):
        with pytest.raises(ValueError, match=f"board 101 has 2 moves, not {ply}"):
            board_answer(report, ply=ply)
