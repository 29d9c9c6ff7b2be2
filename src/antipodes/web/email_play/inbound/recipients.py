"""Whom mail may be for: the site's own addresses, and nobody else."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.conf import settings

POSTMASTER = "postmaster"

_LONGEST = 254  # characters of an address
_TOKEN = re.compile(r"[a-z0-9._-]{1,128}")


def is_ours(address: str) -> bool:
    """Return whether an address is one at which the site itself receives mail.

    That is ``play@host`` and ``play+TOKEN@host``; whether a token is a good one is asked later, so
    that nobody can try tokens out at the door.
    """
    local, _, host = address.strip().lower().rpartition("@")
    if not settings.MAIL_HOST or host != settings.MAIL_HOST or len(address) > _LONGEST:
        return False
    user, plus, token = local.partition("+")
    return user == settings.MAIL_USER and (not plus or _TOKEN.fullmatch(token) is not None)


def is_postmaster(address: str) -> bool:
    """Return whether an address is that of whoever runs the site; every site must have one."""
    local, _, host = address.strip().lower().rpartition("@")
    return (local or host) == POSTMASTER and host in {POSTMASTER, settings.MAIL_HOST}


def ours(addresses: Iterable[str]) -> list[str]:
    """Return those addresses that are ours, each once, in their order."""
    return list(dict.fromkeys(one.strip() for one in addresses if is_ours(one)))
