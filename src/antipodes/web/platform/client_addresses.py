"""Client addresses: where a request or WebSocket comes from, and which networks it counts for."""

from __future__ import annotations

import ipaddress
import logging
import re
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from antipodes.web.platform import metrics

logger = logging.getLogger(__name__)

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# A provider gives one customer a /56 or a /48 of IPv6. Both are counted: a /48 may hold several
# customers, so it gets a multiple of what a /56 gets.
_IPV6_NETWORKS = ((56, 1), (48, 4))

# All clients whose forwarded address cannot be read count as this one, which no client can have.
UNKNOWN = ipaddress.IPv4Address("0.0.0.0")  # noqa: S104 - nothing listens here

# An address as proxies write it: ``192.0.2.1:4711``, ``[2001:db8::1]`` and ``[2001:db8::1]:443``.
_WITH_PORT = re.compile(r"(?:\[([^][]+)\]|([0-9.]+))(?::([0-9]{1,5}))?", re.ASCII)
_MAX_PORT = 65_535


def parse(text: str) -> Address | None:
    """Return an address, or ``None`` if the text is none.

    A port is left out, and IPv4 mapped into IPv6 becomes IPv4.
    """
    host = text.strip()
    if with_port := _WITH_PORT.fullmatch(host):
        host = with_port[1] or with_port[2]
        if int(with_port[3] or 0) > _MAX_PORT:
            return None
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address


def address_of(request: HttpRequest) -> Address | None:
    """Return the address of the client that sent a request, or ``None`` if it is unknown."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    return _client(forwarded, str(request.META.get("REMOTE_ADDR", "")))


def address_of_scope(scope: Mapping[str, Any]) -> Address | None:
    """Return the address of the client of an ASGI connection, or ``None`` if it is unknown."""
    values = [value for name, value in scope.get("headers", ()) if name == b"x-forwarded-for"]
    client = scope.get("client") or ("", 0)
    return _client(b",".join(values).decode("latin-1"), str(client[0]))


def _client(forwarded: str, peer: str) -> Address | None:
    """Return the client's address: the one that the outermost trusted proxy has seen.

    Each of the ``TRUSTED_PROXIES`` appends the address of its own peer to ``X-Forwarded-For``;
    everything further left was sent by the client and can be forged. Clients whose
    entry is unreadable count as one client, so that they evade no limit.
    """
    proxies: int = settings.TRUSTED_PROXIES
    hops = forwarded.split(",") if forwarded else []
    if proxies and len(hops) >= proxies:
        return parse(hops[-proxies]) or _unknown()
    return parse(peer)


def _unknown() -> Address:
    """Return the address of all clients whose address cannot be read, and count the request."""
    if not metrics.unreadable_addresses():
        logger.warning("forwarded address unreadable header=X-Forwarded-For")
    metrics.note_unreadable_address()
    return UNKNOWN


def networks(address: Address) -> list[tuple[str, int]]:
    """Return the networks that an address counts for, each with the multiple it is allowed.

    An IPv4 address counts for itself; an IPv6 address for its /56 and, with four times as much, for
    its /48.
    """
    if isinstance(address, ipaddress.IPv4Address):
        return [(str(address), 1)]
    return [
        (str(ipaddress.ip_network((address, bits), strict=False)), multiple)
        for bits, multiple in _IPV6_NETWORKS
    ]
