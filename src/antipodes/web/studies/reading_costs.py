"""Costs of reading studies: how many moves one request, and one address, may have read."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest

from antipodes.web.platform.client_addresses import Address, address_of
from antipodes.web.platform.limits import (
    BusyError,
    count_limit,
    rate_limit,
    take_for_networks,
)

READS = rate_limit(
    "study-reads",
    "600/minute",
    per="address",
    what="hundreds of moves of studies read from the database, or written as files and pages",
)
MOVES_READ = count_limit(
    "study-moves-read", 20_000, per="request", what="moves of studies that one request reads"
)

_UNIT = 100  # moves for which an address is charged once
_RETRY_AFTER = 2  # seconds

Charge = Callable[[int], None]  # called with a number of moves before they are read or written


def free(_moves: int) -> None:
    """Charge nothing: for moderators, and for edits, which are limited by user."""


class ReadingCost:
    """The moves that one request, or one WebSocket, has had read.

    Chapters that are in memory, and what was written of them earlier, cost next to nothing. So a
    request that is refused because it reads too much goes further when it is made again.
    """

    def __init__(self, address: Address | None) -> None:
        self._address = address
        self._moves = 0

    @classmethod
    def of(cls, request: HttpRequest) -> ReadingCost:
        return cls(address_of(request))

    def __call__(self, moves: int) -> None:
        """Charge some moves.

        Raises:
            BusyError: the request has had too much read; its first charge always passes.
            TooManyError: the address has had too much read.
        """
        if self._moves and self._moves + moves > MOVES_READ.value:
            raise BusyError(_RETRY_AFTER)
        units = (self._moves + moves) // _UNIT - self._moves // _UNIT
        if units and self._address is not None:
            take_for_networks(READS, self._address, cost=units)
        self._moves += moves
