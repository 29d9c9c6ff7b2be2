"""Models of analyses, hints and reviews."""

from __future__ import annotations

import json

from django.conf import settings
from django.db import models

from antipodes.games.position import Position
from antipodes.games.registry import make_game
from antipodes.match import Start
from antipodes.records.json_format import read_setup
from antipodes.web.analysis.effort import HINT
from antipodes.web.matches.models import MatchRow, new_slug


class AnalysisState(models.TextChoices):
    """State of an analysis or a review."""

    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    STOPPED = "stopped"

    @property
    def is_over(self) -> bool:
        """Whether the work is done or stopped."""
        return self in (AnalysisState.DONE, AnalysisState.STOPPED)


class AnalysisRow(models.Model):
    """An analysis or a hint requested by a user."""

    slug = models.CharField(max_length=16, unique=True, default=new_slug)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="analyses"
    )
    game_id = models.CharField(max_length=32)
    options = models.JSONField(default=dict)
    setup = models.TextField(
        blank=True, help_text="the position before the moves as JSON; empty: the start of the game"
    )
    moves = models.JSONField(default=list)
    effort = models.CharField(max_length=12)
    state = models.CharField(
        max_length=12, choices=AnalysisState.choices, default=AnalysisState.WAITING
    )
    found = models.JSONField(null=True, help_text="results so far, as data for pages")
    asked_at = models.BigIntegerField(help_text="milliseconds since 1970")
    seen_at = models.BigIntegerField(help_text="last request for the result")

    class Meta:
        """Indexes to delete old rows and to find the open ones of a user."""

        indexes = [
            models.Index(fields=["asked_at"]),
            models.Index(fields=["user", "state"]),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} after {len(self.moves)} moves, {self.state}"

    @property
    def is_hint(self) -> bool:
        """Whether it is a hint in a match."""
        return self.effort == HINT.name

    def start(self) -> Start:
        """Return the setup and the moves to the position."""
        setup = read_setup(json.loads(self.setup)) if self.setup else None
        return Start(setup=setup, moves=tuple(self.moves))

    def position(self) -> Position:
        return self.start().position(make_game(self.game_id, self.options))


class ReviewRow(models.Model):
    """Analyses of all positions of a finished match."""

    match = models.OneToOneField(MatchRow, on_delete=models.CASCADE, related_name="review")
    state = models.CharField(
        max_length=12, choices=AnalysisState.choices, default=AnalysisState.WAITING
    )
    found = models.JSONField(default=list, help_text="an analysis for each position so far")
    turns = models.JSONField(default=list, help_text="the turning points")

    def __str__(self) -> str:
        return f"review of {self.match}, {len(self.found)} positions, {self.state}"
