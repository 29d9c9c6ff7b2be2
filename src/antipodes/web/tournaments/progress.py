"""The steps that an event takes by itself: open, start, pair, begin games, count results, finish.

Each step is one transaction that locks the event, looks at its rows and does what they lack. So it
does not matter which process takes a step, whether two try at once, or whether one is killed
between two steps: the next look continues.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from django.utils.translation import gettext as _

from antipodes.clocks import HOUR, MINUTE, SECOND, Pace, read_control
from antipodes.errors import Fault, InputError
from antipodes.match import Terms
from antipodes.tournaments import Pairing
from antipodes.web.accounts.models import User
from antipodes.web.accounts.restrictions import check_may_play
from antipodes.web.accounts.services import computer
from antipodes.web.matches.services import announce, store_match
from antipodes.web.platform.clock import now
from antipodes.web.platform.outages import outage_of
from antipodes.web.tournaments import forfeits, places, rounds, series, services
from antipodes.web.tournaments.log import (
    ABSENT,
    ALL_HAVE_MET,
    CLOSED_ACCOUNT,
    TOO_FEW,
    Step,
    locked,
    record,
)
from antipodes.web.tournaments.models import (
    POINTS,
    SEATS,
    EntryRow,
    GameRow,
    PairingRow,
    TournamentRow,
    TournamentState,
)
from antipodes.web.tournaments.results import decision_of, missing_games, result_of

logger = logging.getLogger(__name__)

_TOGETHER = 20  # games begun, or results counted, in one transaction
_STEPS = 10  # of an event before other tasks have their turn
_WAVE = 2 * SECOND  # between two looks at an arena in which players wait
_IDLE_LOOK = 6 * HOUR  # between two looks at a continuous event by correspondence
_RETRY = MINUTE  # after a step has failed


def due(at: int) -> list[int]:
    """Return the keys of the events whose next step can be taken."""
    by_clock = TournamentRow.objects.filter(due_at__lte=at).values_list("pk", flat=True)
    finished = GameRow.objects.filter(first_points=None, match__ended_at__isnull=False)
    by_games = finished.order_by().values_list("pairing__tournament", flat=True)
    return list(dict.fromkeys([*by_clock.order_by("due_at"), *by_games.distinct()]))


def advance_tournaments() -> None:
    """Take the next steps of all events that are due."""
    for key in due(now()):
        try:
            advance(key)
        except Exception as error:
            if outage_of(error):
                raise
            logger.exception("tournament step failed tournament=%s", key)
            fail(key)


def advance(key: int) -> None:
    """Take the next steps of an event."""
    for _step in range(_STEPS):
        if not step(key):
            return


def step(key: int) -> bool:
    """Take one step of an event; return whether there was one to take.

    The pairings of a round are computed before the event is locked, since that can take seconds.
    """
    planned = _planned(key)
    with locked(key) as row:
        if row.state == TournamentState.RUNNING:
            is_done = _run(row, planned)
        elif row.is_before_start:
            is_done = _by_clock(row)
        else:
            is_done = _count_results(row)
        if not is_done and not row.is_before_start:
            TournamentRow.objects.filter(pk=key).update(due_at=_next_look(row))
    return is_done


def _next_look(row: TournamentRow) -> int | None:
    """Return when to look at a continuous event again without a result; others need no look."""
    if row.state != TournamentState.RUNNING or not row.is_continuous:
        return None
    if row.ends_at is None:
        return now() + _IDLE_LOOK
    is_waiting = len(rounds.free_players(row)) > 1
    return min(row.ends_at, now() + _WAVE) if is_waiting else row.ends_at


def fail(key: int) -> None:
    """Look at an event again later, after a step has failed."""
    TournamentRow.objects.filter(pk=key).update(due_at=now() + _RETRY)


# --- before the start ---------------------------------------------------------------------------


def _by_clock(row: TournamentRow) -> bool:
    """Open registration or check-in, or start."""
    at = now()
    if row.state == TournamentState.ANNOUNCED and row.opens_at is not None and row.opens_at <= at:
        row.state = TournamentState.OPEN
        row.due_at = services.next_due(row)
        record(row, Step.OPENED, state=row.state)
        return True
    if row.state == TournamentState.OPEN and row.check_in and (services.next_due(row) or at) <= at:
        row.state = TournamentState.CHECK_IN
        row.due_at = services.next_due(row)
        record(row, Step.CHECK_IN, state=row.state)
        return True
    is_full = row.starts_when_full and row.entries.count() >= row.most_players
    if is_full or (row.starts_at is not None and row.starts_at <= at):
        start(row)
        return True
    TournamentRow.objects.filter(pk=row.pk).update(due_at=services.next_due(row))
    return False


def start(row: TournamentRow, by: User | None = None) -> None:
    """Start a locked event; cancel it if there are too few players when the site starts it.

    Raises:
        InputError: a director starts it with too few players.
    """
    entries = list(row.entries.select_related("user"))
    if row.state == TournamentState.CHECK_IN:
        absent = [one for one in entries if not one.is_checked_in]
        EntryRow.objects.filter(pk__in=[one.pk for one in absent]).delete()
        entries = [one for one in entries if one.is_checked_in]
    if row.filler and (len(entries) + 1) % row.game.seats == 0 and not row.format.has_teams:
        filler = services.add_entry(row, computer(row.filler))
        if all(one.user_id != filler.user_id for one in entries):
            filler.save()
            entries.append(filler)
    teams = {one.team for one in entries}
    if len(entries) < row.game.seats or (row.format.has_teams and len(teams) < 2):
        if by is not None:
            raise _too_few(row, len(entries))
        cancel(row, None, TOO_FEW)
        return
    seeds = series.places_of(row)
    entries.sort(
        key=lambda entry: (
            seeds.get(entry.user_id, len(seeds)),
            -entry.rating,
            entry.joined_at,
            entry.pk,
        )
    )
    for number, entry in enumerate(entries, start=1):
        entry.number = number
        entry.free_since = now()
        entry.place = number if row.format.has_places else None
    EntryRow.objects.bulk_update(entries, ["number", "free_since", "place"])
    row.state = TournamentState.RUNNING
    row.last_round = row.format.rounds_for(len(entries))
    row.begun_at = row.due_at = now()
    players = [[one.number, one.user_id] for one in entries]
    first_places = [[one.number, one.place] for one in entries if one.place is not None]
    record(
        row,
        Step.STARTED,
        by,
        state=row.state,
        players=players,
        rounds=row.last_round,
        places=first_places,
    )


def _too_few(row: TournamentRow, count: int) -> InputError:
    if row.format.has_teams and count >= row.game.seats:
        message = _("No player of one of the clubs is here yet.")
    else:
        message = _("The game needs %(least)d players; %(count)d are here.")
    values = {"least": row.game.seats, "count": count}
    return InputError([Fault("tournament/size", message % values)])


def cancel(row: TournamentRow, by: User | None, reason: str) -> None:
    """Cancel a locked event; games that have begun go on."""
    row.state, row.due_at, row.ended_at = TournamentState.CANCELLED, None, now()
    record(row, Step.CANCELLED, by, reason, state=row.state)


# --- while it is running ------------------------------------------------------------------------

# Version of the event, its next round or ``None`` if it is over, and why it ends early.
_Planned = tuple[int, list[Pairing] | None, str]

_EARLY_ENDS = {"tournament/players": TOO_FEW, "tournament/no-pairing": ALL_HAVE_MET}


def _planned(key: int) -> _Planned | None:
    """Return the next pairings, if it is time for some; ``None`` for them if the event is over."""
    row = TournamentRow.objects.get(pk=key)
    if row.state != TournamentState.RUNNING or not _awaits_pairing(row):
        return None
    if _is_over(row):
        return row.version, None, ""
    try:
        return row.version, rounds.next_pairings(row, now()), ""
    except InputError as error:
        logger.info("tournament ends early tournament=%s error=%s", row.slug, error)
        return row.version, None, _EARLY_ENDS.get(error.faults[0].code, str(error))


def _awaits_pairing(row: TournamentRow) -> bool:
    """Return whether all games are over, or the next round need not wait for them."""
    if row.is_continuous or rounds.pairs_ahead(row):
        return True
    return not row.pairings.filter(first_points=None).exists()


def _is_over(row: TournamentRow) -> bool:
    """Return whether the time of an arena is up; games that go on do not count."""
    return row.ends_at is not None and row.ends_at <= now()


def _run(row: TournamentRow, planned: _Planned | None) -> bool:
    """Take the next step of a running event."""
    # Results first: they decide the standings by which the next round is paired.
    if _count_results(row) or _begin_games(row) or places.drop_inactive(row):
        return True
    if planned is None or not _awaits_pairing(row):
        return False
    version, pairings, reason = planned
    if version != row.version:
        return True  # the event has changed meanwhile: plan again
    if pairings is None:
        finish(row, reason=reason)
    elif not pairings:
        return False  # no two free players can meet now
    else:
        rounds.store(row, pairings)
    return True


def _undecided(
    row: TournamentRow, keys: Collection[int] | None = None
) -> list[tuple[PairingRow, list[GameRow]]]:
    """Return pairings that are not decided, with their games; all, or those of some keys."""
    rows = row.pairings.filter(first_points=None).select_related(*SEATS)
    games = GameRow.objects.filter(pairing__tournament=row, pairing__first_points=None)
    if keys is not None:
        rows, games = rows.filter(pk__in=keys), games.filter(pairing__in=keys)
    games_of: defaultdict[int, list[GameRow]] = defaultdict(list)
    for game in games.order_by("number"):
        games_of[game.pairing_id].append(game)
    return [(one, games_of[one.pk]) for one in rows]


def _begin_games(row: TournamentRow) -> bool:
    """Begin some of the games that are missing; return whether any was missing."""
    at_once = row.pace is not Pace.LIVE
    missing: dict[PairingRow, list[GameRow]] = {}
    count = 0
    # Pairings without any game first: a look at all pairings of a large event takes long.
    bare = row.pairings.filter(first_points=None, games=None).order_by("pk")
    keys = list(bare.values_list("pk", flat=True)[:_TOGETHER])
    undecided = row.pairings.filter(first_points=None)
    if not keys and not row.bout.is_series and not undecided.filter(needs_winner=True).exists():
        return False
    for pairing, games in _undecided(row, keys or None):
        missing_of_pairing = missing_games(pairing, games, at_once=at_once)
        if missing_of_pairing and count < _TOGETHER:
            missing[pairing] = missing_of_pairing
            count += len(missing_of_pairing)
    if not missing:
        return False
    users = User.objects.in_bulk({entry.user_id for one in missing for entry in one.players})
    row.due_at = now()
    if _withdraw_barred(row, missing, users):
        return True
    if points := forfeits.decide(row, missing):
        record(row, Step.RESULTS, points=points)
        return True
    begun = [_begin(row, game, users) for games in missing.values() for game in games]
    record(row, Step.BEGUN, games=begun)
    return True


def _withdraw_barred(
    row: TournamentRow, pairings: Iterable[PairingRow], users: Mapping[int, User]
) -> bool:
    """Withdraw players who may not begin games now, such as suspended ones."""
    is_any_barred = False
    entries = {entry.pk: entry for one in pairings for entry in one.players}
    for entry in entries.values():
        user = users[entry.user_id]
        try:
            check_may_play(user)
            reason = "" if user.is_active else CLOSED_ACCOUNT
        except InputError as error:
            reason = str(error)
        if reason and not entry.is_withdrawn:
            forfeits.withdraw(row, [entry], None, reason)
            is_any_barred = True
    return is_any_barred


def _begin(row: TournamentRow, game: GameRow, users: Mapping[int, User]) -> list[object]:
    """Begin and store a game of a pairing; return it for the log."""
    pairing = game.pairing
    seats = [users[one.user_id] for one in pairing.players]
    if game.is_exchanged:
        seats.reverse()
    control = read_control(pairing.control)
    opening = pairing.opening_number(game.number)
    terms = Terms(
        game=row.game,
        players=tuple(str(user.pk) for user in seats),
        control=control,
        rated=row.rated,
        analysis=control.pace is not Pace.LIVE,
        start=None if opening is None else row.opening_starts[opening - 1],
    )
    game.match = store_match(terms, seats, in_event=True, is_private=row.is_private, club=row.club)
    game.save()
    announce(game.match)
    return [pairing.round, pairing.table, game.number, game.match.slug]


def _count_results(row: TournamentRow) -> bool:
    """Count some finished games, and decide their pairings; return whether there were any."""
    finished = GameRow.objects.filter(
        pairing__tournament=row, first_points=None, match__ended_at__isnull=False
    )
    games = list(finished.select_related("match", "pairing")[:_TOGETHER])
    if not games:
        return False
    results, absent = [], []
    for game in games:
        pairing = game.pairing
        result = result_of(game.match, by_chart=row.counts_chart and not pairing.is_playoff)
        of_seats = result.points[::-1] if game.is_exchanged else result.points
        game.first_points, *game.other_points = of_seats
        game.is_forfeit = bool(result.absent)
        game.save(update_fields=["first_points", "other_points", "is_forfeit"])
        results.append([pairing.round, pairing.table, game.number, *of_seats])
        if pairing.third_id is not None:
            absent += [pairing.players[seat] for seat in sorted(result.absent)]
    changed = {game.pairing_id for game in games}
    points = decide_pairings(row, _undecided(row, changed)) if row.is_under_way else []
    row.due_at = now()
    changed_places = places.after_results(row, points)
    record(row, Step.RESULTS, results=results, points=points, places=changed_places)
    if row.is_under_way:
        _withdraw_absent(row, changed, absent)
    return True


def decide_pairings(
    row: TournamentRow, pairings: Sequence[tuple[PairingRow, list[GameRow]]]
) -> list[list[float]]:
    """Decide the pairings whose games are over; return their points for the log."""
    points = []
    for pairing, games in pairings:
        decision = decision_of(pairing, games)
        if decision is not None:
            pairing.points, pairing.is_forfeit = decision
            pairing.save(update_fields=[*POINTS, "is_forfeit"])
            if row.is_continuous:
                keys = [player.pk for player in pairing.players]
                row.entries.filter(pk__in=keys).update(free_since=now())
            points.append(forfeits.points_for_log(pairing))
    return points


def _withdraw_absent(
    row: TournamentRow, pairings: Iterable[int], of_tables: Iterable[EntryRow]
) -> None:
    """Withdraw players who have lost without any move: a pairing, or at a table of three or four.

    Args:
        row: the event.
        pairings: the keys of those that have changed.
        of_tables: the players of larger tables.
    """
    lost = PairingRow.objects.filter(
        pk__in=pairings, is_forfeit=True, is_adjudicated=False, first_points__isnull=False
    )
    absent = [one for one in of_tables if not one.is_withdrawn]
    absent += [
        entry
        for pairing in lost.select_related(*SEATS)
        for entry, points in zip(pairing.players, pairing.points or (), strict=False)
        if points == 0 and not entry.is_withdrawn
    ]
    if absent:
        forfeits.withdraw(row, absent, None, ABSENT)


def finish(row: TournamentRow, by: User | None = None, reason: str = "") -> None:
    """Finish a locked, running event: give the ranks.

    Args:
        row: the event.
        by: the director who ends it; ``None`` for the site.
        reason: why it ends early.
    """
    entries = {one.number: one for one in row.entries.exclude(number=None)}
    table = row.format.table(rounds.state_of(row))
    for standing in table:
        entries[standing.player].rank = standing.rank
    EntryRow.objects.bulk_update(entries.values(), ["rank"])
    row.state, row.due_at, row.ended_at = TournamentState.FINISHED, None, now()
    if row.last_round is not None:
        row.last_round = row.round  # fewer than planned if an event ends early
    ranks = [[one.player, one.rank] for one in table]
    record(row, Step.FINISHED, by, reason, state=row.state, ranks=ranks)
