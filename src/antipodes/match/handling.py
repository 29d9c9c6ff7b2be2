"""The rules of a match: which commands it accepts, and which events follow.

A command is executed completely or refused completely, and it is checked before any event is made.
The events include automatic consequences: conditional moves, a queued resignation, the end of the
game.
"""

from __future__ import annotations

from typing import assert_never

from antipodes.clocks import Pace
from antipodes.clocks.control import DAY
from antipodes.errors import Fault, MatchError, Phrase
from antipodes.match.commands import (
    Abort,
    Accept,
    CancelResignation,
    ClaimDraw,
    ClaimFlag,
    ClaimWin,
    Command,
    Decline,
    EndVacation,
    MoveSource,
    Offer,
    OfferKind,
    Play,
    QueueResignation,
    Resign,
    Resume,
    SetConditionalMoves,
    StartVacation,
)
from antipodes.match.events import (
    Agreed,
    ConditionalMovesDropped,
    ConditionalMovesSet,
    Declined,
    Ended,
    Event,
    Moved,
    Offered,
    Paused,
    ResignationCancelled,
    ResignationQueued,
    Resumed,
    TakenBack,
    VacationEnded,
    VacationStarted,
    Withdrawn,
)
from antipodes.match.match import Match
from antipodes.records import Reason, Result


def handle(match: Match, command: Command, now: int) -> tuple[Match, tuple[Event, ...]]:
    """Execute a command at an instant; return the match after it and its events.

    A command whose key has been seen before does nothing. If the time of the player to move is up,
    that ends the match, and the command comes too late.

    Raises:
        MatchError: the command is refused, with the reason; nothing has changed.
        IllegalMoveError: the move is not legal; nothing has changed.
    """
    # Before all refusals, since a command that is sent again is stale by then.
    if command.key in match.keys:
        return match, ()
    if match.result is not None and not _is_about_rematch(command):
        raise _refused("match/over", "the match is over: {result}", result=match.result)
    if not 0 <= command.seat < match.terms.game.seats:
        raise _refused("match/seats", "there is no seat {seat}", seat=command.seat)
    ended, events = claim_flag(match, now)
    if events:
        return ended, events
    if command.ply != match.ply:
        raise _refused(
            "match/stale",
            "this was meant for move {meant}, but move {next} is next",
            meant=command.ply + 1,
            next=match.ply + 1,
        )
    change = _Change(match, now, command.key)
    _carry_out(change, command)
    return change.match, tuple(change.events)


def _is_about_rematch(command: Command) -> bool:
    return isinstance(command, Offer | Accept | Decline) and command.kind is OfferKind.REMATCH


def claim_flag(match: Match, now: int) -> tuple[Match, tuple[Event, ...]]:
    """End the match if the time of the player to move is up; return the match and the events.

    If a first move did not come in time, the match is aborted, by no seat.
    """
    seat = None if match.result is not None else match.clock.flagged(now)
    if seat is None:
        return match, ()
    change = _Change(match, now)
    if match.clock.is_late(now):
        change.end(Result(None, Reason.VOID))
    else:
        change.end(_lost_by(match, seat, Reason.TIME), seat)
    return change.match, tuple(change.events)


def bridge(match: Match, stopped: int, resumed: int) -> tuple[Match, tuple[Event, ...]]:
    """Give players back the time between two instants, such as an outage of the server.

    Correspondence clocks run meanwhile, but a player who had a day left before has one afterwards.
    """
    clock = match.clock
    deadline = clock.deadline
    if match.result is not None or deadline is None or deadline <= stopped:
        return match, ()
    if clock.control.pace is Pace.CORRESPONDENCE:
        # The pause begins a day before the flag falls, so that a day is left after it.
        stopped = max(stopped, deadline - DAY)
        if resumed <= stopped:
            return match, ()
    change = _Change(match, stopped)
    change.add(Paused(at=stopped))
    change.add(Resumed(at=resumed))
    return change.match, tuple(change.events)


class _Change:
    """The effect of one command: the match after the events so far, and the events."""

    def __init__(self, match: Match, now: int, key: str = "") -> None:
        self.match = match
        self.now = now
        self.events: list[Event] = []
        self._key = key

    @property
    def key(self) -> str:
        """The key of the next event: the first one carries the command's."""
        return "" if self.events else self._key

    def add(self, event: Event) -> None:
        """Apply an event that the rules of the match allow."""
        self.match = self.match.after(event)
        self.events.append(event)

    def move(self, seat: int, move: int, source: MoveSource) -> None:
        """Make a move.

        Raises:
            IllegalMoveError: the move is not legal; nothing has changed.
        """
        position = self.match.position.play(move)
        event = Moved(at=self.now, key=self.key, seat=seat, move=int(move), source=source)
        self.match = self.match.after(event, position)
        self.events.append(event)

    def end(self, result: Result, seat: int | None = None) -> None:
        self.add(Ended(at=self.now, key=self.key, seat=seat, result=result))


