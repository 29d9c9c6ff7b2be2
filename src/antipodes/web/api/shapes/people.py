"""Shapes of people."""

from __future__ import annotations

from typing import Literal

from antipodes.web.api.shapes.base import Milliseconds, Shape, Whole
from antipodes.web.people.models import User

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
