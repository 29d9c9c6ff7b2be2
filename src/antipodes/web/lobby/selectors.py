"""What lists of matches and challenges show."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from antipodes.clocks import Pace
from antipodes.web.archive.finished import last_finished
from antipodes.web.languages.library import game_words, result_words
from antipodes.web.lobby.filters import Filter
from antipodes.web.lobby.fitness import Viewer
from antipodes.web.lobby.seeks import (
    ChallengeLine,
    OpenChallenges,
    SearchLine,
    invitations,
    open_challenges,
    own_challenges,
    searches,
)
from antipodes.web.lobby.words import duration_words, pace_of
from antipodes.web.matches.access import played_by, visible_to
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.matches.services import now
from antipodes.web.people.models import User

_MOST = 24
_RECENT = 15 * 60_000  # milliseconds: where nobody has done anything since, nothing is live


@dataclass(frozen=True)
class MatchLine:
    """A match in a list.

    Attributes:
        row: the match.
        title: the game, with options that are not the usual ones.
        with_whom: the others, or all players for somebody who does not play.
        is_my_turn: whether the person who looks is to move.
        state: whose turn it is, or how it ended.
        time: how long the one who is to move has left; empty without a clock.
    """

    row: MatchRow
    title: str
    with_whom: str
    is_my_turn: bool
    state: str
    time: str

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.row.ended_at is not None


@dataclass(frozen=True)
class Tables:
    """All that the lobby shows to somebody."""

    my_turn: list[MatchLine]
    waiting: list[MatchLine]
    invitations: list[ChallengeLine]
    own_challenges: list[ChallengeLine]
    open_challenges: OpenChallenges
    searches: list[SearchLine]
    live: list[MatchLine]
    finished: list[MatchLine]


def tables(user: User | None, wanted: Filter | None = None) -> Tables:
    """Return what the lobby shows to somebody who wants to see some open challenges or all."""
    going_on = [] if user is None else own_matches(user)
    viewer = Viewer(user)
    return Tables(
        my_turn=[line for line in going_on if line.is_my_turn],
        waiting=[line for line in going_on if not line.is_my_turn],
        invitations=[] if user is None else invitations(user),
        own_challenges=[] if user is None else own_challenges(user),
        open_challenges=open_challenges(viewer, wanted or Filter()),
        searches=[] if user is None else searches(user),
        live=_live(user),
        finished=[] if user is None else _finished(user),
    )


def own_matches(user: User) -> list[MatchLine]:
    """Return a user's matches that go on: own turns first, the most urgent at the top."""
    # Few matches go on, but somebody may have played very many.
    rows = _matches().filter(pk__in=played_by(user), ended_at=None).order_by("-begun_at")
    lines = [match_line(row, user) for row in rows]
    never = float("inf")
    return sorted(lines, key=lambda one: (not one.is_my_turn, one.row.deadline or never))


def _finished(user: User) -> list[MatchLine]:
    rows = last_finished(user, user, _MOST).prefetch_related(seated())
    return [match_line(row, user) for row in rows]


def _live(user: User | None) -> list[MatchLine]:
    """Return matches of others that go on right now, those between people first."""
    rows = _matches().filter(visible_to(user), ended_at=None)
    rows = rows.filter(version__gt=0, changed_at__gt=now() - _RECENT)
    if user is not None:
        rows = rows.exclude(pk__in=played_by(user))
    found = [row for row in rows.order_by("-begun_at")[:_MOST] if _is_live(row)]
    found.sort(key=lambda row: any(seat.user.is_computer for seat in row.seats.all()))
    return [match_line(row, None) for row in found]


def _is_live(row: MatchRow) -> bool:
    return pace_of(row.control) is not Pace.CORRESPONDENCE


def _matches() -> QuerySet[MatchRow]:
    return MatchRow.objects.prefetch_related(seated())


def match_line(row: MatchRow, user: User | None) -> MatchLine:
    """Return what is shown of a match to somebody, or with ``None`` to anybody."""
    seats = list(row.seats.all())
    mine = {seat.number for seat in seats if user is not None and seat.user_id == user.pk}
    is_my_turn = row.ended_at is None and row.seat_to_move in mine
    others = [seat.user.name for seat in seats if seat.number not in mine] or [
        seat.user.name for seat in seats
    ]
    left = "" if row.deadline is None else duration_words(row.deadline - now())
    if row.ended_at is not None:
        state, left = result_words(row.result), ""
    elif is_my_turn:
        state = _("your turn")
    else:
        mover = next((s.user.name for s in seats if s.number == row.seat_to_move), "")
        state = _("%(player)s is to move") % {"player": mover}
    return MatchLine(
        row=row,
        title=game_words(row.game_id, row.options),
        with_whom=", ".join(dict.fromkeys(others)),
        is_my_turn=is_my_turn,
        state=state,
        time=left,
    )
