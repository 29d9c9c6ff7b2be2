"""The rules of a match: which commands it obeys, and what comes of them.

A command is carried out whole or refused whole. What comes of it is a list of events, among them
what follows by itself: answers from plans, a queued resignation, the end of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from antipodes.clocks import Pace
from antipodes.clocks.control import DAY
from antipodes.errors import Fault, MatchError, Phrase
from antipodes.match.commands import (
    Abort,
    Accept,
    ClaimFlag,
    ComeBack,
    Command,
    Decline,
    GoOnVacation,
    MakePlan,
    Offer,
    OfferKind,
    Play,
    QueueResignation,
    Resign,
)
from antipodes.match.events import Event, EventKind, MoveSource
from antipodes.match.match import Match
from antipodes.records import Reason, Result


def handle(match: Match, command: Command, now: int) -> tuple[Match, tuple[Event, ...]]:
    """Carry out a command at an instant; return the match after it and what has happened.

    Nothing happens if the command's key has been seen before. If a flag has fallen, that ends the
    match and the command comes too late.

    Raises:
        MatchError: the command is refused, with the reason; nothing has changed.
        IllegalMoveError: the move is not legal; nothing has changed.
    """
    if command.key in match.keys:
        return match, ()
    if match.result is not None and not _is_about_rematch(command):
        raise _refused("match/over", "the match is over: {result}", result=match.result)
    if not 0 <= command.seat < match.terms.game.seats:
        raise _refused("match/seats", "there is no seat {seat}", seat=command.seat)
    late, events = tick(match, now)
    if events:
        return late, events
    if command.ply != match.ply:
        raise _refused(
            "match/stale",
            "this was meant for move {meant}, but move {next} is next",
            meant=command.ply + 1,
            next=match.ply + 1,
        )
    story = _Story(match, now, command.key)
    _HANDLERS[type(command)](story, command)
    return story.match, tuple(story.events)


def _is_about_rematch(command: Command) -> bool:
    return isinstance(command, Offer | Accept | Decline) and command.kind is OfferKind.REMATCH


def tick(match: Match, now: int) -> tuple[Match, tuple[Event, ...]]:
    """Let the flag fall if the time is up; return the match and what has happened."""
    seat = None if match.result is not None else match.clock.flagged(now)
    if seat is None:
        return match, ()
    story = _Story(match, now, "")
    story.tell(EventKind.ENDED, seat=seat, result=_lost_by(match, seat, Reason.TIME))
    return story.match, tuple(story.events)


def bridge(match: Match, stopped: int, resumed: int) -> tuple[Match, tuple[Event, ...]]:
    """Let nobody's time run from one instant to another, such as while a server was down.

    By correspondence time goes on, but nobody has less than a day afterwards who had it before. The
    second instant may be before the first, if the clock was set back in between: then everybody has
    what was left.
    """
    clock = match.clock
    deadline = clock.deadline
    if match.result is not None or deadline is None or deadline <= stopped:
        return match, ()
    if clock.control.pace is Pace.CORRESPONDENCE and stopped <= resumed:
        stopped = max(stopped, deadline - DAY)
        if resumed <= stopped:
            return match, ()
    story = _Story(match, stopped, "")
    story.tell(EventKind.PAUSED)
    story.now = resumed
    story.tell(EventKind.RESUMED)
    return story.match, tuple(story.events)


class _Story:
    """What comes of one command: the match as it goes on, and the events."""

    def __init__(self, match: Match, now: int, key: str) -> None:
        self.match = match
        self.now = now
        self.events: list[Event] = []
        self._key = key

    def tell(self, kind: EventKind, **details: Any) -> None:
        """Let something happen; the first event carries the command's key."""
        key = self._key if not self.events else ""
        event = Event(kind=kind, at=self.now, key=key, **details)
        self.match = self.match.after(event)
        self.events.append(event)

    def end(self, result: Result, seat: int | None = None) -> None:
        """End the match."""
        self.tell(EventKind.ENDED, seat=seat, result=result)


def _play(story: _Story, command: Play) -> None:
    match = story.match
    if match.clock.paused:
        raise _refused("match/paused", "the match is paused; resume it first")
    if command.seat != match.seat_to_move:
        raise _refused(
            "match/not-your-turn", "it is the turn of seat {seat}", seat=match.seat_to_move
        )
    story.tell(EventKind.MOVED, seat=command.seat, move=int(command.move), source=MoveSource.HAND)
    _go_on(story)


def _go_on(story: _Story) -> None:
    """Let happen what follows a move by itself."""
    while story.match.result is None:
        match = story.match
        seat = match.position.seat_to_move
        if match.position.outcome is not None:
            story.end(Result.of(match.position.outcome))
        elif seat in match.resigning:
            story.end(_lost_by(match, seat, Reason.RESIGNATION), seat)
        elif not match.plans[seat]:
            return
        else:
            _answer_from_plan(story, seat)


def _answer_from_plan(story: _Story, seat: int) -> None:
    answer = story.match.plans[seat].answer
    if answer is None or answer.move not in story.match.position.legal_moves:
        story.tell(EventKind.PLAN_DROPPED, seat=seat)
        return
    story.tell(EventKind.MOVED, seat=seat, move=answer.move, source=MoveSource.PLAN)


def _resign(story: _Story, command: Resign) -> None:
    story.end(_lost_by(story.match, command.seat, Reason.RESIGNATION), command.seat)


