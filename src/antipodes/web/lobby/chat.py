"""Chat of the lobby: for all who visit it, if the host of the site has switched it on.

Lines are those of the chats of matches, so that mutes, blocks, reports and deletion by moderators
apply to them too.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings

from antipodes.clocks import DAY
from antipodes.errors import Fault, MatchError
from antipodes.web.accounts.models import User
from antipodes.web.matches import chat
from antipodes.web.matches.models import ChatLine
from antipodes.web.matches.schemas import ChatMessageOut
from antipodes.web.platform.clock import now

_SHOWN = 100  # lines
_KEPT = 30 * DAY  # milliseconds


def is_on() -> bool:
    """Return whether the host has switched the chat on."""
    return bool(settings.LOBBY_CHAT)


def may_write(user: User | None) -> bool:
    """Return whether a user may write here, unless moderators have muted them: accounts may."""
    return user is not None and not user.is_guest


def say(user: User | None, data: dict[str, Any]) -> ChatLine:
    """Add a line and broadcast it.

    Raises:
        MatchError: the user has no account, or the line is refused as in matches.
    """
    if user is None or not may_write(user):
        raise MatchError([Fault("chat/account", "sign up to write in the lobby")])
    return chat.add_line(user, data, room=ChatLine.Room.LOBBY)


def history(user: int | None) -> list[ChatMessageOut]:
    """Return the latest lines that a user may read."""
    return chat.latest(ChatLine.objects.filter(match=None), user, _SHOWN)


def delete_old_lines() -> None:
    """Delete lines after a month, except those in reports and those that moderators deleted."""
    old = ChatLine.objects.filter(match=None, at__lt=now() - _KEPT)
    old.filter(hidden=None, reports=None).delete()
