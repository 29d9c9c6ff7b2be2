"""Channel layer in the memory of one process, quick with thousands of channels."""

from __future__ import annotations

import time

from channels.layers import InMemoryChannelLayer as _InMemoryChannelLayer

_CLEANED_EVERY = 5.0  # seconds


class InMemoryChannelLayer(_InMemoryChannelLayer):
    """Channels' own layer, which looks for expired messages every few seconds.

    Channels goes through all channels and groups at each message that is sent or received, so with
    many open sockets every move would cost time in proportion to their number.
    """

    _cleaned_at = float("-inf")

    def _clean_expired(self) -> None:
        at = time.monotonic()
        if at >= self._cleaned_at + _CLEANED_EVERY:
            self._cleaned_at = at
            super()._clean_expired()  # type: ignore[misc]  # types-channels leaves it out
