"""What is said at matches: players and spectators do not read each other until the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from antipodes.errors import Fault, MatchError, Phrase
from antipodes.records.texts import clean_line
from antipodes.web.accounts.models import User
from antipodes.web.accounts.restrictions import check_may_chat
from antipodes.web.matches.models import ChatLine
from antipodes.web.matches.services import group_of
from antipodes.web.matches.snapshots import MatchSnapshot
from antipodes.web.platform import pubsub
from antipodes.web.platform.clock import now
from antipodes.web.relations.services import blocked_by_or_blocking

Room = ChatLine.Room

_ONLY_AMONG_PLAYERS = Phrase("you can talk among the players only")
_ONLY_AMONG_SPECTATORS = Phrase("you can talk among the spectators only")

LONGEST = 500  # characters of a line
_SHOWN = 300  # lines that are told to whoever comes
_WINDOW = 10_000  # milliseconds in which somebody may say ...
_MOST = 5  # ... so many lines


def room_of(standing: MatchSnapshot, user: int | None) -> str:
    """Return where somebody talks."""
    return Room.SEATED if standing.seats_of(user) else Room.SPECTATORS


def may_read(standing: MatchSnapshot, user: int | None, room: str) -> bool:
    """Return whether somebody may read a room now; after the end everybody reads both."""
    return standing.match.result is not None or room == room_of(standing, user)


def say(
    standing: MatchSnapshot, user: User | None, data: dict[str, Any], *, is_mail: bool = False
) -> ChatLine:
    """Say something at a match; whoever may read it is told.

    Args:
        standing: the match.
        user: who speaks.
        data: what was sent, with a key, a text, and perhaps a room.
        is_mail: whether it came by mail. What was written there in an evening without a connection
            comes all at once, and there are limits of its own for mail.

    Raises:
        MatchError: the line is empty or too long, comes too fast, or is for another room; or
            moderators have taken the chat from the user.
    """
    if user is None:
        raise _refused("chat/room", "play, or sign in, to have a name in the chat")
    room = room_of(standing, user.pk)
    wanted = data.get("room", room)
    if wanted != room:
        template = _ONLY_AMONG_PLAYERS if room == Room.SEATED else _ONLY_AMONG_SPECTATORS
        raise _refused("chat/room", template.template)
    text = clean_line(str(data.get("text", "")))
    if not 0 < len(text) <= LONGEST:
        raise _refused(
            "chat/text",
            "a line has 1 to {longest} characters, not {length}",
            longest=LONGEST,
            length=len(text),
        )
    said = ChatLine.objects.filter(user=user, key=data["key"]).first()
    if said is not None:
        return said
    check_may_chat(user)
    at = now()
    if not is_mail and _said_lately(user, at) >= _MOST:
        raise _refused(
            "chat/too-fast",
            "{count} lines in {seconds} seconds are enough; wait a moment",
            count=_MOST,
            seconds=_WINDOW // 1000,
        )
    line = ChatLine.objects.create(
        match=standing.row, room=room, user=user, text=text, key=data["key"], at=at
    )
    deaf = list(blocked_by_or_blocking(user))
    group = group_of(standing.row.slug)
    news = {"type": "chat.said", "line": told_of(line), "deaf": deaf}
    transaction.on_commit(lambda: pubsub.send_to_group(group, news))
    return line


def _said_lately(user: User, at: int) -> int:
    return ChatLine.objects.filter(user=user, at__gt=at - _WINDOW).count()


def hide(line: ChatLine) -> None:
    """Take a line that moderators have deleted from all pages that show it."""
    pubsub.send_to_group(group_of(line.match.slug), {"type": "chat.hidden", "id": line.pk})


def history(standing: MatchSnapshot, user: int | None) -> list[dict[str, Any]]:
    """Return the last lines that somebody may read now."""
    lines = standing.row.chat.select_related("user")
    rooms = [room for room in Room.values if may_read(standing, user, room)]
    heard = lines.filter(room__in=rooms, hidden=None)
    if user is not None:
        heard = heard.exclude(user__in=blocked_by_or_blocking(user))
    last = heard.order_by("-at", "-id")[:_SHOWN]
    return line_views([told_of(line) for line in reversed(last)], user)


def line_views(told: Iterable[dict[str, Any]], viewer: int | None) -> list[dict[str, Any]]:
    """Return lines as a viewer may see them: whose they are stays here."""
    return [
        {**{name: value for name, value in line.items() if name != "user"}, "own": own}
        for line in told
        for own in [viewer is not None and line["user"] == viewer]
    ]


def told_of(line: ChatLine) -> dict[str, Any]:
    """Return a line as it goes from process to process; `line_views` makes it fit for viewers."""
    return {
        "id": line.pk,
        "room": line.room,
        "user": line.user_id,
        "name": line.user.name,
        "text": line.text,
        "at": line.at,
    }


def _refused(code: str, template: str, **values: object) -> MatchError:
    return MatchError([Fault.of(code, template, **values)])
