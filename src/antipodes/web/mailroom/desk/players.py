"""Who plays by mail: switched on and off, here and on the account's page."""

from __future__ import annotations

from antipodes.web.mailroom.desk.models import AlertRow, SubscriptionRow
from antipodes.web.mailroom.letters import play_by_mail
from antipodes.web.mailroom.models import ByMailRow
from antipodes.web.notices.kinds import Frequency
from antipodes.web.notices.preferences import preference_of
from antipodes.web.people.models import User


def plays_by_mail(user: User) -> bool:
    """Return whether somebody gets their boards by mail."""
    return ByMailRow.objects.filter(user=user, is_on=True).exists()


def begin_by_mail(user: User) -> None:
    """Let somebody who does something by mail play by mail, unless they have chosen before."""
    if ByMailRow.objects.filter(user=user).exists():
        return
    if preference_of(user).frequency == Frequency.DAILY:
        play_by_mail(user, on=True)
    else:  # it is not the usual one, so they have chosen it
        ByMailRow.objects.get_or_create(user=user, defaults={"is_on": True})


def switch(user: User, *, on: bool) -> None:
    """Let somebody get their boards by mail from now on, or no longer."""
    if not (on and plays_by_mail(user)):  # said once more, it changes nothing they chose since
        play_by_mail(user, on=on)


def stop_following(user: User) -> None:
    """Let no letters come about what somebody does not play."""
    SubscriptionRow.objects.filter(watch__user=user).delete()
    AlertRow.objects.filter(user=user).delete()
