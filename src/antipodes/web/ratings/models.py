"""Models of rating pools, ratings, and their changes by matches."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from antipodes.web.matches.models import MatchRow
from antipodes.web.ratings.glicko import (
    INITIAL_DEVIATION,
    INITIAL_VALUE,
    INITIAL_VOLATILITY,
    Rating,
)


class PoolRow(models.Model):
    """A rating pool: one game, speed and class of boards.

    Its row is locked while matches of the pool are rated, so that they are rated one at a time.
    """

    game_id = models.CharField(max_length=32)
    speed = models.CharField(max_length=16)
    board_class = models.CharField(max_length=16)

    class Meta:
        """One row per game, speed and class of boards."""

        constraints = [
            models.UniqueConstraint(
                fields=["game_id", "speed", "board_class"], name="one_pool_of_a_kind"
            )
        ]

    def __str__(self) -> str:
        return f"{self.game_id} {self.speed} {self.board_class}"


class RatingRow(models.Model):
    """A user's rating in a pool, as of the last rated game."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ratings"
    )
    pool = models.ForeignKey(PoolRow, on_delete=models.CASCADE, related_name="ratings")
    value = models.FloatField(default=INITIAL_VALUE)
    deviation = models.FloatField(
        default=INITIAL_DEVIATION, help_text="at the end of the last rated game"
    )
    volatility = models.FloatField(default=INITIAL_VOLATILITY)
    games = models.PositiveIntegerField(default=0)
    latest = models.BigIntegerField(null=True, help_text="end of the last rated game")
    established_until = models.BigIntegerField(
        default=0, help_text="provisional from then on without games; milliseconds since 1970"
    )

    class Meta:
        """One row per user and pool; leaderboards filter and sort by the index alone."""

        constraints = [
            models.UniqueConstraint(fields=["user", "pool"], name="one_rating_in_a_pool")
        ]
        indexes = [
            models.Index(
                fields=["pool", "-value", "latest", "established_until", "user"],
                name="leaderboard",
            )
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.value:.0f}"

    @property
    def rating(self) -> Rating:
        """The rating at the end of the last rated game."""
        return Rating(self.value, self.deviation, self.volatility)


class RatingChange(models.Model):
    """The change of a user's rating by a match, for the user's history."""

    class Outcome(models.TextChoices):
        """Outcome for a side; if one of several resigns or times out, the others have won."""

        WON = "won", _("won")
        DREW = "drew", _("drew")
        LOST = "lost", _("lost")

    match = models.ForeignKey(MatchRow, on_delete=models.CASCADE, related_name="rating_changes")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="rating_changes"
    )
    pool = models.ForeignKey(PoolRow, on_delete=models.CASCADE, related_name="changes")
    at = models.BigIntegerField(help_text="end of the match; milliseconds since 1970")
    side = models.PositiveSmallIntegerField(help_text="players with the same number are partners")
    outcome = models.CharField(max_length=4, choices=Outcome.choices)
    value_before = models.FloatField()
    deviation_before = models.FloatField(help_text="at the end of the last rated game")
    volatility_before = models.FloatField()
    latest_before = models.BigIntegerField(null=True, help_text="end of the last rated game")
    value = models.FloatField()
    deviation = models.FloatField()
    volatility = models.FloatField()
    games = models.PositiveIntegerField(help_text="rated games in the pool, including this one")

    class Meta:
        """Each match changes a rating once."""

        constraints = [models.UniqueConstraint(fields=["match", "user"], name="rated_once")]
        indexes = [
            models.Index(fields=["pool", "at"]),
            models.Index(fields=["user", "pool", "at"]),
        ]

    def __str__(self) -> str:
        return f"{self.value_before:.0f} to {self.value:.0f}"

    @property
    def before(self) -> Rating:
        """The rating at the end of the previous rated game."""
        return Rating(self.value_before, self.deviation_before, self.volatility_before)


class RatedMatch(models.Model):
    """A rated match with its sides and their ratings before it.

    It names users by numbers only. So the deletion of an account changes nothing about it, and
    ratings of others can be undone and calculated again.
    """

    match = models.OneToOneField(MatchRow, on_delete=models.CASCADE, related_name="as_rated")
    pool = models.ForeignKey(PoolRow, on_delete=models.CASCADE, related_name="matches")
    at = models.BigIntegerField(help_text="end of the match; milliseconds since 1970")
    sides = models.JSONField(
        help_text="in turn order: outcome, advantage, players with their ratings before the match"
    )

    class Meta:
        """Matches are undone and rated again in the order of their ends."""

        indexes = [models.Index(fields=["pool", "at"], name="rated_matches_of_pool")]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.pool}"


class Unrated(models.Model):
    """A match that was meant to be rated, and is not."""

    class Reason(models.TextChoices):
        """Why the match is not rated."""

        NO_RESULT = "no-result", _("The game ended without a result.")
        NOT_BEGUN = "not-begun", _("Not all players had moved.")
        NOT_ACCOUNTS = "not-accounts", _("A player had no account.")
        UNREADABLE = "unreadable", _("The game record cannot be read.")
        SAME_PLAYER = "same-player", _("A player played on both sides.")
        VOIDED = "voided", _("Moderators have voided the rating of this game.")
        RESTORED = "restored", _("The game will be rated again shortly.")

    match = models.OneToOneField(MatchRow, on_delete=models.CASCADE, related_name="unrated")
    reason = models.CharField(max_length=16, choices=Reason.choices)

    class Meta:
        """A periodic task looks for matches that moderators have voided or restored."""

        indexes = [models.Index(fields=["reason"], name="unrated_by_reason")]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.reason}"


class RatedUntil(models.Model):
    """The time up to which all finished matches have been rated; one row.

    It only limits the search for unrated matches; a match has been rated if it has a row.
    """

    at = models.BigIntegerField(default=0, help_text="milliseconds since 1970")

    def __str__(self) -> str:
        return str(self.at)
