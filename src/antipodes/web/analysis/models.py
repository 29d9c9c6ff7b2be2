"""What is kept of analyses: what somebody asked, and what was found."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

from antipodes.games.position import BoardPosition
from antipodes.games.registry import make_game
from antipodes.web.analysis.effort import HINT
from antipodes.web.matches.models import MatchRow, new_slug


class State(models.TextChoices):
    """How far a piece of work has come."""

    WAITING = "waiting"
    WARMING = "warming"  # until the computer's kernels are compiled
    WORKING = "working"
    DONE = "done"
    STOPPED = "stopped"

    @property
    def is_over(self) -> bool:
        """Whether nothing more will be done."""
        return self in (State.DONE, State.STOPPED)


class AnalysisRow(models.Model):
    """An analysis that somebody asked for."""

    slug = models.CharField(max_length=16, unique=True, default=new_slug)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="analyses"
    )
    game_id = models.CharField(max_length=32)
    options = models.JSONField(default=dict)
    moves = models.JSONField(default=list)
    effort = models.CharField(max_length=12)
    state = models.CharField(max_length=12, choices=State.choices, default=State.WAITING)
    found = models.JSONField(null=True, help_text="what is known so far, for pages")
    asked_at = models.BigIntegerField(help_text="milliseconds since 1970")
    seen_at = models.BigIntegerField(help_text="when somebody last waited for it")

    class Meta:
        """The old are forgotten; users have few at a time."""

        indexes = [
            models.Index(fields=["asked_at"]),
            models.Index(fields=["user", "state"]),
        ]

    def __str__(self) -> str:
        """Name game, moves and state."""
        return f"{self.game_id} after {len(self.moves)} moves, {self.state}"

    @property
    def is_hint(self) -> bool:
        """Whether it is a hint in a match."""
        return self.effort == HINT.name

    def position(self) -> BoardPosition[Any]:
        """Return the position that is analysed."""
        position: BoardPosition[Any] = make_game(self.game_id, self.options).initial()
        for move in self.moves:
            position = position.play(move)
        return position


class ReviewRow(models.Model):
    """What the computer thinks of each position of a finished match."""

    match = models.OneToOneField(MatchRow, on_delete=models.CASCADE, related_name="review")
    state = models.CharField(max_length=12, choices=State.choices, default=State.WAITING)
    found = models.JSONField(default=list, help_text="an analysis for each position so far")
    turns = models.JSONField(default=list, help_text="the moves that turned the match")

    def __str__(self) -> str:
        """Name the match and how far it is."""
        return f"review of {self.match}, {len(self.found)} positions, {self.state}"
