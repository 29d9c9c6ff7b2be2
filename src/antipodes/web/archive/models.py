"""Models of the archive: finished games for searches, statistics and open data.

Everything is derived from matches and can be rebuilt. A *bucket* groups the games that agree in all
attributes by which games are counted and filtered. So statistics need not read the games, and a
search with few matching buckets finds its games by them.

Foreign keys have no indexes of their own, because indexes and constraints begin with them.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

from antipodes.games.position import Game
from antipodes.games.registry import make_game
from antipodes.web.matches.models import MatchRow


class OptionSetRow(models.Model):
    """A game with its options."""

    game_id = models.CharField(max_length=32)
    key = models.CharField(max_length=200, help_text="such as size=13,swap=off; empty: defaults")
    options = models.JSONField(default=dict, help_text="options that differ from the defaults")
    board_class = models.CharField(max_length=16)

    class Meta:
        """One row per combination of options."""

        constraints = [
            models.UniqueConstraint(fields=["game_id", "key"], name="archive_one_option_set")
        ]

    def __str__(self) -> str:
        return f"{self.game_id} {self.key}".strip()

    @property
    def game(self) -> Game:
        """The rules with their options."""
        return make_game(self.game_id, self.options)


class BucketRow(models.Model):
    """A group of games with equal attributes, and their number."""

    option_set = models.ForeignKey(
        OptionSetRow, on_delete=models.PROTECT, related_name="buckets", db_index=False
    )
    speed = models.CharField(max_length=16)
    rated = models.BooleanField()
    with_computer = models.BooleanField()
    is_private = models.BooleanField()
    from_position = models.BooleanField(help_text="not from the start of the game")
    band = models.CharField(
        max_length=12, blank=True, help_text="of the players' mean rating; empty: provisional"
    )
    winner = models.CharField(max_length=8, blank=True, help_text="a colour; empty: no winner")
    reason = models.CharField(max_length=16, help_text="reason of the result, as in records")
    games = models.PositiveIntegerField(default=0)

    class Meta:
        """One row per combination of attributes."""

        constraints = [
            models.UniqueConstraint(
                fields=[
                    "option_set",
                    "speed",
                    "rated",
                    "with_computer",
                    "is_private",
                    "from_position",
                    "band",
                    "winner",
                    "reason",
                ],
                name="archive_one_bucket",
            )
        ]

    def __str__(self) -> str:
        return f"{self.option_set}, {self.speed}, {self.winner or 'no winner'} by {self.reason}"


class GameRow(models.Model):
    """A finished match with the attributes for searches."""

    match = models.OneToOneField(
        MatchRow, on_delete=models.CASCADE, primary_key=True, related_name="archived"
    )
    bucket = models.ForeignKey(
        BucketRow, on_delete=models.PROTECT, related_name="archived_games", db_index=False
    )
    option_set = models.ForeignKey(
        OptionSetRow, on_delete=models.PROTECT, related_name="archived_games", db_index=False
    )
    ended_at = models.BigIntegerField(help_text="milliseconds since 1970")
    moves = models.PositiveIntegerField(help_text="number of moves")
    swapped = models.BooleanField(default=False)
    first = models.IntegerField(help_text="first move of the canonical opening; -1: none")
    second = models.IntegerField(help_text="second move of the canonical opening; -1: none")
    opening = models.CharField(
        max_length=80, blank=True, help_text="the first moves as numbers, each followed by a space"
    )

    class Meta:
        """Each index finds games by one attribute, latest first."""

        indexes = [
            models.Index(fields=["ended_at", "match", "bucket"], name="archive_by_time"),
            models.Index(fields=["bucket", "ended_at", "match"], name="archive_by_bucket"),
            models.Index(
                fields=["option_set", "first", "ended_at", "match"], name="archive_by_first"
            ),
            models.Index(
                fields=["option_set", "first", "second", "ended_at", "match"],
                name="archive_by_second",
            ),
        ]

    def __str__(self) -> str:
        return str(self.match)


class PlayerRow(models.Model):
    """A seat of a finished match with its user."""

    game = models.ForeignKey(
        GameRow, on_delete=models.CASCADE, related_name="players", db_index=False
    )
    number = models.PositiveSmallIntegerField(help_text="number of the seat")
    color = models.CharField(max_length=8, help_text="colour at the end of the game")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="archived_seats",
        db_index=False,
    )
    won = models.BooleanField(null=True, help_text="empty without a winner")
    ended_at = models.BigIntegerField(help_text="copied from the game")
    bucket = models.ForeignKey(
        BucketRow, on_delete=models.PROTECT, related_name="+", db_index=False
    )

    class Meta:
        """A covering index has all games of a user."""

        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="archive_one_on_a_seat")
        ]
        indexes = [
            models.Index(
                fields=["user", "ended_at", "game", "bucket", "won"], name="archive_by_player"
            )
        ]

    def __str__(self) -> str:
        return f"seat {self.number}: {self.user}"


class RecordRow(models.Model):
    """The game record of a finished match as a line of JSON, without names, which may change."""

    game = models.OneToOneField(
        GameRow, on_delete=models.CASCADE, primary_key=True, related_name="record"
    )
    data = models.TextField()

    def __str__(self) -> str:
        return self.data[:60]


class LengthRow(models.Model):
    """The number of games of a bucket with a certain length."""

    bucket = models.ForeignKey(
        BucketRow, on_delete=models.CASCADE, related_name="lengths", db_index=False
    )
    moves = models.PositiveIntegerField()
    games = models.PositiveIntegerField(default=0)

    class Meta:
        """One row per length."""

        constraints = [
            models.UniqueConstraint(fields=["bucket", "moves"], name="archive_one_length")
        ]

    def __str__(self) -> str:
        return f"{self.games} games of {self.moves} moves"


class FirstMoveRow(models.Model):
    """The number of games of a bucket that begin with a move or a symmetric one."""

    bucket = models.ForeignKey(
        BucketRow, on_delete=models.CASCADE, related_name="first_moves", db_index=False
    )
    move = models.IntegerField()
    swapped = models.BooleanField()
    games = models.PositiveIntegerField(default=0)

    class Meta:
        """One row per move, with and without a swap."""

        constraints = [
            models.UniqueConstraint(
                fields=["bucket", "move", "swapped"], name="archive_one_first_move"
            )
        ]

    def __str__(self) -> str:
        return f"{self.games} games with {self.move}"


class MonthRow(models.Model):
    """An open data file: the public games of one month, up to the last one included.

    This row, the archive and the names in ``NameRow`` determine the content of the file, so every
    machine writes the same file.
    """

    month = models.CharField(max_length=7, unique=True, help_text="in UTC, such as 2026-11")
    games = models.PositiveIntegerField(default=0)
    last_ended = models.BigIntegerField(default=0, help_text="end of the last game")
    last_match = models.BigIntegerField(default=0, help_text="id of the last game")
    is_stale = models.BooleanField(default=True, help_text="must be written again")
    size = models.BigIntegerField(default=0, help_text="bytes of the compressed file")
    sha256 = models.CharField(max_length=64, blank=True, help_text="of the compressed file")
    made_at = models.BigIntegerField(default=0, help_text="milliseconds since 1970")

    class Meta:
        """In chronological order."""

        ordering = ["month"]

    def __str__(self) -> str:
        return self.month


class NameRow(models.Model):
    """The name of a user in the open data, until the files are written again.

    The user is no foreign key, so that accounts can be deleted independently.
    """

    user = models.BigIntegerField(unique=True, help_text="id of the user")
    name = models.CharField(max_length=150)

    def __str__(self) -> str:
        return self.name
