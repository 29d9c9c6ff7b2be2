"""Laws of mail: each counts once, for the board that its writer saw, and passes no quote on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes, policy

from antipodes.web.town.town import Town

_LONGEST = 78  # characters
_PICTURE = re.compile(r"Picture: (\d+) lines; .*")
# Lines that only the site's mails have.
_SITE_LINE = re.compile(r"^\W*(?:Picture: \d+ lines|Turn: move \d+|Players?: \w)", re.MULTILINE)


def a_mail_counts_once(town: Town) -> Iterator[str]:
    """A mail is stored once, however often mail servers deliver it."""
    from antipodes.web.email_play.models import InboundMailRow

    stored = InboundMailRow.objects.count() - town.site.older_mails
    sent = town.site.posted
    if stored > sent:
        yield f"{stored} mails are stored, but people have sent {sent}"
        town.site.posted = stored  # so that the next one is told of


def a_reply_plays_on_the_board_that_it_answers(town: Town) -> Iterator[str]:
    """A reply plays no move after others that its writer had not seen."""
    from antipodes.web.matches.models import EventRow

    for person in town.people:
        seen_at: dict[tuple[int, int], int] = {}
        for board, seen, at in person.memory.pop("replies", ()):
            seen_at[board, at] = max(seen, seen_at.get((board, at), 0))
        for (board, at), seen in seen_at.items():
            moves = EventRow.objects.filter(match=board, data__kind="moved").order_by("number")
            instants = [data["at"] for data in moves.values_list("data", flat=True)]
            if at in instants and (ply := instants.index(at)) > seen:
                yield f"board {board}: {person.name} saw {seen} moves, and moved after {ply}"


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
