"""How matches are kept: what was agreed, and every event since."""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from antipodes.clocks import read_control
from antipodes.games.antipalos import Antipalos
from antipodes.games.base import BoardGame
from antipodes.games.match_play import MatchPlay
from antipodes.games.registry import make_game
from antipodes.match import Match, Series, Terms, read_event


def new_slug() -> str:
    """Return a short random name for an address."""
    return secrets.token_urlsafe(6)


class MatchRow(models.Model):
    """A match: its terms, and what lists need to know of its events."""

    slug = models.CharField(max_length=16, unique=True, default=new_slug)
    game_id = models.CharField(max_length=32)
    options = models.JSONField(default=dict)
    control = models.CharField(max_length=60, default="unlimited")
    rated = models.BooleanField(default=False)
    analysis = models.BooleanField(default=True, help_text="players may try variations")
    # Defaults that the database knows too: a site of several processes is brought up to date one
    # after another, and for a while an older one writes rows.
    is_private = models.BooleanField(
        default=False, db_default=False, help_text="not for everybody to watch"
    )
    club = models.ForeignKey(
        "clubs.ClubRow",
        null=True,
        on_delete=models.SET_NULL,
        related_name="matches",
        help_text="whose members may watch, if it is private",
    )
    series = models.ForeignKey(
        "SeriesRow", null=True, on_delete=models.CASCADE, related_name="matches"
    )
    rematch_of = models.OneToOneField(
        "self", null=True, on_delete=models.SET_NULL, related_name="rematch"
    )
    begun_at = models.BigIntegerField(help_text="milliseconds since 1970")
    changed_at = models.BigIntegerField(default=0, help_text="milliseconds since 1970")
    version = models.PositiveIntegerField(default=0, help_text="number of events")
    seat_to_move = models.PositiveSmallIntegerField(null=True)
    deadline = models.BigIntegerField(null=True, help_text="when the flag falls")
    ended_at = models.BigIntegerField(null=True)
    result = models.CharField(max_length=120, blank=True)

    class Meta:
        """Lists ask for what goes on, and the clock for the next flag."""

        indexes = [
            models.Index(fields=["ended_at", "begun_at"]),
            models.Index(fields=["deadline"]),
        ]

    def __str__(self) -> str:
        """Name game and address."""
        return f"{self.game_id} {self.slug}"

    @property
    def game(self) -> BoardGame[Any, Any]:
        """The rules with their options."""
        return make_game(self.game_id, self.options)

    def terms(self) -> Terms:
        """Return what was agreed."""
        players = tuple(str(seat.user_id) for seat in self.seats.all())
        return Terms(
            game=self.game,
            players=players,
            control=read_control(self.control),
            rated=self.rated,
            analysis=self.analysis,
        )

    def match(self) -> Match:
        """Return how the match stood at the version of this row.

        Events that another process has written since the row was read are left out.
        """
        known = (row for row in self.events.all() if row.number < self.version)
        events = (read_event(row.data) for row in known)
        return Match.replayed(self.terms(), self.begun_at, events)


class SeriesRow(models.Model):
    """Games of Antipalos' match play, one after another until a side has enough points."""

    slug = models.CharField(max_length=16, unique=True, default=new_slug)
    game_id = models.CharField(max_length=32)
    options = models.JSONField(default=dict)
    control = models.CharField(max_length=60, default="unlimited")
    rated = models.BooleanField(default=False)
    analysis = models.BooleanField(default=True)
    target = models.PositiveSmallIntegerField(help_text="points that win the series")
    sides = models.JSONField(help_text="for each side its users' keys, in the order of turns")
    scores = models.JSONField(default=list)
    beginner = models.PositiveSmallIntegerField(default=0)
    games = models.PositiveSmallIntegerField(default=0)
    ended_at = models.BigIntegerField(null=True)

    def __str__(self) -> str:
        """Name target and address."""
        return f"to {self.target} points {self.slug}"

    @property
    def winner(self) -> int | None:
        """The side that has won, or ``None`` while the series goes on."""
        reached = [side for side, score in enumerate(self.scores) if score >= self.target]
        return reached[0] if reached else None

    def series(self) -> Series:
        """Return the series at its present standing."""
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
    """Who sits where."""

    match = models.ForeignKey(MatchRow, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="seats"
    )

    class Meta:
        """In the order of the first turns; all matches of somebody are read off one index."""

        ordering = ["number"]
        indexes = [models.Index(fields=["user", "match"], name="matches_of_user")]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="one_user_on_a_seat")
        ]

    def __str__(self) -> str:
        """Name the seat and its user."""
        return f"seat {self.number}: {self.user}"


