"""Web push: notifications in browsers without an open page of the site.

A push may be sent again after a crash; it replaces the first one on the device, because both have
the same tag.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from asgiref.sync import async_to_sync, sync_to_async
from django.utils import translation

from antipodes.clocks import HOUR, MINUTE
from antipodes.errors import InputError
from antipodes.web.accounts.models import User
from antipodes.web.notifications import delivery, vapid
from antipodes.web.notifications.messages import text_of, title_of
from antipodes.web.notifications.models import NotificationRow, PushSubscriptionRow
from antipodes.web.notifications.preferences import language_of, preference_of
from antipodes.web.notifications.public_hosts import is_public_address, public_session
from antipodes.web.notifications.selectors import with_people
from antipodes.web.platform.background import in_background
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import count_limit

if TYPE_CHECKING:
    import aiohttp

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
    return async_to_sync(_send_all)()


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
    waiting = NotificationRow.objects.filter(push_due__gt=0, push_due__lte=now(), seen_at=None)
    rows = with_people(waiting.exclude(user__in=busy)).select_related("user")
    first: dict[int, NotificationRow] = {}
    for row in rows.order_by("push_due")[:_BATCH]:
        first.setdefault(row.user_id, row)
    return [push for row in list(first.values())[:room] if (push := _claimed(row))]


def _claimed(row: NotificationRow) -> _Push | None:
    """Claim a notification; return ``None`` if another process has claimed it."""
    untouched = NotificationRow.objects.filter(pk=row.pk, push_due=row.push_due)
    if not untouched.update(push_due=now() + _LEASE):
        return None
    vapid.private_key()  # the event loop cannot read it from the database
    with translation.override(language_of(preference_of(row.user))):
        payload = json.dumps(payload_of(row))
    return _Push(row, payload, list(row.user.subscriptions.all()))


def _settle(push: _Push, answers: list[_Outcome]) -> int:
    """Delete subscriptions that no longer exist; store when to push again, if at all."""
    gone = [
        one.pk
        for one, answer in zip(push.subscriptions, answers, strict=True)
        if answer is _Outcome.GONE
    ]
    PushSubscriptionRow.objects.filter(pk__in=gone).delete()
    again = now() + _RETRY_PAUSE if _Outcome.LATER in answers else None
    NotificationRow.objects.filter(pk=push.row.pk, seen_at=None).update(push_due=again)
    return answers.count(_Outcome.TAKEN)


def payload_of(row: NotificationRow) -> dict[str, str]:
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
    from py_vapid import VapidException  # type: ignore[import-untyped]
    from pywebpush import WebPusher, WebPushException  # type: ignore[import-untyped]

    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    address = urlsplit(subscription.endpoint)
    claims = {**vapid.claims(), "aud": f"{address.scheme}://{address.netloc}"}
    try:
        pusher = WebPusher({"endpoint": subscription.endpoint, "keys": keys})
        body: bytes = pusher.encode(payload.encode())["body"]
        signed = vapid.private_key().sign({**claims, "exp": int(time.time()) + _SIGNED_FOR})
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
