"""Write access to matches: every change of a match goes through these functions."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from django.db import transaction
from django.dispatch import Signal

from antipodes.clocks import SECOND, Pace, TimeControl
from antipodes.errors import Fault, MatchError
from antipodes.games import pairing_strategy
from antipodes.match import (
    Abort,
    Accept,
    ClaimDraw,
    ClaimWin,
    Command,
    Ended,
    Event,
    Match,
    Offer,
    OfferKind,
    Play,
    Resign,
    Terms,
    claim_flag,
    handle,
)
from antipodes.match import rematch as terms_of_rematch
from antipodes.records import Reason
from antipodes.web.accounts.models import User
from antipodes.web.matches import absences, downtime, snapshots, store
from antipodes.web.matches.models import MatchRow, SeatRow, SeriesRow
from antipodes.web.matches.rematches import check_rematch
from antipodes.web.matches.series import count_game, new_series, next_terms
from antipodes.web.platform import clock, pubsub, write_probe
from antipodes.web.platform.heartbeats import Downtime
from antipodes.web.platform.limits import NEW_GAMES, TooManyError, take

GRACE = 30 * SECOND  # of each player's first turn in a live game

match_changed = Signal()  # sent with ``row`` after a change is committed

Change = Callable[[Match, int], tuple[Match, tuple[Event, ...]]]


def now() -> int:
    """Return the site's monotonic time in milliseconds since 1970."""
    return clock.now()


def begin_match(
    terms: Terms, users: Sequence[User], points: int | None = None, **room: Any
) -> MatchRow:
    """Start a match with these users on the seats, in order, and announce it.

    Args:
        terms: what the players agreed on.
        users: the user of each seat.
        points: target of a series of match play; ``None`` for a single game.
        room: ``is_private`` and ``club``, if the match is not public.

    Raises:
        InvalidOptionsError: the game has no match play, or not to that many points.
    """
    with transaction.atomic():
        row = store_match(terms, users, points, **room)
    announce(row)
    return row


def store_match(
    terms: Terms,
    users: Sequence[User],
    points: int | None = None,
    *,
    in_event: bool = False,
    **room: Any,
) -> MatchRow:
    """Start a match without announcing it, for callers that store more in one transaction.

    After the transaction the caller must pass the row to `announce`. Who comes late to a match of
    an event loses time, instead of the match being aborted.
    """
    series = None if points is None else new_series(terms, points)
    return _store(terms, users, in_event=in_event, series=series, **room)


def _store(
    terms: Terms, users: Sequence[User], *, in_event: bool = False, **links: Any
) -> MatchRow:
    begun = now()
    terms = replace(
        terms,
        grace=GRACE if terms.control.pace is Pace.LIVE else 0,
        aborts_late=not in_event and is_live_between_people(terms.control, users),
    )
    row = MatchRow(
        game_id=terms.game.id,
        options=dict(terms.game.options.changed()),
        control=str(terms.control),
        rated=terms.rated,
        analysis=terms.analysis,
        start=None if terms.start is None else terms.start.as_json(),
        grace=terms.grace,
        aborts_late=terms.aborts_late,
        in_event=in_event,
        begun_at=begun,
        **links,
    )
    _set_columns(row, Match.begun(terms, begun), begun)
    row.save()
    SeatRow.objects.bulk_create(
        SeatRow(match=row, number=number, user=user) for number, user in enumerate(users)
    )
    return row


def is_live_between_people(control: TimeControl, users: Iterable[User]) -> bool:
    """Return whether the players wait for each other, and none of them for the computer.

    The computer may keep a player waiting, who then has until the flag falls in the same way.
    """
    return control.pace is Pace.LIVE and not any(user.is_computer for user in users)


def carry_out(slug: str, command: Command) -> tuple[Match, tuple[Event, ...]]:
    """Execute a command and announce the change.

    Raises:
        MatchRow.DoesNotExist: there is no such match.
        MatchError: the command is refused; nothing has changed.
        IllegalMoveError: the move is not legal; nothing has changed.
        OperationalError: the change cannot be stored now; nothing has changed.
        TooManyError: a player has begun too many games for a rematch; likewise.
    """
    write_probe.check()
    if isinstance(command, Offer | Accept) and command.kind is OfferKind.REMATCH:
        check_rematch(MatchRow.objects.get(slug=slug))
    return _change(slug, partial(_handled, slug, command))


def _handled(slug: str, command: Command, match: Match, at: int) -> tuple[Match, tuple[Event, ...]]:
    after, events = handle(match, command, at)
    is_claim = isinstance(command, ClaimWin | ClaimDraw) and bool(events)
    if is_claim and match.clock.flagged(at) is None:
        absences.check(slug, match, at)
    return after, events


def make_first_moves(slug: str, moves: Sequence[Play]) -> None:
    """Make those of the first moves of a match that it has not got yet, in one step.

    Raises:
        MatchError: the match has gone on with other moves, or was ended; nothing has changed.
    """

    def change(match: Match, at: int) -> tuple[Match, tuple[Event, ...]]:
        if any(
            made.move != command.move for made, command in zip(match.moves, moves, strict=False)
        ):
            raise MatchError([Fault("match/other-moves", "the match has gone on with other moves")])
        events: list[Event] = []
        for command in moves[match.ply :]:
            match, following = handle(match, command, at)
            events += following
        return match, tuple(events)

    write_probe.check()
    _change(slug, change)


