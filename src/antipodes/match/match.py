"""A match as a value: where it stands, what each event makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from antipodes.clocks import UNLIMITED, Clock, TimeControl
from antipodes.core import Color, Move
from antipodes.errors import Fault, InvalidOptionsError
from antipodes.games.position import Game, Position
from antipodes.match.commands import OfferKind
from antipodes.match.events import Event, EventKind, MoveSource
from antipodes.match.plans import Plan
from antipodes.records import Record, Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What was agreed before a match.

    Attributes:
        game: the rules with their options.
        players: who sits where, by any stable name; somebody may sit on several seats.
        control: how much time there is.
        rated: whether it counts.
        analysis: whether players may try variations beside the game.
    """

    game: Game
    players: tuple[str, ...]
    control: TimeControl = UNLIMITED
    rated: bool = False
    analysis: bool = True

    def __post_init__(self) -> None:
        """Check that every seat is taken.

        Raises:
            InvalidOptionsError: there are more or fewer players than seats.
        """
        if len(self.players) != self.game.seats or not all(self.players):
            message = (
                f"{self.game.title} has {self.game.seats} seats, but the players are {self.players}"
            )
            raise InvalidOptionsError([Fault("match/seats", message, "players")])


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeMove:
    """A move of a match.

    Attributes:
        move: the move.
        seat: who made it.
        at: when, in milliseconds.
        source: by hand or from a plan.
    """

    move: Move
    seat: int
    at: int
    source: MoveSource


@dataclass(frozen=True, kw_only=True)
class Match:
    """How a match stands; an immutable value that events carry forward.

    Attributes:
        terms: what was agreed.
        position: what is on the board.
        moves: all moves that stand.
        clock: everybody's time.
        offers: open offers, with the seats that have agreed; the first one has offered.
        plans: the conditional moves of each seat; private.
        declined: offers that were declined since the last move: who declined, and the seats that
            had agreed.
        resigning: seats that resign when their turn comes; private.
        keys: keys of the commands that were carried out.
        result: how it ended, or ``None``.
    """

    terms: Terms
    position: Position
    clock: Clock
    plans: tuple[Plan, ...]
    moves: tuple[MadeMove, ...] = ()
    offers: Mapping[OfferKind, tuple[int, ...]] = field(default_factory=dict)
    declined: Mapping[OfferKind, tuple[int, tuple[int, ...]]] = field(default_factory=dict)
    resigning: frozenset[int] = frozenset()
    keys: frozenset[str] = frozenset()
    result: Result | None = None

    @classmethod
    def begun(cls, terms: Terms, now: int) -> Self:
        """Return a match that begins now; the clock of the first seat runs."""
        seats = terms.game.seats
        position = terms.game.initial()
        clock = Clock.ready(terms.control, seats).turn_to(position.seat_to_move, now)
        return cls(terms=terms, position=position, clock=clock, plans=(Plan(),) * seats)

    @classmethod
    def replayed(cls, terms: Terms, begun: int, events: Iterable[Event]) -> Match:
        """Return the match that began at an instant and has seen these events since."""
        match: Match = cls.begun(terms, begun)
        for event in events:
            match = match.after(event)
        return match

    @property
    def ply(self) -> int:
        """How many moves stand."""
        return len(self.moves)

    @property
    def seat_to_move(self) -> int | None:
        """Whose turn it is; ``None`` after the end."""
        return None if self.result is not None else self.position.seat_to_move

    def color_of(self, seat: int) -> Color:
        """Return the colour that a seat plays now."""
        colors = self.terms.game.colors
        return next(color for color in colors if seat in self.position.seat_of(color))

    def is_agreed(self, kind: OfferKind) -> bool:
        """Return whether all players have agreed to an offer, each from one seat at least."""
        players = self.terms.players
        return {players[seat] for seat in self.offers.get(kind, ())} == set(players)

    def last_move_of(self, seat: int) -> int | None:
        """Return the number of moves before a seat's last one, or ``None`` if it made none."""
        plies = [ply for ply, made in enumerate(self.moves) if made.seat == seat]
        return plies[-1] if plies else None

    def record(self) -> Record:
        """Return the record of the match so far."""
        record = Record(self.terms.game, players=self.terms.players)
        node = record.root
        for made in self.moves:
            node = node.add(made.move)
        record.clock = str(self.terms.control)
        record.result = self.result
        return record

    def after(self, event: Event) -> Match:
        """Return the match after an event, which must be one that can happen here."""
        keys = self.keys | {event.key} if event.key else self.keys
        changed = _CHANGES[event.kind](self, event)
        return replace(changed, keys=keys)