def seated(path: str = "seats") -> models.Prefetch[str, models.QuerySet[SeatRow], str]:
    """Return what fetches the seats of matches, with the users on them, in one query.

    Named as ``seats__user`` users would be fetched by a list of their keys, and SQLite refuses that
    of more than a thousand.

    Args:
        path: from the rows that are asked for to the seats.
    """
    return models.Prefetch(path, SeatRow.objects.select_related("user"))


class EventRow(models.Model):
    """One event of a match, in the order in which they happened."""

    match = models.ForeignKey(MatchRow, on_delete=models.CASCADE, related_name="events")
    number = models.PositiveIntegerField()
    data = models.JSONField()

    class Meta:
        """Two events can never have the same number, whoever writes them."""

        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="one_event_for_a_number")
        ]

    def __str__(self) -> str:
        """Name the number and the kind."""
        return f"{self.number} {self.data.get('kind')}"


class ChatLine(models.Model):
    """Something said at a match; players and spectators do not read each other."""

    class Room(models.TextChoices):
        """Who talks."""

        SEATED = "seated"
        SPECTATORS = "spectators"

    match = models.ForeignKey(MatchRow, on_delete=models.CASCADE, related_name="chat")
    room = models.CharField(max_length=12, choices=Room.choices)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    text = models.CharField(max_length=500)
    key = models.CharField(max_length=64, default=new_slug, help_text="to say a line once")
    at = models.BigIntegerField(help_text="milliseconds since 1970")

    class Meta:
        """As it was said; nothing is said twice."""

        ordering = ["at", "id"]
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="said_once")]

    def __str__(self) -> str:
        """Show the words."""
        return self.text


class ViewerStateRow(models.Model):
    """What a match keeps for one user alone: private notes, and how far they have seen it."""

    match = models.ForeignKey(MatchRow, on_delete=models.CASCADE, related_name="visits")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    notes = models.TextField(blank=True)
    seen = models.PositiveIntegerField(
        null=True, help_text="moves that there were at the last visit"
    )

    class Meta:
        """One for each user."""

        constraints = [
            models.UniqueConstraint(fields=["match", "user"], name="one_visit_of_a_user")
        ]

    def __str__(self) -> str:
        """Name whose it is."""
        return f"{self.user} at {self.match}"


class WatchRow(models.Model):
    """Somebody follows a match: is told of each move, or of its end alone."""

    match = models.ForeignKey(MatchRow, on_delete=models.CASCADE, related_name="watchers")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="watched_matches"
    )
    each_move = models.BooleanField(default=False, help_text="or the end alone")
    told = models.PositiveIntegerField(default=0, help_text="version of which the user was told")
    is_done = models.BooleanField(default=False, help_text="the end was told")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Nobody follows a match twice; what is left to be told is found quickly."""

        verbose_name = _("followed match")
        verbose_name_plural = _("followed matches")
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="watched_once")]
        indexes = [
            models.Index(fields=["match"], condition=Q(is_done=False), name="watches_to_be_told")
        ]

    def __str__(self) -> str:
        """Say who follows what."""
        return f"{self.user} -> {self.match}"
