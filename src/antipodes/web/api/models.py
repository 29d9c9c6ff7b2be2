"""What is kept for programs: tokens by which they are known, and accounts that are bots."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from antipodes.web.people.models import TokenBase


class TokenRow(TokenBase):
    """A token for a program that speaks for an account."""

    scopes = models.JSONField(default=list, help_text="what it may be used for")
    expires_at = models.BigIntegerField(null=True, help_text="milliseconds since 1970, or never")


class BotRow(models.Model):
    """An account that a program plays for; its owner has said so."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bot"
    )
    since = models.BigIntegerField(help_text="milliseconds since 1970")

    def __str__(self) -> str:
        """Name the account."""
        return str(self.user)
