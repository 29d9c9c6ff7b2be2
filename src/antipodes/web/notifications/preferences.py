"""Services that read and change notification preferences."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.conf import settings
from django.core import signing
from django.db import transaction

from antipodes.web.accounts import languages
from antipodes.web.accounts.models import User
from antipodes.web.notifications import mail_play, schedule
from antipodes.web.notifications.kinds import Channel, Frequency, NotificationKind
from antipodes.web.notifications.models import NotificationRow, PreferenceRow
from antipodes.web.platform.clock import now

# Hours before the time runs out; ``TENTH`` is a tenth of the time for the turn.
TENTH = 0
USUAL_REMINDERS = (24, 3)
REMINDERS = (72, 48, 24, 12, 6, 3, 1, TENTH)


def preference_of(user: User) -> PreferenceRow:
    """Return a user's preferences; unsaved defaults if none are stored."""
    found = PreferenceRow.objects.filter(user=user).first()
    return found or PreferenceRow(user=user)


def reminders_of(preference: PreferenceRow) -> tuple[int, ...]:
    """Return how many hours before the time runs out the user wants reminders."""
    chosen = preference.reminders
    return USUAL_REMINDERS if chosen is None else tuple(chosen)


def mail_due(
    preference: PreferenceRow, kind: NotificationKind, at: int, *, has_board: bool = False
) -> int | None:
    """Return when a notification is due by e-mail; ``None`` for never.

    During a vacation no mail is sent; notifications that are still unread are mailed afterwards.
    ``has_board`` means that the user plays by e-mail and gets the board, whatever the channels.
    """
    if Channel.MAIL not in preference.channels_for(kind) and not has_board:
        return None
    since = max(at, preference.away_until or 0)
    frequency = Frequency(preference.frequency)
    if has_board and frequency is Frequency.EACH and kind is not NotificationKind.CHAT:
        return since + schedule.BOARD_DELAY
    return schedule.mail_due(kind, frequency, since, preference.hour, preference.zone)


def save_preferences(
    user: User,
    *,
    channels: Mapping[NotificationKind, Collection[Channel]],
    frequency: Frequency,
    hour: int,
    zone: str,
    language: str,
    reminders: Collection[int],
) -> None:
    """Save a user's preferences, and reschedule pending mail."""
    with transaction.atomic():
        row, _ = PreferenceRow.objects.select_for_update().get_or_create(user=user)
        row.choices = {kind.value: sorted(chosen) for kind, chosen in channels.items()}
        row.frequency = frequency
        row.hour, row.zone, row.language = hour, zone, language
        row.reminders = sorted(set(reminders), reverse=True)
        _save(row)


def change_preferences(
    user: User,
    *,
    frequency: Frequency | None = None,
    hour: int | None = None,
    reminders: Collection[int] | None = None,
) -> None:
    """Change single preferences; omitted ones stay as they are."""
    with transaction.atomic():
        row, _ = PreferenceRow.objects.select_for_update().get_or_create(user=user)
        row.frequency = frequency or row.frequency
        row.hour = row.hour if hour is None else hour
        if reminders is not None:
            row.reminders = sorted(set(reminders), reverse=True)
        _save(row)


def stop_mail(user: User) -> None:
    change_preferences(user, frequency=Frequency.NEVER)


def stop_mail_of(user: User, kind: NotificationKind) -> None:
    """Stop mail of one kind to a user; other channels stay as they are."""
    with transaction.atomic():
        row, _ = PreferenceRow.objects.select_for_update().get_or_create(user=user)
        left = row.channels_for(kind) - {Channel.MAIL}
        row.choices = {**row.choices, kind.value: sorted(left)}
        _save(row)


def _save(row: PreferenceRow) -> None:
    """Save preferences, and reschedule what is pending."""
    row.puzzle_due = _puzzle_due(row)
    row.save()
    reschedule(row)


def _puzzle_due(row: PreferenceRow) -> int | None:
    """Return when the next puzzle of the day is due; ``None`` if the user does not want it."""
    if not row.channels_for(NotificationKind.DAILY_PUZZLE):
        return None
    return schedule.next_daily(now(), row.hour, row.zone)


def reschedule(row: PreferenceRow) -> None:
    """Reschedule pending mail by the current preferences."""
    waiting = NotificationRow.objects.filter(user=row.user, seen_at=None).exclude(mail_due=None)
    at = now()
    for pending in waiting.only("kind", "match", "arguments").select_related("match"):
        kind = NotificationKind(pending.kind)
        has_board = mail_play.has_board(row.user, kind, pending.match, pending.arguments.get("act"))
        due = mail_due(row, kind, at, has_board=has_board)
        NotificationRow.objects.filter(pk=pending.pk).exclude(mail_due=None).update(mail_due=due)


def store_browser_zone(user: User, zone: str) -> None:
    """Store the time zone of the user's browser, unless the user chose one."""
    if schedule.zone_of(zone).key == zone and not preference_of(user).zone:
        row, _ = PreferenceRow.objects.get_or_create(user=user)
        row.zone = zone
        row.puzzle_due = _puzzle_due(row)
        row.save(update_fields=["zone", "puzzle_due"])


def language_of(preference: PreferenceRow) -> str:
    """Return the language of e-mails: the chosen one, or that of the account."""
    if preference.language in dict(settings.LANGUAGES):
        return preference.language
    return languages.language_of(preference.user)


_SALT = "antipodes.notices.stop"


def token_for(user: User, kind: NotificationKind | None = None) -> str:
    """Return a user's unsubscribe token, which does not expire.

    Args:
        user: the recipient of the e-mail.
        kind: the kind of mail that the token stops; ``None`` for all mail.
    """
    signed = str(user.pk) if kind is None else f"{user.pk} {kind.value}"
    return signing.Signer(salt=_SALT).sign(signed.replace(" ", "."))


def read_token(token: str) -> tuple[User | None, NotificationKind | None]:
    """Return the user and the kind of a token; no user if the account was deleted.

    Raises:
        BadSignature: the token was not signed by this site.
        ValueError: it is for a kind of mail that no longer exists.
    """
    key, _, kind = signing.Signer(salt=_SALT).unsign(token).partition(".")
    return User.objects.filter(pk=int(key)).first(), NotificationKind(kind) if kind else None
