"""Services that notify users, mark notifications as seen, and delete old ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from antipodes.clocks import DAY, MINUTE, Pace, read_control
from antipodes.web.accounts.models import User
from antipodes.web.clubs.models import ClubRow, PendingMemberRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.notifications import delivery, mail_play
from antipodes.web.notifications.kinds import ALWAYS_SHOWN, Channel, NotificationKind
from antipodes.web.notifications.models import EmailRow, NotificationRow, PreferenceRow, ViewingRow
from antipodes.web.notifications.preferences import mail_due, preference_of
from antipodes.web.platform import pubsub
from antipodes.web.platform.clock import now

# Kinds that are suppressed between players of whom one has blocked the other.
_PERSONAL = frozenset(
    {NotificationKind.CHAT, NotificationKind.INVITED, NotificationKind.FOLLOWED_PLAYS}
)

_PUSH_DELAY = 2_000  # milliseconds in which an open page can mark it as seen


def notify(
    user: User,
    kind: NotificationKind,
    *,
    key: str,
    match: MatchRow | None = None,
    by: User | None = None,
    path: str = "",
    is_quiet: bool = False,
    **arguments: str | int,
) -> NotificationRow | None:
    """Notify a user once, by the channels that the user has chosen.

    Args:
        user: recipient; computer players are ignored.
        kind: kind of the notification.
        key: unique among the user's notifications; a second one with the same key is dropped.
        match: match it is about; opening the match marks the notification as seen.
        by: user who acted; the name is looked up when the text is shown.
        path: page it is about if that is no match, such as ``/c/abc/``.
        is_quiet: notify on the site only.
        arguments: values for the text of this kind, see ``messages``.

    Returns:
        the notification, or ``None`` if the key exists or no channel is chosen.
    """
    row = prepare(
        user, kind, key=key, match=match, by=by, path=path, is_quiet=is_quiet, **arguments
    )
    return next(iter(store([row])), None) if row is not None else None


def prepare(
    user: User,
    kind: NotificationKind,
    *,
    key: str,
    match: MatchRow | None = None,
    by: User | None = None,
    path: str = "",
    is_quiet: bool = False,
    **arguments: str | int,
) -> NotificationRow | None:
    """Return a notification for `store`, or ``None`` if no channel is chosen; see `notify`."""
    if user.is_computer or not user.is_active:
        return None
    preference = preference_of(user)
    channels = preference.channels_for(kind) | ({Channel.PAGE} if kind in ALWAYS_SHOWN else set())
    if is_quiet:
        channels &= {Channel.PAGE}
    has_board = mail_play.has_board(user, kind, match, arguments.get("act"))
    if has_board:
        channels |= {Channel.MAIL}
    if not channels or (kind in _PERSONAL and by is not None and _is_blocked(user, by)):
        return None
    at = now()
    mail = _may_mail(user, match, channels)
    return NotificationRow(
        user=user,
        key=key,
        kind=kind,
        match=match,
        by=by,
        path=path,
        arguments=arguments,
        made_at=at,
        is_shown=Channel.PAGE in channels,
        mail_due=mail_due(preference, kind, at, has_board=has_board) if mail else None,
        push_due=_push_due(user, preference, channels, at),
    )


def store(rows: Sequence[NotificationRow]) -> list[NotificationRow]:
    """Store prepared notifications in one transaction; return those whose keys are new."""
    given = {(row.user_id, row.key): row for row in rows}
    with transaction.atomic():
        same = NotificationRow.objects.filter(key__in={key for _, key in given})
        for known in same.values_list("user", "key"):
            given.pop(known, None)
        new = list(given.values())
        if len(new) == 1:
            new = [row for row in new if _insert(row)]
        else:
            NotificationRow.objects.bulk_create(new, ignore_conflicts=True)
    for user in {row.user_id for row in new}:
        update_bells(user)
    if any(row.mail_due or row.push_due for row in new):
        delivery.wake()
    return new


def _insert(row: NotificationRow) -> bool:
    """Insert a notification; return ``False`` if another process was faster."""
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        return False
    return True


def _is_blocked(one: User, other: User) -> bool:
    # Imported late: relations send notifications themselves.
    from antipodes.web.relations.services import is_blocked

    return is_blocked(one, other)


def _may_mail(user: User, match: MatchRow | None, channels: Collection[Channel]) -> bool:
    """Return whether to send mail: not to guests, and not about live games."""
    if Channel.MAIL not in channels or user.is_guest or not settings.MAIL_IS_SENT:
        return False
    return match is None or read_control(match.control).pace is not Pace.LIVE


def _push_due(
    user: User, preference: PreferenceRow, channels: Collection[Channel], at: int
) -> int | None:
    is_away = (preference.away_until or 0) > at
    if Channel.PUSH not in channels or is_away or not user.subscriptions.exists():
        return None
    return at + _PUSH_DELAY


def mark_seen(user: User, keys: Collection[int]) -> int:
    """Mark some of a user's notifications as seen; return how many were unread."""
    return _mark_seen(user.pk, Q(pk__in=keys))


