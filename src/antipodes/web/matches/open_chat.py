"""Chats outside matches: of the lobby and of events, if the host of the site has them.

Lines are those of the chats of matches, so that mutes, blocks, reports and deletion by moderators
apply to them too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from antipodes.clocks import DAY
from antipodes.errors import Fault, MatchError
from antipodes.web.accounts.models import User
from antipodes.web.matches import chat
from antipodes.web.matches.models import ChatLine
from antipodes.web.matches.schemas import ChatMessageOut
from antipodes.web.platform.clock import now

_SHOWN = 100  # lines
_KEPT = 30 * DAY  # milliseconds


@dataclass(frozen=True, slots=True)
class OpenChat:
    """A chat outside matches that a user may read.

    Attributes:
        room: what it belongs to.
        page: the address of its page.
        socket: the address of its WebSocket.
        slug: of the event; empty in the lobby.
        is_private: whether others may not read it.
        may_direct: whether the user directs the event, and may delete lines.
    """

    room: str
    page: str
    socket: str
    slug: str = ""
    is_private: bool = False
    may_direct: bool = False


# Functions that return the chat of a slug, or ``None`` if a user may not read it or the host of the
# site has switched it off; by room, set by the wiring.
finders: Mapping[str, Callable[[str, User | None], OpenChat | None]] = {}


def find(room: str, slug: str, user: User | None) -> OpenChat | None:
    """Return a chat that a user may read."""
    return finders[room](slug, user)


def place_of(line: ChatLine, user: User | None) -> OpenChat | None:
    """Return the chat of a line if it is outside matches and a user may read it."""
    return find(line.room, line.slug, user) if line.match_id is None else None


def may_write(user: User | None) -> bool:
    """Return whether a user may write here, unless moderators have muted them: accounts may."""
    return user is not None and not user.is_guest


def say(place: OpenChat, user: User | None, data: dict[str, Any]) -> ChatLine:
    """Add a line and broadcast it.

    Raises:
        MatchError: the user has no account, or the line is refused as in matches.
    """
    if user is None or not may_write(user):
        raise MatchError([Fault("chat/account", "sign up to write here")])
    return chat.add_line(user, data, room=place.room, slug=place.slug)


def lines_of(room: str, slug: str) -> QuerySet[ChatLine]:
    """Return all lines of a chat outside matches."""
    return ChatLine.objects.filter(match=None, room=room, slug=slug)


def history(place: OpenChat, user: User | None) -> list[ChatMessageOut]:
    """Return the latest lines that a user may read.

    Directors read players whom they have blocked too, to be able to delete their lines.
    """
    lines, viewer = lines_of(place.room, place.slug), user.pk if user else None
    return chat.latest(lines, viewer, _SHOWN, with_blocked=place.may_direct)


def context_of(place: OpenChat | None, user: User | None) -> dict[str, object] | None:
    """Return what the template of a chat shows; ``None`` without a chat."""
    if place is None:
        return None
    lines, is_named = history(place, user), user is not None
    return {"place": place, "lines": lines, "is_named": is_named, "may_write": may_write(user)}


def delete_old_lines() -> None:
    """Delete lines after a month, except those in reports and those that were deleted in sight."""
    old = ChatLine.objects.filter(match=None, at__lt=now() - _KEPT)
    old.filter(hidden=None, reports=None).delete()
