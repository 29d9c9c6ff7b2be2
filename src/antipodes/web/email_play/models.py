"""Play by e-mail: inbound mails, tokens, confirmations, and what each user follows by e-mail."""

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
    """A mail that has come, once for each Message-ID.

    When it has been handled, all that stays of it is the hash by which it is known again.
    """

    class Outcome(models.TextChoices):
        """What became of it."""

        WAITING = "waiting"
        ANSWERED = "answered"
        SILENT = "silent"  # automatic mail, loops, and whoever writes too much
        FAILED = "failed"  # our fault, again and again; the sender was told

    key = models.CharField(max_length=64, unique=True, help_text="hash of the Message-ID")
    raw = models.BinaryField(default=b"", help_text="the mail, until it is handled")
    size = models.PositiveIntegerField(help_text="bytes that it had")
    is_whole = models.BooleanField(default=True, help_text="of larger mails only the head is kept")
    sender = models.CharField(
        max_length=320, null=True, help_text="of the envelope; null where the door knew none"
    )
    recipients = models.JSONField(default=list, help_text="of the envelope")
    via = models.CharField(max_length=20, blank=True, help_text="the door by which it came")
    came_at = models.BigIntegerField(help_text=_INSTANT)
    due_at = models.BigIntegerField(null=True, help_text="when to handle it; null: it is done")
    attempts = models.PositiveSmallIntegerField(default=0)
    handled_at = models.BigIntegerField(null=True, help_text=_INSTANT)
    outcome = models.CharField(max_length=10, choices=Outcome.choices, default=Outcome.WAITING)

    class Meta:
        """The next one to handle, and those that can be forgotten."""

        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__gt=0), name="arrivals_to_handle"),
            models.Index(fields=["came_at"], name="arrivals_by_age"),
        ]

    def __str__(self) -> str:
        """Name its number and what became of it."""
        return f"mail {self.pk}, {self.outcome}"


class MailPlayRow(models.Model):
    """Whether somebody plays by mail, and which of their addresses still hold."""

    user = models.OneToOneField(_USER, on_delete=models.CASCADE, related_name="by_mail")
    is_on = models.BooleanField(default=False, help_text="boards are mailed when they call")
    generation = models.PositiveIntegerField(
        default=0, help_text="part of all reply addresses; a higher one revokes those before"
    )

    def __str__(self) -> str:
        """Name whose it is."""
        return f"{self.user} {'plays' if self.is_on else 'does not play'} by mail"


class MailTokenRow(TokenBase):
    """A token that stands for somebody in commands by mail."""

    # The column is called otherwise than in other tables of tokens.
    name = models.CharField(max_length=60, db_column="label", help_text="what its owner calls it")


class MailThreadRow(models.Model):
    """What is kept for one user about one match: addresses, a draft, and what they were mailed."""

    user = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="mail_folders")
    match = models.ForeignKey(MatchRow, on_delete=models.CASCADE, related_name="mail_folders")
    generation = models.PositiveIntegerField(
        default=0, help_text="part of the reply address; a higher one revokes those before"
    )
    told_version = models.PositiveIntegerField(
        default=0, help_text="events of the match that the last mail showed"
    )
    told_line = models.PositiveBigIntegerField(
        default=0, help_text="the last line of chat that was mailed"
    )
    draft = models.JSONField(null=True, help_text="moves that wait for their confirmation")
    draft_ply = models.PositiveIntegerField(null=True, help_text="moves before the draft")

    class Meta:
        """One for each user and match."""

        constraints = [models.UniqueConstraint(fields=["user", "match"], name="one_mail_folder")]

    def __str__(self) -> str:
        """Name user and match."""
        return f"mail of {self.user} about {self.match}"


class ConfirmationRow(models.Model):
    """A letter of ours that is not about a board, and that its reader can answer by a reply.

    Its reply address is signed, see ``slips``; whoever answers has proved to read that letter.
    """

    class Kind(models.TextChoices):
        """What a reply does."""

        SIGNUP = "signup"  # make the account
        ADDRESS = "address"  # let the address be the account's
        DELETE = "delete"  # delete the account
        CHALLENGE = "challenge"  # take up an invitation, or decline it
        MESSAGE = "message"  # write back to somebody

    kind = models.CharField(max_length=10, choices=Kind.choices)
    user = models.ForeignKey(
        _USER,
        null=True,
        on_delete=models.CASCADE,
        related_name="slips",
        help_text="who may answer; nobody yet for a new account",
    )
    challenge = models.ForeignKey(
        ChallengeRow, null=True, on_delete=models.CASCADE, related_name="slips"
    )
    seat = models.PositiveSmallIntegerField(null=True, help_text="at the challenge, or any")
    whom = models.ForeignKey(
        _USER,
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        help_text="to whom an answer goes",
    )
    name = models.CharField(max_length=150, blank=True, help_text="of the new account")
    address = models.CharField(max_length=254, blank=True, help_text="that is to be proved")
    made_at = models.BigIntegerField(help_text=_INSTANT)
    until = models.BigIntegerField(help_text=f"{_INSTANT}: when it can be answered no longer")
    done_at = models.BigIntegerField(null=True, help_text=f"{_INSTANT}: when it was answered")

    class Meta:
        """Those that have run out are forgotten."""

        indexes = [models.Index(fields=["until"], name="slips_by_age")]

    def __str__(self) -> str:
        """Name kind and number."""
        return f"{self.kind} {self.pk}"


class MailWatchRow(models.Model):
    """Whoever follows a match by mail: gets its board after each move.

    It hangs on the row of who follows a match on the site, so whoever follows no longer there gets
    no mail either.
    """

    watch = models.OneToOneField(WatchRow, on_delete=models.CASCADE, related_name="by_mail")
    told = models.PositiveIntegerField(help_text="version of which a board was mailed")
    is_done = models.BooleanField(default=False, help_text="the end was mailed")

    class Meta:
        """Few have something left to tell."""

        indexes = [
            models.Index(fields=["watch"], condition=Q(is_done=False), name="subscriptions_open")
        ]

    def __str__(self) -> str:
        """Say who follows what."""
        return f"{self.watch} by mail"


class SeekAlertRow(models.Model):
    """Somebody wants a letter when an opponent is sought for a game."""

    user = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="alerts")
    game_id = models.CharField(max_length=32)
    looked_at = models.BigIntegerField(help_text=f"{_INSTANT}: older challenges are no news")

    class Meta:
        """One for each game."""

        ordering = ["game_id"]
        constraints = [
            models.UniqueConstraint(fields=["user", "game_id"], name="one_alert_for_a_game")
        ]

    def __str__(self) -> str:
        """Name user and game."""
        return f"{self.user}: {self.game_id}"


class ReminderRow(models.Model):
    """The players of the match of a challenge are reminded after so long without a move."""

    challenge = models.OneToOneField(ChallengeRow, on_delete=models.CASCADE, related_name="nag")
    after = models.BigIntegerField(help_text="milliseconds of a turn")

    def __str__(self) -> str:
        """Name the challenge."""
        return f"reminders of {self.challenge}"
