"""Models of tournaments: events, players, pairings, games and the log.

Every step of an event is one transaction that locks the event, changes rows and adds an entry to
the log. The log has all that the step decided, so that `log.replay` rebuilds the other tables from
it, and unique constraints refuse a pairing or a game that exists already.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from antipodes.clocks import SECOND, Pace, read_control
from antipodes.games.position import Game
from antipodes.games.registry import make_game
from antipodes.lab.openings import read_opening
from antipodes.match import Start
from antipodes.tournaments import (
    PLAYOFF_BOUT,
    PLAYOFF_CONTROL,
    SINGLE,
    Bout,
    BoutGame,
    Format,
    TieBreak,
    make_bout,
    make_format,
    opening_of_game,
)
from antipodes.web.clubs.models import ClubRow
from antipodes.web.matches.models import MatchRow, new_slug

_USER = settings.AUTH_USER_MODEL
_TIME = "milliseconds since 1970"


class TournamentState(models.TextChoices):
    """How far an event is."""

    ANNOUNCED = "announced", _("announced")
    OPEN = "open", _("open for registration")
    CHECK_IN = "check-in", _("check-in")
    RUNNING = "running", _("running")
    PAUSED = "paused", _("paused")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")


BEFORE_START = (TournamentState.ANNOUNCED, TournamentState.OPEN, TournamentState.CHECK_IN)
UNDER_WAY = (TournamentState.RUNNING, TournamentState.PAUSED)
OVER = (TournamentState.FINISHED, TournamentState.CANCELLED)


class Repeat(models.TextChoices):
    """When the next event of the same kind begins."""

    NEVER = "", _("once")
    WEEKLY = "weekly", _("every week")
    MONTHLY = "monthly", _("every month")


class TournamentRow(models.Model):
    """An event with its rules."""

    slug = models.CharField(max_length=16, unique=True, default=new_slug)
    title = models.CharField(max_length=80)
    description = models.TextField(blank=True)
    host = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="hosted_tournaments")
    club = models.ForeignKey(
        "clubs.ClubRow",
        null=True,
        on_delete=models.SET_NULL,
        related_name="tournaments",
        help_text="only its members may join",
    )
    guest_club = models.ForeignKey(
        "clubs.ClubRow",
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="whose members play against those of the club, in a match of teams",
    )
    is_private = models.BooleanField(
        default=False, help_text="only members of the club and players may see it"
    )

    format_name = models.CharField(max_length=20)
    rules = models.JSONField(default=dict, help_text="of the format; others have their defaults")
    games = models.CharField(
        max_length=12, default=SINGLE.name, help_text="of a pairing: the name of a bout"
    )
    tie_breaks = models.JSONField(default=list)

    game_id = models.CharField(max_length=32)
    options = models.JSONField(default=dict)
    openings = models.JSONField(
        default=list, help_text="of the games: moves with spaces between them"
    )
    control = models.CharField(max_length=60)
    rated = models.BooleanField(default=False)

    opens_at = models.BigIntegerField(null=True, help_text=f"{_TIME}; registration")
    starts_at = models.BigIntegerField(null=True, help_text=f"{_TIME}; empty: by the director")
    check_in = models.PositiveSmallIntegerField(default=0, help_text="minutes before the start")
    starts_when_full = models.BooleanField(default=False)
    most_players = models.PositiveSmallIntegerField()
    lowest = models.PositiveSmallIntegerField(null=True, help_text="rating of players")
    highest = models.PositiveSmallIntegerField(null=True, help_text="rating of players")
    least_games = models.PositiveSmallIntegerField(default=0, help_text="rated games of players")
    allows_bots = models.BooleanField(default=False)
    by_invitation = models.BooleanField(
        default=False, help_text="only the host and invited players may join"
    )
    filler = models.CharField(
        max_length=8, blank=True, help_text="level of the computer that evens out the players"
    )
    repeats = models.CharField(max_length=8, choices=Repeat.choices, blank=True)
    previous = models.OneToOneField(
        "self", null=True, on_delete=models.SET_NULL, related_name="following"
    )

    series = models.ForeignKey(
        "self",
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="the first event of those that it repeats",
    )

    state = models.CharField(
        max_length=12, choices=TournamentState.choices, default=TournamentState.OPEN
    )
    round = models.PositiveSmallIntegerField(default=0, help_text="the latest that is paired")
    last_round = models.PositiveSmallIntegerField(null=True, help_text="known when it has begun")
    version = models.PositiveIntegerField(default=0, help_text="number of entries of the log")
    due_at = models.BigIntegerField(null=True, help_text=f"{_TIME}; of the next step")
    made_at = models.BigIntegerField(help_text=_TIME)
    begun_at = models.BigIntegerField(null=True, help_text=_TIME)
    ended_at = models.BigIntegerField(null=True, help_text=_TIME)

    class Meta:
        """Indexes for lists by state, and for the next step."""

        indexes = [
            models.Index(fields=["state", "starts_at"], name="tournaments_by_state"),
            models.Index(
                fields=["due_at"], condition=Q(due_at__isnull=False), name="tournaments_due"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title} {self.slug}"

    @cached_property
    def format(self) -> Format:
        return make_format(self.format_name, self.rules)

    @property
    def game(self) -> Game:
        return make_game(self.game_id, self.options)

    @cached_property
    def opening_starts(self) -> list[Start]:
        """Where games begin: the openings of the event."""
        return [Start(moves=read_opening(self.game, one)) for one in self.openings]

    @property
    def pace(self) -> Pace:
        """Whether games are live or correspondence."""
        return read_control(self.control).pace

    @property
    def is_before_start(self) -> bool:
        """Whether it has not begun."""
        return self.state in BEFORE_START

    @property
    def is_under_way(self) -> bool:
        """Whether it is running or paused."""
        return self.state in UNDER_WAY

    @property
    def is_over(self) -> bool:
        """Whether it is finished or cancelled."""
        return self.state in OVER

    @property
    def is_continuous(self) -> bool:
        """Whether its games begin at any time, without rounds."""
        return self.format.is_continuous

    @property
    def ends_at(self) -> int | None:
        """When its time is up, in milliseconds since 1970; ``None`` if that is not known."""
        if self.format.duration is None or self.begun_at is None:
            return None
        return self.begun_at + self.format.duration * SECOND

    @property
    def bout(self) -> Bout:
        """The games of a pairing."""
        return make_bout(self.games)

    @property
    def counts_chart(self) -> bool:
        """Whether a win counts its points of Chart A."""
        return self.format.counts_chart or self.bout.counts_chart

    @property
    def teams(self) -> dict[int, ClubRow]:
        """The clubs whose members play against each other, by their numbers."""
        if self.club is None or self.guest_club is None:
            return {}
        return {1: self.club, 2: self.guest_club}

    @property
    def has_larger_tables(self) -> bool:
        """Whether its games have three or four players."""
        return self.format.seats != Format.seats

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side of a game."""
        game = self.game
        return tuple(game.seats_of(color) for color in game.colors)

    @property
    def ranking(self) -> list[TieBreak]:
        return [TieBreak(name) for name in self.tie_breaks]


