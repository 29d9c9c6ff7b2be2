"""Models of notifications, preferences, push subscriptions and outgoing e-mails."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q

from antipodes.web.matches.models import MatchRow
from antipodes.web.notifications.kinds import DEFAULTS, Channel, Frequency, NotificationKind

_USER = settings.AUTH_USER_MODEL
_INSTANT = "milliseconds since 1970"


class NotificationRow(models.Model):
    """A notification; its text is built when it is shown, in the reader's language."""

    user = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="notifications")
    kind = models.CharField(max_length=20, choices=NotificationKind.choices)
    match = models.ForeignKey(
        MatchRow, null=True, on_delete=models.CASCADE, related_name="notifications"
    )
    by = models.ForeignKey(
        _USER, null=True, on_delete=models.CASCADE, related_name="+", help_text="user who acted"
    )
    arguments = models.JSONField(default=dict, help_text="values for its text")
    path = models.CharField(max_length=200, blank=True, help_text="page it is about")
    key = models.CharField(max_length=120, help_text="unique for each user")
    made_at = models.BigIntegerField(help_text=_INSTANT)
    seen_at = models.BigIntegerField(null=True, help_text=_INSTANT)
    is_shown = models.BooleanField(default=True, help_text="listed on the site")
    mail_due = models.BigIntegerField(null=True, help_text="when to mail it, unless seen")
    push_due = models.BigIntegerField(null=True, help_text="when to push it, unless seen")

    class Meta:
        """A key is unique for each user; partial indexes cover pending notifications."""

        constraints = [models.UniqueConstraint(fields=["user", "key"], name="unique_notification")]
        indexes = [
            models.Index(fields=["user", "-made_at"], name="notifications_of_user"),
            models.Index(fields=["user"], condition=Q(seen_at=None), name="notifications_unseen"),
            models.Index(
                fields=["mail_due"], condition=Q(mail_due__gt=0), name="notifications_to_mail"
            ),
            models.Index(
                fields=["push_due"], condition=Q(push_due__gt=0), name="notifications_to_push"
            ),
            models.Index(fields=["made_at"], name="notifications_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.user}"


class PreferenceRow(models.Model):
    """A user's notification preferences and vacation."""

    user = models.OneToOneField(_USER, on_delete=models.CASCADE, related_name="preference")
    choices = models.JSONField(
        default=dict, help_text="channels by kind, where the user chose them"
    )
    frequency = models.CharField(max_length=12, choices=Frequency.choices, default=Frequency.DAILY)
    hour = models.PositiveSmallIntegerField(
        default=8, help_text="of the daily e-mail, in the time zone"
    )
    zone = models.CharField(max_length=64, blank=True, help_text="time zone, such as Europe/Rome")
    language = models.CharField(
        max_length=12, blank=True, help_text="of e-mails and pushes; empty for that of the account"
    )
    reminders = models.JSONField(null=True, help_text="hours before the end; null for the default")
    puzzle_due = models.BigIntegerField(
        null=True, help_text="when the next puzzle of the day is due; null if it is not wanted"
    )
    away_since = models.BigIntegerField(null=True, help_text=_INSTANT)
    away_until = models.BigIntegerField(null=True, help_text=_INSTANT)

    class Meta:
        """Partial indexes find users on vacation, and those who want the puzzle of the day."""

        indexes = [
            models.Index(
                fields=["away_until"], condition=Q(away_until__gt=0), name="preferences_away"
            ),
            models.Index(
                fields=["puzzle_due"], condition=Q(puzzle_due__gt=0), name="preferences_puzzle"
            ),
        ]

    def __str__(self) -> str:
        return f"preferences of {self.user}"

    def channels_for(self, kind: NotificationKind) -> frozenset[Channel]:
        chosen = self.choices.get(kind)
        return DEFAULTS[kind] if chosen is None else frozenset(map(Channel, chosen))


class PushSubscriptionRow(models.Model):
    """A browser's subscription to web push."""

    user = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="subscriptions")
    endpoint = models.CharField(max_length=1_000, unique=True)
    p256dh = models.CharField(max_length=200)
    auth = models.CharField(max_length=100)
    browser = models.CharField(max_length=100, blank=True)
    made_at = models.BigIntegerField(help_text=_INSTANT)

    def __str__(self) -> str:
        return f"{self.browser} of {self.user}"


class EmailRow(models.Model):
    """An e-mail in the outbox; a periodic task sends it."""

    key = models.CharField(
        max_length=120, unique=True, help_text="unique, so that it is written once"
    )
    user = models.ForeignKey(_USER, null=True, on_delete=models.CASCADE, related_name="emails")
    to = models.CharField(max_length=254)
    subject = models.CharField(max_length=200)
    text = models.TextField()
    html = models.TextField(blank=True)
    headers = models.JSONField(default=dict)
    message_id = models.CharField(max_length=400)
    thread = models.CharField(max_length=60, blank=True, help_text="name of the conversation")
    made_at = models.BigIntegerField(help_text=_INSTANT)
    due_at = models.BigIntegerField(null=True, help_text="next attempt; null if sent or given up")
    attempts = models.PositiveSmallIntegerField(default=0)
    claim = models.CharField(
        max_length=32, blank=True, help_text="token of the worker that sends it"
    )
    sent_at = models.BigIntegerField(null=True, help_text=_INSTANT)
    trouble = models.CharField(max_length=500, blank=True, help_text="error of the last attempt")

    class Meta:
        """Indexes for due e-mails, for threads and for deletion by age."""

        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__gt=0), name="emails_to_send"),
            models.Index(fields=["user", "thread"], name="emails_of_thread"),
            models.Index(fields=["made_at"], name="emails_by_age"),
            models.Index(fields=["message_id"], name="emails_by_message_id"),
        ]

    def __str__(self) -> str:
        return f"{self.to}: {self.subject}"


