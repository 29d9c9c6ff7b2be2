"""Addresses that open too many WebSockets: for a moment the next ones are refused at little cost.

Otherwise each handshake would be read, counted and answered by the library of WebSockets, and a
client that tries again and again would keep the event loop busy.
"""

from __future__ import annotations

import time

from antipodes.web.platform.client_addresses import Address, networks

SECONDS = 2.0  # until handshakes of the address are looked at again
_MOST = 10_000  # addresses that are remembered

_until: dict[str, float] = {}  # by the narrowest network, so that neighbours are not refused


def note(address: Address | None) -> None:
    """Note that a WebSocket of an address was one too many."""
    if address is None or address.is_loopback:
        return
    now = time.monotonic()
    if len(_until) >= _MOST:
        for name in [name for name, until in _until.items() if until <= now] or list(_until):
            del _until[name]
    _until[networks(address)[0][0]] = now + SECONDS


def is_refused(address: Address | None) -> bool:
    """Return whether to refuse the next WebSocket of an address without another look."""
    if address is None or not _until:
        return False
    return _until.get(networks(address)[0][0], 0.0) > time.monotonic()
