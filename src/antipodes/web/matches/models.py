"""Models of matches: terms, seats, events, chat, series and followers."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from antipodes.clocks import read_control
from antipodes.games.antipalos import Antipalos
from antipodes.games.match_play import MatchPlay
from antipodes.games.position import Game
from antipodes.games.registry import make_game
from antipodes.match import Match, Series, Start, Terms, read_event
from antipodes.records import Result


def new_slug() -> str:
    """Return a short random slug; commands would take a hyphen at its start for an option."""
    while (slug := secrets.token_urlsafe(6)).startswith("-"):
        pass
    return slug


class MatchRow(models.Model):
    """A match: its terms, and columns derived from its events for lists and the scheduler."""

    slug = models.CharField(max_length=16, unique=True, default=new_slug)
    game_id = models.CharField(max_length=32)
    options = models.JSONField(default=dict)
    control = models.CharField(max_length=60, default="unlimited")
    rated = models.BooleanField(default=False)
    analysis = models.BooleanField(
        default=True, help_text="players may try variations during the match"
    )
    # Also a default in the database: while several processes are upgraded one after another, an
    # older one still inserts rows.
    is_private = models.BooleanField(
        default=False, help_text="only players and members of the club may watch"
    )
    club = models.ForeignKey(
        "clubs.ClubRow",
        null=True,
        on_delete=models.SET_NULL,
        related_name="matches",
        help_text="its members may watch a private match",
    )
    series = models.ForeignKey(
        "SeriesRow", null=True, on_delete=models.CASCADE, related_name="matches"
    )
    rematch_of = models.OneToOneField(
        "self", null=True, on_delete=models.SET_NULL, related_name="rematch"
    )
    start = models.JSONField(
        null=True,
        help_text="the position from which it begins, if not the start of the game: setup, moves",
    )
    grace = models.PositiveIntegerField(
        default=0,
        help_text="milliseconds of each player's first turn in which clocks stand still",
    )
    aborts_late = models.BooleanField(
        default=False, help_text="aborted without a first move in that time"
    )
    in_event = models.BooleanField(
        default=False, db_default=False, help_text="a game of a tournament or a simul"
    )
    begun_at = models.BigIntegerField(help_text="milliseconds since 1970")
    changed_at = models.BigIntegerField(default=0, help_text="milliseconds since 1970")
    version = models.PositiveIntegerField(default=0, help_text="number of events")
    seat_to_move = models.PositiveSmallIntegerField(null=True)
    deadline = models.BigIntegerField(null=True, help_text="when the flag falls")
    ended_at = models.BigIntegerField(null=True)
    winner = models.CharField(
        max_length=8, blank=True, help_text="a colour; empty before the end and without a winner"
    )
    reason = models.CharField(
        max_length=16, blank=True, help_text="why it ended, as in records; empty before the end"
    )
    loser = models.CharField(
        max_length=8, blank=True, help_text="colour that gave up where no other one has won"
    )

    class Meta:
        """Indexes for lists of matches in progress and for the next deadline."""

        indexes = [
            models.Index(fields=["ended_at", "begun_at"]),
            models.Index(fields=["deadline"]),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} {self.slug}"

    @property
    def game(self) -> Game:
        return make_game(self.game_id, self.options)

    @property
    def result(self) -> Result | None:
        """How the match ended; ``None`` before its end."""
        values = {"winner": self.winner, "reason": self.reason, "loser": self.loser}
        return Result.read(values) if self.reason else None

    @result.setter
    def result(self, result: Result) -> None:
        for name in ("winner", "reason", "loser"):
            setattr(self, name, result.as_data().get(name) or "")

    def terms(self, seats: Iterable[SeatRow] | None = None) -> Terms:
        """Return the terms that the players agreed on; ``seats`` if they are read already."""
        seats = self.seats.all() if seats is None else seats
        return Terms(
            game=self.game,
            players=tuple(str(seat.user_id) for seat in seats),
            control=read_control(self.control),
            rated=self.rated,
            analysis=self.analysis,
            start=None if self.start is None else Start.read(self.start),
            grace=self.grace,
            aborts_late=self.aborts_late,
        )

    def match(self, seats: Iterable[SeatRow] | None = None) -> Match:
        """Return the match at the version of this row; ``seats`` if they are read already.

        Events that another process has stored since this row was read are left out.
        """
        known = (row for row in self.events.all() if row.number < self.version)
        events = (read_event(row.data) for row in known)
        return Match.replayed(self.terms(seats), self.begun_at, events)


class PageEngineRow(models.Model):
    """A match in which the page of the only player makes the computer's moves."""

    match = models.OneToOneField(
        MatchRow, on_delete=models.CASCADE, primary_key=True, related_name="page_engine"
    )

    def __str__(self) -> str:
        """Return the match."""
        return f"page of {self.match}"


