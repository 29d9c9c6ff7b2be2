"""Chat: lines of all rooms; in matches players and spectators have separate ones until the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from antipodes.errors import Fault, MatchError, Phrase
from antipodes.records.texts import clean_line, trimmed
from antipodes.web.accounts.masking import passed_on
from antipodes.web.accounts.models import User
from antipodes.web.matches.models import ChatLine, MatchRow
from antipodes.web.matches.schemas import ChatMessageOut
from antipodes.web.matches.services import group_of
from antipodes.web.matches.snapshots import MatchSnapshot
from antipodes.web.platform import pubsub
from antipodes.web.platform.clock import now
from antipodes.web.platform.queries import first_row, table
from antipodes.web.relations.services import blocked_by_or_blocking

Room = ChatLine.Room

_ONLY_AMONG_PLAYERS = Phrase("you can talk among the players only")
_ONLY_AMONG_SPECTATORS = Phrase("you can talk among the spectators only")

LONGEST = 500  # characters of a line
LONGEST_BY_MAIL = 4_000  # characters of a message by e-mail, which may have several lines
_SHOWN = 300  # lines sent to a client that connects
_WINDOW = 10_000  # milliseconds in which a user may send ...
_MOST = 5  # ... so many lines


def room_of(snapshot: MatchSnapshot, user: int | None) -> str:
    """Return the room in which a user talks."""
    return Room.SEATED if snapshot.seats_of(user) else Room.SPECTATORS


def may_read(snapshot: MatchSnapshot, user: int | None, room: str) -> bool:
    """Return whether a user may read a room now; after the end both rooms are open to all."""
    return snapshot.match.result is not None or room == room_of(snapshot, user)


def say(
    snapshot: MatchSnapshot, user: User | None, data: dict[str, Any], *, is_mail: bool = False
) -> ChatLine:
    """Add a line to the chat of a match and broadcast it to those who may read it.

    Args:
        snapshot: the match.
        user: the author.
        data: the client's message, with a key, a text, and optionally a room.
        is_mail: whether it came by e-mail. It may have several lines then. Messages written offline
            arrive all at once, and e-mail has rate limits of its own.

    Raises:
        MatchError: the line is empty, too long, sent too fast or for another room; or moderators
            have banned the user from the chat.
    """
    if user is None:
        raise _refused("chat/room", "play, or sign in, to have a name in the chat")
    room = room_of(snapshot, user.pk)
    wanted = data.get("room", room)
    if wanted != room:
        template = _ONLY_AMONG_PLAYERS if room == Room.SEATED else _ONLY_AMONG_SPECTATORS
        raise _refused("chat/room", template.template)
    return add_line(user, data, room=room, match=snapshot.row, is_mail=is_mail)


def add_line(
    user: User,
    data: dict[str, Any],
    *,
    room: str,
    match: MatchRow | None = None,
    slug: str = "",
    is_mail: bool = False,
) -> ChatLine:
    """Add a line to a chat and broadcast it to its group; a repeated key adds no second line.

    Args:
        user: the author, who may write in this room.
        data: the client's message, with a key and a text.
        room: the room.
        match: the match; ``None`` in the lobby and in events.
        slug: of the event, if it is one.
        is_mail: see `say`.

    Raises:
        MatchError: the line is empty, too long or sent too fast, or moderators have banned the user
            from all chats.
    """
    text = str(data.get("text", ""))
    text = trimmed(text) if is_mail else clean_line(text)
    longest = LONGEST_BY_MAIL if is_mail else LONGEST
    if not 0 < len(text) <= longest:
        raise _refused(
            "chat/text",
            "a line has 1 to {longest} characters, not {length}",
            longest=longest,
            length=len(text),
        )
    with_key = ChatLine.objects.filter(user=user, key=data["key"])
    said = with_key.first()
    if said is not None:
        return said
    at = now()
    if not is_mail and _recent_count(user, at) >= _MOST:
        raise _refused(
            "chat/too-fast",
            "{count} lines in {seconds} seconds are enough; wait a moment",
            count=_MOST,
            seconds=_WINDOW // 1000,
        )
    said_text = passed_on(user, text)
    line = ChatLine(
        match=match, room=room, slug=slug, user=user, text=said_text, key=data["key"], at=at
    )
    try:
        with transaction.atomic():
            line.save()
    except IntegrityError:
        return with_key.get()  # another connection has just sent the same line
    deaf = list(blocked_by_or_blocking(user))
    message = {"type": "chat.said", "line": line_data(line), "deaf": deaf}
    transaction.on_commit(lambda: pubsub.send_to_group(_group_of_line(line), message))
    return line


def group_of_room(room: str, slug: str) -> str:
    """Return the channel layer group of a chat outside matches."""
    return f"chat-{room}-{slug}"


def _group_of_line(line: ChatLine) -> str:
    return group_of_room(line.room, line.slug) if line.match is None else group_of(line.match.slug)


def _recent_count(user: User, at: int) -> int:
    return ChatLine.objects.filter(user=user, at__gt=at - _WINDOW).count()


def hide(line: ChatLine) -> None:
    """Remove a deleted line from all open pages."""
    pubsub.send_to_group(_group_of_line(line), {"type": "chat.hidden", "id": line.pk})


def history(snapshot: MatchSnapshot, user: int | None) -> list[ChatMessageOut]:
    """Return the latest lines of a match that a user may read."""
    query = f"SELECT 1 FROM {table(ChatLine)} WHERE match_id = %s LIMIT 1"  # noqa: S608
    if first_row(query, snapshot.row.pk) is None:
        return []  # as in most matches, when a client connects
    rooms = [room for room in Room.values if may_read(snapshot, user, room)]
    return latest(snapshot.row.chat.filter(room__in=rooms), user)


def latest(
    lines: QuerySet[ChatLine],
    user: int | None,
    most: int = _SHOWN,
    *,
    with_blocked: bool = False,
) -> list[ChatMessageOut]:
    """Return the latest of some lines, without deleted ones and those of blocked users."""
    heard = lines.select_related("user").filter(hidden=None)
    if user is not None and not with_blocked:
        heard = heard.exclude(user__in=blocked_by_or_blocking(user))
    last = heard.order_by("-at", "-id")[:most]
    return line_views([line_data(line) for line in reversed(last)], user)


def line_views(lines: Iterable[dict[str, Any]], viewer: int | None) -> list[ChatMessageOut]:
    """Return lines as a viewer may see them, with ``own`` in place of the author's id."""
    return [
        {
            "id": line["id"],
            "room": line["room"],
            "name": line["name"],
            "text": line["text"],
            "at": line["at"],
            "own": viewer is not None and line["user"] == viewer,
        }
        for line in lines
    ]


def line_data(line: ChatLine) -> dict[str, Any]:
    """Return a line as processes send it to each other; `line_views` adapts it to a viewer."""
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