def _carry_out(change: _Change, command: Command) -> None:  # noqa: C901, PLR0912 - one for each
    """Check a command, and make its events."""
    match command:
        case Play():
            _play(change, command)
        case Resign():
            change.end(_lost_by(change.match, command.seat, Reason.RESIGNATION), command.seat)
        case QueueResignation():
            _queue_resignation(change, command)
        case CancelResignation():
            change.add(ResignationCancelled(at=change.now, key=change.key, seat=command.seat))
        case Offer():
            _offer(change, command)
        case Accept():
            _accept(change, command)
        case Decline():
            _decline(change, command)
        case Resume():
            _resume(change, command)
        case Abort():
            _abort(change, command)
        case ClaimFlag():
            # A fallen flag has ended the match already.
            seat = change.match.seat_to_move
            raise _refused("match/time-left", "seat {seat} has time left", seat=seat)
        case ClaimWin() | ClaimDraw():
            _claim_absence(change, command)
        case SetConditionalMoves():
            _set_conditional_moves(change, command)
        case StartVacation():
            _start_vacation(change, command)
        case EndVacation():
            _end_vacation(change, command)
        case _:
            assert_never(command)


def _play(change: _Change, command: Play) -> None:
    match = change.match
    if match.clock.paused:
        raise _refused("match/paused", "the match is paused; resume it first")
    if command.seat != match.seat_to_move:
        raise _refused(
            "match/not-your-turn", "it is the turn of seat {seat}", seat=match.seat_to_move
        )
    change.move(command.seat, command.move, command.source)
    _follow_up(change)


def _follow_up(change: _Change) -> None:
    """Apply the automatic consequences of a move."""
    while change.match.result is None:
        match = change.match
        seat = match.position.seat_to_move
        # The end of the game counts before a resignation that waits for this turn.
        if match.position.outcome is not None:
            change.end(Result.of(match.position.outcome))
        elif seat in match.resigning:
            change.end(_lost_by(match, seat, Reason.RESIGNATION), seat)
        elif not match.conditional_moves[seat]:
            return
        else:
            _make_conditional_move(change, seat)


def _make_conditional_move(change: _Change, seat: int) -> None:
    answer = change.match.conditional_moves[seat].answer
    if answer is None or change.match.position.why_illegal(answer.move) is not None:
        # The rest of the tree belongs to another course of the game.
        change.add(ConditionalMovesDropped(at=change.now, key=change.key, seat=seat))
        return
    change.move(seat, answer.move, MoveSource.CONDITIONAL)


def _queue_resignation(change: _Change, command: QueueResignation) -> None:
    if command.seat == change.match.seat_to_move:
        raise _refused("match/your-turn", "it is your turn: resign now, or move")
    change.add(ResignationQueued(at=change.now, key=change.key, seat=command.seat))


def _offer(change: _Change, command: Offer) -> None:
    match, kind = change.match, command.kind
    _check_draws(match, kind)
    if kind is OfferKind.TAKEBACK and match.last_move_of(command.seat) is None:
        raise _refused("match/nothing-to-take-back", "you have made no move yet")
    if kind is OfferKind.PAUSE and match.clock.paused:
        raise _refused("match/paused", "the match is paused already")
    if kind is OfferKind.REMATCH and match.result is None:
        raise _refused("match/not-over", "a rematch is offered after the end")
    if command.seat in match.offers.get(kind, ()):
        raise _refused("match/offered", _AGREED_ALREADY[kind])
    # A second offer of the same kind is an agreement.
    if match.offers.get(kind):
        _agree(change, command.seat, kind)
    else:
        change.add(Offered(at=change.now, key=change.key, seat=command.seat, offer=kind))
        _conclude(change, kind)


def _check_draws(match: Match, kind: OfferKind) -> None:
    """Refuse a draw in a game that always has a winner.

    Raises:
        MatchError: this is such an offer.
    """
    game = match.terms.game
    if kind is OfferKind.DRAW and not game.has_draws:
        raise _refused(
            "match/no-draws",
            "{game} cannot end in a draw with these options, so none can be agreed",
            game=Phrase(game.title),
        )


def _accept(change: _Change, command: Accept) -> None:
    _check_draws(change.match, command.kind)
    seats = change.match.offers.get(command.kind)
    if not seats or command.seat in seats:
        raise _refused("match/no-offer", _NOT_OFFERED[command.kind])
    _agree(change, command.seat, command.kind)


def _agree(change: _Change, seat: int, kind: OfferKind) -> None:
    change.add(Agreed(at=change.now, key=change.key, seat=seat, offer=kind))
    _conclude(change, kind)


def _conclude(change: _Change, kind: OfferKind) -> None:
    """Apply an offer if all players have agreed to it."""
    match = change.match
    if not match.is_agreed(kind):
        return
    if kind is OfferKind.DRAW:
        change.end(Result(None, Reason.AGREEMENT))
    elif kind is OfferKind.PAUSE:
        change.add(Paused(at=change.now))
    elif kind is OfferKind.TAKEBACK:
        _take_back(change)


