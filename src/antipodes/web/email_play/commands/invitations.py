"""E-mails that invite a player to a challenge, and that a reply accepts or rejects."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db import transaction

from antipodes.clocks import DAY
from antipodes.mail.layout import comment_lines, write_challenges
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import computer
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.email_play.commands.confirmations import create_confirmation
from antipodes.web.email_play.commands.emails import paragraphs, reachable_address, send
from antipodes.web.email_play.commands.lines import challenge_line, challenge_url, subject
from antipodes.web.email_play.context import EmailContent
from antipodes.web.email_play.models import ConfirmationRow, MailPlayRow
from antipodes.web.email_play.reply_addresses import receives_mail
from antipodes.web.notifications.kinds import Kind
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.notifications.services import notify
from antipodes.web.platform.clock import now

_LIFETIME = 60 * DAY  # of an invitation to a challenge that does not expire
_RECENT = DAY  # older challenges of the site are not e-mailed

Kinds = ConfirmationRow.Kind


def invite(row: ChallengeRow, user: User, comment: str = "") -> ConfirmationRow | None:
    """E-mail an invitation to a user, once; return its confirmation, or ``None`` if none is sent.

    Args:
        row: the challenge.
        user: the invited user.
        comment: the challenger's message.
    """
    to = reachable_address(user)
    if to is None or not receives_mail():
        return None
    if ConfirmationRow.objects.filter(kind=Kinds.CHALLENGE, challenge=row, user=user).exists():
        return None
    lifetime = _LIFETIME if row.expires_at is None else max(DAY, row.expires_at - now())
    confirmation = create_confirmation(Kinds.CHALLENGE, lifetime=lifetime, user=user, challenge=row)
    # The invitation replaces the e-mail of the notification.
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
    content = EmailContent(
        subject=subject(f"challenge c{row.pk} from {row.by.name}"),
        text=_text(row, user, comment),
    )
    key = f"invitation {row.pk} {user.pk}"
    send(to, user, content, key=key, confirmation=confirmation)
    return confirmation


def _text(row: ChallengeRow, user: User, comment: str) -> str:
    title = row.game.title
    headline = f"{row.by.name} invites {user.name} to a game of {title}."
    expiry_line = ""
    if row.expires_at is not None:
        day = datetime.fromtimestamp(row.expires_at / 1000, UTC)
        expiry_line = f"The challenge expires on {day:%Y-%m-%d}."
    return paragraphs(
        write_challenges(headline, [challenge_line(row)]),
        [line for line in (_seat_sentence(row, user), expiry_line) if line],
        [
            "To play, reply with the word accept in the first line; to decline, with reject.",
            f"For the rules, send a mail with the Subject: {row.game_id} help",
            f"On the site: {challenge_url(row)}",
        ],
        comment_lines(row.by.name, comment) if comment.strip() else "",
    )


def _seat_sentence(row: ChallengeRow, user: User) -> str:
    """Return the colour and seat that an invited user gets, and their partner's name."""
    game = row.game
    players = dict(row.promised)
    players |= {row.by_id: row.seat} if row.seat is not None else {}
    free = set(range(game.seats)) - {*players.values(), *(seat for seat, _ in row.computers)}
    if user.pk not in players and len(free) == 1:
        players[user.pk] = free.pop()
    if user.pk not in players:
        seats = "seat and colour are" if game.seats > 2 else "colour is"
        return f"Your {seats} drawn by lot or free to choose on the site."
    seat = players[user.pk]
    color = game.color_of(seat)
    names = {seat: computer(level).name for seat, level in row.computers}
    known = {one.pk: one.name for one in (row.by, *row.invited.all())}
    names |= {place: known[player] for player, place in players.items() if player in known}
    partners = [names.get(one, f"seat {one + 1}") for one in game.seats_of(color) if one != seat]
    order = ", and move first" if seat == 0 else ""
    partner = f" Your partner is {' and '.join(partners)}." if partners else ""
    return f"You play {color.title}, seat {seat + 1}{order}.{partner}"


def write_invitations() -> None:
    """E-mail players who play by e-mail and were challenged on the site."""
    if not receives_mail():
        return
    recent = ChallengeRow.objects.filter(match=None, made_at__gt=now() - _RECENT)
    players = MailPlayRow.objects.filter(is_on=True).values("user")
    written = ConfirmationRow.objects.filter(kind=Kinds.CHALLENGE)
    links = ChallengeRow.invited.through.objects.filter(
        challengerow__in=recent, user__in=players
    ).select_related("challengerow__by", "user")
    for link in links:
        challenge, user = link.challengerow, link.user
        if written.filter(challenge=challenge, user=user).exists():
            continue
        # The lock keeps two processes from inviting a player twice.
        with transaction.atomic():
            row = ChallengeRow.objects.select_for_update(of=("self",)).filter(pk=challenge.pk)
            found = row.select_related("by").first()
            if found is not None and found.match_id is None:
                invite(found, user)
