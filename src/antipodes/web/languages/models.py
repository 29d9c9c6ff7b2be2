"""Which language somebody reads, where no browser says so."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class LanguageRow(models.Model):
    """The language of an account: for its mails and notices, and for its next browser.

    Attributes:
        user: whose.
        code: as in ``settings.LANGUAGES``.
        is_chosen: whether the person chose it; else it is what their browser asked for last.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="language"
    )
    code = models.CharField(max_length=16)
    is_chosen = models.BooleanField(default=False)

    def __str__(self) -> str:
        """Say whose and which."""
        return f"{self.user}: {self.code}"
