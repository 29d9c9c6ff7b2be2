"""Relations between players: who follows and who blocks whom."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

_USER = settings.AUTH_USER_MODEL


class FollowRow(models.Model):
    """Somebody follows a player: is told what that player plays."""

    by = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="follows")
    whom = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="followed_by")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Nobody follows twice, or themselves."""

        verbose_name = _("follower")
        verbose_name_plural = _("followers")
        constraints = [
            models.UniqueConstraint(fields=["by", "whom"], name="followed_once"),
            models.CheckConstraint(condition=~Q(by=F("whom")), name="follows_others"),
        ]

    def __str__(self) -> str:
        """Say who follows whom."""
        return f"{self.by} -> {self.whom}"


class BlockRow(models.Model):
    """Somebody wants nothing to do with somebody else."""

    by = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="blocks")
    whom = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="blocked_by")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Nobody is blocked twice by the same person, or by themselves."""

        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        constraints = [
            models.UniqueConstraint(fields=["by", "whom"], name="blocked_once"),
            models.CheckConstraint(condition=~Q(by=F("whom")), name="blocks_others"),
        ]

    def __str__(self) -> str:
        """Say who blocks whom."""
        return f"{self.by} -/- {self.whom}"
