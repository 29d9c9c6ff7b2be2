"""Moves of the computer that the engine in its opponent's page has found.

The page says that it will make them; then no job is queued. A move that does not come in time is
made here after all, so a page that is closed or fails costs a few seconds and nothing else. The
rules check such a move like any other, and records name its source. It need not be the move that
the level would play: so only matches qualify in which it could deceive the player alone.
"""

from __future__ import annotations

from functools import cache

from django.contrib.staticfiles import finders
from django.db.models import Q

from antipodes.clocks import SECOND
from antipodes.errors import Fault, MatchError
from antipodes.match import MoveSource, Play
from antipodes.search.levels import Level, level_of
from antipodes.web.matches import services
from antipodes.web.matches.models import MatchRow, PageEngineRow
from antipodes.web.matches.snapshots import MatchSnapshot
from antipodes.web.platform.clock import now

PATIENCE = 10 * SECOND  # after a move, until the computer's is made here


def module_name(family: str) -> str:
    """Return the name of the static file with the engine of a family of games."""
    return f"antipodes/engine/{family}.wasm"


@cache
def module_file(family: str) -> str | None:
    """Return the path of that file; ``None`` if it was not built, which needs its compiler."""
    return finders.find(module_name(family))


def why_not(snapshot: MatchSnapshot, user: int | None) -> Fault | None:
    """Return why a user's page may not make the computer's moves, or ``None`` if it may."""
    from antipodes.search.device import plays_on_device

    code = "match/no-page-engine"
    if user is None or not snapshot.seats_of(user):
        return Fault(code, "only who plays may make the computer's moves")
    if snapshot.row.rated or snapshot.row.in_event:
        return Fault(code, "the server makes the computer's moves in rated matches and in events")
    levels = levels_of(snapshot)
    if not levels or any(seat.user != user for seat in snapshot.seats if not seat.computer):
        return Fault(code, "this is not a match of one player against the computer")
    game = snapshot.match.terms.game
    if any(level is None or not plays_on_device(game, level) for level in levels):
        return Fault(code, "this level does not play in pages")
    if module_file(game.family) is None:
        return Fault(code, "this site has no engine for pages")
    return None


def levels_of(snapshot: MatchSnapshot) -> list[Level | None]:
    """Return the levels of the computers in a match, ``None`` for other players than levels."""
    return [level_of(seat.computer) for seat in snapshot.seats if seat.computer]


def check(snapshot: MatchSnapshot, user: int | None) -> None:
    """Check that a user's page may make the computer's moves.

    Raises:
        MatchError: it may not.
    """
    reason = why_not(snapshot, user)
    if reason is not None:
        raise MatchError([reason])


def leave_to_page(row: MatchRow) -> None:
    """Wait for the page's moves from now on."""
    PageEngineRow.objects.get_or_create(match=row)


def take_back(row: MatchRow) -> None:
    """Make the computer's moves here again; after the end, the row says who has made them."""
    PageEngineRow.objects.filter(match=row, match__ended_at=None).delete()


def is_awaited(row: MatchRow) -> bool:
    """Return whether the page is to make the next move, and has time left for it."""
    has_time = row.changed_at > now() - PATIENCE
    return has_time and PageEngineRow.objects.filter(match=row).exists()


def overdue_or_ours() -> Q:
    """Return the condition of matches whose move no page is to make, or none has made in time."""
    return Q(page_engine=None) | Q(changed_at__lte=now() - PATIENCE)


def make_move(snapshot: MatchSnapshot, user: int | None, command: Play) -> None:
    """Make a move of the computer that a user's page has found.

    Raises:
        MatchError: the page may not, or the seat is not the computer's.
        IllegalMoveError: the move is not legal.
    """
    check(snapshot, user)
    if not any(seat.computer for seat in snapshot.seats if seat.number == command.seat):
        fault = Fault.of(
            "match/not-your-seat", "seat {seat} is not the computer's", seat=command.seat
        )
        raise MatchError([fault])
    assert command.source is MoveSource.DEVICE
    services.carry_out(snapshot.row.slug, command)
