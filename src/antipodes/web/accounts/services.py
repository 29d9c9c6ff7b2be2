"""What changes people: guests come and become accounts, the computer takes its seat."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence

from django.apps import apps
from django.contrib.auth import login
from django.db import IntegrityError, models, transaction
from django.dispatch import Signal
from django.http import HttpRequest

from antipodes.games import pairing
from antipodes.search.levels import find_level
from antipodes.web.accounts.models import User
from antipodes.web.platform.limits import NEW_GUESTS, take_for_address

# With ``before`` and ``after``, keys of users: what was the guest's is now the account's.
guest_transferred = Signal()

_BACKEND = "django.contrib.auth.backends.ModelBackend"
_FEWEST_DIGITS, _MOST_DIGITS = 4, 12


def known_user(request: HttpRequest) -> User | None:
    """Return who asks: somebody with an account, or a guest; nobody is made."""
    return request.user if isinstance(request.user, User) else None


def ensure_user(request: HttpRequest) -> User:
    """Return who asks; somebody without an account becomes a guest and stays one by a cookie.

    Raises:
        TooManyError: too many guests have come from this address of the network.
    """
    known = known_user(request)
    if known is not None:
        return known
    take_for_address(NEW_GUESTS, request)
    guest = _new_guest()
    login(request, guest, backend=_BACKEND)
    return guest


def _new_guest() -> User:
    """Make a guest with a name like ``Guest 4821``, which no account can have."""
    for digits in range(_FEWEST_DIGITS, _MOST_DIGITS):
        least = 10 ** (digits - 1)
        guest = User(username=f"Guest {least + secrets.randbelow(9 * least)}", is_guest=True)
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save()
        except IntegrityError:
            continue  # somebody is called so: take a longer number
        return guest
    raise RuntimeError(f"no number of {_MOST_DIGITS} digits is free for a guest")


def computer(level: str) -> User:
    """Return the user that plays a level of the computer, or its pairing strategy.

    Raises:
        InvalidOptionsError: there is no such level.
    """
    if level == pairing.PLAYER:
        name, player, called = f"computer-{level}", level, pairing.NAME
    else:
        found = find_level(level)
        name, player = f"computer-{found.number}", f"computer:{found.number}"
        called = found.name
    user, _ = User.objects.get_or_create(
        username=name, defaults={"computer": player, "first_name": called}
    )
    return user


def find_players(names: Sequence[str]) -> tuple[list[User], list[str]]:
    """Return the people with these names, and the names that nobody has; no computers."""
    found, unknown = [], []
    for name in dict.fromkeys(name.lower() for name in names):
        user = User.objects.filter(username__iexact=name, computer="", is_active=True).first()
        if user is None:
            unknown.append(name)
        else:
            found.append(user)
    return found, unknown


def transfer_guest(guest: User, account: User) -> None:
    """Give all that a guest has, matches and challenges above all, to an account.

    Raises:
        ValueError: the first is no guest, or the second no account.
    """
    if not guest.is_guest or account.is_guest or account.is_computer:
        raise ValueError(f"{account} cannot take over what {guest} has")
    with transaction.atomic():
        for model, field in user_foreign_keys():
            _hand_over(model, field, guest, account)
        guest_transferred.send(sender=User, before=guest.pk, after=account.pk)
        guest.delete()


def user_foreign_keys() -> Iterator[tuple[type[models.Model], str]]:
    """Return every model with a field that says to which user its rows belong."""
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.get_fields():  # noqa: SLF001 - Django's own name for it
            is_link = isinstance(field, models.ForeignKey)  # one-to-one fields are links too
            if is_link and field.related_model is User:
                yield model, field.name


def _hand_over(model: type[models.Model], field: str, guest: User, account: User) -> None:
    """Let rows of a model belong to the account instead of the guest.

    What the account has already, such as a place at the same challenge, goes with the guest.
    """
    for row in model._default_manager.filter(**{field: guest}):  # noqa: SLF001 - as above
        setattr(row, field, account)
        try:
            with transaction.atomic():
                row.save(update_fields=[field])
        except IntegrityError:
            continue