class AttachmentRow(models.Model):
    """An inline image of an e-mail, which its HTML refers to by ``cid``."""

    email = models.ForeignKey(EmailRow, on_delete=models.CASCADE, related_name="attachments")
    cid = models.CharField(max_length=320, help_text="has a domain, which may have 253 characters")
    name = models.CharField(max_length=80)
    type = models.CharField(max_length=40, default="image/png")
    content = models.BinaryField(help_text="empty for a board that is drawn when it is sent")
    drawing = models.JSONField(null=True, help_text="game and moves of the board to draw")

    def __str__(self) -> str:
        return self.name


class UndeliverableAddressRow(models.Model):
    """An address from which e-mails bounced, see :mod:`.undeliverable`."""

    user = models.ForeignKey(
        _USER, on_delete=models.CASCADE, related_name="undeliverable_addresses"
    )
    address = models.CharField(max_length=254, help_text="in lower case")
    failures = models.JSONField(default=list, help_text="day, status and e-mail of each bounce")
    changed_at = models.BigIntegerField(help_text=_INSTANT)
    stopped_at = models.BigIntegerField(null=True, help_text=f"{_INSTANT}; null if mail is sent")
    resumed_at = models.BigIntegerField(
        default=0, help_text=f"{_INSTANT}; bounces of e-mails from before do not count"
    )

    class Meta:
        """One row for each user and address; an index serves deletion by age."""

        constraints = [
            models.UniqueConstraint(fields=["user", "address"], name="unique_undeliverable")
        ]
        indexes = [models.Index(fields=["changed_at"], name="undeliverable_by_age")]

    def __str__(self) -> str:
        return f"{self.address} of {self.user}"


class ViewingRow(models.Model):
    """A player who views a match now; visible pages renew the row every minute."""

    user = models.ForeignKey(_USER, on_delete=models.CASCADE)
    match = models.ForeignKey(MatchRow, on_delete=models.CASCADE)
    until = models.BigIntegerField(help_text="when it expires")

    class Meta:
        """One row for each user and match."""

        constraints = [models.UniqueConstraint(fields=["user", "match"], name="unique_viewing")]

    def __str__(self) -> str:
        return f"{self.user} views {self.match}"


class CursorRow(models.Model):
    """A change feed's position in its table."""

    name = models.CharField(max_length=20, unique=True)
    position = models.BigIntegerField(
        default=0, help_text="last key before which all rows were read"
    )

    def __str__(self) -> str:
        return f"{self.name} up to {self.position}"


def new_token() -> str:
    """Return a random token that identifies a claim."""
    return secrets.token_hex(16)


class AnnouncedMatchRow(models.Model):
    """A match whose start was announced to its players' followers."""

    match = models.OneToOneField(MatchRow, on_delete=models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return str(self.match)
