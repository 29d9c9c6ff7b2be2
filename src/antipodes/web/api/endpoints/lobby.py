"""Operations on the chat of the lobby."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Router

from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.api.auth import caller
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.commands import ChatMessageIn
from antipodes.web.api.schemas.matches import ChatOut
from antipodes.web.lobby.chat import chat_of_lobby
from antipodes.web.matches import open_chat
from antipodes.web.matches.chat import line_data, line_views
from antipodes.web.matches.models import new_slug
from antipodes.web.matches.schemas import ChatMessageOut

router = Router(tags=["lobby"])


def _chat() -> open_chat.OpenChat:
    place = chat_of_lobby()
    if place is None:
        raise not_found(_("The lobby of this site has no chat."))
    return place


@operation(router, "GET", "/lobby/chat", PUBLIC, ChatOut, errors=(404,))
def get_lobby_chat(request: HttpRequest) -> ChatOut:
    """Return the latest messages of the lobby that you may read."""
    return ChatOut(lines=open_chat.history(_chat(), caller(request).viewer))


@operation(router, "POST", "/lobby/chat", Scope.CHAT, ChatMessageOut, status=201, errors=(404, 409))
def say_in_lobby(request: HttpRequest, data: ChatMessageIn) -> ChatMessageOut:
    """Send a message to everyone in the lobby."""
    place, user = _chat(), caller(request).account
    row = open_chat.say(place, user, {"key": data.key or new_slug(), "text": data.text})
    [view] = line_views([line_data(row)], user.pk)
    return view
