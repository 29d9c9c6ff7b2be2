"""Tables of play by e-mail: inbound mail, tokens, confirmations, and what users follow."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from antipodes.web.accounts.models import TokenBase
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.models import MatchRow, WatchRow

_USER = settings.AUTH_USER_MODEL
_INSTANT = "milliseconds since 1970"


class InboundMailRow(models.Model):
    """A received mail, once for each Message-ID.

    After processing, only the hash of the Message-ID is kept, to recognise duplicates.
    """

    class Outcome(models.TextChoices):
        """The result of processing a mail."""

        WAITING = "waiting"
        ANSWERED = "answered"
        IGNORED = "ignored"  # automatic mail, mail loops, senders above a rate limit
        FAILED = "failed"  # an error of the site in every attempt; the sender got a reply

    key = models.CharField(max_length=64, unique=True, help_text="hash of the Message-ID")
    raw = models.BinaryField(default=b"", help_text="the mail; empty after processing")
    size = models.PositiveIntegerField(help_text="bytes of the whole mail")
    is_whole = models.BooleanField(
        default=True, help_text="false for mails above the size limit, of which the head is kept"
    )
    sender = models.CharField(
        max_length=320, null=True, help_text="of the envelope; null if the transport has none"
    )
    recipients = models.JSONField(default=list, help_text="of the envelope")
    via = models.CharField(max_length=20, blank=True, help_text="transport, such as lmtp")
    received_at = models.BigIntegerField(help_text=_INSTANT)
    due_at = models.BigIntegerField(null=True, help_text="next attempt; null after processing")
    attempts = models.PositiveSmallIntegerField(default=0)
    processed_at = models.BigIntegerField(null=True, help_text=_INSTANT)
    outcome = models.CharField(max_length=10, choices=Outcome.choices, default=Outcome.WAITING)

    class Meta:
        """Indexes to find the next mail, and old ones to delete."""

        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__gt=0), name="inbound_mail_due"),
            models.Index(fields=["received_at"], name="inbound_mail_by_age"),
        ]

    def __str__(self) -> str:
        return f"mail {self.pk}, {self.outcome}"


class MailPlayRow(models.Model):
    """Whether a user plays by e-mail, and the generation of their reply addresses."""

    user = models.OneToOneField(_USER, on_delete=models.CASCADE, related_name="by_mail")
    is_on = models.BooleanField(default=False, help_text="whether boards are sent by e-mail")
    generation = models.PositiveIntegerField(
        default=0, help_text="signed into all reply addresses; incrementing it revokes them"
    )

    def __str__(self) -> str:
        return f"{self.user} {'plays' if self.is_on else 'does not play'} by mail"


class MailTokenRow(TokenBase):
    """A token that authenticates its owner in commands by e-mail."""


class MailThreadRow(models.Model):
    """State of one user's e-mails about one match: reply address, draft, and what was sent."""

    user = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="mail_threads")
    match = models.ForeignKey(MatchRow, on_delete=models.CASCADE, related_name="mail_threads")
    generation = models.PositiveIntegerField(
        default=0, help_text="signed into the reply address; incrementing it revokes the address"
    )
    mailed_version = models.PositiveIntegerField(
        default=0, help_text="number of the match's events that the last e-mail showed"
    )
    mailed_chat_line = models.PositiveBigIntegerField(
        default=0, help_text="the last chat line that was sent"
    )
    draft = models.JSONField(null=True, help_text="submitted move that waits for its confirmation")
    draft_ply = models.PositiveIntegerField(null=True, help_text="number of moves before the draft")

    class Meta:
        """One row for each user and match."""

        constraints = [models.UniqueConstraint(fields=["user", "match"], name="one_mail_thread")]

    def __str__(self) -> str:
        return f"mail of {self.user} about {self.match}"