class SeriesRow(models.Model):
    """A series of Antipalos match play: games until a side has enough points."""

    slug = models.CharField(max_length=16, unique=True, default=new_slug)
    game_id = models.CharField(max_length=32)
    options = models.JSONField(default=dict)
    control = models.CharField(max_length=60, default="unlimited")
    rated = models.BooleanField(default=False)
    analysis = models.BooleanField(default=True)
    target = models.PositiveSmallIntegerField(help_text="points that win the series")
    sides = models.JSONField(help_text="keys of each side's users, in turn order")
    scores = models.JSONField(default=list)
    beginner = models.PositiveSmallIntegerField(default=0)
    games = models.PositiveSmallIntegerField(default=0)
    ended_at = models.BigIntegerField(null=True)

    def __str__(self) -> str:
        return f"to {self.target} points {self.slug}"

    @property
    def winner(self) -> int | None:
        """The side that has won, or ``None`` while the series is in progress."""
        reached = [side for side, score in enumerate(self.scores) if score >= self.target]
        return reached[0] if reached else None

    def series(self) -> Series:
        """Return the series with its present score."""
        game = make_game(self.game_id, self.options)
        if not isinstance(game, Antipalos):
            raise TypeError(f"{self.game_id} has no match play")
        return Series(
            standing=MatchPlay(game, self.target, tuple(self.scores), self.beginner, self.games),
            sides=tuple(tuple(str(user) for user in side) for side in self.sides),
            control=read_control(self.control),
            rated=self.rated,
            analysis=self.analysis,
        )


class SeatRow(models.Model):
    """A seat of a match and its user."""

    match = models.ForeignKey(MatchRow, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="seats"
    )
    left_at = models.BigIntegerField(
        null=True, help_text="milliseconds since 1970, while the player is away from a live game"
    )

    class Meta:
        """In turn order; an index finds all matches of a user."""

        ordering = ["number"]
        indexes = [models.Index(fields=["user", "match"], name="matches_of_user")]
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="unique_seat")]

    def __str__(self) -> str:
        return f"seat {self.number}: {self.user}"


def seated(path: str = "seats") -> models.Prefetch[str, models.QuerySet[SeatRow], str]:
    """Return a prefetch of matches' seats together with their users, in one query.

    Prefetching ``seats__user`` would pass a list of all users' keys, and SQLite refuses more than a
    thousand.

    Args:
        path: the lookup from the queried rows to the seats.
    """
    return models.Prefetch(path, SeatRow.objects.select_related("user"))


class EventRow(models.Model):
    """One event of a match, in the order in which they happened."""

    match = models.ForeignKey(MatchRow, on_delete=models.CASCADE, related_name="events")
    number = models.PositiveIntegerField()
    data = models.JSONField()

    class Meta:
        """Unique numbers, even if two processes write events of a match at once."""

        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="unique_event_number")
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.data.get('kind')}"


class ChatLine(models.Model):
    """A line of a chat: in a match of its players or spectators, in the lobby or in an event."""

    class Room(models.TextChoices):
        """Rooms of chats."""

        SEATED = "seated"
        SPECTATORS = "spectators"
        LOBBY = "lobby"
        TOURNAMENT = "tournament"
        SIMUL = "simul"

    match = models.ForeignKey(
        MatchRow,
        null=True,
        on_delete=models.CASCADE,
        related_name="chat",
        help_text="empty in the lobby and in events",
    )
    room = models.CharField(max_length=12, choices=Room.choices)
    # No foreign key, since events are of apps above this one.
    slug = models.CharField(
        max_length=16,
        blank=True,
        default="",
        db_default="",
        help_text="of the tournament or simul",
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    text = models.CharField(max_length=4_000, help_text="one line, or several by e-mail")
    key = models.CharField(
        max_length=64, default=new_slug, help_text="idempotency key of the client"
    )
    at = models.BigIntegerField(help_text="milliseconds since 1970")

    class Meta:
        """In chronological order; a repeated key adds no second line."""

        ordering = ["at", "id"]
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="unique_chat_key")]
        indexes = [
            models.Index(
                fields=["room", "slug", "at"],
                condition=models.Q(match=None),
                name="chat_outside_matches",
            )
        ]

    def __str__(self) -> str:
        return self.text


class ViewerStateRow(models.Model):
    """A user's own state of a match: private notes, and how many moves they have seen."""

    match = models.ForeignKey(MatchRow, on_delete=models.CASCADE, related_name="viewer_states")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    notes = models.TextField(blank=True)
    seen = models.PositiveIntegerField(null=True, help_text="number of moves at the last visit")

    class Meta:
        """One row per match and user."""

        constraints = [
            models.UniqueConstraint(fields=["match", "user"], name="unique_viewer_state")
        ]

    def __str__(self) -> str:
        return f"{self.user} at {self.match}"


class WatchRow(models.Model):
    """A user follows a match, to be notified of each move or of the end only."""

    match = models.ForeignKey(MatchRow, on_delete=models.CASCADE, related_name="watchers")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="watched_matches"
    )
    each_move = models.BooleanField(
        default=False, help_text="notify of each move, or else of the end only"
    )
    notified_version = models.PositiveIntegerField(
        default=0, help_text="version of the last notification"
    )
    is_done = models.BooleanField(default=False, help_text="notified of the end")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        """One row per match and user, indexed for pending notifications."""

        verbose_name = _("followed match")
        verbose_name_plural = _("followed matches")
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="unique_watch")]
        indexes = [
            models.Index(fields=["match"], condition=Q(is_done=False), name="watches_pending")
        ]

    def __str__(self) -> str:
        return f"{self.user} -> {self.match}"
