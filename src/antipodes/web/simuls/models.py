"""Models of simuls: the players who have joined, then a board for each of them."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from antipodes.games.position import Game
from antipodes.games.registry import make_game
from antipodes.web.matches.models import MatchRow, new_slug

_TIME = "milliseconds since 1970"


class SimulRow(models.Model):
    """A simul: its host, and the terms of all its matches."""

    slug = models.CharField(max_length=16, unique=True, default=new_slug)
    # The account of a deleted host stays under an anonymous name, as in finished matches.
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="simuls"
    )
    game_id = models.CharField(max_length=32)
    options = models.JSONField(default=dict)
    control = models.CharField(max_length=60)
    host_seat = models.PositiveSmallIntegerField(
        null=True, help_text="of the host on all boards; empty to alternate"
    )
    made_at = models.BigIntegerField(help_text=_TIME)
    begun_at = models.BigIntegerField(null=True, help_text=_TIME)

    class Meta:
        """The latest first."""

        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.game_id} {self.slug}"

    @property
    def game(self) -> Game:
        return make_game(self.game_id, self.options)

    def seat_on(self, number: int) -> int:
        """Return the host's seat on a board, counted from 1."""
        return (number - 1) % 2 if self.host_seat is None else self.host_seat


class SimulPlayerRow(models.Model):
    """A player who has joined a simul that has not begun, or whom its host has removed."""

    simul = models.ForeignKey(SimulRow, on_delete=models.CASCADE, related_name="players")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="simul_places"
    )
    is_removed = models.BooleanField(default=False, help_text="cannot join again")

    class Meta:
        """In the order in which they joined."""

        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["simul", "user"], name="simul_one_place")]

    def __str__(self) -> str:
        return f"{self.user} in {self.simul}"


class SimulBoardRow(models.Model):
    """A board of a simul that has begun."""

    simul = models.ForeignKey(SimulRow, on_delete=models.CASCADE, related_name="boards")
    number = models.PositiveSmallIntegerField(help_text="counted from 1")
    match = models.OneToOneField(MatchRow, on_delete=models.CASCADE, related_name="simul_board")

    class Meta:
        """In their order."""

        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["simul", "number"], name="simul_one_board")]

    def __str__(self) -> str:
        return f"board {self.number} of {self.simul}"
