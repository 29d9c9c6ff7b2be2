"""Web push: notices in browsers whose pages are closed.

A push that is lost with a process is sent again; on the device it takes the place of the first,
since both have one tag.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from enum import Enum
from typing import Any

import requests
from django.utils import translation

from antipodes.errors import InputError
from antipodes.web.accounts.models import User
from antipodes.web.notifications import vapid
from antipodes.web.notifications.messages import title, words
from antipodes.web.notifications.models import NotificationRow, PushSubscriptionRow
from antipodes.web.notifications.preferences import language_of, preference_of
from antipodes.web.notifications.public_hosts import is_public_address, public_session
from antipodes.web.notifications.selectors import with_people
from antipodes.web.platform.background import in_background
from antipodes.web.platform.clock import now
from antipodes.web.platform.periodic import every

logger = logging.getLogger(__name__)

MOST = 20  # browsers of one person
_PATIENCE = 10  # seconds that a service may take to answer
_KEPT = 24 * 3_600  # seconds for which a service keeps a push for a device that is off
_AT_ONCE = 100

# All in milliseconds.
_LEASE = 5 * 60_000  # after it a push that was begun counts as lost
_PAUSE = 60_000
_TRIED_FOR = 3_600_000

_GONE = frozenset({404, 410})
_LATER = frozenset({408, 425, 429})
_BROKEN = 500  # from here on it is the service's own trouble

new_session = public_session


class _Answer(Enum):
    """What came of a push to one browser."""

    TAKEN = "taken"
    GONE = "gone"
    LATER = "later"
    REFUSED = "refused"


def subscribe(user: User, data: Mapping[str, Any], browser: str) -> PushSubscriptionRow:
    """Note that a browser of somebody takes pushes.

    Args:
        user: whose it is.
        data: what the browser says: ``endpoint``, and ``keys`` with ``p256dh`` and ``auth``.
        browser: what to call it.

    Raises:
        InputError: that is no subscription, or not at a public host, or there are too many.
    """
    keys = data.get("keys")
    values = [data.get("endpoint"), *(_part(keys, name) for name in ("p256dh", "auth"))]
    endpoint, p256dh, auth = (value if isinstance(value, str) else "" for value in values)
    if not (p256dh and auth) or max(len(p256dh), len(auth)) > 100 or len(endpoint) > 1_000:
        raise InputError.single("push/subscription", "that is no subscription to pushes")
    if not is_public_address(endpoint):
        message = f"pushes are sent to public hosts by https, not to {endpoint[:80]!r}"
        raise InputError.single("push/address", message)
    if user.subscriptions.exclude(endpoint=endpoint).count() >= MOST:
        message = f"{MOST} browsers take pushes for you already; let one of them go first"
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


def push() -> int:
    """Push what is due and still unseen; return how many pushes services have taken."""
    NotificationRow.objects.filter(push_due__gt=0, made_at__lt=now() - _TRIED_FOR).update(
        push_due=None
    )
    due = NotificationRow.objects.filter(push_due__lte=now(), seen_at=None).order_by("push_due")
    session = new_session()
    try:
        return sum(_push(row, session) for row in with_people(due)[:_AT_ONCE])
    finally:
        session.close()


def _push(row: NotificationRow, session: requests.Session) -> int:
    """Push a notice to all browsers of its user."""
    untouched = NotificationRow.objects.filter(pk=row.pk, push_due=row.push_due)
    if not untouched.update(push_due=now() + _LEASE):
        return 0  # another process has it
    with translation.override(language_of(preference_of(row.user))):
        payload = payload_of(row)
    answers = [_send(one, payload, session) for one in row.user.subscriptions.all()]
    again = now() + _PAUSE if _Answer.LATER in answers else None
    NotificationRow.objects.filter(pk=row.pk, seen_at=None).update(push_due=again)
    return answers.count(_Answer.TAKEN)


def payload_of(row: NotificationRow) -> dict[str, str]:
    """Return what a browser shows of a notice."""
    tag = f"match-{row.match.slug}" if row.match is not None else f"notice-{row.pk}"
    return {"title": title(row), "body": words(row), "url": f"/notices/{row.pk}/", "tag": tag}


def _send(
    subscription: PushSubscriptionRow, payload: dict[str, str], session: requests.Session
) -> _Answer:
    # It brings much along, which no process has to load that sends nothing.
    from pywebpush import WebPushException, webpush  # type: ignore[import-untyped]

    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    try:
        webpush(
            {"endpoint": subscription.endpoint, "keys": keys},
            json.dumps(payload),
            vapid_private_key=vapid.private_key(),
            vapid_claims=vapid.claims(),
            headers={"urgency": "normal"},
            ttl=_KEPT,
            timeout=_PATIENCE,
            requests_session=session,
        )
    except (WebPushException, requests.RequestException, ValueError) as error:
        return _refused(subscription, error)
    return _Answer.TAKEN


def _refused(subscription: PushSubscriptionRow, error: Exception) -> _Answer:
    """Return what an error means; a browser that is gone is forgotten."""
    if isinstance(error, requests.RequestException) and error.response is not None:
        error.response.close()  # its connection belongs to no session any more
    status = getattr(error, "status_code", None)
    if status in _GONE:
        subscription.delete()
        return _Answer.GONE
    # The error would tell the address at which the browser takes pushes.
    logger.info(
        "push failed subscription=%s status=%s error=%s",
        subscription.pk,
        status,
        type(error).__name__,
    )
    is_unreached = status is None and isinstance(error, requests.RequestException)
    if is_unreached or status in _LATER or (status or 0) >= _BROKEN:
        return _Answer.LATER
    return _Answer.REFUSED


@every(2)
@in_background
def push_news() -> None:
    """Push what is due."""
    push()