def give_up(slug: str, seat: int) -> None:
    """Abort a match in which a player has not moved yet, or else resign it, at any ply.

    Raises:
        OperationalError: the change cannot be stored now; nothing has changed.
    """

    def change(match: Match, at: int) -> tuple[Match, tuple[Event, ...]]:
        if match.result is not None:
            return match, ()
        kind = Abort if match.last_move_of(seat) is None else Resign
        return handle(match, kind(seat=seat, ply=match.ply, key=f"left {slug} {seat}"), at)

    write_probe.check()
    _change(slug, change)


def let_flag_fall(slug: str, until: int | None = None) -> None:
    """End a match if a player's time is up, now or at an earlier instant."""
    _change(slug, lambda match, at: claim_flag(match, at if until is None else min(at, until)))


def give_back(slug: str, downtime: Downtime) -> None:
    """Give the player to move the time of a downtime back, unless that was done already."""
    _change(slug, lambda match, _: (match, ()), downtime)


def _change(
    slug: str, change: Change, gap: Downtime | None = None
) -> tuple[Match, tuple[Event, ...]]:
    with transaction.atomic():
        # On SQLite transactions begin with a lock; elsewhere the row is locked here.
        before = store.locked_snapshot(slug)
        at = now()
        # Give time back first, so that no command is judged by time in which the site was down.
        match, given = downtime.given_back(before, at, gap)
        match, events = change(match, at)
        events = (*given, *events)
        if not events:
            return match, events
        # A copy: the row of the cached snapshot must stay as it was if the transaction fails.
        row = copy.copy(before.row)
        row.version += len(events)
        _set_columns(row, match, at)
        store.write_events(row, before.version, events)
        store.write_columns(row)
        following = _start_successor(row, match, events, at)
        after = before.after(row, match)
    transaction.on_commit(partial(snapshots.keep, after))
    announce(row)
    if following is not None:
        announce(following)
    return match, events


def _start_successor(
    row: MatchRow, match: Match, events: Sequence[Event], at: int
) -> MatchRow | None:
    """Start the next game of a series, or the rematch that all players have agreed to.

    A series goes on by itself after each game that was played. After an aborted one, and once a
    player has begun too many games, all players must agree to the next game, as to a rematch.

    Raises:
        TooManyError: a player has begun too many games for the rematch.
    """
    if match.result is None:
        return None
    # The match has just ended; later events are about a rematch.
    if isinstance(events[-1], Ended):
        if row.series is None:
            return None
        count_game(row.series, match, at)
        terms = next_terms(row.series)
        if terms is None or match.result.reason is Reason.VOID:
            return None
        # Too many games hold up the series, but must not undo the end of this one.
        with suppress(TooManyError):
            return _store_successor(row, terms, row.series)
        return None
    is_stored = MatchRow.objects.filter(rematch_of=row).exists()
    if is_stored or not match.is_agreed(OfferKind.REMATCH):
        return None
    if row.series is not None:
        # The row may be a cached one, read before the series counted this game.
        row.series.refresh_from_db()
    terms = next_terms(row.series)
    if terms is not None:
        return _store_successor(row, terms, row.series)
    # Read the players again: a guest may have become an account meanwhile.
    terms = row.terms()
    if all(
        seat.user.computer != pairing_strategy.PLAYER for seat in row.seats.select_related("user")
    ):
        terms = terms_of_rematch(replace(match, terms=terms))
    return _store_successor(row, terms, row.series and new_series(terms, row.series.target))


def _store_successor(row: MatchRow, terms: Terms, series: SeriesRow | None) -> MatchRow:
    """Store the match that follows another one; it counts as begun by each of its people.

    Raises:
        TooManyError: one of them has begun too many games.
    """
    users = User.objects.in_bulk([int(player) for player in terms.players])
    for user in users.values():
        if not user.is_computer:
            take(NEW_GAMES, str(user.pk))
    seated = [users[int(player)] for player in terms.players]
    return _store(terms, seated, series=series, rematch_of=row, **_room(row))


def _room(row: MatchRow) -> dict[str, Any]:
    """Return the visibility of a match's successor; its club may have been closed meanwhile."""
    if row.club_id is None:
        return {"is_private": row.is_private}
    club = MatchRow.objects.filter(pk=row.pk).values_list("club_id", flat=True).get()
    return {"is_private": row.is_private, "club_id": club}


def _set_columns(row: MatchRow, match: Match, at: int) -> None:
    """Set the columns that lists and the scheduler use."""
    row.changed_at = at
    row.seat_to_move = match.seat_to_move
    row.deadline = match.clock.deadline
    # Offers of a rematch come after the end, and leave its instant as it is.
    if match.result is not None and row.ended_at is None:
        row.ended_at = at
        row.result = match.result


def announce(row: MatchRow) -> None:
    """Announce a change to clients and to receivers of ``match_changed``, after the commit.

    Errors of receivers are logged; the change stands.
    """

    def publish() -> None:
        pubsub.send_to_group(group_of(row.slug), {"type": "match.changed", "version": row.version})
        match_changed.send_robust(sender=MatchRow, row=row)

    transaction.on_commit(publish)


def group_of(slug: str) -> str:
    """Return the channel layer group of a match."""
    return f"match-{slug}"
