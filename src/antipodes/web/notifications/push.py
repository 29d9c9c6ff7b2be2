"""Web push: notifications in browsers without an open page of the site.

A push may be sent again after a crash; it replaces the first one on the device, because both have
the same tag.
"""

from __future__ import annotations

import asyncio
import base64
import ipaddress
import json
import logging
import socket
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from asgiref.sync import async_to_sync, sync_to_async
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction
from django.db.models import QuerySet
from django.utils import translation
from py_vapid import Vapid02  # type: ignore[import-untyped]

from antipodes.clocks import HOUR, MINUTE
from antipodes.errors import InputError
from antipodes.web.accounts.models import User
from antipodes.web.notifications import delivery
from antipodes.web.notifications.messages import text_of, title_of
from antipodes.web.notifications.models import NotificationRow, PushSubscriptionRow
from antipodes.web.notifications.preferences import language_of, preference_of
from antipodes.web.notifications.schemas import PushOut
from antipodes.web.notifications.selectors import with_people
from antipodes.web.platform.background import in_background
from antipodes.web.platform.clock import now
from antipodes.web.platform.config import env
from antipodes.web.platform.limits import count_limit
from antipodes.web.platform.models import SecretRow
from antipodes.web.platform.outages import outage_of

if TYPE_CHECKING:
    import aiohttp

_names = ThreadPoolExecutor(32, thread_name_prefix="names")  # which wait for slow name servers
# Browsers supply the URL of their push service. An attacker could supply one of an internal host
# (SSRF), so the name is resolved here, and the connection goes to the address that was checked.
_HTTPS = 443


def is_public(address: str) -> bool:
    """Return whether an IP address is globally routable."""
    found = ipaddress.ip_address(address)
    mapped = getattr(found, "ipv4_mapped", None)
    return is_public(str(mapped)) if mapped else found.is_global and not found.is_multicast


def is_public_address(url: str) -> bool:
    """Return whether a URL can be that of a push service: HTTPS, with a public host name.

    The name is resolved when a push is sent.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    host = parts.hostname or ""
    if parts.scheme != "https" or port not in (None, _HTTPS) or "@" in parts.netloc:
        return False
    try:
        return is_public(host)
    except ValueError:
        return "." in host and not host.endswith((".local", ".internal", ".localhost"))


async def _resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a host.

    Raises:
        OSError: it has none, or one that is not public.
    """

    def ask() -> list[str]:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        return [str(one[4][0]) for one in found]

    addresses = await asyncio.get_running_loop().run_in_executor(_names, ask)
    if not addresses or not all(map(is_public, addresses)):
        message = f"{host} is not a public host"
        raise OSError(message)
    return addresses


def public_session() -> aiohttp.ClientSession:
    """Return a session for HTTPS to public hosts, without cookies and proxies.

    Call it in the event loop that uses it.
    """
    # Imported here because it is large, and most processes send no pushes.
    import aiohttp
    from aiohttp.abc import AbstractResolver, ResolveResult

    class PublicResolver(AbstractResolver):
        async def resolve(
            self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
        ) -> list[ResolveResult]:
            return [
                ResolveResult(
                    hostname=host, host=one, port=port, family=family, proto=0,
                    flags=socket.AI_NUMERICHOST,
                )
                for one in await _resolve(host, port)
            ]  # fmt: skip

        async def close(self) -> None:
            pass

    class PublicConnector(aiohttp.TCPConnector):
        async def connect(self, req: Any, *arguments: Any, **more: Any) -> Any:
            if not is_public_address(str(req.url)):
                message = f"{req.url.host} is not a public host with HTTPS"
                raise aiohttp.ClientConnectionError(message)
            return await super().connect(req, *arguments, **more)

    connector = PublicConnector(resolver=PublicResolver(), limit=0)
    return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())


# The site's key pair for push services (VAPID, RFC 8292). Browsers bind their subscription to it,
# so all machines of a site share one key. It is part of database backups.
_KEY_BYTES = 32  # of a private key


