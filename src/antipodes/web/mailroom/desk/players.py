"""Who plays by mail: switched on and off, here and on the account's page."""

from __future__ import annotations

from antipodes.web.mailroom.desk.models import AlertRow, SubscriptionRow
from antipodes.web.mailroom.models import ByMailRow
from antipodes.web.people.models import User


def plays_by_mail(user: User) -> bool:
    """Return whether somebody gets their boards by mail."""
    return ByMailRow.objects.filter(user=user, is_on=True).exists()


def begin_by_mail(user: User) -> None:
    """Let somebody who does something by mail play by mail, unless they have chosen before."""
    ByMailRow.objects.get_or_create(user=user, defaults={"is_on": True})


def switch(user: User, *, on: bool) -> None:
    """Let somebody get their boards by mail from now on, or no longer."""
    ByMailRow.objects.update_or_create(user=user, defaults={"is_on": on})


def stop_following(user: User) -> None:
    """Let no letters come about what somebody does not play."""
    SubscriptionRow.objects.filter(watch__user=user).delete()
    AlertRow.objects.filter(user=user).delete()
