"""The computer at a match: its moves, made beside the pages, and its answers to offers.

The rows of matches are the truth: what is asked twice, or was lost with a killed process, does no
harm, because a move carries its ply and a key made from it, and because all matches in which the
computer is to move are looked through from time to time.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import F, QuerySet

from antipodes.errors import MatchError
from antipodes.match import Accept, Decline, OfferKind, Play
from antipodes.search.players import make_player
from antipodes.search.thinking import Progress
from antipodes.web import wake
from antipodes.web.claims import claim, claimed
from antipodes.web.jobs import queue
from antipodes.web.matches import services
from antipodes.web.matches.models import MatchRow, SeatRow
from antipodes.web.matches.services import now
from antipodes.web.matches.standings import Standing, standing_of
from antipodes.web.warming import Use, wait_until_warm

# Milliseconds after which a move that was asked for may have been lost: with an engine that was
# killed if no queue keeps it waiting, else with the queue.
_LOST = 4_000
_FORGOTTEN = 20_000
_REPORT = 400  # milliseconds between two reports of a search

# The computer plays for its opponent's pleasure, but it does not think much of draws.
_ANSWERS: dict[OfferKind, type[Accept | Decline]] = {
    OfferKind.TAKEBACK: Accept,
    OfferKind.PAUSE: Accept,
    OfferKind.REMATCH: Accept,
    OfferKind.DRAW: Decline,
}


def take_part(row: MatchRow) -> None:
    """Answer open offers and ask for a move if the computer is to move."""
    standing = standing_of(row)
    if any(seat.computer for seat in standing.seats) and not _answer_offers(standing):
        ask_if_to_move(row)


def _answer_offers(standing: Standing) -> bool:
    """Answer an offer for a seat of the computer; return whether there was one."""
    match = standing.match
    for kind, agreed in match.offers.items():
        players = {match.terms.players[seat] for seat in agreed}
        for seat in standing.seats:
            if seat.computer and str(seat.user) not in players:
                key = f"computer {standing.row.slug} {standing.version} {kind}"
                answer = _ANSWERS[kind](seat=seat.number, ply=match.ply, key=key, kind=kind)
                _carry_out(standing.row.slug, answer)
                return True
    return False


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
    _ask_unless_claimed(_waiting())


def ask_for_forgotten() -> None:
    """Ask again for moves that should long have been made, and that nobody thinks about."""
    patience = _FORGOTTEN if queue.pending_count() else _LOST
    _ask_unless_claimed(_waiting().filter(changed_at__lt=now() - patience))


def _waiting() -> QuerySet[MatchRow]:
    """Return the matches in which a computer is to move, those that wait longest first."""
    to_move = {"seats__number": F("seat_to_move"), "seats__user__computer__gt": ""}
    return MatchRow.objects.filter(ended_at=None, **to_move).order_by("changed_at")


def _ask_unless_claimed(rows: Iterable[MatchRow]) -> None:
    names = {_name_of(row.slug): row for row in rows}
    busy = claimed(names)
    for name, row in names.items():
        if name not in busy:
            make_move(row.slug, row.version)


def _name_of(slug: str) -> str:
    """Return the name under which one engine alone thinks about a match."""
    return f"move {slug}"


@queue.task()  # type: ignore[untyped-decorator]  # huey has no types
def make_move(slug: str, version: int) -> None:
    """Let the computer make its move, when its turn in the queue comes."""
    move_now(slug, version)


def move_now(slug: str, version: int) -> None:
    """Let the computer make its move, unless the match has gone on since it was asked."""
    row = MatchRow.objects.select_related("series").get(slug=slug)
    seat = _computer_to_move(row)
    if row.version != version or seat is None:
        return
    with claim(_name_of(slug)) as is_alone:
        if not is_alone:
            return
        match = standing_of(row).match
        reporter = _Reporter(slug, seat.number)
        wait_until_warm(match.terms.game, Use.PLAY, lambda: reporter.tell(0, is_warming=True))
        reporter.tell(0)
        move = make_player(seat.user.computer).choose(match.position, reporter)
        key = f"computer {slug} {match.ply} {version}"
        _carry_out(slug, Play(seat=seat.number, ply=match.ply, key=key, move=move))


def _carry_out(slug: str, command: Play | Accept | Decline) -> None:
    try:
        services.carry_out(slug, command)
    except MatchError:
        # The match has gone on or ended meanwhile; what comes next has been asked for.
        return


class _Reporter:
    """Tells those who watch how far a search is, now and then."""

    def __init__(self, slug: str, seat: int) -> None:
        self._group = services.group_of(slug)
        self._seat = seat
        self._told = now()

    def __call__(self, progress: Progress) -> None:
        """Tell if it is time."""
        if now() - self._told >= _REPORT:
            self.tell(progress.share)

    def tell(self, share: float, *, is_warming: bool = False) -> None:
        """Tell how much of the search is done, or that its kernels are still being compiled."""
        self._told = now()
        message = {"type": "match.thinking", "seat": self._seat, "share": round(share, 2)}
        wake.tell(self._group, {**message, "warming": is_warming})
