"""Challenges, the players who joined them, and automatic game limits."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from antipodes.games.position import Game
from antipodes.games.registry import make_game
from antipodes.match import Start
from antipodes.web.matches.models import MatchRow, new_slug

_TIME = "milliseconds since 1970"


class ChallengeMatchRow(models.Model):
    """A match started from a challenge link that may start several."""

    challenge = models.ForeignKey("ChallengeRow", on_delete=models.CASCADE, related_name="begun")
    match = models.OneToOneField(MatchRow, on_delete=models.CASCADE, related_name="begun_by")

    class Meta:
        """In the order in which they started."""

        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.match} by {self.challenge}"


class GameLimitRow(models.Model):
    """How many automatically started games of a kind a user wants to have at once."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="game_limits"
    )
    game_id = models.CharField(max_length=32)
    most = models.PositiveSmallIntegerField()

    class Meta:
        """One row per user and game."""

        ordering = ["game_id"]
        constraints = [
            models.UniqueConstraint(fields=["user", "game_id"], name="one_limit_for_a_game")
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.most} of {self.game_id}"


class ChallengeRow(models.Model):
    """A challenge, open until enough players have joined."""

    slug = models.CharField(max_length=16, unique=True, default=new_slug)
    game_id = models.CharField(max_length=32)
    options = models.JSONField(default=dict)
    control = models.CharField(max_length=60, default="unlimited")
    rated = models.BooleanField(default=False)
    analysis = models.BooleanField(default=True, help_text="players may try variations")
    points = models.PositiveSmallIntegerField(null=True, help_text="match play; empty: one game")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="challenges"
    )
    seat = models.PositiveSmallIntegerField(
        null=True, help_text="seat of the challenger, if chosen"
    )
    computers = models.JSONField(default=list, help_text="pairs of a seat and a level")
    is_listed = models.BooleanField(default=True, help_text="listed in the lobby")
    is_private = models.BooleanField(
        default=False, help_text="only players and club members may watch"
    )
    club = models.ForeignKey(
        "clubs.ClubRow",
        null=True,
        on_delete=models.CASCADE,
        related_name="challenges",
        help_text="only its members may join",
    )
    speed = models.CharField(max_length=16, blank=True, default="", help_text="as in rating pools")
    board_class = models.CharField(
        max_length=16, blank=True, default="", help_text="as in rating pools"
    )
    lowest = models.PositiveSmallIntegerField(null=True, help_text="rating of the opponent")
    highest = models.PositiveSmallIntegerField(null=True, help_text="rating of the opponent")
    accounts_only = models.BooleanField(default=False, help_text="no guests")
    established_only = models.BooleanField(default=False, help_text="no provisional ratings")
    uses = models.PositiveSmallIntegerField(default=1, help_text="matches that it can still start")
    expires_at = models.BigIntegerField(null=True, help_text="milliseconds since 1970")
    invited = models.ManyToManyField(
        settings.AUTH_USER_MODEL, related_name="invitations", blank=True
    )
    promised = models.JSONField(default=list, help_text="pairs of an invited user and their seat")
    start = models.JSONField(null=True, help_text="where the match begins, if not at the start")
    match = models.ForeignKey(MatchRow, null=True, on_delete=models.CASCADE)
    made_at = models.BigIntegerField(help_text="milliseconds since 1970")
    seen_at = models.BigIntegerField(
        null=True, help_text="when the author was last here; empty if the challenge can wait"
    )

    def __str__(self) -> str:
        return f"{self.game_id} {self.slug}"

    @property
    def game(self) -> Game:
        return make_game(self.game_id, self.options)

    @property
    def match_start(self) -> Start | None:
        """Where the match begins; ``None`` for the start of the game."""
        return None if self.start is None else Start.read(self.start)


class JoinRow(models.Model):
    """A player who has joined a challenge."""

    challenge = models.ForeignKey(ChallengeRow, on_delete=models.CASCADE, related_name="joins")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    seat = models.PositiveSmallIntegerField(null=True, help_text="chosen seat, if any")

    class Meta:
        """In order of joining; one row per challenge and user."""

        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["challenge", "user"], name="joined_once")]

    def __str__(self) -> str:
        return str(self.user)


def joined() -> models.Prefetch[str, models.QuerySet[JoinRow], str]:
    """Return a prefetch of challenges' players with their users, in one query."""
    return models.Prefetch("joins", JoinRow.objects.select_related("user"))
