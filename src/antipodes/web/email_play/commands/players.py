"""Play by e-mail switched on and off for a user, by commands and by the account page."""

from __future__ import annotations

from antipodes.web.accounts.models import User
from antipodes.web.email_play.match_emails import play_by_mail
from antipodes.web.email_play.models import MailPlayRow, MailWatchRow, SeekAlertRow
from antipodes.web.notifications.kinds import Frequency
from antipodes.web.notifications.preferences import preference_of


def plays_by_mail(user: User) -> bool:
    """Return whether a user gets boards by e-mail."""
    return MailPlayRow.objects.filter(user=user, is_on=True).exists()


def enable_by_default(user: User) -> None:
    """Switch play by e-mail on for a user who starts a game by e-mail, unless they have chosen."""
    if MailPlayRow.objects.filter(user=user).exists():
        return
    if preference_of(user).frequency == Frequency.DAILY:
        play_by_mail(user, on=True)
    else:  # not the default, so the user has chosen how often to get e-mail
        MailPlayRow.objects.get_or_create(user=user, defaults={"is_on": True})


def set_play_by_mail(user: User, *, on: bool) -> None:
    """Switch play by e-mail on or off for a user."""
    if not (on and plays_by_mail(user)):  # a repetition keeps what the user has chosen since
        play_by_mail(user, on=on)


def unsubscribe_from_everything(user: User) -> None:
    """Stop e-mails about games that a user does not play."""
    MailWatchRow.objects.filter(watch__user=user).delete()
    SeekAlertRow.objects.filter(user=user).delete()
