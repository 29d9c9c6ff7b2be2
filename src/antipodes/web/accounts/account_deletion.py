"""Account deletion: delete a user's own rows, and anonymise what others share."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import models, transaction
from django.dispatch import Signal
from django.utils import timezone

from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import user_foreign_keys
from antipodes.web.platform.periodic import every

# Sent with ``user`` before anything is deleted, to end games and challenges.
account_deleting = Signal()

GONE = "deleted-"
# A guest is identified by a cookie only, and lost once it has expired.
_GUEST_KEPT = timedelta(days=366)
_IDLE_GUEST_KEPT = timedelta(days=30)  # without any game
_AT_A_TIME = 200


def delete_account(user: User) -> None:
    """Delete a user; their games stay under an anonymous name.

    ``on_delete`` of a foreign key says what becomes of its rows: CASCADE deletes them, SET_NULL
    clears the field, and others stay.

    Raises:
        ValueError: the user is a level of the computer.
    """
    if user.is_computer:
        raise ValueError(f"{user} is the computer")
    account_deleting.send(sender=User, user=user)
    with transaction.atomic():
        for model, name in user_foreign_keys():
            _leave(model, name, user)
        user.groups.clear()
        user.user_permissions.clear()
        _make_nameless(user)


def _leave(model: type[models.Model], name: str, user: User) -> None:
    field = model._meta.get_field(name)  # noqa: SLF001 - Django's own name for it
    assert isinstance(field, models.ForeignKey)
    rows = model._default_manager.filter(**{name: user})  # noqa: SLF001 - as above
    rule = field.remote_field.on_delete
    if rule is models.CASCADE:
        rows.delete()
    elif rule is models.SET_NULL:
        rows.update(**{name: None})


def _make_nameless(user: User) -> None:
    user.username = f"{GONE}{user.pk}"
    user.first_name = user.last_name = user.email = ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    user.set_unusable_password()
    user.save()


@every(24 * 3_600)
def delete_expired_guests() -> None:
    """Delete guests whose cookie has expired, and idle ones without games."""
    at = timezone.now()
    lost = models.Q(date_joined__lt=at - _GUEST_KEPT)
    idle = models.Q(date_joined__lt=at - _IDLE_GUEST_KEPT, seats=None)
    guests = User.objects.filter(lost | idle, is_guest=True, is_active=True)
    for guest in guests.distinct()[:_AT_A_TIME]:
        if not guest.seats.exists():
            guest.delete()
        else:
            delete_account(guest)


@every(24 * 3_600)
def delete_expired_sessions() -> None:
    """Delete expired sessions."""
    call_command("clearsessions")
    from allauth.usersessions.models import UserSession

    known = Session.objects.values("session_key")
    UserSession.objects.exclude(session_key__in=known).delete()
