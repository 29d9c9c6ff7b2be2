"""Answers as HTML, with the board as a drawing.

Mail programs support SVG badly: many remove it from HTML, and most do not show it by ``cid:``
either. So the HTML shows a PNG, which the site renders from :func:`svg_of`, and the SVG is an
attachment. The plain text has all that the HTML has.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from antipodes.mail.layout.board import board_answer
from antipodes.mail.layout.items import (
    Answer,
    Comment,
    Field,
    Item,
    Listing,
    Moves,
    Original,
    Picture,
    Title,
)
from antipodes.mail.layout.report import BoardReport
from antipodes.mail.layout.text import NOTHING, one_line
from antipodes.notation.ascii_pictures import legend
from antipodes.notation.words import colors_on_board, describe, highlights
from antipodes.records.texts import trimmed

_SHOWN = 480  # pixels, maximum width of a picture
_LONGEST = 1_000  # characters of a description for screen readers

_BODY = "font-family: system-ui, sans-serif; line-height: 1.45; max-width: 40rem; margin: 1rem;"
_SMALL = "font-size: .9em; margin: .6rem 0;"
_WORDS = "white-space: pre-wrap; margin: .2rem 0 1rem;"
# Fields left out, since a heading, a link or a picture replaces them.
_LEFT_OUT = frozenset({"Link", "Written", "Game"})


def board_html(report: BoardReport, cid: str, *, ply: int | None = None) -> str:
    """Return the answer about a board as HTML that shows the drawing by ``cid:``.

    Args:
        report: the contents.
        cid: the Content-ID of the drawing as a PNG, without brackets; empty if there is none.
        ply: the number of moves, as for the text.
    """
    return html_of(board_answer(report, ply=ply), cid, link=report.link)


def svg_of(answer: Answer) -> str:
    """Return the drawing of the board in an answer as SVG text.

    Raises:
        ValueError: the answer has no board.
    """
    if answer.picture is None:
        raise ValueError("there is no board in this answer")
    return answer.picture.position.to_svg(seat=answer.picture.side)


def html_of(answer: Answer, cid: str, *, link: str = "") -> str:
    """Return an answer as HTML.

    Args:
        answer: the contents.
        cid: the Content-ID of the drawing of its board as a PNG; empty for no picture.
        link: URL of the match, for title and picture; empty if there is none.
    """
    return _page(answer.title or "Antipodes", _content(answer, cid, link))


def digest_html(
    head: Answer, boards: Sequence[tuple[Answer, str, str]], *, title: str = "Antipodes"
) -> str:
    """Return several boards as one HTML page.

    Args:
        head: the contents before them.
        boards: each with the Content-ID of its drawing and its link, as for :func:`html_of`.
        title: the title.
    """
    return _page(title, "\n<hr>\n".join([_content(head, "", ""), *(_content(*b) for b in boards)]))


def _content(answer: Answer, cid: str, link: str) -> str:
    return "\n".join(
        part for block in answer.blocks for item in block if (part := _item(item, cid, link))
    )


def _page(title: str, content: str) -> str:
    title = escape(title)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="color-scheme" content="light dark">'
        f'<title>{title}</title></head>\n<body style="{_BODY}">\n{content}\n</body></html>\n'
    )


def _item(item: Item, cid: str, link: str) -> str:
    match item:
        case Title(text):
            return f'<h1 style="font-size: 1.25em;">{_linked(escape(one_line(text)), link)}</h1>'
        case Field(name, value):
            return _field(name, value)
        case Listing():
            return _table(item)
        case Moves():
            return _moves(item)
        case Picture():
            return _picture(item, cid, link)
        case Comment(who, text):
            return f'{_heading(f"{who} writes")}<p style="{_WORDS}">{_words(text)}</p>'
        case Original(text):
            words = f'<blockquote style="{_WORDS}">{_words(text)}</blockquote>'
            return f"{_heading('You wrote')}{words}"


def _linked(content: str, link: str) -> str:
    return f'<a href="{escape(link)}">{content}</a>' if link else content


def _heading(text: str) -> str:
    return f'<h2 style="font-size: 1em; margin: 1rem 0 0;">{escape(one_line(text))}</h2>'


def _words(text: str) -> str:
    return escape(trimmed(text))


def _field(name: str, value: str) -> str:
    said = escape(one_line(value))
    if name in _LEFT_OUT or not said:
        return ""
    if name == "News":
        return f'<p style="margin: .3rem 0;"><strong>{said}</strong></p>'
    if name == "Reply":
        said = f'<a href="mailto:{said}">{said}</a>'
    return f'<p style="margin: .15rem 0;">{escape(name)}: {said}</p>'


def _table(table: Listing) -> str:
    """Return a table whose first column has row headers for screen readers."""
    lines = [
        '<table cellpadding="3" style="border-collapse: collapse; margin: .6rem 0;">',
        f'<caption align="left"><strong>{escape(table.name)}</strong></caption>',
        f"<thead><tr>{''.join(_head('col', head) for head in table.heads)}</tr></thead><tbody>",
    ]
    for first, *other_cells in table.rows:
        cells = "".join(f"<td>{_cell(cell)}</td>" for cell in other_cells)
        lines.append(f"<tr>{_head('row', first)}{cells}</tr>")
    return "\n".join([*lines, "</tbody></table>"])


def _head(scope: str, text: str) -> str:
    return f'<th scope="{scope}" align="left">{_cell(text)}</th>'


def _cell(text: str) -> str:
    return escape(one_line(text) or NOTHING)


def _moves(moves: Moves) -> str:
    if not moves.texts:
        return ""
    # Lines may break between two moves, but not between a move and its number.
    shown = (f"{number}. {text}".replace(" ", "\xa0") for number, text in moves.marked())
    return f'<p style="{_SMALL}">{escape(moves.name)}: {escape(" ".join(shown))}</p>'


def _picture(picture: Picture, cid: str, link: str) -> str:
    scene = picture.scene
    meaning = f'<p style="{_SMALL}">{escape(legend(scene))}</p>'
    if not cid:
        board = escape(picture.position.picture(picture.side))
        return f'<pre style="line-height: 1.15;">{board}</pre>{meaning}'
    image = (
        f'<img src="cid:{escape(cid)}" alt="{escape(position_words(picture))}" width="{_SHOWN}"'
        ' style="max-width: 100%; height: auto; background: #fdfbf6;">'
    )
    return f"<p>{_linked(image, link)}</p>{meaning}"


def position_words(picture: Picture) -> str:
    """Return a description of a position for readers who do not see its picture.

    Screen readers cannot pause inside it. So instead of a very long list of pieces it has their
    numbers; the plain text lists them all.
    """
    scene = picture.scene
    whole = describe(scene)
    if len(whole) <= _LONGEST:
        return whole
    pieces = [*scene.stones.values(), *(rod.color for rod in scene.rods.values())]
    counts = (f"{color.title} {pieces.count(color)}" for color in colors_on_board(scene))
    counted = f"Pieces: {', '.join(counts)}; the plain text of this mail shows where."
    return " ".join([scene.title, counted, *highlights(scene)])
