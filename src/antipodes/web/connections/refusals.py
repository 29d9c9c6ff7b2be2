"""Cheap refusals of WebSockets from addresses that have just opened too many.

Otherwise the WebSocket library would handle each handshake, and a client that reconnects in a loop
would keep the event loop busy.
"""

from __future__ import annotations

import time

from antipodes.web.platform.client_addresses import Address, networks

SECONDS = 2.0  # of refusals after the latest excess
_MOST = 10_000  # addresses that are remembered

_until: dict[str, float] = {}  # by the narrowest network, so that neighbours are not refused


def note(address: Address | None) -> None:
    """Note that an address has exceeded its limit of WebSockets."""
    if address is None or address.is_loopback:
        return
    now = time.monotonic()
    if len(_until) >= _MOST:
        for name in [name for name, until in _until.items() if until <= now] or list(_until):
            del _until[name]
    _until[networks(address)[0][0]] = now + SECONDS


def is_refused(address: Address | None) -> bool:
    """Return whether to refuse a WebSocket of an address at once."""
    if address is None or not _until:
        return False
    return _until.get(networks(address)[0][0], 0.0) > time.monotonic()
