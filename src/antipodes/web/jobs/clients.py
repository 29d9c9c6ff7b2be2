"""Clients of the job queue: the network that a user signed in from, then the user.

A guest counts for the network in which it was created, wherever its cookie is used later, so that
limits on new guests also limit how many networks an attacker can use.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from antipodes.web.accounts.models import User
from antipodes.web.jobs.fair_queue import Client
from antipodes.web.jobs.models import ClientRow
from antipodes.web.platform.client_addresses import address_of, networks
from antipodes.web.platform.limits import RateLimit, take

_DIGITS = 16


def note_network(request: HttpRequest | None, user: Any, **_: object) -> None:
    """Save the network of a user who signs in; connections from this machine have none."""
    address = None if request is None else address_of(request)
    if address is None or address.is_loopback:
        return
    narrow, *wide = (_hashed(network) for network, _ in networks(address))
    found = {"network": narrow, "wider": wide[0] if wide else ""}
    ClientRow.objects.update_or_create(user=user, defaults=found)


def _hashed(network: str) -> str:
    return salted_hmac(__name__, network, algorithm="sha256").hexdigest()[:_DIGITS]


def client_of(user: int | None, network: str | None, wider: str | None) -> Client:
    """Return the client of a job, from columns of its row."""
    return (*(one for one in (wider, network) if one), f"user {user}")


def neighbours(user: User) -> list[tuple[Q, int]]:
    """Return conditions for users of the same networks, each with its multiple of limits.

    There are none for users whose network is unknown or this machine.
    """
    return [(Q(**{f"client__{name}": one}), many) for name, one, many in _networks_of(user)]


def take_for_networks_of(limit: RateLimit, user: User) -> None:
    """Count one use of a rate limit for the networks of a user.

    Raises:
        TooManyError: the limit is exceeded.
    """
    for name, network, multiple in _networks_of(user):
        take(limit, f"{name} {network}", multiple=multiple)


def _networks_of(user: User) -> list[tuple[str, str, int]]:
    row = ClientRow.objects.filter(user=user).first()
    if row is None:
        return []
    # A /48 of IPv6 is allowed four times as much as a /56, as in `client_addresses.networks`.
    found = [("network", row.network, 1)]
    return [*found, ("wider", row.wider, 4)] if row.wider else found
