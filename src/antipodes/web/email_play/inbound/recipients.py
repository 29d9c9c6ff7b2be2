"""The addresses at which the site accepts mail."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.conf import settings

POSTMASTER = "postmaster"

_MAX_LENGTH = 254  # characters
_TOKEN = re.compile(r"[a-z0-9._-]{1,128}")


def is_own(address: str) -> bool:
    """Return whether an address has the form ``play@host`` or ``play+TOKEN@host``.

    Tokens are verified later, so that clients cannot guess them during delivery.
    """
    local, _, host = address.strip().lower().rpartition("@")
    if not settings.MAIL_HOST or host != settings.MAIL_HOST or len(address) > _MAX_LENGTH:
        return False
    user, plus, token = local.partition("+")
    return user == settings.MAIL_USER and (not plus or _TOKEN.fullmatch(token) is not None)


def is_postmaster(address: str) -> bool:
    """Return whether an address is the host's, which RFC 5321 requires of every site."""
    local, _, host = address.strip().lower().rpartition("@")
    return (local or host) == POSTMASTER and host in {POSTMASTER, settings.MAIL_HOST}


def only_own(addresses: Iterable[str]) -> list[str]:
    """Return the site's own addresses among others, in order and without duplicates."""
    return list(dict.fromkeys(address.strip() for address in addresses if is_own(address)))