def mark_all_seen(user: User) -> int:
    """Mark all of a user's notifications as seen; return how many were unread."""
    return _mark_seen(user.pk, Q())


def mark_match_seen(user: User, match: int) -> int:
    """Mark a user's notifications about a match as seen."""
    return _mark_seen(user.pk, Q(match=match))


def mark_path_seen(user: User, path: str) -> int:
    """Mark a user's notifications about a page as seen."""
    return _mark_seen(user.pk, Q(path=path))


def withdraw_pushes_of_beginnings(user: User, slugs: Collection[str]) -> set[str]:
    """Send no push that these matches have begun; return those with a notification."""
    rows = NotificationRow.objects.filter(
        user=user, kind=NotificationKind.MATCH_BEGAN, match__slug__in=list(slugs)
    )
    notified = set(rows.values_list("match__slug", flat=True))
    if notified:
        rows.exclude(push_due=None).update(push_due=None)
    return notified


def mark_outdated_seen(matches: Mapping[int, int], kinds: Collection[NotificationKind]) -> None:
    """Mark outdated notifications about matches as seen, for all recipients.

    Args:
        matches: key of each match, with the time before which its notifications are outdated.
        kinds: kinds of notifications.
    """
    unseen = NotificationRow.objects.filter(match__in=list(matches), kind__in=kinds, seen_at=None)
    outdated = [
        (key, user)
        for key, user, match, made_at in unseen.values_list("pk", "user", "match", "made_at")
        if made_at < matches[match]
    ]
    if outdated:
        _set_seen(NotificationRow.objects.filter(pk__in=[key for key, _ in outdated]))
        for user in {user for _, user in outdated}:
            update_bells(user)


def _mark_seen(user: int, which: Q) -> int:
    seen = _set_seen(NotificationRow.objects.filter(which, user=user))
    if seen:
        update_bells(user)
    return seen


def _set_seen(rows: QuerySet[NotificationRow]) -> int:
    return rows.filter(seen_at=None).update(seen_at=now(), mail_due=None, push_due=None)


def update_bells(user: int) -> None:
    """Make the bells on the user's pages update their unread count."""
    message = {"type": "notifications.changed"}
    transaction.on_commit(partial(pubsub.send_to_group, bell_group(user), message))


def bell_group(user: int) -> str:
    """Return the channel group of the user's notification sockets."""
    return f"bell-{user}"


def notify_invited(
    club: ClubRow, by: User, guest: User, pending: PendingMemberRow, **_: object
) -> None:
    notify(
        guest,
        NotificationKind.INVITED,
        key=f"club {club.pk} {pending.pk}",
        by=by,
        path=f"/clubs/{club.slug}/",
        club=club.name,
    )


def notify_masked(user: User, kinds: Sequence[str], **_: object) -> None:
    """Tell an author what the site masked, of the same kinds at most once a minute."""
    masked = " ".join(kinds)
    notify(user, NotificationKind.SECRETS, key=f"secrets {masked} {now() // MINUTE}", masked=masked)


# All in days.
KEPT_SEEN = 90
KEPT_UNSEEN = 365
KEPT_EMAILS = 30


def delete_old() -> None:
    """Delete old notifications, e-mails that were sent or given up, and expired viewing marks."""
    at = now()
    old = NotificationRow.objects.filter(made_at__lt=at - KEPT_SEEN * DAY)
    old.exclude(seen_at=None).delete()
    old.filter(made_at__lt=at - KEPT_UNSEEN * DAY).delete()
    EmailRow.objects.filter(due_at=None, made_at__lt=at - KEPT_EMAILS * DAY).delete()
    ViewingRow.objects.filter(until__lt=at).delete()
