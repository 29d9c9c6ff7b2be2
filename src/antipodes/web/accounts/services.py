"""Services of users: guests, users of the computer's levels, transfer of a guest's games."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence

from django.apps import apps
from django.contrib.auth import login
from django.db import IntegrityError, models, transaction
from django.db.models import QuerySet
from django.dispatch import Signal
from django.http import HttpRequest

from antipodes.games import pairing_strategy
from antipodes.search.levels import find_level
from antipodes.web.accounts.models import User
from antipodes.web.platform.limits import NEW_GUESTS, take_for_address

# Sent with ``before`` and ``after``, the primary keys of the guest and of the account.
guest_transferred = Signal()
# Sent with ``account`` and ``session``, the data of the session before the visitor signed in.
visitor_signed_in = Signal()

_BACKEND = "django.contrib.auth.backends.ModelBackend"
_FEWEST_DIGITS, _MOST_DIGITS = 4, 12


def current_user(request: HttpRequest) -> User | None:
    """Return the account or guest of a request, if there is one."""
    return request.user if isinstance(request.user, User) else None


def ensure_user(request: HttpRequest) -> User:
    """Return the user of a request; sign a new guest in if there is none.

    Raises:
        TooManyError: there were too many new guests from this network.
    """
    user = current_user(request)
    if user is not None:
        return user
    take_for_address(NEW_GUESTS, request)
    guest = _new_guest()
    resume_guest(request, guest)
    return guest


def resume_guest(request: HttpRequest, guest: User) -> None:
    """Sign a guest in, who is known by a secret of the browser."""
    if not guest.is_guest:
        raise ValueError(f"{guest} is not a guest")
    login(request, guest, backend=_BACKEND)


def _new_guest() -> User:
    """Make a guest with a name like ``Guest 4821``, which no account can have."""
    for digits in range(_FEWEST_DIGITS, _MOST_DIGITS + 1):
        least = 10 ** (digits - 1)
        guest = User(username=f"Guest {least + secrets.randbelow(9 * least)}", is_guest=True)
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save()
        except IntegrityError:
            continue  # the name is taken: try a longer number
        return guest
    raise RuntimeError(f"no number of {_MOST_DIGITS} digits is free for a guest")


def computer(level: str) -> User:
    """Return the user of a level of the computer, or of its pairing strategy.

    Raises:
        InvalidOptionsError: there is no such level.
    """
    if level == pairing_strategy.PLAYER:
        name, player, shown = f"computer-{level}", level, pairing_strategy.NAME
    else:
        known_level = find_level(level)
        name, player = f"computer-{known_level.number}", f"computer:{known_level.number}"
        shown = known_level.name
    user, _ = User.objects.get_or_create(
        username=name, defaults={"computer": player, "first_name": shown}
    )
    return user


def users_named(name: str) -> QuerySet[User]:
    """Return the user with a name in any letter case.

    A name longer than any stored one is cut, since SQLite compares with short texts only.
    """
    longest = User.username.field.max_length or 0
    return User.objects.filter(username__iexact=name[: longest + 1])


def find_players(names: Sequence[str]) -> tuple[list[User], list[str]]:
    """Return the accounts and guests with these names, and the names that are unknown."""
    found, unknown = [], []
    for name in dict.fromkeys(name.lower() for name in names):
        user = users_named(name).filter(computer="", is_active=True).first()
        if user is None:
            unknown.append(name)
        else:
            found.append(user)
    return found, unknown


def transfer_guest(guest: User, account: User) -> None:
    """Transfer all rows of a guest, such as matches and challenges, to an account.

    Raises:
        ValueError: the first is not a guest, or the second not an account.
    """
    if not guest.is_guest or account.is_guest or account.is_computer:
        raise ValueError(f"cannot transfer rows from {guest} to {account}")
    with transaction.atomic():
        for model, field in user_foreign_keys():
            _transfer_rows(model, field, guest, account)
        guest_transferred.send(sender=User, before=guest.pk, after=account.pk)
        guest.delete()


def user_foreign_keys() -> Iterator[tuple[type[models.Model], str]]:
    """Yield every model with the name of a foreign key to users, one-to-one fields included."""
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.get_fields():  # noqa: SLF001 - Django's own name for it
            if isinstance(field, models.ForeignKey) and field.related_model is User:
                yield model, field.name


def _transfer_rows(model: type[models.Model], field: str, guest: User, account: User) -> None:
    """Change the user of a model's rows from the guest to the account.

    Rows that would violate a unique constraint, such as a second place in a challenge, stay the
    guest's, and are deleted with the guest.
    """
    for row in model._default_manager.filter(**{field: guest}):  # noqa: SLF001 - as above
        setattr(row, field, account)
        try:
            with transaction.atomic():
                row.save(update_fields=[field])
        except IntegrityError:
            continue
