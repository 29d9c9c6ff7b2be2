"""Invitations by mail: letters that are accepted or rejected by a reply."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db import transaction

from antipodes.mail.layout import said, write_challenges
from antipodes.web.accounts.models import User
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.email_play.commands.confirmations import DAY, make_slip
from antipodes.web.email_play.commands.emails import paragraphs, reachable, write
from antipodes.web.email_play.commands.lines import challenge_line, link_of_challenge, subject
from antipodes.web.email_play.context import EmailContent
from antipodes.web.email_play.models import ConfirmationRow, MailPlayRow
from antipodes.web.email_play.reply_addresses import receives_mail
from antipodes.web.notifications.kinds import Kind
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.notifications.services import notify
from antipodes.web.platform.clock import now
from antipodes.web.platform.periodic import every

_LASTS = 60 * DAY
_NEWS = DAY  # for which an invitation on the site is news

Kinds = ConfirmationRow.Kind


def invite(row: ChallengeRow, user: User, comment: str = "") -> ConfirmationRow | None:
    """Write an invitation to somebody, once; return its slip, or ``None`` if nothing is written.

    Args:
        row: the challenge.
        user: who is invited.
        comment: words of whoever invites.
    """
    to = reachable(user)
    if to is None or not receives_mail():
        return None
    if ConfirmationRow.objects.filter(kind=Kinds.CHALLENGE, challenge=row, user=user).exists():
        return None
    lasts = _LASTS if row.expires_at is None else max(DAY, row.expires_at - now())
    slip = make_slip(Kinds.CHALLENGE, lasts=lasts, user=user, challenge=row)
    # The letter takes the place of the mail that notices would write, or wait to write.
    key = f"invited {row.slug}"
    NotificationRow.objects.filter(user=user, key=key).update(mail_due=None)
    notify(
        user,
        Kind.INVITED,
        key=key,
        by=row.by,
        path=f"/c/{row.slug}/",
        is_quiet=True,
        game=row.game_id,
    )
    letter = EmailContent(
        subject=subject(f"challenge c{row.pk} from {row.by.name}"),
        text=_text(row, user, comment),
    )
    write(to, user, letter, key=f"invitation {row.pk} {user.pk}", slip=slip)
    return slip


def _text(row: ChallengeRow, user: User, comment: str) -> str:
    seat = dict(row.promised).get(user.pk)
    title = row.game.title
    headline = f"{row.by.name} invites {user.name} to a game of {title}."
    where = "" if seat is None else f"Your turns come as those of player {seat + 1}."
    until = ""
    if row.expires_at is not None:
        day = datetime.fromtimestamp(row.expires_at / 1000, UTC)
        until = f"The challenge runs out on {day:%Y-%m-%d}."
    return paragraphs(
        write_challenges(headline, [challenge_line(row)]),
        [line for line in (where, until) if line],
        [
            "Reply with the word accept in the first line to play, or with the word reject.",
            f"How this game goes: write to us with the Subject: {row.game_id} help",
            f"On the site: {link_of_challenge(row)}",
        ],
        said(row.by.name, comment) if comment.strip() else "",
    )


@every(10)
def write_invitations() -> None:
    """Write to those who play by mail, and were invited on the site."""
    if not receives_mail():
        return
    waiting = ChallengeRow.objects.filter(match=None, made_at__gt=now() - _NEWS)
    players = MailPlayRow.objects.filter(is_on=True).values("user")
    written = ConfirmationRow.objects.filter(kind=Kinds.CHALLENGE)
    links = ChallengeRow.invited.through.objects.filter(
        challengerow__in=waiting, user__in=players
    ).select_related("challengerow__by", "user")
    for link in links:
        challenge, user = link.challengerow, link.user
        if written.filter(challenge=challenge, user=user).exists():
            continue
        # The row is locked, so that two processes do not write to somebody twice.
        with transaction.atomic():
            row = ChallengeRow.objects.select_for_update(of=("self",)).filter(pk=challenge.pk)
            found = row.select_related("by").first()
            if found is not None and found.match_id is None:
                invite(found, user)
