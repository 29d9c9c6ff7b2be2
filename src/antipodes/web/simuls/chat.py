"""Chat of a simul: for all visitors; its host deletes lines."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse

from antipodes.web.accounts.models import User
from antipodes.web.matches.models import ChatLine
from antipodes.web.matches.open_chat import OpenChat
from antipodes.web.simuls.models import SimulRow


def chat_of(row: SimulRow, user: User | None) -> OpenChat | None:
    """Return the chat of a simul; ``None`` if the site has no chats of events."""
    if not settings.EVENT_CHAT:
        return None
    return OpenChat(
        ChatLine.Room.SIMUL,
        page=reverse("simul", args=[row.slug]),
        socket=f"/simul/{row.slug}/chat",
        slug=row.slug,
        may_direct=user is not None and user.pk == row.by_id,
    )


def find_chat(slug: str, user: User | None) -> OpenChat | None:
    """Return the chat of a simul, if there is such a simul and the site has such chats."""
    row = SimulRow.objects.filter(slug=slug).first()
    return None if row is None else chat_of(row, user)