def _queue_resignation(story: _Story, command: QueueResignation) -> None:
    if command.on and command.seat == story.match.seat_to_move:
        raise _refused("match/your-turn", "it is your turn: resign now, or move")
    story.tell(EventKind.RESIGNATION_QUEUED, seat=command.seat, on=command.on)


def _offer(story: _Story, command: Offer) -> None:
    match, kind = story.match, command.kind
    _check_draws(match, kind)
    if kind is OfferKind.TAKEBACK and match.last_move_of(command.seat) is None:
        raise _refused("match/nothing-to-take-back", "you have made no move yet")
    if kind is OfferKind.PAUSE and match.clock.paused:
        raise _refused("match/paused", "the match is paused already")
    if kind is OfferKind.REMATCH and match.result is None:
        raise _refused("match/not-over", "a rematch is offered after the end")
    if command.seat in match.offers.get(kind, ()):
        raise _refused("match/offered", _AGREED_ALREADY[kind])
    # Two offers that cross are an agreement.
    if match.offers.get(kind):
        _agree(story, command.seat, kind)
    else:
        story.tell(EventKind.OFFERED, seat=command.seat, offer=kind)
        _conclude(story, kind)


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


def _accept(story: _Story, command: Accept) -> None:
    _check_draws(story.match, command.kind)
    seats = story.match.offers.get(command.kind)
    if not seats or command.seat in seats:
        raise _refused("match/no-offer", _NOT_OFFERED[command.kind])
    _agree(story, command.seat, command.kind)


def _agree(story: _Story, seat: int, kind: OfferKind) -> None:
    story.tell(EventKind.AGREED, seat=seat, offer=kind)
    _conclude(story, kind)


def _conclude(story: _Story, kind: OfferKind) -> None:
    """Bring about what all have agreed to."""
    match = story.match
    if not match.is_agreed(kind):
        return
    if kind is OfferKind.DRAW:
        story.end(Result(None, Reason.AGREEMENT))
    elif kind is OfferKind.PAUSE:
        story.tell(EventKind.PAUSED)
    elif kind is OfferKind.TAKEBACK:
        asked = match.offers[kind][0]
        story.tell(EventKind.TAKEN_BACK, ply=match.last_move_of(asked))


def _decline(story: _Story, command: Decline) -> None:
    match = story.match
    if command.kind is OfferKind.PAUSE and match.clock.paused:
        story.tell(EventKind.RESUMED, seat=command.seat)
    elif match.offers.get(command.kind) and not match.is_agreed(command.kind):
        story.tell(EventKind.DECLINED, seat=command.seat, offer=command.kind)
    else:
        raise _refused("match/no-offer", _NOTHING_TO_DECLINE[command.kind])


def _abort(story: _Story, command: Abort) -> None:
    if story.match.last_move_of(command.seat) is not None:
        raise _refused("match/too-late", "you have moved already; a match is aborted before that")
    story.end(Result(None, Reason.VOID), command.seat)


def _claim_flag(story: _Story, _command: ClaimFlag) -> None:
    raise _refused("match/time-left", "seat {seat} has time left", seat=story.match.seat_to_move)


def _make_plan(story: _Story, command: MakePlan) -> None:
    if command.plan and command.seat == story.match.seat_to_move:
        raise _refused("match/your-turn", "it is your turn: a plan is made while others think")
    story.tell(EventKind.PLANNED, seat=command.seat, plan=command.plan)


def _go_on_vacation(story: _Story, command: GoOnVacation) -> None:
    if command.seat in story.match.clock.away:
        raise _refused("match/on-vacation", "you are on vacation already")
    if not story.match.clock.vacations[command.seat]:
        raise _refused("match/no-vacation", "you have no vacation left in this match")
    story.tell(EventKind.LEFT, seat=command.seat)


def _come_back(story: _Story, command: ComeBack) -> None:
    if command.seat not in story.match.clock.away:
        raise _refused("match/not-on-vacation", "you are not on vacation")
    story.tell(EventKind.CAME_BACK, seat=command.seat)


def _lost_by(match: Match, seat: int, reason: Reason) -> Result:
    """Return the result where a seat's colour loses: the other one wins, if there is only one."""
    loser = match.color_of(seat)
    winner = match.terms.game.opponent_of(loser)
    return Result.given_up(loser, reason) if winner is None else Result(winner, reason)


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
    OfferKind.DRAW: Phrase("nobody else has offered a draw"),
    OfferKind.TAKEBACK: Phrase("nobody else has offered a takeback"),
    OfferKind.PAUSE: Phrase("nobody else has offered a pause"),
    OfferKind.REMATCH: Phrase("nobody else has offered a rematch"),
}
_NOTHING_TO_DECLINE = {
    OfferKind.DRAW: Phrase("there is no offer of a draw"),
    OfferKind.TAKEBACK: Phrase("there is no offer of a takeback"),
    OfferKind.PAUSE: Phrase("there is no offer of a pause"),
    OfferKind.REMATCH: Phrase("there is no offer of a rematch"),
}


_HANDLERS: dict[type[Command], Callable[[_Story, Any], None]] = {
    Abort: _abort,
    Accept: _accept,
    ClaimFlag: _claim_flag,
    ComeBack: _come_back,
    Decline: _decline,
    GoOnVacation: _go_on_vacation,
    MakePlan: _make_plan,
    Offer: _offer,
    Play: _play,
    QueueResignation: _queue_resignation,
    Resign: _resign,
}
