"""Schemas of studies."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from antipodes.web.api.schemas.people import PersonOut
from antipodes.web.platform.schemas import Milliseconds, RequestSchema, ResponseSchema, Whole
from antipodes.web.studies.schemas import Key

VisibilityName = Literal["public", "unlisted", "private"]

_Text = Annotated[str, Field(max_length=131_072, description="the game in any format of an import")]


class StudyLineOut(ResponseSchema):
    """A study in a list."""

    slug: str
    title: str
    visibility: VisibilityName
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
    visibility: VisibilityName = "unlisted"
    text: _Text


class ChapterIn(RequestSchema):
    """A new chapter."""

    title: Annotated[str, Field(max_length=100)] = ""
    text: _Text


class EditIn(RequestSchema):
    """An edit of a chapter."""

    key: Key
    edit: Annotated[dict[str, Any], Field(description="as the socket of a study takes it")]
