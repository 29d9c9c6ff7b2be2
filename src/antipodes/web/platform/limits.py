"""Rate limits and count limits on clients.

Every limit is defined once, by :func:`rate_limit` or :func:`count_limit`, next to the code that it
protects. It has a name, a default, and a variable of the environment that overrides the default;
``docs/security.md`` lists all of them, and a test holds that list.

With ``REDIS_URL`` rates are counted in Redis, for all web processes together; otherwise there is
one such process, and they are counted in its memory.
"""

from __future__ import annotations

import logging
import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from limits import RateLimitItem, parse_many
from limits.errors import StorageError
from limits.storage import storage_from_string
from limits.strategies import MovingWindowRateLimiter

from antipodes.errors import Fault, InputError
from antipodes.web.platform import metrics
from antipodes.web.platform.client_addresses import Address, address_of, networks
from antipodes.web.platform.config import env
from antipodes.web.platform.rate_windows import RateWindows

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit, as the host sees it.

    Attributes:
        name: identifies the limit, such as ``new-guests``.
        default: the amount unless the host sets another.
        per: what it is counted by, such as ``address`` or ``user``.
        what: the thing counted, for the table in ``docs/security.md``.
    """

    name: str
    default: str
    per: str
    what: str

    @property
    def setting(self) -> str:
        """The variable of the environment that overrides the default."""
        return "LIMIT_" + self.name.upper().replace("-", "_")

    @property
    def amount(self) -> str:
        """The amount in force: the host's, or the default."""
        return os.environ.get(self.setting) or self.default


class RateLimit(Limit):
    """A limit on a rate; amounts such as ``10/minute`` or ``10/minute;100/day``."""

    def items(self) -> list[RateLimitItem]:
        """Return the amounts parsed by the limits library.

        Raises:
            ValueError: the amount is invalid.
        """
        return _parsed(self.amount)


class CountLimit(Limit):
    """A limit on a number or a size."""

    @property
    def value(self) -> int:
        """The number in force.

        Raises:
            ValueError: the amount is not a whole number above zero.
        """
        found = int(self.amount)
        if found < 1:
            raise ValueError(self.amount)
        return found


defined: dict[str, RateLimit | CountLimit] = {}


def rate_limit(name: str, default: str, *, per: str, what: str) -> RateLimit:
    """Define a rate limit that the host can set."""
    found = RateLimit(name, default, per, what)
    defined[name] = found
    return found


def count_limit(name: str, default: int, *, per: str, what: str) -> CountLimit:
    """Define a count limit that the host can set."""
    found = CountLimit(name, str(default), per, what)
    defined[name] = found
    return found


NEW_GUESTS = rate_limit(
    "new-guests", "60/hour;300/day", per="address", what="guests that start to play"
)
NEW_GAMES = rate_limit(
    "new-games",
    "20/minute;300/hour",
    per="user",
    what="games begun: requested, joined, sought, rematches, games of series, places in simuls",
)
POSITIONS = rate_limit(
    "positions",
    "200/10 seconds;600/minute",
    per="address",
    what="positions requested; long lines count as several",
)


class TooManyError(InputError):
    """A rate limit is exceeded; ``seconds`` is how long to wait."""

    status = 429

    def __init__(self, seconds: int, message: str = "") -> None:
        usual = _("That was too often; try again in %(seconds)s seconds.")
        text = (message or usual) % {"seconds": seconds}
        super().__init__([Fault("limits/too-many", text)])
        self.seconds = seconds


class BusyError(TooManyError):
    """The site is overloaded; ``seconds`` is how long to wait."""

    status = 503

    def __init__(self, seconds: int) -> None:
        message = _("The site is busy; try again in %(seconds)s seconds.") % {"seconds": seconds}
        InputError.__init__(self, [Fault("limits/busy", message)])
        self.seconds = seconds


def status_of(error: InputError) -> int:
    return error.status if isinstance(error, TooManyError) else 400


@cache
def _parsed(amounts: str) -> list[RateLimitItem]:
    return list(parse_many(amounts))