def _encode(number: int) -> str:
    return base64.urlsafe_b64encode(number.to_bytes(_KEY_BYTES, "big")).rstrip(b"=").decode()


def _generate() -> str:
    return _encode(ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value)


def _configured_key() -> str:
    found: str = env.str("VAPID_PRIVATE_KEY", default="").strip()
    return found


def has_configured_key() -> bool:
    """Return whether the environment has a key."""
    return bool(_configured_key())


@cache
def private_key() -> Vapid02:
    """Return the key: ``VAPID_PRIVATE_KEY``, or one generated once and stored in the database.

    Raises:
        ImproperlyConfigured: ``VAPID_PRIVATE_KEY`` is not a valid key.
    """
    key = _read(_configured_key() or shared_secret("vapid-key", _generate))
    # Push services want a contact address; we pass the URL of the site.
    key.conf = {"no-strict": True}
    return key


def public_key() -> str:
    """Return the public key in the format of browsers.

    It is empty if the configured key is invalid, or if a new key cannot be stored because the disk
    is full.
    """
    try:
        key = private_key().public_key
    except ImproperlyConfigured:
        return ""
    except Exception as error:
        outage = outage_of(error)
        if outage is None or not outage.is_of_disk:
            raise
        return ""
    point = key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def _read(text: str) -> Vapid02:
    try:
        return Vapid02.from_string(text)
    except (ValueError, TypeError) as error:
        message = f"VAPID_PRIVATE_KEY is not a private key of the curve P-256: {error}"
        raise ImproperlyConfigured(message) from error


def check_key(**_: object) -> list[CheckMessage]:
    """Report an invalid key in the environment."""
    configured = _configured_key()
    try:
        if configured:
            _read(configured)
    except ImproperlyConfigured as error:
        return [Error(str(error), id="antipodes.E020")]
    return []


def shared_secret(name: str, make: Callable[[], str]) -> str:
    """Return a secret of the site; the first process of any machine generates it.

    Args:
        name: of the secret.
        make: generates the secret.
    """
    rows = SecretRow.objects.filter(name=name).values_list("value", flat=True)
    secret = rows.first()
    if secret is None:
        made = SecretRow(name=name, value=make())
        with transaction.atomic():
            SecretRow.objects.bulk_create([made], ignore_conflicts=True)
        secret = rows.get()  # another process may have been first
    return secret


logger = logging.getLogger(__name__)

PUSHES_AT_ONCE = count_limit(
    "pushes-at-once", 100, per="site", what="users whose browsers receive pushes at the same time"
)
BROWSERS_AT_ONCE = count_limit(
    "pushes-at-once-of-user", 4, per="user", what="browsers that receive pushes at the same time"
)

MOST_SUBSCRIPTIONS = 20  # browsers of one user
_TIMEOUT = 10  # seconds for the whole exchange with a push service
_TTL = 24 * 3_600  # seconds for which a push service keeps a push for an offline device
_SIGNED_FOR = 12 * 3_600  # seconds
_BATCH = 100
_RUN = 60  # seconds after which a run begins no more pushes
_PAUSE = 1.0  # seconds until a run looks for pushes that have become due

# All in milliseconds.
_LEASE = 5 * MINUTE  # afterwards an unfinished push is sent again
_RETRY_PAUSE = MINUTE
_RETRY_LIMIT = HOUR

_TAKEN = frozenset({200, 201, 202})
_GONE = frozenset({404, 410})
_LATER = frozenset({408, 425, 429})
_SERVER_ERROR = 500  # and above

new_session = public_session


class _Outcome(Enum):
    """Outcome of a push to one browser."""

    TAKEN = "taken"
    GONE = "gone"
    LATER = "later"
    REFUSED = "refused"


