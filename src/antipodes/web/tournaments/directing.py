"""Actions of directors, such as to start, pause and cancel events, withdraw players, adjudicate.

The host and moderators are directors. Each action is a step of the log, with its reason.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from antipodes.errors import Fault, InputError
from antipodes.records.texts import clean_line
from antipodes.web.accounts.masking import passed_on
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import computer, users_named
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import rate_limit, take
from antipodes.web.tournaments import forfeits, places, progress, services
from antipodes.web.tournaments.access import check_director
from antipodes.web.tournaments.log import LONGEST_REASON, Step, locked, record
from antipodes.web.tournaments.models import PairingRow, Repeat, TournamentRow, TournamentState
from antipodes.web.tournaments.plans import faults_of_level
from antipodes.web.tournaments.results import Points

ACTIONS = rate_limit(
    "tournament-actions", "60/minute;1000/day", per="user", what="actions of a director"
)

# What the first player of a pairing gets, and the second.
_OF_TWO: dict[str, Points] = {
    "1-0": (1.0, 0.0),
    "0-1": (0.0, 1.0),
    "draw": (0.5, 0.5),
    "0-0": (0.0, 0.0),
}


def results_of(row: TournamentRow) -> dict[str, Points]:
    """Return how a director may decide a pairing of an event, and the points of its players.

    At a table of three or four the number of a seat stands for a win of its side, and a bye's
    points for a draw.
    """
    sides = row.sides
    if not row.has_larger_tables:
        return _OF_TWO
    seats = range(row.game.seats)
    share = row.format.bye(len(sides))
    won = {
        str(side[0] + 1): tuple(share * len(sides) * (seat in side) for seat in seats)
        for side in sides
    }
    return {**won, "draw": (share,) * len(seats), "0-0": (0.0,) * len(seats)}


def start(key: int, user: User) -> None:
    """Start an event now.

    Raises:
        InputError: the user may not, it has begun, or too few players are here.
    """
    take(ACTIONS, str(user.pk))
    with locked(key) as row:
        check_director(row, user)
        if not row.is_before_start:
            raise wrong_state(row)
        progress.start(row, user)


def pause(key: int, user: User, reason: str = "") -> None:
    """Pause a running event: no games begin. Those that have begun go on.

    Raises:
        InputError: the user may not, or it is not running.
    """
    take(ACTIONS, str(user.pk))
    with locked(key) as row:
        check_director(row, user)
        if row.state != TournamentState.RUNNING:
            raise wrong_state(row)
        row.state = TournamentState.PAUSED
        record(row, Step.PAUSED, user, clean_line(reason), state=row.state)


def resume(key: int, user: User) -> None:
    """Resume a paused event.

    Raises:
        InputError: the user may not, or it is not paused.
    """
    take(ACTIONS, str(user.pk))
    with locked(key) as row:
        check_director(row, user)
        if row.state != TournamentState.PAUSED:
            raise wrong_state(row)
        row.state, row.due_at = TournamentState.RUNNING, now()
        record(row, Step.RESUMED, user, state=row.state)


def finish(key: int, user: User) -> None:
    """Finish an arena or ladder now; games that go on count no more.

    Raises:
        InputError: the user may not, it is not running, or its format ends by itself.
    """
    take(ACTIONS, str(user.pk))
    with locked(key) as row:
        check_director(row, user)
        if row.state != TournamentState.RUNNING or not row.format.is_continuous:
            raise wrong_state(row)
        progress.finish(row, user)


def cancel(key: int, user: User, reason: str) -> None:
    """Cancel an event for good.

    Raises:
        InputError: the user may not, there is no reason, or it is over.
    """
    take(ACTIONS, str(user.pk))
    with locked(key) as row:
        check_director(row, user)
        if row.is_over:
            raise wrong_state(row)
        row.repeats = Repeat.NEVER
        progress.cancel(row, user, _checked(user, reason))


def withdraw_player(key: int, user: User, name: str, reason: str) -> None:
    """Take a player out of an event.

    Raises:
        InputError: the user may not, there is no reason, the event is over, or has no such player.
    """
    take(ACTIONS, str(user.pk))
    with locked(key) as row:
        check_director(row, user)
        if row.is_over:
            raise wrong_state(row)
        entry = row.entries.filter(user__in=users_named(name), is_withdrawn=False).first()
        if entry is None:
            message = _("%(name)s is not in this tournament.") % {"name": name[:150]}
            raise InputError([Fault("tournament/not-in", message)])
        told = _checked(user, reason)
        if row.is_before_start:
            entry.delete()
            record(row, Step.LEFT, user, told, user=entry.user_id)
        else:
            forfeits.withdraw(row, [entry], user, told)


def adjudicate(
    key: int, user: User, round_number: int, table: int, result: str, reason: str
) -> None:
    """Decide a pairing, or correct its result; the game itself goes on and keeps its own result.

    Args:
        key: the event.
        user: the director.
        round_number: the round of the pairing.
        table: its table.
        result: a key of what `results_of` returns.
        reason: why, for players and the log.

    Raises:
        InputError: the user may not, there is no reason, no such pairing or result, or a later
            round of a knockout depends on it.
    """
    take(ACTIONS, str(user.pk))
    with locked(key) as row:
        check_director(row, user)
        if not row.is_under_way:
            raise wrong_state(row)
        pairing = row.pairings.filter(round=round_number, table=table).first()
        results = results_of(row)
        if pairing is None or pairing.second_id is None or result not in results:
            message = _("There is no pairing %(round)d.%(table)d that ends %(result)s.")
            values = {"round": round_number, "table": table, "result": result[:10]}
            raise InputError([Fault("tournament/result", message % values)])
        points = results[result]
        if row.format.has_places and pairing.is_decided:
            message = _("The places have changed by this result, so it cannot be corrected.")
            raise InputError([Fault("tournament/result", message)])
        if _is_built_on(row, pairing) or (pairing.needs_winner and points[0] == points[1]):
            message = _("A pairing of a knockout needs a winner, before the next round is paired.")
            raise InputError([Fault("tournament/result", message)])
        told = _checked(user, reason)
        pairing.points = points
        pairing.is_adjudicated, pairing.is_forfeit = True, False
        pairing.save()
        row.due_at = now()
        points_for_log = [forfeits.points_for_log(pairing)]
        changed = places.after_results(row, points_for_log)
        record(row, Step.ADJUDICATED, user, told, points=points_for_log, places=changed)


def add_computer(key: int, user: User, level: str) -> None:
    """Let a level of the computer play in a casual event.

    Raises:
        InputError: the user may not, there is no such level, or the event is rated or has begun.
    """
    take(ACTIONS, str(user.pk))
    if faults := faults_of_level(level, "level"):
        raise InputError(faults)
    with locked(key) as row:
        check_director(row, user)
        if not row.is_before_start:
            raise wrong_state(row)
        if row.rated or row.format.has_teams:
            message = _("Only casual tournaments can have bots or the computer as players.")
            raise InputError([Fault("tournament/bots", message)])
        player = computer(level)
        if row.entries.filter(user=player).exists():
            return
        if row.entries.count() >= row.most_players:
            message = _("This tournament is full: it has %(count)d players.")
            raise InputError([Fault("tournament/full", message % {"count": row.most_players})])
        entry = services.add_entry(row, player)
        entry.is_checked_in = True
        entry.save()
        record(row, Step.JOINED, user, user=player.pk)


def may_decide(row: TournamentRow, pairing: PairingRow) -> bool:
    """Return whether a director may decide a pairing, or correct its result."""
    if not row.is_under_way or pairing.is_bye:
        return False
    if row.format.has_places and pairing.is_decided:
        return False  # the places have changed by it
    return not _is_built_on(row, pairing)


def _is_built_on(row: TournamentRow, pairing: PairingRow) -> bool:
    """Return whether a later round of a knockout depends on a pairing."""
    if pairing.is_playoff:
        return pairing.round < row.round
    count = row.entries.exclude(number=None).count()
    return row.format.is_built_on(count, pairing.round, row.round)


def _checked(user: User, reason: str) -> str:
    """Return a reason as one line, as others may read it.

    Raises:
        InputError: it is empty or too long, or the director is muted.
    """
    told = clean_line(passed_on(user, reason))
    if not 0 < len(told) <= LONGEST_REASON:
        message = _("The reason has %(count)d characters; give one of 1 to %(most)d.")
        values = {"count": len(told), "most": LONGEST_REASON}
        raise InputError([Fault("tournament/reason", message % values)])
    return told


def wrong_state(row: TournamentRow) -> InputError:
    """Return the error of an action that does not fit the state of an event."""
    message = _("This is not possible now: the tournament is in the state “%(state)s”.")
    return InputError([Fault("tournament/state", message % {"state": row.get_state_display()})])
