"""Who can sit at a match."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """Somebody with an account, a guest who may make one later, or a level of the computer.

    A guest is a user without a password; signing up turns the same row into an account, and so
    all games stay.
    """

    is_guest = models.BooleanField(default=False)
    computer = models.CharField(
        max_length=40, blank=True, help_text="player that moves by itself, such as computer:3"
    )

    @property
    def name(self) -> str:
        """What to call the player."""
        return f"computer, {self.first_name}" if self.is_computer else self.username

    @property
    def is_computer(self) -> bool:
        """Whether the computer makes this player's moves."""
        return bool(self.computer)
