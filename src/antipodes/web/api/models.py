"""What is kept for programs: tokens by which they are known, and accounts that are bots."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class TokenRow(models.Model):
    """A token of an account; the token itself is shown once and kept nowhere."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens"
    )
    name = models.CharField(max_length=60, help_text="what its owner calls it")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token")
    ending = models.CharField(max_length=8, help_text="its last characters, to tell it from others")
    scopes = models.JSONField(default=list, help_text="what it may be used for")
    made_at = models.BigIntegerField(help_text="milliseconds since 1970")
    used_at = models.BigIntegerField(null=True, help_text="the hour in which it was last used")
    expires_at = models.BigIntegerField(null=True, help_text="milliseconds since 1970, or never")

    class Meta:
        """The newest first."""

        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        """Show its name and end."""
        return f"{self.name} …{self.ending}"


class BotRow(models.Model):
    """An account that a program plays for; its owner has said so."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bot"
    )
    since = models.BigIntegerField(help_text="milliseconds since 1970")

    def __str__(self) -> str:
        """Name the account."""
        return str(self.user)
