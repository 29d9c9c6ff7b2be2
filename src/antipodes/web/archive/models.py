"""How finished games are kept for search, for counting, and for everybody to take along.

All of it is made from matches and can be made again. A *shelf* has the games that are alike in all
that is counted and chosen by: so counts need no look at the games, and a search that names few
shelves finds its games by them.

Links have no indexes of their own: indexes and constraints of their models begin with them.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

from antipodes.games.base import BoardGame
from antipodes.games.registry import make_game
from antipodes.web.matches.models import MatchRow


class OptionSetRow(models.Model):
    """A game with its options chosen."""

    game_id = models.CharField(max_length=32)
    key = models.CharField(max_length=200, help_text="such as size=13,swap=off; empty: the usual")
    options = models.JSONField(default=dict, help_text="those that are not the usual ones")
    board_class = models.CharField(max_length=16)

    class Meta:
        """One row for each choice."""

        constraints = [
            models.UniqueConstraint(fields=["game_id", "key"], name="archive_one_option_set")
        ]

    def __str__(self) -> str:
        """Name game and options."""
        return f"{self.game_id} {self.key}".strip()

    @property
    def game(self) -> BoardGame[Any, Any]:
        """The rules with their options."""
        return make_game(self.game_id, self.options)


class ShelfRow(models.Model):
    """Games that are alike in all that is counted; ``games`` says how many they are."""

    option_set = models.ForeignKey(
        OptionSetRow, on_delete=models.PROTECT, related_name="shelves", db_index=False
    )
    speed = models.CharField(max_length=16)
    rated = models.BooleanField()
    with_computer = models.BooleanField()
    is_private = models.BooleanField()
    winner = models.CharField(max_length=8, blank=True, help_text="a colour; empty: nobody")
    reason = models.CharField(max_length=16, help_text="why it ended, as records say it")
    games = models.PositiveIntegerField(default=0)

    class Meta:
        """What is alike stands on one shelf."""

        constraints = [
            models.UniqueConstraint(
                fields=[
                    "option_set",
                    "speed",
                    "rated",
                    "with_computer",
                    "is_private",
                    "winner",
                    "reason",
                ],
                name="archive_one_shelf",
            )
        ]

    def __str__(self) -> str:
        """Name what is alike."""
        return f"{self.option_set}, {self.speed}, {self.winner or 'nobody'} by {self.reason}"


class GameRow(models.Model):
    """A finished match, as searches see it."""

    match = models.OneToOneField(
        MatchRow, on_delete=models.CASCADE, primary_key=True, related_name="archived"
    )
    shelf = models.ForeignKey(
        ShelfRow, on_delete=models.PROTECT, related_name="filed", db_index=False
    )
    option_set = models.ForeignKey(
        OptionSetRow, on_delete=models.PROTECT, related_name="filed", db_index=False
    )
    ended_at = models.BigIntegerField(help_text="milliseconds since 1970")
    moves = models.PositiveIntegerField(help_text="how many there are")
    swapped = models.BooleanField(default=False)
    first = models.IntegerField(help_text="first move, turned as the opening is; -1: there is none")
    second = models.IntegerField(help_text="second move, likewise")
    opening = models.CharField(
        max_length=80, blank=True, help_text="the first moves as numbers, each with a space after"
    )

    class Meta:
        """Each index is a way to find games, the latest first."""

        indexes = [
            models.Index(fields=["ended_at", "match", "shelf"], name="archive_by_time"),
            models.Index(fields=["shelf", "ended_at", "match"], name="archive_by_shelf"),
            models.Index(
                fields=["option_set", "first", "ended_at", "match"], name="archive_by_first"
            ),
            models.Index(
                fields=["option_set", "first", "second", "ended_at", "match"],
                name="archive_by_second",
            ),
        ]

    def __str__(self) -> str:
        """Name the match."""
        return str(self.match)


class PlayerRow(models.Model):
    """Somebody on a seat of a finished match."""

    game = models.ForeignKey(
        GameRow, on_delete=models.CASCADE, related_name="players", db_index=False
    )
    number = models.PositiveSmallIntegerField(help_text="of the seat")
    color = models.CharField(max_length=8, help_text="played at the end")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="archived_seats",
        db_index=False,
    )
    won = models.BooleanField(null=True, help_text="none where nobody won")
    ended_at = models.BigIntegerField(help_text="as the game says")
    shelf = models.ForeignKey(ShelfRow, on_delete=models.PROTECT, related_name="+", db_index=False)

    class Meta:
        """All games of somebody are read off one index."""

        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="archive_one_on_a_seat")
        ]
        indexes = [
            models.Index(
                fields=["user", "ended_at", "game", "shelf", "won"], name="archive_by_player"
            )
        ]

    def __str__(self) -> str:
        """Name the seat and its user."""
        return f"seat {self.number}: {self.user}"


class RecordRow(models.Model):
    """The record of a finished match without names, as a line of JSON: names may change."""

    game = models.OneToOneField(
        GameRow, on_delete=models.CASCADE, primary_key=True, related_name="record"
    )
    data = models.TextField()

    def __str__(self) -> str:
        """Show how it begins."""
        return self.data[:60]


class LengthRow(models.Model):
    """How many games of a shelf have so many moves."""

    shelf = models.ForeignKey(
        ShelfRow, on_delete=models.CASCADE, related_name="lengths", db_index=False
    )
    moves = models.PositiveIntegerField()
    games = models.PositiveIntegerField(default=0)

    class Meta:
        """One row for each length."""

        constraints = [
            models.UniqueConstraint(fields=["shelf", "moves"], name="archive_one_length")
        ]

    def __str__(self) -> str:
        """Say it."""
        return f"{self.games} games of {self.moves} moves"


class FirstMoveRow(models.Model):
    """How many games of a shelf begin with a move, or with one that is the same by symmetry."""

    shelf = models.ForeignKey(
        ShelfRow, on_delete=models.CASCADE, related_name="first_moves", db_index=False
    )
    move = models.IntegerField()
    swapped = models.BooleanField()
    games = models.PositiveIntegerField(default=0)

    class Meta:
        """One row for each move, with and without a swap."""

        constraints = [
            models.UniqueConstraint(
                fields=["shelf", "move", "swapped"], name="archive_one_first_move"
            )
        ]

    def __str__(self) -> str:
        """Say it."""
        return f"{self.games} games with {self.move}"


class MonthRow(models.Model):
    """A file of open data: the public games that ended in one month, as far as it goes.

    What the file holds follows from this row, the archive and the names in ``NameRow``: so every
    machine makes the same file.
    """

    month = models.CharField(max_length=7, unique=True, help_text="such as 2026-11, of UTC")
    games = models.PositiveIntegerField(default=0)
    last_ended = models.BigIntegerField(default=0, help_text="when its last game ended")
    last_match = models.BigIntegerField(default=0, help_text="key of its last game")
    is_stale = models.BooleanField(default=True, help_text="has to be made again")
    size = models.BigIntegerField(default=0, help_text="bytes of the compressed file")
    sha256 = models.CharField(max_length=64, blank=True, help_text="of the compressed file")
    made_at = models.BigIntegerField(default=0, help_text="milliseconds since 1970")

    class Meta:
        """As time went."""

        ordering = ["month"]

    def __str__(self) -> str:
        """Name the month."""
        return self.month


class NameRow(models.Model):
    """What somebody is called in the open data, until its files are made again.

    The user is no link: whoever is deleted does not have to wait for this.
    """

    user = models.BigIntegerField(unique=True, help_text="key of the user")
    name = models.CharField(max_length=150)

    def __str__(self) -> str:
        """Show the name."""
        return self.name