class ConfirmationRow(models.Model):
    """An e-mail about something other than a board that its recipient can answer by a reply.

    Its reply address is signed, so a reply proves that its sender has read the e-mail.
    """

    class Kind(models.TextChoices):
        """The effect of a reply."""

        SIGNUP = "signup"  # create the account
        ADDRESS = "address"  # change the account's address
        DELETE = "delete"  # delete the account
        CHALLENGE = "challenge"  # accept or decline an invitation
        MESSAGE = "message"  # reply to another player's message

    kind = models.CharField(max_length=10, choices=Kind.choices)
    user = models.ForeignKey(
        _USER,
        null=True,
        on_delete=models.CASCADE,
        related_name="confirmations",
        help_text="who may reply; null for a new account",
    )
    challenge = models.ForeignKey(
        ChallengeRow, null=True, on_delete=models.CASCADE, related_name="confirmations"
    )
    reply_to = models.ForeignKey(
        _USER,
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        help_text="who receives the reply to a message",
    )
    name = models.CharField(max_length=150, blank=True, help_text="of the new account")
    address = models.CharField(max_length=254, blank=True, help_text="address to confirm")
    made_at = models.BigIntegerField(help_text=_INSTANT)
    expires_at = models.BigIntegerField(help_text=_INSTANT)
    answered_at = models.BigIntegerField(null=True, help_text=_INSTANT)

    class Meta:
        """An index to find expired rows."""

        indexes = [models.Index(fields=["expires_at"], name="confirmations_by_expiry")]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class PuzzleThreadRow(models.Model):
    """State of one user's e-mails about a puzzle; its reply address is signed."""

    user = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="puzzle_threads")
    puzzle_id = models.CharField(max_length=32)
    moves = models.JSONField(default=list, help_text="right moves and replies so far, as text")
    waiting = models.JSONField(null=True, help_text="moves that wait for a search of the computer")
    mailed_at = models.BigIntegerField(help_text=f"{_INSTANT}: the last e-mail")

    class Meta:
        """One row for each user and puzzle; partial and plain indexes for the periodic tasks."""

        constraints = [
            models.UniqueConstraint(fields=["user", "puzzle_id"], name="one_puzzle_thread")
        ]
        indexes = [
            models.Index(fields=["mailed_at"], name="puzzle_threads_by_age"),
            models.Index(
                fields=["id"], condition=Q(waiting__isnull=False), name="puzzle_threads_waiting"
            ),
        ]

    def __str__(self) -> str:
        return f"puzzle {self.puzzle_id} of {self.user}"


class MailWatchRow(models.Model):
    """A subscription to a match by e-mail: its board is sent after each move.

    It refers to the row of the user who watches the match on the site, so unwatching the match
    there also ends the subscription.
    """

    watch = models.OneToOneField(WatchRow, on_delete=models.CASCADE, related_name="by_mail")
    mailed_version = models.PositiveIntegerField(
        help_text="number of the match's events that the last e-mail showed"
    )
    is_done = models.BooleanField(default=False, help_text="whether the end was sent")

    class Meta:
        """An index of the few open subscriptions."""

        indexes = [
            models.Index(fields=["watch"], condition=Q(is_done=False), name="subscriptions_open")
        ]

    def __str__(self) -> str:
        return f"{self.watch} by mail"


class SeekAlertRow(models.Model):
    """A subscription to new open challenges of one game."""

    user = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="seek_alerts")
    game_id = models.CharField(max_length=32)
    checked_at = models.BigIntegerField(help_text=f"{_INSTANT}: older challenges are not sent")

    class Meta:
        """One row for each user and game."""

        ordering = ["game_id"]
        constraints = [
            models.UniqueConstraint(fields=["user", "game_id"], name="one_alert_for_a_game")
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.game_id}"


class ReminderRow(models.Model):
    """A challenge's option to remind players after a time without a move."""

    challenge = models.OneToOneField(
        ChallengeRow, on_delete=models.CASCADE, related_name="reminder"
    )
    after = models.BigIntegerField(help_text="milliseconds without a move")

    def __str__(self) -> str:
        return f"reminders of {self.challenge}"
