"""Laws of mail: each counts once, for the board that its writer saw, and passes no quote on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from typing import TYPE_CHECKING

from antipodes.web.town.town import Town

if TYPE_CHECKING:
    from antipodes.web.matches.models import EventRow

_LONGEST = 78  # characters
_PICTURE = re.compile(r"Picture: (\d+) lines; .*")
# Lines that only the site's mails have.
_SITE_LINE = re.compile(r"^\W*(?:Picture: \d+ lines|Turn: move \d+|Players?: \w)", re.MULTILINE)


def a_mail_counts_once(town: Town) -> Iterator[str]:
    """A mail is stored once, however often mail servers deliver it."""
    from antipodes.web.email_play.models import InboundMailRow

    if not town.has_changed("email_play_inboundmailrow"):
        return
    stored = InboundMailRow.objects.count() - town.site.older_mails
    sent = town.site.posted
    if stored > sent:
        yield f"{stored} mails are stored, but people have sent {sent}"
        town.site.posted = stored  # so that the next one is told of


def a_reply_plays_on_the_board_that_it_answers(town: Town) -> Iterator[str]:
    """A reply that says what it answers plays no move after others that its writer had not seen."""
    from antipodes.web.email_play.context import request_key
    from antipodes.web.email_play.inbox import message_key
    from antipodes.web.matches.models import EventRow

    # By the beginning of the keys of moves that a reply makes.
    replies: dict[str, tuple[str, int]] = town.memory.setdefault("replies", {})
    for person in town.people:
        for message_id, seen in person.memory.pop("replies", {}).items():
            key = message_key(f"Message-ID: {message_id}\n\n".encode())
            replies[f"mail {request_key(key, 0)}"] = person.name, seen
    latest = town.memory.get("latest event", 0)
    if not town.has_changed("matches_eventrow"):
        return
    for row in EventRow.objects.filter(pk__gt=latest).order_by("pk"):
        town.memory["latest event"] = row.pk
        reply = replies.get(str(row.data.get("key")).rpartition(" ")[0])
        if reply and row.data["kind"] == "moved":
            name, seen = reply
            unseen = _seats_of_moves(row)[seen:]
            if any(seat != row.data["seat"] for seat in unseen):
                yield f"board {row.match_id}: {name} saw {seen} moves, then moved after {unseen}"


def _seats_of_moves(event_row: EventRow) -> list[int]:
    """Return the seats of the moves before an event of a match, without those taken back."""
    seats: list[int] = []
    earlier = type(event_row).objects.filter(match=event_row.match_id, number__lt=event_row.number)
    for data in earlier.order_by("number").values_list("data", flat=True):
        if data["kind"] == "moved":
            seats.append(data["seat"])
        elif data["kind"] == "taken-back":
            del seats[data["ply"] :]
    return seats


def lines_of_mails_are_short(town: Town) -> Iterator[str]:
    """No line of the site's mails is so long that mail programs break it, except in pictures."""
    for each in town.received:
        if each.where == "a mail":
            mail = message_from_bytes(each.text.encode(), policy=policy.default)
            body = mail.get_body(("plain",))
            lines = iter(body.get_content().splitlines() if body is not None else ())
            for line in lines:
                picture = _PICTURE.fullmatch(line)
                for _ in range(int(picture[1]) if picture else 0):
                    next(lines)
                is_of_site = " " in line.strip()[:_LONGEST] and not line.startswith("> ")
                if len(line) > _LONGEST and is_of_site:
                    yield f"{each.person.name} receives a line of {len(line)}: {line!r}"


def words_pass_on_no_quote(_town: Town) -> Iterator[str]:
    """Lines that players write in a match have no line of the site's mails in them."""
    from antipodes.web.matches.models import ChatLine

    for line in ChatLine.objects.all():
        if quote := _SITE_LINE.search(line.text):
            yield f"chat line {line.pk} passes on {quote[0]!r}"
