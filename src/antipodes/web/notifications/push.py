"""Web push: notifications in browsers without an open page of the site.

A push may be sent again after a crash; it replaces the first one on the device, because both have
the same tag.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from contextlib import closing
from enum import Enum
from typing import Any

import requests
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

logger = logging.getLogger(__name__)

MOST_SUBSCRIPTIONS = 20  # browsers of one user
_TIMEOUT = 10  # seconds for the response of a push service
_TTL = 24 * 3_600  # seconds for which a push service keeps a push for an offline device
_BATCH = 100

# All in milliseconds.
_LEASE = 5 * MINUTE  # afterwards an unfinished push is sent again
_RETRY_PAUSE = MINUTE
_RETRY_LIMIT = HOUR

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


def send_due_pushes() -> int:
    """Send due pushes of unread notifications; return how many were accepted."""
    NotificationRow.objects.filter(push_due__gt=0, made_at__lt=now() - _RETRY_LIMIT).update(
        push_due=None
    )
    waiting = NotificationRow.objects.filter(push_due__gt=0, seen_at=None).order_by("push_due")
    accepted = 0
    with closing(new_session()) as session:
        while rows := list(with_people(waiting.filter(push_due__lte=now()))[:_BATCH]):
            accepted += sum(_push(row, session) for row in rows)
    return accepted


def _push(row: NotificationRow, session: requests.Session) -> int:
    """Push a notification to all browsers of its user."""
    untouched = NotificationRow.objects.filter(pk=row.pk, push_due=row.push_due)
    if not untouched.update(push_due=now() + _LEASE):
        return 0  # another process has claimed it
    with translation.override(language_of(preference_of(row.user))):
        payload = payload_of(row)
    answers = [_send(one, payload, session) for one in row.user.subscriptions.all()]
    again = now() + _RETRY_PAUSE if _Outcome.LATER in answers else None
    NotificationRow.objects.filter(pk=row.pk, seen_at=None).update(push_due=again)
    return answers.count(_Outcome.TAKEN)


def payload_of(row: NotificationRow) -> dict[str, str]:
    """Return the payload that the browser shows."""
    tag = f"match-{row.match.slug}" if row.match is not None else f"notice-{row.pk}"
    return {"title": title_of(row), "body": text_of(row), "url": f"/notices/{row.pk}/", "tag": tag}


def _send(
    subscription: PushSubscriptionRow, payload: dict[str, str], session: requests.Session
) -> _Outcome:
    # Imported here because it is large, and most processes send no pushes.
    from pywebpush import WebPushException, webpush  # type: ignore[import-untyped]

    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    try:
        webpush(
            {"endpoint": subscription.endpoint, "keys": keys},
            json.dumps(payload),
            vapid_private_key=vapid.private_key(),
            vapid_claims=vapid.claims(),
            headers={"urgency": "normal"},
            ttl=_TTL,
            timeout=_TIMEOUT,
            requests_session=session,
        )
    except (WebPushException, requests.RequestException, ValueError) as error:
        return _outcome_of(subscription, error)
    return _Outcome.TAKEN


def _outcome_of(subscription: PushSubscriptionRow, error: Exception) -> _Outcome:
    """Return the outcome that an error means; delete subscriptions that no longer exist."""
    if isinstance(error, requests.RequestException) and error.response is not None:
        error.response.close()  # return its connection
    status = getattr(error, "status_code", None)
    if status in _GONE:
        subscription.delete()
        return _Outcome.GONE
    # The error's text contains the secret endpoint, so it is not logged.
    logger.info(
        "push failed subscription=%s status=%s error=%s",
        subscription.pk,
        status,
        type(error).__name__,
    )
    is_unreachable = status is None and isinstance(error, requests.RequestException)
    if is_unreachable or status in _LATER or (status or 0) >= _SERVER_ERROR:
        return _Outcome.LATER
    return _Outcome.REFUSED


@delivery.delivery_task
@in_background
def deliver_pushes() -> None:
    """Send due pushes."""
    send_due_pushes()
    later = NotificationRow.objects.filter(push_due__gt=now(), seen_at=None).order_by("push_due")
    delivery.alarm.set_at(later.values_list("push_due", flat=True).first())
