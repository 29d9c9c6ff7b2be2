"""Models of puzzles: ratings, first tries, streaks, the puzzle of the day, votes and reports."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from antipodes.web.matches.models import MatchRow
from antipodes.web.ratings.glicko import (
    INITIAL_DEVIATION,
    INITIAL_VALUE,
    INITIAL_VOLATILITY,
    Rating,
)
from antipodes.web.ratings.history import moment


class RatedRow(models.Model):
    """Base of rows with a Glicko-2 rating and a count of rated tries."""

    value = models.FloatField(default=INITIAL_VALUE)
    deviation = models.FloatField(default=INITIAL_DEVIATION)
    volatility = models.FloatField(default=INITIAL_VOLATILITY)
    tries = models.PositiveIntegerField(default=0, help_text="rated ones")
    solved = models.PositiveIntegerField(default=0, help_text="rated tries that were right")

    class Meta:
        """Each kind of row has its own table."""

        abstract = True

    @property
    def rating(self) -> Rating:
        """The rating after the last rated try."""
        return Rating(self.value, self.deviation, self.volatility)

    def set_rating(self, rating: Rating, *, solved: bool) -> None:
        """Set the rating after one more rated try."""
        self.value, self.deviation = rating.value, rating.deviation
        self.volatility = rating.volatility
        self.tries += 1
        self.solved += solved


class PuzzleRow(RatedRow):
    """Rating, votes and state of a puzzle of the library; made at its first try."""

    puzzle_id = models.CharField(max_length=32, unique=True)
    game_id = models.CharField(max_length=32)
    up = models.PositiveIntegerField(default=0, help_text="votes for it")
    down = models.PositiveIntegerField(default=0, help_text="votes against it")
    retired_at = models.BigIntegerField(
        null=True, help_text="no longer offered from then on; milliseconds since 1970"
    )

    def __str__(self) -> str:
        return self.puzzle_id


class SolverRow(RatedRow):
    """A solver's rating in the puzzles of one game."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzle_ratings"
    )
    game_id = models.CharField(max_length=32)
    latest = models.BigIntegerField(null=True, help_text="last rated try")

    class Meta:
        """One rating of a user in a game."""

        constraints = [
            models.UniqueConstraint(fields=["user", "game_id"], name="one_puzzle_rating_in_a_game")
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.value:.0f}"


class TryRow(models.Model):
    """A user's first try of a puzzle, and how many further ones there were.

    There is one row for each user and puzzle, so that only the first try can be rated.
    """

    class Outcome(models.TextChoices):
        """Outcome of the first try."""

        SOLVED = "solved", _("solved")
        FAILED = "failed", _("failed")
        HINTED = "hinted", _("hint taken")  # neither won nor lost, and not rated

        @property
        def sign(self) -> str:
            """A sign that stands before the sentence."""
            return {"solved": "✓", "failed": "✗"}.get(self.value, "○")

        @property
        def sentence(self) -> str:
            """The outcome as pages tell it to the solver."""
            return {
                "solved": gettext("Solved at the first try"),
                "failed": gettext("Not solved at the first try"),
                "hinted": gettext("Tried with a hint"),
            }[self.value]

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzle_tries"
    )
    puzzle_id = models.CharField(max_length=32)
    game_id = models.CharField(max_length=32)
    outcome = models.CharField(max_length=8, choices=Outcome.choices)
    at = models.BigIntegerField(help_text="end of the first try; milliseconds since 1970")
    retries = models.PositiveIntegerField(default=0, help_text="later tries, not rated")
    solved_at = models.BigIntegerField(null=True, help_text="when it was solved first")
    value_before = models.FloatField(null=True, help_text="the user's rating; null if not rated")
    value = models.FloatField(null=True, help_text="the user's rating afterwards")
    deviation = models.FloatField(null=True)
    puzzle_value = models.FloatField(help_text="the puzzle's rating before the try")

    class Meta:
        """The first try counts once; the history lists the latest."""

        constraints = [models.UniqueConstraint(fields=["user", "puzzle_id"], name="one_first_try")]
        indexes = [models.Index(fields=["user", "game_id", "at"])]

    def __str__(self) -> str:
        return f"{self.puzzle_id}: {self.outcome}"

    @property
    def is_rated(self) -> bool:
        """Whether the try changed the ratings."""
        return self.value is not None

    @property
    def gain(self) -> int | None:
        """The change of the user's rating in whole points; ``None`` if it was not rated."""
        if self.value is None or self.value_before is None:
            return None
        return round(self.value) - round(self.value_before)

    @property
    def gain_text(self) -> str:
        """The change of the user's rating with its sign; empty if it was not rated."""
        return "" if self.gain is None else f"{self.gain:+d}".replace("-", "−")

    @property
    def day(self) -> datetime:
        """End of the first try."""
        return moment(self.at)


