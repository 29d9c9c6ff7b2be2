"""Shapes of people."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from antipodes.web.accounts.models import ProfileRow, User
from antipodes.web.api.schemas.base import Milliseconds, Shape, Wanted, Whole

Kind = Literal["account", "bot", "guest", "computer"]


class PersonShape(Shape):
    """Somebody who can sit at a match.

    ``name`` is what addresses and invitations use, ``shown`` what pages show.
    """

    name: str
    shown: str
    kind: Kind


class AccountShape(PersonShape):
    """The account of a token."""

    since: Milliseconds
    scopes: list[str]
    matches: Whole


AvailabilityName = Literal["", "looking", "correspondence", "busy", "away"]


class ProfileShape(Shape):
    """What somebody tells about themselves; everybody can read it."""

    about: str
    availability: AvailabilityName
    country: str
    languages: str


class ProfileChange(Wanted):
    """What one tells about oneself from now on; what is left out stays."""

    about: Annotated[str, Field(max_length=4_000)] | None = None
    availability: AvailabilityName | None = None
    country: Annotated[str, Field(max_length=200)] | None = None
    languages: Annotated[str, Field(max_length=200)] | None = None


def kind_of(user: User) -> Kind:
    """Return of what kind somebody is."""
    if user.is_computer:
        return "computer"
    if user.is_bot:
        return "bot"
    return "guest" if user.is_guest else "account"


def person_shape(user: User) -> PersonShape:
    """Return somebody's shape."""
    return PersonShape(name=user.username, shown=user.name, kind=kind_of(user))


def profile_shape(row: ProfileRow) -> ProfileShape:
    """Return the shape of what somebody tells about themselves."""
    told = {name: getattr(row, name) for name in ProfileShape.model_fields}
    return ProfileShape.model_validate(told)
