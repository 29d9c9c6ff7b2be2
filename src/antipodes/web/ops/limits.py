"""How often somebody may do something, counted for all processes together.

With ``REDIS_URL`` the counts are kept in Redis and hold over all web processes; otherwise there is
one such process, and they are kept in its memory.
"""

from __future__ import annotations

import ipaddress
import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from limits import RateLimitItem, parse_many
from limits.errors import StorageError
from limits.storage import storage_from_string
from limits.strategies import MovingWindowRateLimiter

from antipodes.errors import Fault, InputError
from antipodes.web.config import env

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limit:
    """How much of something is allowed.

    Attributes:
        name: tells limits apart; what was taken from one is not missing in another.
        amounts: such as ``10/minute`` or ``10/minute;100/day``.
    """

    name: str
    amounts: str

    def items(self) -> list[RateLimitItem]:
        """Return the amounts as the library knows them."""
        return _parsed(self.amounts)


NEW_GUESTS = Limit("new-guests", "60/hour;300/day")  # for one address: many may share it
NEW_GAMES = Limit("new-games", "20/minute;300/hour")  # for one user
POSITIONS = Limit("positions", "600/minute")  # for one address


class TooManyError(InputError):
    """Somebody has done something too often; ``seconds`` is how long to wait."""

    def __init__(self, seconds: int) -> None:
        """Tell how long to wait."""
        message = _("That was too often; try again in %(seconds)s seconds.") % {"seconds": seconds}
        super().__init__([Fault("limits/too-many", message)])
        self.seconds = seconds


def status_of(error: InputError) -> int:
    """Return the status of HTTP that answers to an input that is refused."""
    return 429 if isinstance(error, TooManyError) else 400


@cache
def _parsed(amounts: str) -> list[RateLimitItem]:
    return list(parse_many(amounts))


@cache
def limiter() -> MovingWindowRateLimiter:
    """Return where is counted: in Redis for all processes, or in the memory of this one."""
    where = env.str("REDIS_URL", default="") or "memory://"
    return MovingWindowRateLimiter(storage_from_string(where, wrap_exceptions=True))


def take(limit: Limit, who: str) -> None:
    """Count that somebody does something.

    Args:
        limit: what is done.
        who: a user's key, an address of the network, or whatever else is counted by.

    Raises:
        TooManyError: it was done too often. Such attempts are not counted.
    """
    counts = limiter()
    try:
        for item in limit.items():
            if not counts.hit(item, limit.name, who):
                until = counts.get_window_stats(item, limit.name, who).reset_time
                raise TooManyError(max(1, math.ceil(until - time.time())))
    except StorageError:
        # Without a place to count, people play on, and the host reads why.
        logger.exception("the limit %s cannot be counted", limit.name)


def take_for_address(limit: Limit, request: HttpRequest) -> None:
    """Count that somebody at an address of the network does something.

    This machine itself is not limited: behind a server that is not named in ``TRUSTED_PROXIES``,
    everybody seems to come from here.

    Raises:
        TooManyError: it was done too often.
    """
    address = address_of(request)
    if address is not None and not address.is_loopback:
        take(limit, _network(address))


def address_of(request: HttpRequest) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return where a request comes from, or ``None`` where nobody can tell."""
    try:
        return ipaddress.ip_address(get_adapter().get_client_ip(request))
    except (PermissionDenied, ValueError):
        return None


def _network(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> str:
    """Return what one household has: an address, or with the sixth version a network."""
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


class SayTooMany:
    """Answers whoever comes too often with the reason, and when to come again."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Keep what comes next."""
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer as usual."""
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer in place of a view that refused."""
        if not isinstance(error, TooManyError):
            return None
        response = render(request, "429.html", {"reason": str(error)}, status=429)
        response.headers["Retry-After"] = str(error.seconds)
        return response