class StreakRow(models.Model):
    """Days in a row on which a user solved a puzzle."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzle_streak"
    )
    days = models.PositiveIntegerField(default=0, help_text="in a row, until the last day")
    last_day = models.DateField(help_text="of the last solved puzzle, in UTC")
    longest = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.days} days until {self.last_day}"


class DailyRow(models.Model):
    """The puzzle of a day, which never changes."""

    day = models.DateField(unique=True, help_text="in UTC")
    puzzle_id = models.CharField(max_length=32)
    game_id = models.CharField(max_length=32)

    def __str__(self) -> str:
        return f"{self.day}: {self.puzzle_id}"


class PuzzleFileRow(models.Model):
    """The open data file of puzzles; there is one row."""

    data = models.BinaryField(help_text="the compressed file")
    puzzles = models.PositiveIntegerField(help_text="number of lines")
    sha256 = models.CharField(max_length=64)
    made_at = models.BigIntegerField(help_text="milliseconds since 1970")

    def __str__(self) -> str:
        return f"file of {self.puzzles} puzzles"


class JudgementRow(models.Model):
    """The judgement of a move that needs a search; the same for all solvers."""

    class State(models.TextChoices):
        """State of a judgement."""

        WAITING = "waiting"
        DONE = "done"
        UNDECIDED = "undecided"  # within the limits of the search

    puzzle_id = models.CharField(max_length=32)
    moves = models.CharField(max_length=400, help_text="of both sides, separated by spaces")
    state = models.CharField(max_length=12, choices=State.choices, default=State.WAITING)
    found = models.JSONField(null=True, help_text="the judgement as data")
    asked_at = models.BigIntegerField(help_text="milliseconds since 1970")

    class Meta:
        """A line is judged once."""

        constraints = [models.UniqueConstraint(fields=["puzzle_id", "moves"], name="judged_once")]
        indexes = [models.Index(fields=["state", "asked_at"])]

    def __str__(self) -> str:
        return f"{self.puzzle_id} {self.moves}"


class VoteRow(models.Model):
    """A user's vote for or against a puzzle."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzle_votes"
    )
    puzzle = models.ForeignKey(PuzzleRow, on_delete=models.CASCADE, related_name="votes")
    is_up = models.BooleanField()

    class Meta:
        """One vote for each puzzle."""

        constraints = [models.UniqueConstraint(fields=["user", "puzzle"], name="one_puzzle_vote")]

    def __str__(self) -> str:
        return f"{'+' if self.is_up else '-'} {self.puzzle_id}"


class PuzzleReportRow(models.Model):
    """A report that something is wrong with a puzzle."""

    class Reason(models.TextChoices):
        """Reason of a report."""

        WRONG = "wrong", _("The solution is wrong")
        SEVERAL = "several", _("Another move wins as well")
        REFUTATION = "refutation", _("The reply to a move is wrong")
        OTHER = "other", _("Something else")

    class Decision(models.TextChoices):
        """Decision of a moderator."""

        RETIRED = "retired", _("retired")
        KEPT = "kept", _("kept")

    puzzle = models.ForeignKey(PuzzleRow, on_delete=models.CASCADE, related_name="reports")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzle_reports"
    )
    reason = models.CharField(max_length=12, choices=Reason.choices)
    text = models.TextField(blank=True, max_length=1_000)
    at = models.BigIntegerField(help_text="milliseconds since 1970")
    decision = models.CharField(max_length=8, choices=Decision.choices, blank=True)
    decided_at = models.BigIntegerField(null=True)

    class Meta:
        """A user has one open report of a puzzle; moderators look for open ones."""

        verbose_name = _("report about a puzzle")
        verbose_name_plural = _("reports about puzzles")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "puzzle"], condition=Q(decision=""), name="one_open_puzzle_report"
            )
        ]
        indexes = [models.Index(fields=["decision", "at"])]

    def __str__(self) -> str:
        return f"{self.puzzle}: {self.reason}"


class MistakeRow(models.Model):
    """A move that a player missed in a reviewed match, as a private exercise."""

    class State(models.TextChoices):
        """State of the search for the only good move."""

        WAITING = "waiting"
        READY = "ready"
        DROPPED = "dropped"  # several moves were good, or none

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mistakes"
    )
    match = models.ForeignKey(MatchRow, on_delete=models.CASCADE, related_name="mistakes")
    ply = models.PositiveIntegerField(help_text="moves before the mistake")
    game_id = models.CharField(max_length=32)
    options = models.JSONField(default=dict)
    setup = models.JSONField(help_text="the position")
    played = models.CharField(max_length=60, help_text="the mistake")
    better = models.CharField(max_length=60, help_text="the best move; until then the review's")
    line = models.JSONField(default=list, help_text="moves that follow a proven best move")
    before = models.FloatField(help_text="the player's chances before the mistake, from 0 to 1")
    after = models.FloatField(help_text="and after it")
    is_proven = models.BooleanField(default=False, help_text="whether no other move wins")
    turns = models.PositiveSmallIntegerField(null=True, help_text="in which it wins, if limited")
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    asked_at = models.BigIntegerField(help_text="milliseconds since 1970")
    tries = models.PositiveIntegerField(default=0, help_text="wrong ones")
    solved_at = models.BigIntegerField(null=True)

    class Meta:
        """A mistake is looked at once; lists show the newest first."""

        constraints = [
            models.UniqueConstraint(fields=["user", "match", "ply"], name="one_exercise_a_mistake")
        ]
        indexes = [models.Index(fields=["user", "state", "asked_at"])]
        ordering = ["-match", "ply"]

    def __str__(self) -> str:
        return f"{self.match_id} after {self.ply} moves"


class SearchedMatchRow(models.Model):
    """A match in which a player's mistakes have been looked for."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    match = models.ForeignKey(MatchRow, on_delete=models.CASCADE, related_name="+")

    class Meta:
        """Each match is searched once for a player."""

        constraints = [
            models.UniqueConstraint(fields=["user", "match"], name="searched_for_mistakes_once")
        ]

    def __str__(self) -> str:
        return str(self.match_id)
