"""Lists of events, and the players, rounds and tables of one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from django.core.cache import cache
from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import gettext as _

import antipodes
from antipodes.tournaments import (
    LARGEST_CROSSTABLE,
    Crosstable,
    Part,
    Score,
    Standing,
    performances,
    total,
)
from antipodes.web.accounts.models import User
from antipodes.web.clubs.models import ClubRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.platform.clock import now
from antipodes.web.tournaments.access import visible_to
from antipodes.web.tournaments.models import (
    BEFORE_START,
    OVER,
    SEATS,
    UNDER_WAY,
    EntryRow,
    GameRow,
    PairingRow,
    TournamentRow,
    TournamentState,
)
from antipodes.web.tournaments.rounds import pairings_of, state_of

_KEPT = 3_600  # seconds for which a table is cached
_FEW = 500  # pairings whose games a query can name one by one
_MOST_TROPHIES = 30
_MOST_OF_CLUB = 24  # events that are not over
_LATEST_OF_CLUB = 6  # finished events
_MOST_IN_BRACKET = 64  # players
_MOST_PARTS = 17  # such as a final and 16 groups
_LEAST_FOR_TROPHY = 4  # players
# Events without a time of their start come last, whatever the database.
_NEXT_FIRST = (F("starts_at").asc(nulls_last=True), F("made_at").asc())


def counted(rows: QuerySet[TournamentRow]) -> QuerySet[TournamentRow]:
    """Add the number of players to events."""
    players = Count("entries", filter=Q(entries__is_withdrawn=False))
    return rows.select_related("host", "club", "guest_club").annotate(players=players)


def upcoming(user: User | None) -> QuerySet[TournamentRow]:
    """Return the events that a user may see and that have not begun, the next one first."""
    rows = counted(TournamentRow.objects.filter(visible_to(user), state__in=BEFORE_START))
    return rows.order_by(*_NEXT_FIRST)


def running(user: User | None) -> QuerySet[TournamentRow]:
    """Return the events that a user may see and that have begun, the latest first."""
    rows = counted(TournamentRow.objects.filter(visible_to(user), state__in=UNDER_WAY))
    return rows.order_by("-begun_at")


def finished(user: User | None) -> QuerySet[TournamentRow]:
    """Return the finished events that a user may see, the latest first."""
    rows = counted(TournamentRow.objects.filter(visible_to(user), state=TournamentState.FINISHED))
    return rows.order_by("-ended_at")


def own(user: User) -> QuerySet[TournamentRow]:
    """Return the events that a user plays in or hosts and that are not over."""
    plays = EntryRow.objects.filter(user=user, is_withdrawn=False).values("tournament")
    mine = Q(host=user) | Q(pk__in=plays)
    rows = TournamentRow.objects.filter(mine).exclude(state__in=OVER)
    # Most users have none, and to ask so costs less than to count the players of events.
    return counted(rows).order_by(*_NEXT_FIRST) if rows.exists() else rows.none()


def events_of_club(club: ClubRow, user: User | None) -> list[TournamentRow]:
    """Return the events of a club that a user may see: all that are not over, and the latest."""
    of_club = Q(club=club) | Q(guest_club=club)
    rows = counted(TournamentRow.objects.filter(visible_to(user)).filter(of_club))
    going_on = rows.exclude(state__in=OVER).order_by(*_NEXT_FIRST)[:_MOST_OF_CLUB]
    over = rows.filter(state=TournamentState.FINISHED).order_by("-ended_at")[:_LATEST_OF_CLUB]
    return [*going_on, *over]


def days_of(rows: Sequence[TournamentRow]) -> list[tuple[date | None, list[TournamentRow]]]:
    """Return events by the day on which they start, in order; at last those without a time."""
    rows_of_day: defaultdict[date | None, list[TournamentRow]] = defaultdict(list)
    for row in rows:
        day = None if row.starts_at is None else instant(row.starts_at).date()
        rows_of_day[day].append(row)
    return sorted(rows_of_day.items(), key=lambda pair: (pair[0] is None, pair[0] or date.min))


def instant(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1_000, UTC)


@dataclass(frozen=True)
class TableLine:
    """A player in the table.

    Attributes:
        standing: rank, points and tie-breaks.
        entry: the player.
        performance: the rating that fits the results; ``None`` without results against others, and
            in casual events.
    """

    standing: Standing
    entry: EntryRow
    performance: int | None


def _cache_key(what: str, row: TournamentRow) -> str:
    # Neither another database nor another version of the program shares what is cached.
    return f"tournament-{what}:{antipodes.__version__}:{row.slug}:{row.version}"


def table(row: TournamentRow) -> list[Standing]:
    """Return the standings of an event, cached by its version; none before it begins."""
    if row.begun_at is None:
        return []
    key = _cache_key("table", row)
    known = cache.get(key)
    if known is None:
        known = row.format.table(state_of(row))
        cache.set(key, known, _KEPT)
    standings: list[Standing] = known
    return standings


def _performances(row: TournamentRow) -> dict[int, int]:
    """Return the performance ratings in a rated event, cached by its version."""
    if not row.rated:
        return {}
    key = _cache_key("performances", row)
    known = cache.get(key)
    if known is None:
        ratings = {number: one.rating for number, one in entries_of(row).items()}
        known = performances(ratings, pairings_of(row))
        cache.set(key, known, _KEPT)
    ratings_by_number: dict[int, int] = known
    return ratings_by_number


def parts(row: TournamentRow, own: int | None) -> list[Part]:
    """Return the crosstables and brackets of an event, those that are small enough for its page.

    Args:
        row: the event; there are none before it begins.
        own: the pairing number of the viewer, whose group is shown even if there are many.
    """
    if row.begun_at is None:
        return []
    key = _cache_key("parts", row)
    known = cache.get(key)
    if known is None:
        known = [one for one in row.format.parts(state_of(row)) if _is_small(one)]
        cache.set(key, known, _KEPT)
    small: list[Part] = known
    return [one for at, one in enumerate(small) if at < _MOST_PARTS or own in one.players]


def _is_small(part: Part) -> bool:
    most = LARGEST_CROSSTABLE if isinstance(part, Crosstable) else _MOST_IN_BRACKET
    return len(part.players) <= most


def entries_of(row: TournamentRow) -> dict[int, EntryRow]:
    """Return the players of an event by their pairing numbers."""
    rows = row.entries.exclude(number=None).select_related("user")
    return {one.number: one for one in rows if one.number is not None}


def table_lines(row: TournamentRow, shown: Sequence[Standing] | None = None) -> list[TableLine]:
    """Return the table of an event that has begun, or some of its rows."""
    rows = table(row) if shown is None else shown
    players = row.entries.select_related("user")
    if shown is not None:
        players = players.filter(number__in=[one.player for one in rows])
    entries = {one.number: one for one in players}
    known = _performances(row)
    return [TableLine(one, entries[one.player], known.get(one.player)) for one in rows]


@dataclass(frozen=True)
class PairingLine:
    """A pairing with its games.

    Attributes:
        row: the pairing.
        games: its games in order.
    """

    row: PairingRow
    games: list[GameRow]

    @property
    def score(self) -> Score | None:
        """The points of two players in the games that are over; ``None`` before the first one."""
        known = [one.as_bout_game() for one in self.games if one.first_points is not None]
        return total(known) if known and self.row.third_id is None else None

    @property
    def shows_score(self) -> bool:
        """Whether the score of the games tells more than the result of the pairing."""
        return self.score not in {None, self.row.points}


def pairing_lines(row: TournamentRow) -> list[PairingLine]:
    """Return all pairings of an event."""
    return with_games(row.pairings.order_by("round", "table"))


def with_games(pairings: QuerySet[PairingRow]) -> list[PairingLine]:
    """Return pairings with their players and games; an arena's latest ones are few."""
    players = (f"{seat}__user" for seat in SEATS)
    rows = list(pairings.select_related("tournament", *players))
    games = GameRow.objects.filter(pairing__tournament__in={one.tournament_id for one in rows})
    if len(rows) <= _FEW:
        games = GameRow.objects.filter(pairing__in=[one.pk for one in rows])
    games_of: defaultdict[int, list[GameRow]] = defaultdict(list)
    for game in games.select_related("match").order_by("number"):
        games_of[game.pairing_id].append(game)
    return [PairingLine(one, games_of[one.pk]) for one in rows]