class EntryRow(models.Model):
    """A player of an event."""

    tournament = models.ForeignKey(TournamentRow, on_delete=models.CASCADE, related_name="entries")
    user = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="tournament_entries")
    number = models.PositiveSmallIntegerField(
        null=True, help_text="pairing number, from 1 by rating; given at the start"
    )
    rating = models.PositiveSmallIntegerField(help_text="when the player joined")
    is_provisional = models.BooleanField(default=False)
    team = models.PositiveSmallIntegerField(
        null=True, help_text="1 for the club of the event, 2 for its guests"
    )
    place = models.PositiveSmallIntegerField(null=True, help_text="in a ladder, from 1")
    joined_at = models.BigIntegerField(help_text=_TIME)
    is_checked_in = models.BooleanField(default=False)
    is_withdrawn = models.BooleanField(default=False)
    free_since = models.BigIntegerField(
        null=True, help_text=f"{_TIME}; in an arena or ladder, since when the player has no game"
    )
    rank = models.PositiveSmallIntegerField(null=True, help_text="when the event has ended")

    class Meta:
        """A user joins once, and no two players share a number."""

        ordering = ["number", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "user"], name="tournament_one_entry"),
            models.UniqueConstraint(fields=["tournament", "number"], name="tournament_one_number"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.user}"


class InvitationRow(models.Model):
    """A player whom a director has invited to an event."""

    tournament = models.ForeignKey(
        TournamentRow, on_delete=models.CASCADE, related_name="invitations"
    )
    user = models.ForeignKey(_USER, on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(_USER, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.BigIntegerField(help_text=_TIME)

    class Meta:
        """A user is invited once."""

        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "user"], name="tournament_one_invitation")
        ]

    def __str__(self) -> str:
        return str(self.user)


SEATS = ("first", "second", "third", "fourth")
POINTS = tuple(f"{seat}_points" for seat in SEATS)


def _seat_of_table() -> models.ForeignKey[EntryRow | None, EntryRow | None]:
    return models.ForeignKey(EntryRow, null=True, on_delete=models.CASCADE, related_name="+")


