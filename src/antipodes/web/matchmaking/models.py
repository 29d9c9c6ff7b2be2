"""Model of seeks."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from antipodes.web.matches.models import MatchRow, new_slug

_TIME = "milliseconds since 1970"


class SeekRow(models.Model):
    """A player's seek of an opponent, and the match that it led to."""

    slug = models.CharField(max_length=16, unique=True, default=new_slug)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="seeks"
    )
    game_id = models.CharField(max_length=32)
    board = models.CharField(max_length=16, help_text="class of boards")
    control = models.CharField(max_length=60)
    rated = models.BooleanField()
    is_flexible = models.BooleanField(
        default=False,
        db_default=False,
        help_text="any board and clock will do, and casual in place of rated",
    )
    is_live = models.BooleanField(help_text="the player waits at the page")
    rating = models.FloatField()
    deviation = models.FloatField()
    entered_at = models.BigIntegerField(help_text=_TIME)
    seen_at = models.BigIntegerField(help_text=f"{_TIME}, last request of the page")
    match = models.ForeignKey(MatchRow, null=True, on_delete=models.CASCADE, related_name="+")

    class Meta:
        """A user has each seek once, and one live seek at a time."""

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
                name="one_live_seek_of_a_user",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.game_id} {self.board} {self.control}"
