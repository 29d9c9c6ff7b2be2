"""Schemas of clubs and their members."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from antipodes.web.api.schemas.people import PersonOut
from antipodes.web.platform.schemas import Milliseconds, RequestSchema, ResponseSchema, Whole

EntryName = Literal["open", "request", "invited"]

_Name = Annotated[str, Field(max_length=200, description="name of the club")]
_Address = Annotated[
    str, Field(max_length=60, description="slug in its address; made from the name if empty")
]
_Description = Annotated[str, Field(max_length=4_000, description="plain text")]
_Public = Annotated[bool, Field(description="whether everyone may see it, or members only")]


class ClubOut(ResponseSchema):
    """A club."""

    slug: str
    name: str
    description: str
    entry: str
    public: bool
    members: Whole
    role: str | None = Field(description="your role, if you are a member")
    pending: Literal["asked", "invited"] | None = Field(
        alias="door", description="whether you have requested membership or are invited by name"
    )


class MemberOut(ResponseSchema):
    """A member of a club."""

    person: PersonOut
    role: str
    since: Milliseconds


class ClubIn(RequestSchema):
    """A new club."""

    name: _Name
    slug: _Address = ""
    description: _Description = ""
    entry: EntryName = "open"
    public: _Public = True


class ClubPatch(RequestSchema):
    """Changes of a club; omitted fields do not change."""

    name: _Name | None = None
    slug: _Address | None = None
    description: _Description | None = None
    entry: EntryName | None = None
    public: _Public | None = None


class MembershipRequestIn(RequestSchema):
    """The message of a membership request."""

    words: Annotated[str, Field(max_length=300)] = ""


class PendingMemberOut(ResponseSchema):
    """A player who has requested membership or is invited by name."""

    person: PersonOut
    words: str
    invited_by: PersonOut | None = Field(description="null for a request")
    at: Milliseconds


class RoleIn(RequestSchema):
    """The new role of a member; a new owner replaces the old one."""

    role: Literal["member", "officer", "owner"]


class InviteLinkIn(RequestSchema):
    """How long a new invitation link works, and how often."""

    hours: Annotated[int, Field(ge=1, le=8_760, description="null: no limit")] | None = 168
    uses: Annotated[int, Field(ge=1, le=1_000, description="null: no limit")] | None = None


class InviteLinkOut(ResponseSchema):
    """An invitation link."""

    token: str
    path: str = Field(description="the page that invited players open")
    by: PersonOut
    made: Milliseconds
    expires: Milliseconds | None
    uses_left: Whole | None
