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
from antipodes.web.lobby import chat
from antipodes.web.matches.chat import line_data, line_views
from antipodes.web.matches.models import new_slug
from antipodes.web.matches.schemas import ChatMessageOut

router = Router(tags=["lobby"])


def _check_is_on() -> None:
    if not chat.is_on():
        raise not_found(_("The lobby of this site has no chat."))


@operation(router, "GET", "/lobby/chat", PUBLIC, ChatOut, errors=(404,))
def get_lobby_chat(request: HttpRequest) -> ChatOut:
    """Return the latest messages of the lobby that you may read."""
    _check_is_on()
    viewer = caller(request).viewer
    lines = chat.history(viewer.pk if viewer else None)
    return ChatOut(lines=lines)


@operation(router, "POST", "/lobby/chat", Scope.CHAT, ChatMessageOut, status=201, errors=(404, 409))
def say_in_lobby(request: HttpRequest, data: ChatMessageIn) -> ChatMessageOut:
    """Send a message to everyone in the lobby."""
    _check_is_on()
    user = caller(request).account
    row = chat.say(user, {"key": data.key or new_slug(), "text": data.text})
    [view] = line_views([line_data(row)], user.pk)
    return view
