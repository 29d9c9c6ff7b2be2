"""The computer's moves: asked for after each change, and made beside the pages.

The rows of matches are the truth: what is asked twice, or was lost with a killed process, does no
harm, because a move carries its ply and a key made from it, and because all matches in which the
computer is to move are looked through when the site starts.
"""

from __future__ import annotations

from antipodes.errors import MatchError
from antipodes.match import Play
from antipodes.search.players import make_player
from antipodes.web.jobs import queue
from antipodes.web.matches import services
from antipodes.web.matches.models import MatchRow, SeatRow
from antipodes.web.warming import Use, wait_until_warm


def ask_if_to_move(row: MatchRow) -> None:
    """Ask for a move if a computer is to move in a match."""
    if _computer_to_move(row) is not None:
        make_move(row.slug, row.version)


def _computer_to_move(row: MatchRow) -> SeatRow | None:
    """Return the seat of the computer that is to move, or ``None``."""
    if row.seat_to_move is None:
        return None
    seat = row.seats.select_related("user").get(number=row.seat_to_move)
    return seat if seat.user.is_computer else None


def ask_for_all() -> None:
    """Ask for the moves of all matches that wait for the computer."""
    waiting = MatchRow.objects.filter(ended_at=None).exclude(seat_to_move=None)
    for row in waiting.order_by("begun_at"):
        ask_if_to_move(row)


@queue.task()  # type: ignore[untyped-decorator]  # huey has no types
def make_move(slug: str, version: int) -> None:
    """Let the computer make its move, when its turn in the queue comes."""
    move_now(slug, version)


def move_now(slug: str, version: int) -> None:
    """Let the computer make its move, unless the match has gone on since it was asked."""
    row = MatchRow.objects.get(slug=slug)
    seat = _computer_to_move(row)
    if row.version != version or seat is None:
        return
    match = row.match()
    wait_until_warm(match.terms.game, Use.PLAY)
    move = make_player(seat.user.computer).choose(match.position)
    key = f"computer {slug} {match.ply} {version}"
    try:
        services.carry_out(slug, Play(seat=seat.number, ply=match.ply, key=key, move=move))
    except MatchError:
        # The match has ended or was taken back meanwhile; what comes next has been asked for.
        return
