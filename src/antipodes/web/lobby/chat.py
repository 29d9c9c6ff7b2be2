"""Chat of the lobby: for all who visit it, if the host of the site has switched it on."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse

from antipodes.web.accounts.models import User
from antipodes.web.matches.models import ChatLine
from antipodes.web.matches.open_chat import OpenChat


def chat_of_lobby(_slug: str = "", _user: User | None = None) -> OpenChat | None:
    """Return the chat of the lobby; ``None`` if the host has not switched it on."""
    if not settings.LOBBY_CHAT:
        return None
    return OpenChat(ChatLine.Room.LOBBY, page=reverse("lobby"), socket="/lobby/socket")
