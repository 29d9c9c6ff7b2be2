"""The lists of the lobby."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Q

from antipodes.clocks import DAY, MINUTE, Pace
from antipodes.search.levels import level_of, levels
from antipodes.web.accounts.models import User
from antipodes.web.archive.finished_games import last_finished, outcomes_of
from antipodes.web.challenges.eligibility import Viewer
from antipodes.web.challenges.filters import Filter
from antipodes.web.challenges.selectors import (
    ChallengeLine,
    OpenChallenges,
    PersonalChallenges,
    open_challenges,
    personal_challenges,
)
from antipodes.web.matches.access import played_by, visible_to
from antipodes.web.matches.labels import pace_of
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.matches.selectors import (
    MatchLine,
    _matches,
    followed_matches,
    match_line,
    own_matches,
)
from antipodes.web.matchmaking.selectors import SeekLine, open_seeks, seeks
from antipodes.web.platform import heartbeats
from antipodes.web.platform.clock import now
from antipodes.web.ratings.models import RatingChange
from antipodes.web.tournaments.models import TournamentRow
from antipodes.web.tournaments.selectors import upcoming

_MOST = 24
_MOST_FINISHED = 6
_MOST_FOLLOWED = 3
_MOST_EVENTS = 5
_SOON = 7 * DAY  # milliseconds until an event starts
_RECENT = 15 * MINUTE  # milliseconds since the last change of a live match


@dataclass(frozen=True)
class LobbyLists:
    """All lists of the lobby, for one user.

    Attributes:
        online: number of users who have a page of the site open.
        friends: those of them who follow the user, and whom the user follows.
    """

    online: int
    friends: list[User]
    my_turn: list[MatchLine]
    waiting: list[MatchLine]
    invitations: list[ChallengeLine]
    own_challenges: list[ChallengeLine]
    open_challenges: OpenChallenges
    seeks: list[SeekLine]
    open_seeks: list[SeekLine]
    live: list[MatchLine]
    events: list[TournamentRow]
    finished: list[MatchLine]


def lobby_lists(user: User | None, chosen: Filter | None = None) -> LobbyLists:
    """Return the lists of the lobby for a user, with a filter of open challenges."""
    in_progress = [] if user is None else own_matches(user)
    personal = PersonalChallenges([], []) if user is None else personal_challenges(user)
    viewer = Viewer(user)
    online = heartbeats.online()
    return LobbyLists(
        online=len(online),
        friends=[] if user is None else _friends(user, online),
        my_turn=[line for line in in_progress if line.is_my_turn],
        waiting=[line for line in in_progress if not line.is_my_turn],
        invitations=personal.invitations,
        own_challenges=personal.own,
        open_challenges=open_challenges(viewer, chosen or Filter()),
        seeks=[] if user is None else seeks(user),
        open_seeks=open_seeks(viewer),
        live=_live(user),
        events=list(upcoming(user).filter(starts_at__lt=now() + _SOON)[:_MOST_EVENTS]),
        finished=[] if user is None else _finished(user),
    )


def _friends(user: User, online: Collection[int]) -> list[User]:
    """Return the online users who follow a user and whom the user follows."""
    friends = User.objects.filter(followed_by__by=user, follows__whom=user, pk__in=online)
    return list(friends.order_by("username")[:_MOST])


def followed_games(user: User) -> list[MatchLine]:
    """Return the games in progress of the players whom a user follows, the last moves first."""
    if not user.follows.exists():
        return []
    rows = followed_matches(user).filter(ended_at=None).order_by("-changed_at", "-begun_at")
    return [match_line(row, None) for row in rows[:_MOST_FOLLOWED]]


def is_regular(user: User) -> bool:
    """Return whether a user has an account and has begun a match."""
    return not user.is_guest and user.seats.exists()


def next_level(user: User, game_id: str) -> int | None:
    """Return the computer's level for a user's next game: after a victory, the next one.

    ``None`` means that the user has not finished a game of that kind against the computer alone.
    """
    rows = MatchRow.objects.filter(pk__in=played_by(user), game_id=game_id, ended_at__isnull=False)
    row = rows.filter(seats__user__computer__gt="").order_by("-ended_at").first()
    if row is None:
        return None
    players = {seat.user.computer for seat in row.seats.select_related("user")} - {""}
    level = level_of(min(players))
    if level is None:
        return None
    has_won = outcomes_of(user, [row]).get(row.pk) is RatingChange.Outcome.WON
    return min(level.number + has_won, levels()[-1].number)


def _finished(user: User) -> list[MatchLine]:
    rows = last_finished(user, user, _MOST_FINISHED).prefetch_related(seated())
    return [match_line(row, user) for row in rows]


def _live(user: User | None) -> list[MatchLine]:
    """Return matches of others with recent moves, those between people first."""
    found = live_matches(user, _MOST)
    found.sort(key=lambda row: any(seat.user.is_computer for seat in row.seats.all()))
    return [match_line(row, None) for row in found]


def live_matches(user: User | None, most: int, game_id: str = "") -> list[MatchRow]:
    """Return the latest matches of others with recent moves, of all games or of one.

    Matches that began from a position are practice and not listed, except those of tournaments.
    """
    is_practice = Q(start__isnull=False, tournament_game=None)
    rows = _matches().filter(~is_practice, visible_to(user), ended_at=None)
    rows = rows.filter(version__gt=0, changed_at__gt=now() - _RECENT)
    if game_id:
        rows = rows.filter(game_id=game_id)
    if user is not None:
        rows = rows.exclude(pk__in=played_by(user))
    return [row for row in rows.order_by("-begun_at", "-pk")[:most] if _is_live(row)]


def _is_live(row: MatchRow) -> bool:
    return pace_of(row.control) is not Pace.CORRESPONDENCE