class PairingRow(models.Model):
    """Players who meet in a round, two or those of a larger table, or one with a bye."""

    tournament = models.ForeignKey(TournamentRow, on_delete=models.CASCADE, related_name="pairings")
    round = models.PositiveSmallIntegerField()
    table = models.PositiveSmallIntegerField(help_text="from 1, the leaders first")
    first = models.ForeignKey(EntryRow, on_delete=models.CASCADE, related_name="+")
    second = _seat_of_table()
    third = _seat_of_table()
    fourth = _seat_of_table()
    first_points = models.FloatField(null=True)
    second_points = models.FloatField(null=True)
    third_points = models.FloatField(null=True)
    fourth_points = models.FloatField(null=True)
    needs_winner = models.BooleanField(default=False, help_text="as in a knockout")
    opening = models.PositiveSmallIntegerField(
        null=True, help_text="of the first game: its number from 1 among those of the event"
    )
    is_playoff = models.BooleanField(
        default=False, help_text="with short games, for the first place"
    )
    is_forfeit = models.BooleanField(default=False)
    is_adjudicated = models.BooleanField(default=False)

    class Meta:
        """Each player is paired once in a round."""

        ordering = ["round", "table"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "round", "table"], name="tournament_one_pairing"
            ),
            models.UniqueConstraint(
                fields=["tournament", "round", "first"], name="tournament_one_first"
            ),
            models.UniqueConstraint(
                fields=["tournament", "round", "second"], name="tournament_one_second"
            ),
            models.UniqueConstraint(
                fields=["tournament", "round", "third"], name="tournament_one_third"
            ),
            models.UniqueConstraint(
                fields=["tournament", "round", "fourth"], name="tournament_one_fourth"
            ),
        ]
        indexes = [
            models.Index(
                fields=["tournament"],
                condition=Q(first_points__isnull=True),
                name="tournament_undecided",
            )
        ]

    def __str__(self) -> str:
        return f"round {self.round}, table {self.table}"

    @property
    def bout(self) -> Bout:
        """The games: those of the event, or of a playoff."""
        return PLAYOFF_BOUT if self.is_playoff else self.tournament.bout

    @property
    def control(self) -> str:
        """The clock: that of the event, or of a playoff."""
        return PLAYOFF_CONTROL if self.is_playoff else self.tournament.control

    def opening_number(self, game: int) -> int | None:
        """Return the number of the opening of a game; ``None`` in an event without openings."""
        if self.opening is None:
            return None
        return opening_of_game(self.opening, game, len(self.tournament.openings))

    def opening_moves(self, game: int = 1) -> str:
        """Return the moves that are given in a game; empty in an event without openings."""
        number = self.opening_number(game)
        return "" if number is None else str(self.tournament.openings[number - 1])

    @property
    def players(self) -> list[EntryRow]:
        """The players in the order of their seats."""
        seats = (self.first, self.second, self.third, self.fourth)
        return [one for one in seats if one is not None]

    @property
    def points(self) -> tuple[float, ...] | None:
        """The points of the players; ``None`` while they are not decided."""
        if self.first_points is None:
            return None
        stored = (getattr(self, name) for name in POINTS)
        return tuple(one for one in stored if one is not None)

    @points.setter
    def points(self, points: Sequence[float]) -> None:
        for name, value in zip(POINTS, points, strict=False):
            setattr(self, name, value)

    @property
    def is_bye(self) -> bool:
        """Whether the player has no opponent."""
        return self.second_id is None

    @property
    def is_decided(self) -> bool:
        """Whether the points are known."""
        return self.first_points is not None


class GameRow(models.Model):
    """A game of a pairing; the number makes sure that each is begun once."""

    pairing = models.ForeignKey(PairingRow, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField(help_text="from 1")
    is_exchanged = models.BooleanField(
        default=False, help_text="the pairing's second player has the first seat"
    )
    match = models.OneToOneField(MatchRow, on_delete=models.PROTECT, related_name="tournament_game")
    first_points = models.FloatField(null=True, help_text="of the pairing's first player")
    other_points = models.JSONField(default=list, help_text="of the others, in their order")
    is_forfeit = models.BooleanField(default=False, help_text="the loser made no move")

    class Meta:
        """A game of a pairing begins once; an index finds the unfinished ones."""

        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["pairing", "number"], name="tournament_one_game")
        ]
        indexes = [
            models.Index(
                fields=["match"],
                condition=Q(first_points__isnull=True),
                name="tournament_unfinished",
            )
        ]

    def __str__(self) -> str:
        return f"game {self.number} of {self.pairing}"

    def as_bout_game(self) -> BoutGame:
        """Return the game of two players as bouts know it."""
        if self.first_points is None:
            return BoutGame(None)
        return BoutGame((self.first_points, *self.other_points), self.is_forfeit)


class LogRow(models.Model):
    """A step of an event: its decision, the actor and the reason."""

    tournament = models.ForeignKey(TournamentRow, on_delete=models.CASCADE, related_name="log")
    number = models.PositiveIntegerField(help_text="from 0")
    kind = models.CharField(max_length=16)
    by = models.ForeignKey(
        _USER,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="empty: the site, by its clock",
    )
    reason = models.CharField(max_length=300, blank=True)
    data = models.JSONField(default=dict)
    at = models.BigIntegerField(help_text=_TIME)
    is_told = models.BooleanField(default=True, help_text="players were notified of it")

    class Meta:
        """In their order, each number once; an index finds those to notify of."""

        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="tournament_one_step")
        ]
        indexes = [
            models.Index(fields=["at"], condition=Q(is_told=False), name="tournament_untold")
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.kind}"
