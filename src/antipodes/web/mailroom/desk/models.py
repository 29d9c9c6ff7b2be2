"""What the desk keeps: letters that wait for a reply, and what somebody wants to be written of."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from antipodes.web.community.models import WatchRow
from antipodes.web.matches.models import ChallengeRow

_USER = settings.AUTH_USER_MODEL
_INSTANT = "milliseconds since 1970"


class SlipRow(models.Model):
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


class SubscriptionRow(models.Model):
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


class AlertRow(models.Model):
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


class NagRow(models.Model):
    """The players of the match of a challenge are reminded after so long without a move."""

    challenge = models.OneToOneField(ChallengeRow, on_delete=models.CASCADE, related_name="nag")
    after = models.BigIntegerField(help_text="milliseconds of a turn")

    def __str__(self) -> str:
        """Name the challenge."""
        return f"reminders of {self.challenge}"
