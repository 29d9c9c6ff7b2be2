"""Chats of the lobby and of events as the API shows them."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import gettext as _

from antipodes.web.api.auth import caller
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.commands import ChatMessageIn
from antipodes.web.api.schemas.matches import ChatOut
from antipodes.web.matches import open_chat
from antipodes.web.matches.chat import line_data, line_views
from antipodes.web.matches.models import new_slug
from antipodes.web.matches.schemas import ChatMessageOut


def no_event_chat() -> str:
    """Return what is said where the host wants no chats of events."""
    return _("The events of this site have no chat.")


def read_chat(request: HttpRequest, place: open_chat.OpenChat | None, missing: str) -> ChatOut:
    """Return the latest messages of a chat that the caller may read.

    Raises:
        ApiError: there is no such chat; its message is ``missing``.
    """
    if place is None:
        raise not_found(missing)
    return ChatOut(lines=open_chat.history(place, caller(request).viewer))


def say_in_chat(
    request: HttpRequest, place: open_chat.OpenChat | None, missing: str, data: ChatMessageIn
) -> ChatMessageOut:
    """Send a message of the caller, and return it.

    Raises:
        ApiError: there is no such chat; its message is ``missing``.
        MatchError: the message is refused.
    """
    if place is None:
        raise not_found(missing)
    user = caller(request).account
    row = open_chat.say(place, user, {"key": data.key or new_slug(), "text": data.text})
    [view] = line_views([line_data(row)], user.pk)
    return view
