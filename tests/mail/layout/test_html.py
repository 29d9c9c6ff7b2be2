"""Lists of moves and pictures in answers as HTML; the golden answers have everything else."""

import re
from html import escape

import pytest

from antipodes.mail.layout import board_answer, board_html, html_of, svg_of
from antipodes.mail.layout.html import digest_html
from antipodes.mail.layout.items import (
    Answer,
    Comment,
    Field,
    Listing,
    Moves,
    Original,
    Title,
)
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


def test_fields_that_a_heading_or_a_picture_replaces_are_left_out():
    fields = [Field("Game", "hex"), Field("Written", "x"), Field("Link", "x"), Field("Turn", "")]
    page = html_of(Answer.of([*fields, Field("State", "a <b>"), Field("News", "told")]), "")
    body = page.partition("<body")[2]
    assert re.findall("<p[^>]*>(.*?)</p>", body) == ["State: a &lt;b&gt;", "<strong>told</strong>"]
    assert "<title>Antipodes</title>" in page


def test_titles_and_drawings_have_a_link_if_there_is_one(report):
    link = f'<a href="{escape(report.link)}">'
    answer = board_answer(report)
    assert html_of(answer, "board@x", link=report.link).count(link) == 2
    assert html_of(answer, "", link=report.link).count(link) == 1
    assert "<a href" not in html_of(answer, "board@x").replace('<a href="mailto:', "")


def test_messages_keep_their_lines_without_blank_ones_at_the_ends():
    answer = Answer.of([Comment("a <b>", "\r\none\r\n<two>\rthree\n")], [Original("x\n\ny")])
    page = html_of(answer, "")
    assert "a &lt;b&gt; writes</h2>" in page
    assert ">one\n&lt;two&gt;\nthree</p>" in page
    assert "You wrote</h2>" in page
    assert ">x\n\ny</blockquote>" in page


def test_tables_have_heads_of_rows_and_columns():
    table = Listing("Games", ("No", "Name"), (("7", "ann"), ("8", "")))
    page = html_of(Answer.of([table]), "")
    assert re.findall("<(th scope=.col|th scope=.row|td)[^>]*>([^<]*)<", page) == [
        ('th scope="col', "No"),
        ('th scope="col', "Name"),
        ('th scope="row', "7"),
        ("td", "ann"),
        ('th scope="row', "8"),
        ("td", "-"),
    ]


def test_a_digest_has_its_boards_after_rules(report):
    head = Answer.of([Field("News", "Two boards.")])
    board = board_answer(report)
    page = digest_html(head, [(board, "a@x", report.link), (board, "", "")], title="Boards")
    assert "<title>Boards</title>" in page
    parts = page.split("\n<hr>\n")
    assert ["Two boards." in part for part in parts] == [True, False, False]
    assert ["cid:a@x" in part for part in parts] == [False, True, False]
    assert [escape(report.link) in part for part in parts] == [False, True, False]
    assert "<title>Antipodes</title>" in digest_html(head, [])
