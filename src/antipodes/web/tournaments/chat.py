"""Chat of an event: for all who may see it; its directors delete lines."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse

from antipodes.web.accounts.models import User
from antipodes.web.matches.models import ChatLine
from antipodes.web.matches.open_chat import OpenChat
from antipodes.web.tournaments import access
from antipodes.web.tournaments.models import TournamentRow


def chat_of(row: TournamentRow, user: User | None) -> OpenChat | None:
    """Return the chat of an event that a user may see; ``None`` if the site has no such chats."""
    if not settings.EVENT_CHAT:
        return None
    return OpenChat(
        ChatLine.Room.TOURNAMENT,
        page=reverse("tournament", args=[row.slug]),
        socket=f"/tournament/{row.slug}/chat",
        slug=row.slug,
        is_private=row.is_private,
        may_direct=access.may_direct(row, user),
    )


def find_chat(slug: str, user: User | None) -> OpenChat | None:
    """Return the chat of an event, unless a user may not see it or the site has no such chats."""
    row = access.find(slug, user)
    return None if row is None else chat_of(row, user)