def _take_back(change: _Change) -> None:
    """Take back what the offer asked for.

    Raises:
        MatchError: a player has used up the increments of the moves, so their flag would fall.
    """
    match = change.match
    assert match.takeback_to is not None
    change.add(TakenBack(at=change.now, ply=match.takeback_to))
    clock = change.match.clock
    for seat, bank in enumerate(clock.banks):
        left = clock.left(seat, change.now)
        if left is not None and (bank < 0 or left <= 0):
            raise _refused("match/no-time", "after this takeback a player would have no time left")


def _decline(change: _Change, command: Decline) -> None:
    match, kind = change.match, command.kind
    if not match.offers.get(kind) or match.is_agreed(kind):
        raise _refused("match/no-offer", _NOTHING_TO_DECLINE[kind])
    players = match.terms.players
    is_own = players[command.seat] == players[match.offers[kind][0]]
    event = Withdrawn if is_own else Declined
    change.add(event(at=change.now, key=change.key, seat=command.seat, offer=kind))


def _resume(change: _Change, command: Resume) -> None:
    if not change.match.clock.paused:
        raise _refused("match/not-paused", "the match is not paused")
    change.add(Resumed(at=change.now, key=change.key, seat=command.seat))


def _abort(change: _Change, command: Abort) -> None:
    if change.match.last_move_of(command.seat) is not None:
        raise _refused("match/too-late", "you have moved already; a match is aborted before that")
    change.end(Result(None, Reason.VOID), command.seat)


def _claim_absence(change: _Change, command: ClaimWin | ClaimDraw) -> None:
    """End a match whose player to move has left; the caller knows for how long."""
    match = change.match
    players, seat = match.terms.players, match.position.seat_to_move
    if match.clock.control.pace is not Pace.LIVE:
        raise _refused("match/not-live", "only in a live game can an opponent leave")
    if len(set(players)) != 2 or len(match.terms.game.colors) != 2:
        raise _refused("match/claim-players", "this can be claimed in games of two players only")
    if match.clock.paused:
        raise _refused("match/paused", "the match is paused; resume it first")
    if players[seat] == players[command.seat]:
        raise _refused("match/your-turn", "it is your turn: move first")
    if any(match.last_move_of(one) is None for one in range(len(players))):
        raise _refused("match/not-begun", "each player must have moved once")
    if isinstance(command, ClaimDraw):
        _check_draws(match, OfferKind.DRAW)
        change.end(Result(None, Reason.AGREEMENT), command.seat)
    else:
        change.end(_lost_by(match, seat, Reason.FORFEIT), seat)


def _set_conditional_moves(change: _Change, command: SetConditionalMoves) -> None:
    if command.moves and command.seat == change.match.seat_to_move:
        raise _refused(
            "match/your-turn",
            "it is your turn: conditional moves are made while the opponents think",
        )
    change.add(
        ConditionalMovesSet(at=change.now, key=change.key, seat=command.seat, moves=command.moves)
    )


def _start_vacation(change: _Change, command: StartVacation) -> None:
    clock = change.match.clock
    if command.seat in clock.away:
        raise _refused("match/on-vacation", "you are on vacation already")
    if not clock.vacations[command.seat]:
        raise _refused("match/no-vacation", "you have no vacation left in this match")
    change.add(VacationStarted(at=change.now, key=change.key, seat=command.seat))


def _end_vacation(change: _Change, command: EndVacation) -> None:
    if command.seat not in change.match.clock.away:
        raise _refused("match/not-on-vacation", "you are not on vacation")
    change.add(VacationEnded(at=change.now, key=change.key, seat=command.seat))


def _lost_by(match: Match, seat: int, reason: Reason) -> Result:
    """Return the result where a seat's colour loses: the other one wins, if there is only one."""
    loser = match.color_of(seat)
    winner = match.terms.game.opponent_of(loser)
    return Result(winner, reason, loser=loser if winner is None else None)


def _refused(code: str, message: str | Phrase, **values: object) -> MatchError:
    if isinstance(message, Phrase):
        return MatchError([Fault(code, str(message))])
    return MatchError([Fault.of(code, message, **values)])


_AGREED_ALREADY = {
    OfferKind.DRAW: Phrase("you have agreed to a draw already"),
    OfferKind.TAKEBACK: Phrase("you have agreed to a takeback already"),
    OfferKind.PAUSE: Phrase("you have agreed to a pause already"),
    OfferKind.REMATCH: Phrase("you have agreed to a rematch already"),
}
_NOT_OFFERED = {
    OfferKind.DRAW: Phrase("no other player has offered a draw"),
    OfferKind.TAKEBACK: Phrase("no other player has offered a takeback"),
    OfferKind.PAUSE: Phrase("no other player has offered a pause"),
    OfferKind.REMATCH: Phrase("no other player has offered a rematch"),
}
_NOTHING_TO_DECLINE = {
    OfferKind.DRAW: Phrase("there is no offer of a draw"),
    OfferKind.TAKEBACK: Phrase("there is no offer of a takeback"),
    OfferKind.PAUSE: Phrase("there is no offer of a pause"),
    OfferKind.REMATCH: Phrase("there is no offer of a rematch"),
}