def subscribe(user: User, data: Mapping[str, Any], browser: str) -> PushSubscriptionRow:
    """Store the push subscription of a browser.

    Args:
        user: owner of the browser.
        data: the browser's subscription: ``endpoint``, and ``keys`` with ``p256dh`` and ``auth``.
        browser: name to show.

    Raises:
        InputError: the subscription is malformed, its host is not public, or there are too many.
    """
    keys = data.get("keys")
    values = [data.get("endpoint"), *(_part(keys, name) for name in ("p256dh", "auth"))]
    endpoint, p256dh, auth = (value if isinstance(value, str) else "" for value in values)
    if not (p256dh and auth) or max(len(p256dh), len(auth)) > 100 or len(endpoint) > 1_000:
        raise InputError.single(
            "push/subscription",
            "the data is not a push subscription; reload the page and try again",
        )
    if not is_public_address(endpoint):
        message = f"push endpoints must be public HTTPS hosts, not {endpoint[:80]!r}"
        raise InputError.single("push/address", message)
    if user.subscriptions.exclude(endpoint=endpoint).count() >= MOST_SUBSCRIPTIONS:
        message = (
            f"{MOST_SUBSCRIPTIONS} browsers already receive notifications for you; remove one first"
        )
        raise InputError.single("push/too-many", message)
    row, _ = PushSubscriptionRow.objects.update_or_create(
        endpoint=endpoint,
        defaults={
            "user": user,
            "p256dh": p256dh,
            "auth": auth,
            "browser": browser,
            "made_at": now(),
        },
    )
    return row


def _part(keys: object, name: str) -> object:
    return keys.get(name) if isinstance(keys, Mapping) else None


@dataclass(frozen=True, slots=True)
class _Push:
    """A notification to push to all browsers of its user."""

    row: NotificationRow
    payload: str
    subscriptions: list[PushSubscriptionRow]


def send_due_pushes() -> int:
    """Send due pushes of unread notifications; return how many were accepted.

    Users are served side by side, so that a slow push service delays only its own user.
    """
    NotificationRow.objects.filter(push_due__gt=0, made_at__lt=now() - _RETRY_LIMIT).update(
        push_due=None
    )
    # Most runs find nothing, and need no connections.
    return async_to_sync(_send_all)() if _waiting().exists() else 0


def _waiting() -> QuerySet[NotificationRow]:
    """Return the notifications whose push is due."""
    return NotificationRow.objects.filter(push_due__gt=0, push_due__lte=now(), seen_at=None)


async def _send_all() -> int:
    """Begin pushes as they become due, until none is left or the run is over."""
    accepted = 0
    end = time.monotonic() + _RUN
    sending: dict[asyncio.Task[list[_Outcome]], _Push] = {}
    async with new_session() as session:
        try:
            while True:
                room = PUSHES_AT_ONCE.value - len(sending)
                if room > 0 and time.monotonic() < end:
                    busy = {push.row.user_id for push in sending.values()}
                    for push in await sync_to_async(_claim)(busy, room):
                        sending[asyncio.create_task(_send_to_all(push, session))] = push
                if not sending:
                    return accepted
                done, _ = await asyncio.wait(
                    sending, timeout=_PAUSE, return_when=asyncio.FIRST_COMPLETED
                )
                for task in done:
                    accepted += await sync_to_async(_settle)(sending.pop(task), task.result())
        finally:
            for task in sending:
                task.cancel()


def _claim(busy: set[int], room: int) -> list[_Push]:
    """Claim due notifications, one of each user who is not busy."""
    rows = with_people(_waiting().exclude(user__in=busy)).select_related("user")
    first: dict[int, NotificationRow] = {}
    for row in rows.order_by("push_due")[:_BATCH]:
        first.setdefault(row.user_id, row)
    return [push for row in list(first.values())[:room] if (push := _claimed(row))]


def _claimed(row: NotificationRow) -> _Push | None:
    """Claim a notification; return ``None`` if another process has claimed it."""
    untouched = NotificationRow.objects.filter(pk=row.pk, push_due=row.push_due)
    if not untouched.update(push_due=now() + _LEASE):
        return None
    private_key()  # the event loop cannot read it from the database
    with translation.override(language_of(preference_of(row.user))):
        payload = json.dumps(payload_of(row))
    return _Push(row, payload, list(row.user.subscriptions.all()))