def _moved(match: Match, event: Event) -> Match:
    assert event.move is not None
    assert event.seat is not None
    move = Move(event.move)
    position = match.position.play(move)
    source = event.source or MoveSource.HAND
    made = MadeMove(move=move, seat=event.seat, at=event.at, source=source)
    # Whoever moves on leaves others' offers unanswered; a takeback means another move by now.
    offers: dict[OfferKind, tuple[int, ...]] = {
        kind: seats
        for kind, seats in match.offers.items()
        if event.seat in seats and kind is not OfferKind.TAKEBACK
    }
    plans = [
        _plan_after(plan, move, own=seat == event.seat) for seat, plan in enumerate(match.plans)
    ]
    return replace(
        match,
        position=position,
        moves=(*match.moves, made),
        clock=match.clock.turn_to(position.seat_to_move, event.at),
        offers=offers,
        declined={},
        plans=tuple(plans),
        resigning=match.resigning - {event.seat},
    )


def _plan_after(plan: Plan, move: Move, *, own: bool) -> Plan:
    if not own:
        return plan.after(move)
    answer = plan.answer
    return answer.then if answer is not None and answer.move == move else Plan()


def _offered(match: Match, event: Event) -> Match:
    assert event.offer is not None
    assert event.seat is not None
    seats = (*match.offers.get(event.offer, ()), event.seat)
    declined = {kind: one for kind, one in match.declined.items() if kind is not event.offer}
    return replace(match, offers={**match.offers, event.offer: seats}, declined=declined)


def _declined(match: Match, event: Event) -> Match:
    assert event.offer is not None
    assert event.seat is not None
    agreed = match.offers.get(event.offer, ())
    declined = dict(match.declined)
    if event.seat not in agreed:  # else it is withdrawn
        declined[event.offer] = (event.seat, agreed)
    return replace(match, offers=_without(match, event.offer), declined=declined)


def _taken_back(match: Match, event: Event) -> Match:
    moves = match.moves[: event.ply]
    position = match.terms.game.initial()
    for made in moves:
        position = position.play(made.move)
    return replace(
        match,
        position=position,
        moves=moves,
        clock=match.clock.turn_to(position.seat_to_move, event.at),
        offers={},
        declined={},
        plans=(Plan(),) * len(match.plans),
        resigning=frozenset(),
    )


def _paused(match: Match, event: Event) -> Match:
    offers = _without(match, OfferKind.PAUSE)
    return replace(match, clock=match.clock.pause(event.at), offers=offers)


def _resumed(match: Match, event: Event) -> Match:
    return replace(match, clock=match.clock.resume(event.at))


def _planned(match: Match, event: Event) -> Match:
    return replace(match, plans=_plans_with(match, event.seat, event.plan or Plan()))


def _plan_dropped(match: Match, event: Event) -> Match:
    return replace(match, plans=_plans_with(match, event.seat, Plan()))


def _resignation_queued(match: Match, event: Event) -> Match:
    seats = frozenset() if event.seat is None else frozenset({event.seat})
    return replace(
        match, resigning=match.resigning | seats if event.on else match.resigning - seats
    )


def _left(match: Match, event: Event) -> Match:
    assert event.seat is not None
    return replace(match, clock=match.clock.leave(event.seat, event.at))


def _came_back(match: Match, event: Event) -> Match:
    assert event.seat is not None
    return replace(match, clock=match.clock.come_back(event.seat, event.at))


def _ended(match: Match, event: Event) -> Match:
    return replace(
        match,
        clock=match.clock.stop(event.at),
        result=event.result,
        offers={},
        declined={},
        plans=(Plan(),) * len(match.plans),
        resigning=frozenset(),
    )


def _without(match: Match, kind: OfferKind | None) -> dict[OfferKind, tuple[int, ...]]:
    return {offer: seats for offer, seats in match.offers.items() if offer is not kind}


def _plans_with(match: Match, seat: int | None, plan: Plan) -> tuple[Plan, ...]:
    return tuple(plan if one == seat else old for one, old in enumerate(match.plans))


_CHANGES = {
    EventKind.MOVED: _moved,
    EventKind.OFFERED: _offered,
    EventKind.AGREED: _offered,
    EventKind.DECLINED: _declined,
    EventKind.TAKEN_BACK: _taken_back,
    EventKind.PAUSED: _paused,
    EventKind.RESUMED: _resumed,
    EventKind.PLANNED: _planned,
    EventKind.PLAN_DROPPED: _plan_dropped,
    EventKind.RESIGNATION_QUEUED: _resignation_queued,
    EventKind.LEFT: _left,
    EventKind.CAME_BACK: _came_back,
    EventKind.ENDED: _ended,
}
