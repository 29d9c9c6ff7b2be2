"""Models of relations between players: follows and blocks."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

_USER = settings.AUTH_USER_MODEL


class FollowRow(models.Model):
    """A user follows a player, to be notified of that player's games."""

    by = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="follows")
    whom = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="followed_by")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        """One row per pair; users cannot follow themselves."""

        verbose_name = _("follower")
        verbose_name_plural = _("followers")
        constraints = [
            models.UniqueConstraint(fields=["by", "whom"], name="followed_once"),
            models.CheckConstraint(condition=~Q(by=F("whom")), name="follows_others"),
        ]

    def __str__(self) -> str:
        return f"{self.by} -> {self.whom}"


class BlockRow(models.Model):
    """A user has blocked another."""

    by = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="blocks")
    whom = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="blocked_by")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        """One row per pair; users cannot block themselves."""

        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        constraints = [
            models.UniqueConstraint(fields=["by", "whom"], name="blocked_once"),
            models.CheckConstraint(condition=~Q(by=F("whom")), name="blocks_others"),
        ]

    def __str__(self) -> str:
        return f"{self.by} -/- {self.whom}"
