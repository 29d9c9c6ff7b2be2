"""Who plays by mail: switched on and off, here and on the account's page."""

from __future__ import annotations

from antipodes.web.accounts.models import User
from antipodes.web.email_play.match_emails import play_by_mail
from antipodes.web.email_play.models import MailPlayRow, MailWatchRow, SeekAlertRow
from antipodes.web.notifications.kinds import Frequency
from antipodes.web.notifications.preferences import preference_of


def plays_by_mail(user: User) -> bool:
    """Return whether somebody gets their boards by mail."""
    return MailPlayRow.objects.filter(user=user, is_on=True).exists()


def begin_by_mail(user: User) -> None:
    """Let somebody who does something by mail play by mail, unless they have chosen before."""
    if MailPlayRow.objects.filter(user=user).exists():
        return
    if preference_of(user).frequency == Frequency.DAILY:
        play_by_mail(user, on=True)
    else:  # it is not the usual one, so they have chosen it
        MailPlayRow.objects.get_or_create(user=user, defaults={"is_on": True})


def switch(user: User, *, on: bool) -> None:
    """Let somebody get their boards by mail from now on, or no longer."""
    if not (on and plays_by_mail(user)):  # said once more, it changes nothing they chose since
        play_by_mail(user, on=on)


def stop_following(user: User) -> None:
    """Let no letters come about what somebody does not play."""
    MailWatchRow.objects.filter(watch__user=user).delete()
    SeekAlertRow.objects.filter(user=user).delete()
