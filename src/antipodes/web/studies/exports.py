"""Studies as files and as a page to print or to publish elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_GET

from antipodes.records import Node, Record, write_record
from antipodes.web.analysis.position_queries import Line
from antipodes.web.platform.translations import caption_text
from antipodes.web.studies.chapters import piece, tree_json
from antipodes.web.studies.models import ChapterRow
from antipodes.web.studies.permissions import chapter_for, chapters_of, study_for
from antipodes.web.studies.reading_costs import Charge, ReadingCost

_TYPES = {"json": "application/json", "sgf": "application/x-go-sgf"}
_GLYPHS = {
    "very-good": "!!",
    "good": "!",
    "interesting": "!?",
    "doubtful": "?!",
    "bad": "?",
    "very-bad": "??",
}


@require_GET
def chapter_file(request: HttpRequest, slug: str, number: int, kind: str) -> HttpResponse:
    """Return a chapter as a record."""
    text = file_text(chapter_for(request, slug, number), kind, ReadingCost.of(request))
    return _file(text, kind, f"study-{slug}-{number}")


def file_text(row: ChapterRow, kind: str, charge: Charge) -> str:
    """Return a chapter as the text of a file."""
    return piece(row, kind, lambda record: write_record(record, kind), charge).text


@require_GET
def study_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Return all chapters as one collection in SGF."""
    study, charge = study_for(request, slug), ReadingCost.of(request)
    texts = [file_text(row, "sgf", charge).rstrip() for row in chapters_of(study)]
    return _file("\n".join(texts) + "\n", "sgf", f"study-{slug}")


def _file(text: str, kind: str, name: str) -> HttpResponse:
    answer = HttpResponse(text, content_type=f"{_TYPES[kind]}; charset=utf-8")
    answer.headers["Content-Disposition"] = f'inline; filename="{name}.{kind}"'
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@require_GET
def chapter_tree(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return a chapter's tree as JSON, for boards on pages."""
    text = tree_json(chapter_for(request, slug, number), ReadingCost.of(request))
    answer = HttpResponse(text, content_type="application/json")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some moves of a line, with the comment after them.

    Attributes:
        moves: numbered and with their marks.
        comment: after the last move; empty at the end of a line.
        depth: 0 for the main line, 1 for its variations, and so on.
    """

    moves: str
    comment: str
    depth: int


@require_GET
def printed(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all chapters on one page without scripts: pictures, moves and comments."""
    study, charge = study_for(request, slug), ReadingCost.of(request)
    form = f"print {get_language()}"
    sections = [
        (row, mark_safe(piece(row, form, _section, charge).text))  # noqa: S308 - our own template
        for row in chapters_of(study)
    ]
    return render(request, "studies/printed.html", {"study": study, "sections": sections})


def _section(record: Record) -> str:
    """Return the moves, comments and final picture of a chapter as HTML, without its title."""
    line = Line.of(record.game, record.start, record.moves())
    context = {
        "line": line,
        "caption": caption_text(line.position),
        "intro": record.root.comment,
        "paragraphs": list(_paragraphs(record)),
    }
    return render_to_string("studies/printed_chapter.html", context)


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
