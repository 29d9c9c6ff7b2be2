"""Operations on the chat of the lobby."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Router

from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.api.open_chats import read_chat, say_in_chat
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.api.schemas.commands import ChatMessageIn
from antipodes.web.api.schemas.matches import ChatOut
from antipodes.web.lobby.chat import chat_of_lobby
from antipodes.web.matches.schemas import ChatMessageOut

router = Router(tags=["lobby"])


def _missing() -> str:
    return _("The lobby of this site has no chat.")


@operation(router, "GET", "/lobby/chat", PUBLIC, ChatOut, errors=(404,))
def get_lobby_chat(request: HttpRequest) -> ChatOut:
    """Return the latest messages of the lobby that you may read."""
    return read_chat(request, chat_of_lobby(), _missing())


@operation(router, "POST", "/lobby/chat", Scope.CHAT, ChatMessageOut, status=201, errors=(404, 409))
def say_in_lobby(request: HttpRequest, data: ChatMessageIn) -> ChatMessageOut:
    """Send a message to everyone in the lobby."""
    return say_in_chat(request, chat_of_lobby(), _missing(), data)
