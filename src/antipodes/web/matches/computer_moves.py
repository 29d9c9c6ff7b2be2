"""Moves of the computer, made by engine processes, and its answers to offers.

The database is the source of truth. A job that runs twice does no harm, because a move carries its
ply and a key derived from it. A periodic task queues lost jobs again, for all matches in which the
computer is to move.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, F, OuterRef, QuerySet

from antipodes.core import Move
from antipodes.errors import MatchError
from antipodes.match import Accept, Decline, Match, OfferKind, Play
from antipodes.search.interface import SearchProgress
from antipodes.search.players import make_player
from antipodes.web.jobs import queue
from antipodes.web.jobs.costs import MOVE_SECONDS, seconds_of_move
from antipodes.web.jobs.lending import Answer, Task
from antipodes.web.jobs.models import JobKind
from antipodes.web.jobs.queue import NewJob, batched
from antipodes.web.jobs.wait_forecast import forecast
from antipodes.web.matches import page_moves, services
from antipodes.web.matches.models import MatchRow, SeatRow
from antipodes.web.matches.snapshots import MatchSnapshot, Seated, snapshot_of
from antipodes.web.platform import pubsub
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import TooManyError

_REPORT = 400  # milliseconds between two progress reports

# The computer accepts what its opponent likes, such as takebacks, but declines draws.
_ANSWERS: dict[OfferKind, type[Accept | Decline]] = {
    OfferKind.TAKEBACK: Accept,
    OfferKind.PAUSE: Accept,
    OfferKind.REMATCH: Accept,
    OfferKind.DRAW: Decline,
}


def respond(row: MatchRow, **_: object) -> None:
    """Answer open offers, and queue a job if the computer is to move.

    In games of the computer against itself `queue_missing_moves` queues the jobs, so that
    spectators can follow.
    """
    snapshot = snapshot_of(row)
    if all(seat.computer for seat in snapshot.seats):
        return
    if any(seat.computer for seat in snapshot.seats) and not _answer_offers(snapshot):
        work = _work(row, snapshot.seats)
        if work is not None and not page_moves.is_awaited(row):
            queue.put(work)


def _answer_offers(snapshot: MatchSnapshot) -> bool:
    """Answer an offer to a seat of the computer; return whether there was one."""
    match = snapshot.match
    for kind, agreed in match.offers.items():
        players = {match.terms.players[seat] for seat in agreed}
        for seat in snapshot.seats:
            if seat.computer and str(seat.user) not in players:
                key = f"computer {snapshot.row.slug} {snapshot.version} {kind}"
                answer = _ANSWERS[kind](seat=seat.number, ply=match.ply, key=key, kind=kind)
                _carry_out(snapshot.row.slug, answer)
                # One answer at a time: it changes the match, so that `respond` is called again.
                return True
    return False


def _work(row: MatchRow, seats: Sequence[Seated]) -> NewJob | None:
    """Return the job that makes the next move, or ``None`` if the computer is not to move.

    The job counts towards the quota of the first seat's human player. If there is none, it waits
    until the engine is idle.
    """
    if row.seat_to_move is None:
        return None
    computer = seats[row.seat_to_move].computer
    if not computer:
        return None
    user = next((seat.user for seat in seats if not seat.computer), None)
    seconds = seconds_of_move(row.game, computer)
    kind = JobKind.SHOW if user is None else JobKind.MOVE
    return NewJob(kind=kind, key=row.slug, version=row.version, user=user, seconds=seconds)


def queue_missing_moves() -> None:
    """Queue jobs for all matches in which the computer is to move and that have none."""
    people = SeatRow.objects.filter(match=OuterRef("pk"), user__computer="")
    for kind, is_of_kind in ((JobKind.MOVE, Exists(people)), (JobKind.SHOW, ~Exists(people))):
        wanted = _waiting().filter(is_of_kind).values_list("slug", "version")
        for slugs in batched(queue.missing(kind, wanted)):
            rows = MatchRow.objects.filter(slug__in=slugs)
            works = (_work(row, [Seated.of(seat) for seat in _seats(row)]) for row in rows)
            queue.put(*(work for work in works if work is not None))


def leave_to_page(row: MatchRow) -> None:
    """Let the page of the only player make the computer's moves, the present one too."""
    page_moves.leave_to_page(row)
    queue.drop(JobKind.MOVE, [row.slug])


