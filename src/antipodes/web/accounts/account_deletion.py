"""Account deletion: delete a user's own rows, and anonymise what others share."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection, models, transaction
from django.dispatch import Signal
from django.utils import timezone

from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import user_foreign_keys

# Sent with ``user`` to end games and challenges: before anything is deleted, and again after that
# for those that began meanwhile.
account_deleting = Signal()
# Sent with ``user`` in the transaction that deletes the rows, to lock what others may be writing.
rows_deleting = Signal()

_DELETED = "deleted-"  # beginning of the new username
# A guest can sign in only by a cookie, which browsers keep for a year.
_GUEST_LIFETIME = timedelta(days=366)
_IDLE_GUEST_LIFETIME = timedelta(days=30)  # without any game
_BATCH_SIZE = 200
_READ_BATCH = 500  # users per query
_WAIT_FOR_READERS = 100  # milliseconds, in which other writers wait too


def delete_account(user: User) -> None:
    """Delete a user's data; their games remain under an anonymous name.

    ``on_delete`` of a foreign key decides about its rows: CASCADE deletes them, SET_NULL clears the
    field, and other rows remain.

    Raises:
        ValueError: the user is a level of the computer.
    """
    if user.is_computer:
        raise ValueError(f"{user} is the computer")
    account_deleting.send(sender=User, user=user)
    with transaction.atomic():
        rows_deleting.send(sender=User, user=user)
        for model, name in user_foreign_keys():
            _delete_rows(model, name, user)
        user.groups.clear()
        user.user_permissions.clear()
        _anonymise(user)
    account_deleting.send(sender=User, user=user)


def existing_accounts(users: Iterable[int]) -> set[int]:
    """Return those of some users, by their ids, who exist and are not deleted."""
    deleted = models.Q(is_active=False, username__startswith=_DELETED)
    ids, found = sorted(users), set[int]()
    for first in range(0, len(ids), _READ_BATCH):
        some = User.objects.filter(pk__in=ids[first : first + _READ_BATCH]).exclude(deleted)
        found.update(some.values_list("pk", flat=True))
    return found


def _delete_rows(model: type[models.Model], name: str, user: User) -> None:
    field = model._meta.get_field(name)  # noqa: SLF001 - Django's own name for it
    assert isinstance(field, models.ForeignKey)
    rows = model._default_manager.filter(**{name: user})  # noqa: SLF001 - as above
    rule = field.remote_field.on_delete
    if rule is models.CASCADE:
        rows.delete()
    elif rule is models.SET_NULL:
        rows.update(**{name: None})


def _anonymise(user: User) -> None:
    user.username = f"{_DELETED}{user.pk}"
    user.first_name = user.last_name = user.email = ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    user.set_unusable_password()
    user.save()


def delete_expired_guests() -> None:
    """Delete guests whose cookie has expired, and idle ones without games."""
    at = timezone.now()
    expired = models.Q(date_joined__lt=at - _GUEST_LIFETIME)
    idle = models.Q(date_joined__lt=at - _IDLE_GUEST_LIFETIME, seats=None)
    guests = User.objects.filter(expired | idle, is_guest=True, is_active=True)
    for guest in guests.distinct()[:_BATCH_SIZE]:
        if not guest.seats.exists():
            guest.delete()
        else:
            delete_account(guest)


def delete_expired_sessions() -> None:
    call_command("clearsessions")
    from allauth.usersessions.models import UserSession

    existing = Session.objects.values("session_key")
    UserSession.objects.exclude(session_key__in=existing).delete()


def clear_database_log() -> None:
    """Empty SQLite's log of changes, which otherwise keeps deleted names until it is overwritten.

    If the database is in use for longer, the next run does so.
    """
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        [usual] = cursor.fetchone()
        cursor.execute(f"PRAGMA busy_timeout={_WAIT_FOR_READERS}")
        try:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            cursor.execute(f"PRAGMA busy_timeout={usual}")
