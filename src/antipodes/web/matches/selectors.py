"""Matches as lines of lists."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from antipodes.web.accounts.models import User
from antipodes.web.matches.access import played_by, played_by_any, visible_to
from antipodes.web.matches.labels import duration_words
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.platform.clock import now
from antipodes.web.platform.translations import game_label, result_text
from antipodes.web.relations.services import blocked_by_or_blocking


@dataclass(frozen=True)
class MatchLine:
    """A match in a list.

    Attributes:
        row: the match.
        title: the game, with options that differ from the defaults.
        with_whom: the opponents, or all players for a viewer who does not play.
        is_my_turn: whether the viewer is to move.
        state: whose turn it is, or how the match ended.
        time: the remaining time of the player to move; empty without a clock.
        outcome: whether the player of whom the list is has won, drawn or lost; else empty.
    """

    row: MatchRow
    title: str
    with_whom: str
    is_my_turn: bool
    state: str
    time: str
    outcome: str | Promise = ""

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.row.ended_at is not None


def match_line(row: MatchRow, user: User | None) -> MatchLine:
    """Return a match's line for a viewer; ``None`` stands for anonymous viewers."""
    seats = list(row.seats.all())
    mine = {seat.number for seat in seats if user is not None and seat.user_id == user.pk}
    is_my_turn = row.ended_at is None and row.seat_to_move in mine
    others = [seat.user.name for seat in seats if seat.number not in mine] or [
        seat.user.name for seat in seats
    ]
    left = "" if row.deadline is None else duration_words(row.deadline - now())
    if row.result is not None:
        state, left = result_text(row.result), ""
    elif is_my_turn:
        state = _("your turn")
    else:
        mover = next((s.user.name for s in seats if s.number == row.seat_to_move), "")
        state = _("%(player)s is to move") % {"player": mover}
    return MatchLine(
        row=row,
        title=game_label(row.game_id, row.options),
        with_whom=", ".join(dict.fromkeys(others)),
        is_my_turn=is_my_turn,
        state=state,
        time=left,
    )


def own_matches(user: User) -> list[MatchLine]:
    """Return a user's matches in progress: own turns first, the most urgent at the top."""
    # Start from the user's seats: few matches are in progress, but a user may have thousands.
    rows = _matches().filter(pk__in=played_by(user), ended_at=None).order_by("-begun_at")
    lines = [match_line(row, user) for row in rows]
    never = float("inf")
    return sorted(lines, key=lambda one: (not one.is_my_turn, one.row.deadline or never))


def waiting_matches(user: User) -> QuerySet[MatchRow]:
    """Return the matches in which it is a user's turn, the most urgent first."""
    rows = MatchRow.objects.filter(pk__in=played_by(user), ended_at=None)
    rows = rows.filter(seats__user=user, seats__number=F("seat_to_move"))
    return rows.order_by(F("deadline").asc(nulls_last=True), "begun_at")


def followed_matches(user: User) -> QuerySet[MatchRow]:
    """Return the matches of followed players that a user may watch, without the user's own."""
    followed = user.follows.exclude(whom__in=blocked_by_or_blocking(user)).values("whom")
    rows = _matches().filter(visible_to(user), pk__in=played_by_any(followed))
    return rows.exclude(pk__in=played_by(user))


def _matches() -> QuerySet[MatchRow]:
    return MatchRow.objects.prefetch_related(seated())
