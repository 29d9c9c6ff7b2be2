"""How ratings are kept: what they are now, each change that a match made, and people's profiles."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from antipodes.web.matches.models import MatchRow
from antipodes.web.ratings.glicko import START, UNKNOWN, UNSTEADY, Rating


class PoolRow(models.Model):
    """Games whose ratings can be compared: of one game, speed and class of boards.

    Whoever rates matches of a pool locks its row, so that they are rated one after another.
    """

    game_id = models.CharField(max_length=32)
    speed = models.CharField(max_length=16)
    board_class = models.CharField(max_length=16)

    class Meta:
        """One of each kind."""

        constraints = [
            models.UniqueConstraint(
                fields=["game_id", "speed", "board_class"], name="one_pool_of_a_kind"
            )
        ]

    def __str__(self) -> str:
        """Name game, speed and board."""
        return f"{self.game_id} {self.speed} {self.board_class}"


class RatingRow(models.Model):
    """What is believed of a user's strength in a pool since the last rated game there."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ratings"
    )
    pool = models.ForeignKey(PoolRow, on_delete=models.CASCADE, related_name="ratings")
    value = models.FloatField(default=START)
    deviation = models.FloatField(default=UNKNOWN, help_text="at the end of the last rated game")
    volatility = models.FloatField(default=UNSTEADY)
    games = models.PositiveIntegerField(default=0)
    latest = models.BigIntegerField(null=True, help_text="end of the last rated game")
    settled_until = models.BigIntegerField(
        default=0, help_text="when it becomes provisional without games; milliseconds since 1970"
    )

    class Meta:
        """One for each user and pool. The index has all that leaderboards choose and sort by."""

        constraints = [
            models.UniqueConstraint(fields=["user", "pool"], name="one_rating_in_a_pool")
        ]
        indexes = [
            models.Index(
                fields=["pool", "-value", "latest", "settled_until", "user"], name="leaderboard"
            )
        ]

    def __str__(self) -> str:
        """Name the user and the value."""
        return f"{self.user_id}: {self.value:.0f}"

    @property
    def rating(self) -> Rating:
        """The rating at the end of the last rated game."""
        return Rating(self.value, self.deviation, self.volatility)


class RatingChange(models.Model):
    """What a match made of a user's rating: enough to rate the match again, or to take it back."""

    class Outcome(models.TextChoices):
        """How a match ended for a side; where one of several is out, the others have won."""

        WON = "won", _("won")
        DREW = "drew", _("drew")
        LOST = "lost", _("lost")

    match = models.ForeignKey(MatchRow, on_delete=models.CASCADE, related_name="rating_changes")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="rating_changes"
    )
    pool = models.ForeignKey(PoolRow, on_delete=models.CASCADE, related_name="changes")
    at = models.BigIntegerField(help_text="end of the match; milliseconds since 1970")
    side = models.PositiveSmallIntegerField(help_text="those with the same number play together")
    outcome = models.CharField(max_length=4, choices=Outcome.choices)
    value_before = models.FloatField()
    deviation_before = models.FloatField(help_text="at the end of the last rated game")
    volatility_before = models.FloatField()
    latest_before = models.BigIntegerField(null=True, help_text="end of the last rated game")
    value = models.FloatField()
    deviation = models.FloatField()
    volatility = models.FloatField()
    games = models.PositiveIntegerField(help_text="rated games in the pool, this one included")

    class Meta:
        """Each match changes a rating once, whoever counts it."""

        constraints = [models.UniqueConstraint(fields=["match", "user"], name="rated_once")]
        indexes = [
            models.Index(fields=["pool", "at"]),
            models.Index(fields=["user", "pool", "at"]),
        ]

    def __str__(self) -> str:
        """Show both values."""
        return f"{self.value_before:.0f} to {self.value:.0f}"

    @property
    def before(self) -> Rating:
        """The rating at the end of the rated game before."""
        return Rating(self.value_before, self.deviation_before, self.volatility_before)


class Unrated(models.Model):
    """A match that was to be rated, and is not."""

    class Reason(models.TextChoices):
        """Why not."""

        NO_RESULT = "no-result", _("It ended without a result.")
        NOT_BEGUN = "not-begun", _("Not everybody had moved.")
        NOT_ACCOUNTS = "not-accounts", _("Somebody played without an account.")
        UNREADABLE = "unreadable", _("Its record cannot be read.")
        SAME_PLAYER = "same-player", _("Somebody played on both sides.")
        VOIDED = "voided", _("Moderators have taken back what it made of ratings.")
        RESTORED = "restored", _("It will be counted again in a moment.")

    match = models.OneToOneField(MatchRow, on_delete=models.CASCADE, related_name="unrated")
    reason = models.CharField(max_length=16, choices=Reason.choices)

    class Meta:
        """Those that moderators have acted on are looked for again and again."""

        indexes = [models.Index(fields=["reason"], name="unrated_by_reason")]

    def __str__(self) -> str:
        """Name the match and the reason."""
        return f"{self.match_id}: {self.reason}"


class RatedUntil(models.Model):
    """Up to which end of matches everything has been rated; one row.

    Only where to begin to look: whether a match has been rated is known by its changes.
    """

    at = models.BigIntegerField(default=0, help_text="milliseconds since 1970")

    def __str__(self) -> str:
        """Show the instant."""
        return str(self.at)
