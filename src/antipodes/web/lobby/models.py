"""How the lobby keeps who looks for an opponent, and which matches a link has begun."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from antipodes.web.matches.models import ChallengeRow, MatchRow, new_slug

_TIME = "milliseconds since 1970"


class SeekerRow(models.Model):
    """Somebody who looks for an opponent, and then the match that was found."""

    slug = models.CharField(max_length=16, unique=True, default=new_slug)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="searches"
    )
    game_id = models.CharField(max_length=32)
    board = models.CharField(max_length=16, help_text="class of boards")
    control = models.CharField(max_length=60)
    rated = models.BooleanField()
    is_live = models.BooleanField(help_text="waits at the page")
    rating = models.FloatField()
    deviation = models.FloatField()
    entered_at = models.BigIntegerField(help_text=_TIME)
    seen_at = models.BigIntegerField(help_text=f"{_TIME}, when the page asked last")
    match = models.ForeignKey(MatchRow, null=True, on_delete=models.CASCADE, related_name="+")

    class Meta:
        """Nobody looks twice for the same thing, or for two live games at once."""

        ordering = ["entered_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "game_id", "board", "control", "rated"],
                condition=Q(match=None),
                name="sought_once",
            ),
            models.UniqueConstraint(
                fields=["user"],
                condition=Q(match=None, is_live=True),
                name="one_live_search_of_a_user",
            ),
        ]

    def __str__(self) -> str:
        """Name who looks for what."""
        return f"{self.user}: {self.game_id} {self.board} {self.control}"


class BegunRow(models.Model):
    """A match that a link has begun which may begin several."""

    challenge = models.ForeignKey(ChallengeRow, on_delete=models.CASCADE, related_name="begun")
    match = models.OneToOneField(MatchRow, on_delete=models.CASCADE, related_name="begun_by")

    class Meta:
        """In the order in which they began."""

        ordering = ["id"]

    def __str__(self) -> str:
        """Name both."""
        return f"{self.match} by {self.challenge}"


class LimitRow(models.Model):
    """How many games of a kind somebody wants at once that begin without asking them again."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="game_limits"
    )
    game_id = models.CharField(max_length=32)
    most = models.PositiveSmallIntegerField()

    class Meta:
        """One for each game."""

        ordering = ["game_id"]
        constraints = [
            models.UniqueConstraint(fields=["user", "game_id"], name="one_limit_for_a_game")
        ]

    def __str__(self) -> str:
        """Name who wants how many of what."""
        return f"{self.user}: {self.most} of {self.game_id}"