def pairing_of(match: MatchRow) -> PairingLine | None:
    """Return the pairing of an event to which a match belongs, with all its games."""
    pairings = PairingRow.objects.filter(games__match=match)
    # Most matches have none, which is cheaper to ask than to read with all players.
    return next(iter(with_games(pairings)), None) if pairings.exists() else None


@dataclass(frozen=True)
class Trophy:
    """A rank among the first three of a finished event.

    Attributes:
        row: the event.
        rank: 1 to 3.
        ended: when it ended.
    """

    row: TournamentRow
    rank: int
    ended: datetime

    @property
    def place(self) -> str:
        """The rank in words."""
        return (_("First place"), _("Second place"), _("Third place"))[self.rank - 1]


def trophies_of(user: User, viewer: User | None) -> list[Trophy]:
    """Return the trophies of a player in events that a viewer may see, the latest first."""
    seen = TournamentRow.objects.filter(visible_to(viewer)).values("pk")
    entries = EntryRow.objects.filter(
        user=user, rank__lte=3, tournament__state=TournamentState.FINISHED, tournament__in=seen
    ).annotate(players=Count("tournament__entries"))
    entries = entries.filter(players__gte=_LEAST_FOR_TROPHY).select_related("tournament")
    return [
        Trophy(entry.tournament, entry.rank or 0, instant(entry.tournament.ended_at or now()))
        for entry in entries.order_by("-tournament__ended_at")[:_MOST_TROPHIES]
    ]
