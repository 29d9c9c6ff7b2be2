"""Shapes of what is done with clubs."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from antipodes.web.api.schemas.base import Milliseconds, Shape, Wanted, Whole
from antipodes.web.api.schemas.people import PersonShape

EntryName = Literal["open", "request", "invited"]

_Name = Annotated[str, Field(max_length=200, description="what the club is called")]
_Address = Annotated[
    str, Field(max_length=60, description="end of its address; made from the name if empty")
]
_Description = Annotated[str, Field(max_length=4_000, description="plain text")]
_Public = Annotated[bool, Field(description="everybody may see it, or its members alone")]


class ClubWanted(Wanted):
    """A club that shall be founded."""

    name: _Name
    slug: _Address = ""
    description: _Description = ""
    entry: EntryName = "open"
    public: _Public = True


class ClubChange(Wanted):
    """What shall be different with a club; what is left out stays as it is."""

    name: _Name | None = None
    slug: _Address | None = None
    description: _Description | None = None
    entry: EntryName | None = None
    public: _Public | None = None


class AskWanted(Wanted):
    """What one says when one asks to be let in."""

    words: Annotated[str, Field(max_length=300)] = ""


class DoorShape(Shape):
    """Somebody at the door of a club: invited by name, or asking to be let in."""

    person: PersonShape
    words: str
    invited_by: PersonShape | None = Field(description="null where the person asks")
    at: Milliseconds


class RoleWanted(Wanted):
    """What a member shall be; a new owner takes the place of the old one."""

    role: Literal["member", "officer", "owner"]


class LinkWanted(Wanted):
    """For how long a link shall be good, and for how many people."""

    hours: Annotated[int, Field(ge=1, le=8_760, description="null: for ever")] | None = 168
    uses: Annotated[int, Field(ge=1, le=1_000, description="null: anybody")] | None = None


class LinkShape(Shape):
    """A link by which people become members."""

    token: str
    path: str = Field(description="the page that people open")
    by: PersonShape
    made: Milliseconds
    expires: Milliseconds | None
    uses_left: Whole | None
