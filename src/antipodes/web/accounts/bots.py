"""Bot accounts, which are marked as such everywhere."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from antipodes.errors import InputError
from antipodes.web.accounts.models import BOT, BotRow, User
from antipodes.web.platform.clock import now


def mark_as_bot(user: User) -> None:
    """Mark an account as a bot.

    An account that has played cannot change, since its opponents relied on the mark.

    Raises:
        InputError: a guest asks, or the account has games.
    """
    if user.is_guest or user.is_computer:
        raise InputError.single("bot/no-account", _("A bot needs an account: sign up first."))
    with transaction.atomic():
        locked = User.objects.select_for_update().get(pk=user.pk)
        if locked.is_bot:
            return
        if locked.seats.exists():
            message = _("%(name)s has played as a person; make a new account for a bot.")
            raise InputError.single("bot/has-played", message % {"name": user.username})
        BotRow.objects.create(user=locked, since=now())
        locked.first_name = BOT
        locked.save(update_fields=["first_name"])
    user.first_name = BOT


def unmark_bot(user: User) -> None:
    """Remove the mark of an account that has not played.

    Raises:
        InputError: the bot has games.
    """
    with transaction.atomic():
        locked = User.objects.select_for_update().get(pk=user.pk)
        if not locked.is_bot:
            return
        if locked.seats.exists():
            message = _("%(name)s has played as a bot and stays one.")
            raise InputError.single("bot/has-played", message % {"name": user.username})
        BotRow.objects.filter(user=locked).delete()
        locked.first_name = ""
        locked.save(update_fields=["first_name"])
    user.first_name = ""
