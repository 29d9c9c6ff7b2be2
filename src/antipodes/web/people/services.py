"""What changes people: guests come, the computer takes its seat."""

from __future__ import annotations

import secrets

from django.contrib.auth import login
from django.http import HttpRequest

from antipodes.search.levels import find_level
from antipodes.web.people.models import User

_BACKEND = "django.contrib.auth.backends.ModelBackend"


def ensure_user(request: HttpRequest) -> User:
    """Return who asks; somebody without an account becomes a guest and stays one by a cookie."""
    if isinstance(request.user, User):
        return request.user
    guest = User(username=f"guest-{secrets.token_hex(4)}", is_guest=True)
    guest.set_unusable_password()
    guest.save()
    login(request, guest, backend=_BACKEND)
    return guest


def computer(level: str) -> User:
    """Return the user that plays a level of the computer.

    Raises:
        InvalidOptionsError: there is no such level.
    """
    found = find_level(level)
    user, _ = User.objects.get_or_create(
        username=f"computer-{found.number}",
        defaults={"computer": f"computer:{found.number}", "first_name": found.name},
    )
    return user
