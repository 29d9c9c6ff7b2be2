"""Studies as files and as a page to print or to publish elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.views.decorators.http import require_GET

from antipodes.records import Node, Record, write_record
from antipodes.web.analysis.position_queries import Line
from antipodes.web.platform.streams import streamed
from antipodes.web.platform.translations import caption_text
from antipodes.web.studies.chapters import Piece, piece, tree_of, tree_parts
from antipodes.web.studies.models import ChapterRow
from antipodes.web.studies.permissions import chapter_for, chapters_of, study_for
from antipodes.web.studies.reading_costs import Charge, ReadingCost

_TYPES = {"json": "application/json", "sgf": "application/x-go-sgf"}
_PLACE = b"<!-- section -->"  # of the template; titles cannot have it, since they are escaped
_GLYPHS = {
    "very-good": "!!",
    "good": "!",
    "interesting": "!?",
    "doubtful": "?!",
    "bad": "?",
    "very-bad": "??",
}


@require_GET
def chapter_file(request: HttpRequest, slug: str, number: int, kind: str) -> HttpResponseBase:
    chapter = file_of(chapter_for(request, slug, number), kind, ReadingCost.of(request))
    return _file(request, [chapter], kind, f"study-{slug}-{number}")


def file_of(row: ChapterRow, kind: str, charge: Charge) -> Piece:
    return piece(row, kind, lambda record: write_record(record, kind), charge)


@require_GET
def study_file(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Return all chapters as one collection in SGF."""
    study, charge = study_for(request, slug), ReadingCost.of(request)
    chapters = [file_of(row, "sgf", charge) for row in chapters_of(study)]
    return _file(request, chapters, "sgf", f"study-{slug}")


def _file(request: HttpRequest, chapters: list[Piece], kind: str, name: str) -> HttpResponseBase:
    parts = chain.from_iterable(chapter.parts() for chapter in chapters)
    answer = streamed(request, parts, f"{_TYPES[kind]}; charset=utf-8")
    answer.headers["Content-Disposition"] = f'inline; filename="{name}.{kind}"'
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@require_GET
def chapter_tree(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Return a chapter's tree as JSON, for boards on pages."""
    tree = tree_of(chapter_for(request, slug, number), ReadingCost.of(request))
    answer = streamed(request, tree_parts(tree), "application/json")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some moves of a line, or several short lines, with the comment after them.

    Attributes:
        moves: numbered and with their marks.
        comment: after the last move; empty at the end of a line.
        depth: 0 for the main line, 1 for its variations, and so on.
    """

    moves: str
    comment: str
    depth: int

    @property
    def indent(self) -> int:
        """How far it is indented; deep variations would leave the page."""
        return min(self.depth, 3)


@require_GET
def printed(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show all chapters on one page without scripts: pictures, moves and comments."""
    study, charge = study_for(request, slug), ReadingCost.of(request)
    rows, form = chapters_of(study), f"print {get_language()}"
    sections = [piece(row, form, _section, charge) for row in rows]
    page = render(request, "studies/printed.html", {"study": study, "chapters": rows})
    return streamed(request, _filled(page.content, sections), page.headers["Content-Type"])


def _filled(page: bytes, sections: list[Piece]) -> Iterator[bytes]:
    """Yield the parts of a page with a section in each of the places for them."""
    *befores, last = page.split(_PLACE)
    for before, section in zip(befores, sections, strict=True):
        yield before
        yield from section.parts()
    yield last


def _section(record: Record) -> str:
    """Return the moves, comments and final picture of a chapter as HTML, without its title."""
    line = Line.of(record.game, record.start, record.moves())
    context = {
        "line": line,
        "caption": caption_text(line.position),
        "intro": record.root.comment,
        "paragraphs": list(_joined(_paragraphs(record))),
    }
    return render_to_string("studies/printed_chapter.html", context)


def _joined(paragraphs: Iterable[Paragraph]) -> Iterator[Paragraph]:
    """Yield paragraphs, those of variations of one move as one up to the next comment."""
    last: Paragraph | None = None
    for paragraph in paragraphs:
        if last and not last.comment and last.depth == paragraph.depth:
            moves = f"{last.moves}; {paragraph.moves}"
            last = Paragraph(moves, paragraph.comment, paragraph.depth)
            continue
        if last:
            yield last
        last = paragraph
    if last:
        yield last


def _paragraphs(record: Record) -> Iterator[Paragraph]:
    """Yield the lines of a tree: variations come after the move that they replace."""
    todo: list[tuple[Node, int, int, bool]] = [(record.root, 0, 0, True)]
    while todo:
        node, ply, depth, is_written = todo.pop()
        words = [] if is_written else [_move_text(node, ply)]
        if node.comment and not is_written:
            yield Paragraph(words.pop(), node.comment, depth)
        while node.children:
            node, *others = node.children
            ply += 1
            words.append(_move_text(node, ply))
            if node.comment or others:
                yield Paragraph(" ".join(words), node.comment, depth)
                words = []
            if others:
                todo.append((node, ply, depth, True))
                todo.extend((other, ply, depth + 1, False) for other in reversed(others))
                break
        if words:
            yield Paragraph(" ".join(words), "", depth)


def _move_text(node: Node, ply: int) -> str:
    glyph = "" if node.mark is None else _GLYPHS[node.mark.value]
    return f"{ply}. {node.text}{glyph}"
