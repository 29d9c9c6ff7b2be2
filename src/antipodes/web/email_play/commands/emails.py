"""Parts of what commands send: confirmations, lines of tables, and e-mails to other users.

A confirmation is not about a board, and its recipient answers it by replying. The reply address is
signed, not stored. The signature covers the number of the confirmation and the user's generation,
so revoking all reply addresses revokes these too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.urls import reverse

from antipodes.clocks import DAY
from antipodes.mail.incoming import Mail
from antipodes.mail.layout import ChallengeLine, GameLine
from antipodes.mail.layout.text import broken
from antipodes.web.accounts.models import User
from antipodes.web.archive.models import GameRow
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.email_play.context import EmailContent, build_email
from antipodes.web.email_play.models import ConfirmationRow
from antipodes.web.email_play.reply_addresses import SignedAddress, generation_of
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.snapshots import snapshot_of
from antipodes.web.notifications.emails import absolute_url, address_of
from antipodes.web.notifications.kinds import Frequency
from antipodes.web.notifications.outbox import enqueue
from antipodes.web.notifications.preferences import preference_of
from antipodes.web.platform.clock import now

LIFETIME = 3 * DAY  # for changes of an account

_ADDRESS = SignedAddress(b"antipodes confirmation address", size=6)


def create_confirmation(
    kind: ConfirmationRow.Kind, *, lifetime: int = LIFETIME, **fields: Any
) -> ConfirmationRow:
    """Store what a reply to an e-mail will do.

    Args:
        kind: what it does.
        lifetime: milliseconds in which it can be answered.
        fields: further fields of the row.
    """
    at = now()
    return ConfirmationRow.objects.create(kind=kind, made_at=at, expires_at=at + lifetime, **fields)


def confirmation_address(row: ConfirmationRow) -> str:
    """Return the reply address of a confirmation; empty if the site receives no mail."""
    return _ADDRESS.write(row.pk, _revocable(row))


def confirmation_of(address: str) -> ConfirmationRow | None:
    """Return the confirmation with a reply address; ``None`` if it is forged or revoked.

    The row may have expired or been answered already.
    """
    rows = ConfirmationRow.objects.select_related("user", "challenge", "reply_to")
    return _ADDRESS.find(rows.exclude(user__is_active=False), address, _revocable)


def _revocable(row: ConfirmationRow) -> bytes:
    return b"%d" % generation_of(row.user_id)


def mark_answered(row: ConfirmationRow) -> bool:
    """Note that a confirmation is answered; return false if it was before, or has expired."""
    at = now()
    unanswered = ConfirmationRow.objects.filter(pk=row.pk, answered_at=None, expires_at__gt=at)
    return unanswered.update(answered_at=at) == 1


def delete_expired_confirmations() -> None:
    """Delete confirmations a day after they have expired."""
    ConfirmationRow.objects.filter(expires_at__lt=now() - DAY).delete()


def subject(topic: str) -> str:
    """Return the subject of a response, which is not a command when it is replied to."""
    return f"Antipodes: {topic}"


def game_lines(rows: Iterable[MatchRow]) -> list[GameLine]:
    """Return matches as lines of a table; fetch them with their seats."""
    matches = list(rows)
    archived = GameRow.objects.filter(match__in=[row.pk for row in matches if row.ended_at])
    moves = dict(archived.values_list("match", "moves"))
    return [_game_line(row, moves.get(row.pk)) for row in matches]


def _game_line(row: MatchRow, moves: int | None) -> GameLine:
    """Return a match as a line; without a number of moves from the archive, count them."""
    seats = [(seat.number, seat.user.name) for seat in row.seats.all()]
    turn = next((name for number, name in seats if number == row.seat_to_move), "")
    return GameLine(
        number=row.pk,
        game_id=row.game_id,
        players=tuple(name for _, name in seats),
        turn="" if row.ended_at else turn,
        moves=snapshot_of(row).match.ply if moves is None else moves,
        deadline=row.deadline,
        left=None if row.deadline is None else row.deadline - now(),
        result=row.result,
    )


def challenge_line(row: ChallengeRow) -> ChallengeLine:
    """Return a challenge as a line of a table."""
    joined = tuple(join.user.name for join in row.joins.all())
    taken = 1 + len(joined) + len(row.computers)
    points = {} if row.points is None else {"points": row.points}
    private = {"private": "on"} if row.is_private else {}
    options = {**row.options, **points, **private}
    return ChallengeLine(
        number=row.pk,
        game_id=row.game_id,
        options=", ".join(f"{name}={value}" for name, value in options.items()),
        by=row.by.name,
        control=row.control,
        rated=row.rated,
        invited=tuple(user.name for user in row.invited.all()),
        joined=joined,
        free=row.game.seats - taken,
    )


def challenge_url(row: ChallengeRow) -> str:
    """Return the absolute URL of a challenge's page."""
    return absolute_url(reverse("challenge", args=[row.slug]))


def send(
    to: str,
    user: User | None,
    content: EmailContent,
    *,
    key: str,
    confirmation: ConfirmationRow | None = None,
    about: MatchRow | None = None,
    mail: Mail | None = None,
) -> bool:
    """Put an e-mail into the outbox; return whether it is new.

    Args:
        to: the recipient's address.
        user: the recipient's account, if there is one.
        content: subject and text.
        key: unique among all e-mails: of two with the same key one is sent.
        confirmation: the question that replies answer; without one, replies are commands.
        about: the match that it is about.
        mail: the mail that it answers.
    """
    draft = build_email(content, key=key, to=to, user=user, about=about, mail=mail)
    address = "" if confirmation is None else confirmation_address(confirmation)
    if address:
        headers: Mapping[str, str] = {**draft.headers, "Reply-To": address}
        draft = replace(draft, headers=headers)
    return enqueue(draft) is not None


def reachable_address(user: User) -> str | None:
    """Return the address to which other users may have e-mail sent; ``None`` if there is none.

    A user who has stopped all e-mail gets none from other users either.
    """
    if user.is_guest or user.is_computer:
        return None
    if preference_of(user).frequency == Frequency.NEVER:
        return None
    return address_of(user)


def paragraphs(*blocks: str | Iterable[str]) -> str:
    """Join blocks of lines into one text, with a blank line between them; break long lines."""
    texts = (block if isinstance(block, str) else broken("\n".join(block)) for block in blocks)
    return "\n\n".join(text.rstrip("\n") for text in texts if text) + "\n"