@cache
def limiter() -> MovingWindowRateLimiter:
    """Return the limiter: in Redis for all processes, or in the memory of this one."""
    redis = env.str("REDIS_URL", default="")
    storage = storage_from_string(redis, wrap_exceptions=True) if redis else RateWindows()
    return MovingWindowRateLimiter(storage)


def take(limit: RateLimit, who: str, *, multiple: int = 1, cost: int = 1) -> None:
    """Count one use of a rate limit.

    Args:
        limit: the rate limit.
        who: a user's key, a network, or another key that the limit is counted by.
        multiple: factor of the amount, for networks of several customers.
        cost: number of uses that it counts as.

    Raises:
        TooManyError: the limit is exceeded. Refused attempts are not counted.
    """
    counts = limiter()
    try:
        for item_of_limit in limit.items():
            item = type(item_of_limit)(
                multiple * item_of_limit.amount, item_of_limit.multiples, item_of_limit.namespace
            )
            if not counts.hit(item, limit.name, who, cost=min(cost, item.amount)):
                raise _too_many(limit, item, who)
    except StorageError:
        # Fail open: without Redis people can still play.
        logger.exception("rate limit not counted limit=%s", limit.name)


def _too_many(limit: RateLimit, item: RateLimitItem, who: str) -> TooManyError:
    """Return the error of an exceeded rate limit, and count it."""
    metrics.note_limit(limit.name)
    until = limiter().get_window_stats(item, limit.name, who).reset_time
    return TooManyError(max(1, math.ceil(until - time.time())))


def check_not_used_up(limit: RateLimit, who: str) -> None:
    """Check that a rate limit has a use left, without counting one.

    Raises:
        TooManyError: it is used up.
    """
    item = _used_up_item(limit, who)
    if item is not None:
        raise _too_many(limit, item, who)


def is_used_up(limit: RateLimit, who: str) -> bool:
    """Return whether a rate limit is used up, without counting a use."""
    return _used_up_item(limit, who) is not None


def _used_up_item(limit: RateLimit, who: str) -> RateLimitItem | None:
    try:
        return next(
            (one for one in limit.items() if not limiter().test(one, limit.name, who)), None
        )
    except StorageError:
        logger.exception("rate limit not counted limit=%s", limit.name)
        return None


def reset(limit: RateLimit, who: str, *, multiple: int = 1) -> None:
    try:
        for one in limit.items():
            item = type(one)(multiple * one.amount, one.multiples, one.namespace)
            limiter().clear(item, limit.name, who)
    except StorageError:
        logger.exception("rate limit not counted limit=%s", limit.name)


def take_for_address(limit: RateLimit, request: HttpRequest, *, cost: int = 1) -> None:
    """Count one use of a rate limit for the networks of a client's address.

    Loopback is not limited: all clients seem to come from there behind a proxy that
    ``TRUSTED_PROXIES`` does not count.

    Raises:
        TooManyError: the limit is exceeded.
    """
    address = address_of(request)
    if address is not None:
        take_for_networks(limit, address, cost=cost)


def take_for_networks(limit: RateLimit, address: Address, *, cost: int = 1) -> None:
    """Count one use of a rate limit for the networks of an address.

    Raises:
        TooManyError: the limit is exceeded.
    """
    if not address.is_loopback:
        for network, multiple in networks(address):
            take(limit, network, multiple=multiple, cost=cost)


class RateLimitMiddleware:
    """Middleware that responds to an exceeded rate limit with 429 and ``Retry-After``."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Respond in place of a view that raised the error."""
        if not isinstance(error, TooManyError):
            return None
        # In threads asgiref raises the error again from a frame that refers to it. So only a full
        # garbage collection, which is rare, would free what the view had read.
        error.__traceback__ = None
        return too_many_response(request, error)


def too_many_response(request: HttpRequest, error: TooManyError) -> HttpResponse:
    """Return the response to an exceeded rate limit, with the reason and ``Retry-After``.

    While the site is busy, a page is loaded again by itself; a form must be sent again.
    """
    is_busy = isinstance(error, BusyError)
    reload_after = error.seconds if is_busy and request.method == "GET" else None
    context = {"reason": str(error), "is_busy": is_busy, "reload_after": reload_after}
    response = render(request, "429.html", context, status=error.status)
    response.headers["Retry-After"] = str(error.seconds)
    return response