def _settle(push: _Push, answers: list[_Outcome]) -> int:
    """Delete subscriptions that no longer exist; store when to push again, if at all."""
    gone = [
        subscription.pk
        for subscription, answer in zip(push.subscriptions, answers, strict=True)
        if answer is _Outcome.GONE
    ]
    PushSubscriptionRow.objects.filter(pk__in=gone).delete()
    again = now() + _RETRY_PAUSE if _Outcome.LATER in answers else None
    NotificationRow.objects.filter(pk=push.row.pk, seen_at=None).update(push_due=again)
    return answers.count(_Outcome.TAKEN)


def payload_of(row: NotificationRow) -> PushOut:
    """Return the payload that the browser shows."""
    tag = f"match-{row.match.slug}" if row.match is not None else f"notice-{row.pk}"
    return {"title": title_of(row), "body": text_of(row), "url": f"/notices/{row.pk}/", "tag": tag}


async def _send_to_all(push: _Push, session: aiohttp.ClientSession) -> list[_Outcome]:
    """Push to all browsers of a user, some at a time."""
    turns = asyncio.Semaphore(BROWSERS_AT_ONCE.value)

    async def send(one: PushSubscriptionRow) -> _Outcome:
        async with turns:
            return await _send(one, push.payload, session)

    return await asyncio.gather(*map(send, push.subscriptions))


async def _send(
    subscription: PushSubscriptionRow, payload: str, session: aiohttp.ClientSession
) -> _Outcome:
    """Push to one browser. Only the status of the answer is read."""
    from aiohttp import ClientError

    status, error = None, ""
    try:
        body, headers = _encrypted(subscription, payload)
        async with (
            asyncio.timeout(_TIMEOUT),
            session.post(
                subscription.endpoint, data=body, headers=headers, allow_redirects=False
            ) as answer,
        ):
            status = answer.status
        outcome = _outcome_of(status)
    except ValueError as found:
        outcome, error = _Outcome.REFUSED, type(found).__name__
    except (ClientError, OSError) as found:
        outcome, error = _Outcome.LATER, type(found).__name__
    if outcome in (_Outcome.LATER, _Outcome.REFUSED):
        # The error's text contains the secret endpoint, so it is not logged.
        logger.info(
            "push failed subscription=%s status=%s error=%s", subscription.pk, status, error
        )
    return outcome


def _encrypted(subscription: PushSubscriptionRow, payload: str) -> tuple[bytes, dict[str, str]]:
    """Return body and headers of a push.

    Raises:
        ValueError: the keys or the endpoint of the subscription are unusable.
    """
    # Imported here because they are large, and most processes send no pushes.
    from http_ece import ECEException  # type: ignore[import-untyped]
    from py_vapid import VapidException
    from pywebpush import WebPusher, WebPushException  # type: ignore[import-untyped]

    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    address = urlsplit(subscription.endpoint)
    claims = {"sub": settings.SITE_URL, "aud": f"{address.scheme}://{address.netloc}"}
    try:
        pusher = WebPusher({"endpoint": subscription.endpoint, "keys": keys})
        body: bytes = pusher.encode(payload.encode())["body"]
        signed = private_key().sign({**claims, "exp": int(time.time()) + _SIGNED_FOR})
    except (ECEException, VapidException, WebPushException) as error:
        raise ValueError(str(error)) from error
    headers = {"content-encoding": "aes128gcm", "ttl": str(_TTL), "urgency": "normal"}
    return body, headers | signed


def _outcome_of(status: int) -> _Outcome:
    """Return what the status of an answer means."""
    if status in _TAKEN:
        return _Outcome.TAKEN
    if status in _GONE:
        return _Outcome.GONE
    return _Outcome.LATER if status in _LATER or status >= _SERVER_ERROR else _Outcome.REFUSED


@in_background
def deliver_pushes() -> None:
    """Send due pushes."""
    send_due_pushes()
    later = NotificationRow.objects.filter(push_due__gt=now(), seen_at=None).order_by("push_due")
    delivery.alarm.set_at(later.values_list("push_due", flat=True).first())
