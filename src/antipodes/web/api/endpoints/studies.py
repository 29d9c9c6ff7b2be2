"""Operations on studies: lists, chapters and edits."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Path, Router
from pydantic import Field

from antipodes.errors import Fault, InputError
from antipodes.notation.text import shorten
from antipodes.records import Record
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.analysis.imports import read_import
from antipodes.web.api.auth import caller, no_token_error
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.people import PersonOut, person_out
from antipodes.web.platform.schemas import (
    SLUG,
    ByValue,
    Milliseconds,
    RequestSchema,
    ResponseSchema,
    Whole,
)
from antipodes.web.studies import services
from antipodes.web.studies.exports import file_of
from antipodes.web.studies.models import ChapterRow, StudyRow, Visibility
from antipodes.web.studies.permissions import is_listed, may_read, of_member
from antipodes.web.studies.reading_costs import ReadingCost
from antipodes.web.studies.schemas import EditMessage

_Text = Annotated[str, Field(max_length=131_072, description="the game in any format of an import")]


class StudyLineOut(ResponseSchema):
    """A study in a list."""

    slug: str
    title: str
    visibility: Visibility
    owner: PersonOut
    changed_at: Milliseconds


class ChapterOut(ResponseSchema):
    """A chapter of a study."""

    number: Whole
    title: str
    game: str
    edits: Whole = Field(description="number of edits so far")


class StudyOut(StudyLineOut):
    """A study with its chapters."""

    chapters: list[ChapterOut]


class StudyIn(RequestSchema):
    """A new study with one chapter."""

    title: Annotated[str, Field(max_length=100)]
    visibility: ByValue[Visibility] = Visibility.UNLISTED
    text: _Text


class ChapterIn(RequestSchema):
    """A new chapter."""

    title: Annotated[str, Field(max_length=100)] = ""
    text: _Text


router = Router(tags=["studies"])

StudySlug = Annotated[str, Path(pattern=SLUG, description="of the study")]
ChapterNumber = Annotated[int, Path(ge=1, le=1_000_000, description="of the chapter")]

_MOST_LISTED = 100


def _find(slug: str, user: User | None) -> StudyRow:
    row = StudyRow.objects.select_related("owner").filter(slug=slug).first()
    if row is None or not may_read(row, user):
        raise not_found(_("There is no study %(slug)s.") % {"slug": shorten(slug)})
    return row


def _find_chapter(study: StudyRow, number: int) -> ChapterRow:
    row = study.chapters.filter(number=number).first()
    if row is None:
        raise not_found(_("There is no chapter %(number)d.") % {"number": number})
    row.study = study
    return row


def _line(row: StudyRow) -> dict[str, Any]:
    return {
        "slug": row.slug,
        "title": row.title,
        "visibility": row.visibility,
        "owner": person_out(row.owner),
        "changed_at": row.changed_at,
    }


def _chapter(row: ChapterRow) -> ChapterOut:
    return ChapterOut(number=row.number, title=row.title, game=row.game_id, edits=row.edits)


def _study(row: StudyRow) -> StudyOut:
    return StudyOut(**_line(row), chapters=[_chapter(one) for one in row.chapters.all()])


def _record(text: str) -> Record:
    """Return a record from the text of a request.

    Raises:
        InputError: it cannot be read completely.
    """
    found = read_import(text)
    if found.faults:
        raise InputError(found.faults)
    return found.record or Record(found.game, found.line.setup)


@operation(router, "GET", "/studies", PUBLIC, list[StudyLineOut])
def list_studies(request: HttpRequest, mine: bool = False) -> list[StudyLineOut]:
    """List public studies, or yours, the latest changed first."""
    viewer = caller(request).viewer
    if mine and viewer is None:
        raise no_token_error()
    rows = StudyRow.objects.select_related("owner").order_by("-changed_at")
    rows = rows.filter(of_member(viewer) if mine and viewer is not None else is_listed())
    return [StudyLineOut(**_line(row)) for row in rows[:_MOST_LISTED]]


@operation(router, "GET", "/studies/{slug}", PUBLIC, StudyOut, errors=(404,))
def get_study(request: HttpRequest, slug: StudySlug) -> StudyOut:
    """Return a study with its chapters."""
    return _study(_find(slug, caller(request).viewer))


@operation(
    router, "GET", "/studies/{slug}/chapters/{number}", PUBLIC, dict[str, Any], errors=(404,)
)
def get_chapter(request: HttpRequest, slug: StudySlug, number: ChapterNumber) -> HttpResponse:
    """Return a chapter as a record in JSON."""
    row = _find_chapter(_find(slug, caller(request).viewer), number)
    chapter = file_of(row, "json", ReadingCost.of(request))
    return HttpResponse(chapter.text, content_type="application/json; charset=utf-8")


@operation(router, "POST", "/studies", Scope.STUDIES, StudyOut, errors=(409,))
def make_study(request: HttpRequest, data: StudyIn) -> StudyOut:
    """Make a study of a game."""
    record = _record(data.text)
    row = services.create_study(caller(request).account, data.title, data.visibility, record)
    return _study(row)


@operation(
    router,
    "POST",
    "/studies/{slug}/chapters",
    Scope.STUDIES,
    ChapterOut,
    errors=(404, 409),
)
def add_chapter(request: HttpRequest, slug: StudySlug, data: ChapterIn) -> ChapterOut:
    """Add a chapter with a game to a study that you write."""
    user = caller(request).account
    row = services.add_chapter(_find(slug, user), user, data.title, _record(data.text))
    return _chapter(row)


@operation(
    router,
    "POST",
    "/studies/{slug}/chapters/{number}/edits",
    Scope.STUDIES,
    None,
    errors=(404, 409),
)
def edit_chapter(
    request: HttpRequest, slug: StudySlug, number: ChapterNumber, data: EditMessage
) -> None:
    """Edit a chapter of a study that you write."""
    user = caller(request).account
    row = _find_chapter(_find(slug, user), number)
    try:
        services.edit_chapter(slug, row.number, user, data.key, data.edit)
    except ChapterRow.DoesNotExist:
        raise InputError([Fault("studies/gone", "this chapter was deleted")]) from None