def take_back(row: MatchRow) -> None:
    """Make the computer's moves here again, since the page cannot."""
    page_moves.take_back(row)
    respond(row)


def _seats(row: MatchRow) -> list[SeatRow]:
    return list(row.seats.select_related("user"))


def _waiting() -> QuerySet[MatchRow]:
    """Return the matches in which a computer is to move."""
    to_move = {"seats__number": F("seat_to_move"), "seats__user__computer__gt": ""}
    return MatchRow.objects.filter(page_moves.overdue_or_ours(), ended_at=None, **to_move)


def make_move(slug: str, version: int) -> None:
    """Make the computer's move, unless the match has changed since the job was queued."""
    due = _due(slug, version)
    if due is None:
        return
    match, seat = due
    reporter = _Reporter(slug, seat.number)
    reporter.report(0)
    player = make_player(seat.computer, bound=MOVE_SECONDS.value)
    _play(slug, version, match, player.choose(match.position, reporter))


def _due(slug: str, version: int) -> tuple[Match, Seated] | None:
    """Return a match with the computer's seat to move, unless it has changed since a version."""
    row = MatchRow.objects.select_related("series").filter(slug=slug).first()
    if row is None or row.version != version:
        return None
    snapshot = snapshot_of(row)
    if _work(row, snapshot.seats) is None:
        return None
    return snapshot.match, snapshot.seats[row.seat_to_move or 0]


def _play(slug: str, version: int, match: Match, move: Move) -> None:
    key = f"computer {slug} {match.ply} {version}"
    _carry_out(slug, Play(seat=match.position.seat_to_move, ply=match.ply, key=key, move=move))


def task_of(slug: str, version: int) -> Task | None:
    """Return the task of a job for an engine elsewhere; ``None`` if the match has changed."""
    due = _due(slug, version)
    if due is None:
        return None
    match, seat = due
    _Reporter(slug, seat.number).report(0)
    return Task(
        game=match.terms.game,
        setup=match.terms.setup,
        moves=tuple(made.move for made in match.moves),
        player=seat.computer,
        seconds=MOVE_SECONDS.value,
    )


def take_move(slug: str, version: int, answer: Answer) -> None:
    """Make the move that an engine elsewhere has found, unless the match has changed.

    Raises:
        InputError: it is not a legal move.
    """
    due = _due(slug, version)
    if due is not None:
        match, _seat = due
        _play(slug, version, match, match.position.read_move(answer.move))


def _carry_out(slug: str, command: Play | Accept | Decline) -> None:
    try:
        services.carry_out(slug, command)
    except (MatchError, TooManyError):
        # The match has changed or ended meanwhile, and another job handles the new position; or
        # the other player has begun too many games for a rematch.
        return


def report_waits() -> None:
    """Tell players how long the computer's move will wait for others' jobs."""
    prefix = f"{JobKind.MOVE} "
    waits = {
        name.removeprefix(prefix): seconds
        for name, seconds in forecast().items()
        if name.startswith(prefix)
    }
    for slugs in batched(list(waits)):
        rows = MatchRow.objects.filter(slug__in=slugs, ended_at=None)
        for slug, seat in rows.values_list("slug", "seat_to_move"):
            _Reporter(slug, seat or 0).report(0, wait=waits[slug])


class _Reporter:
    """Reports the progress of a search to the match's players and spectators, rate-limited."""

    def __init__(self, slug: str, seat: int) -> None:
        self._group = services.group_of(slug)
        self._seat = seat
        self._reported_at = now()

    def __call__(self, progress: SearchProgress) -> None:
        """Report progress if the last report is old enough."""
        if now() - self._reported_at >= _REPORT:
            self.report(progress.share)

    def report(self, share: float, *, wait: int = 0) -> None:
        """Broadcast how far the search is, or the reason why it has not begun.

        Args:
            share: the finished part, from 0 to 1.
            wait: about how many seconds remain until the search begins.
        """
        self._reported_at = now()
        message = {"type": "match.thinking", "seat": self._seat, "share": round(share, 2)}
        pubsub.send_to_group(self._group, {**message, "wait": wait})
