"""Hints: the computer's move, in casual matches against the computer."""

from __future__ import annotations

from antipodes.errors import Fault, MatchError
from antipodes.web.accounts.models import User
from antipodes.web.analysis import services
from antipodes.web.analysis.effort import HINT
from antipodes.web.analysis.models import AnalysisRow
from antipodes.web.analysis.position_queries import Line
from antipodes.web.matches.models import MatchRow


def why_no_hints(row: MatchRow, user: User | None) -> Fault | None:
    """Return why a user may not get hints in a match, or ``None`` if they may."""
    seats = list(row.seats.select_related("user"))
    if user is None or all(seat.user_id != user.pk for seat in seats):
        return Fault("study/no-hint", "hints are for those who play")
    if any(not seat.user.is_computer and seat.user_id != user.pk for seat in seats):
        return Fault("study/no-hint", "there are no hints against people")
    if row.rated:
        return Fault("study/no-hint", "there are no hints in rated matches")
    return None


def ask_hint(row: MatchRow, user: User | None) -> AnalysisRow:
    """Request a hint in the user's turn.

    Raises:
        MatchError: there are no hints in this match, or it is not the user's turn.
        InputError: the rate limit is reached, or too many analyses are waiting.
    """
    reason = why_no_hints(row, user)
    if reason is not None:
        raise MatchError([reason])
    assert user is not None
    own = set(row.seats.filter(user=user).values_list("number", flat=True))
    if row.seat_to_move not in own:
        fault = Fault("study/no-hint", "there is a hint in your own turn only")
        raise MatchError([fault])
    match = row.match()
    moves = tuple(int(move.move) for move in match.moves)
    return services.ask(user, Line.of(match.terms.game, match.terms.setup, moves), HINT)
