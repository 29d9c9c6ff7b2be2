"""Cheap refusals of WebSockets from addresses that have just opened too many.

Otherwise the WebSocket library would handle each handshake, and a client that reconnects in a loop
would keep the event loop busy.
"""

from __future__ import annotations

import time

from antipodes.web.platform.client_addresses import Address, networks

SECONDS = 2.0  # for which an address is refused
_MAX_ADDRESSES = 10_000

_refused_until: dict[str, float] = {}  # by the narrowest network, to spare neighbours


def note(address: Address | None) -> None:
    """Note that an address has exceeded its limit of WebSockets."""
    if address is None or address.is_loopback:
        return
    now = time.monotonic()
    if len(_refused_until) >= _MAX_ADDRESSES:
        expired = [name for name, until in _refused_until.items() if until <= now]
        for name in expired or list(_refused_until):
            del _refused_until[name]
    _refused_until[networks(address)[0][0]] = now + SECONDS


def is_refused(address: Address | None) -> bool:
    """Return whether to refuse WebSockets of an address at once."""
    if address is None or not _refused_until:
        return False
    return _refused_until.get(networks(address)[0][0], 0.0) > time.monotonic()
