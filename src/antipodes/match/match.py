"""A match as an immutable value, and how each event changes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self, assert_never

from antipodes.clocks import UNLIMITED, Clock, TimeControl
from antipodes.core import Color, Move, Setup
from antipodes.errors import Fault, InvalidOptionsError
from antipodes.games.position import Game, Position
from antipodes.match.commands import MoveSource, OfferKind
from antipodes.match.conditional_moves import ConditionalMoves
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
from antipodes.match.start import Start
from antipodes.records import Record, Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms that the players agreed on before a match.

    Attributes:
        game: the rules with their options.
        players: the player on each seat, by any stable name; one may have several seats.
        control: the time control.
        rated: whether the game is rated.
        analysis: whether players may try variations during the game.
        start: where the match begins, if not at the start of the game.
        grace: for how long the clock stands still in each seat's first turn, in milliseconds.
        aborts_late: whether the match is aborted when a first move has not come by then.
    """

    game: Game
    players: tuple[str, ...]
    control: TimeControl = UNLIMITED
    rated: bool = False
    analysis: bool = True
    start: Start | None = None
    grace: int = 0
    aborts_late: bool = False

    @property
    def origin(self) -> Position:
        """The position before all moves, including those that the start gives."""
        position: Position = self.game.initial()
        return position if self.start is None else self.start.origin(self.game)

    @property
    def setup(self) -> Setup | None:
        """The setup from which the match begins, if it is not the start of the game."""
        return None if self.start is None else self.start.setup

    @property
    def given_moves(self) -> tuple[int, ...]:
        """The moves made before the players' first turns."""
        return () if self.start is None else self.start.moves

    def __post_init__(self) -> None:
        """Check that each seat has a player.

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
        seat: the seat that made it.
        at: when it was made, in milliseconds.
        source: whether it was made by hand, is a conditional move, or was given with the start.
    """

    move: Move
    seat: int
    at: int
    source: MoveSource


@dataclass(frozen=True, kw_only=True)
class Match:
    """The state of a match: an immutable value; each event leads to the next one.

    Attributes:
        terms: the terms that the players agreed on.
        position: the position on the board.
        moves: all moves that were not taken back, after those that the start gives.
        clock: the time of all players.
        offers: open offers, with the seats that have agreed; the first one has offered.
        takeback_to: number of moves that the last offered takeback leaves.
        conditional_moves: those of each seat; private.
        declined: offers that were declined since the last move: the seat that declined, and the
            seats that had agreed.
        withdrawn: offers that were withdrawn since the last move, with their seats.
        resigning: seats that resign when their turn comes; private.
        keys: keys of the executed commands.
        result: the result; ``None`` while the match is in progress.
    """

    terms: Terms
    position: Position
    clock: Clock
    conditional_moves: tuple[ConditionalMoves, ...]
    moves: tuple[MadeMove, ...] = ()
    offers: Mapping[OfferKind, tuple[int, ...]] = field(default_factory=dict)
    takeback_to: int | None = None
    declined: Mapping[OfferKind, tuple[int, tuple[int, ...]]] = field(default_factory=dict)
    withdrawn: Mapping[OfferKind, int] = field(default_factory=dict)
    resigning: frozenset[int] = frozenset()
    keys: frozenset[str] = frozenset()
    result: Result | None = None

    @classmethod
    def begun(cls, terms: Terms, now: int) -> Self:
        """Return a match that begins now, with the clock of the first seat running."""
        seats = terms.game.seats
        position = terms.origin
        given = []
        for move in terms.given_moves:
            seat = position.seat_to_move
            given.append(MadeMove(move=Move(move), seat=seat, at=now, source=MoveSource.GIVEN))
            position = position.play(move)
        clock = Clock.ready(terms.control, seats, terms.grace, ends_late=terms.aborts_late)
        return cls(
            terms=terms,
            position=position,
            moves=tuple(given),
            clock=clock.turn_to(position.seat_to_move, now),
            conditional_moves=(ConditionalMoves(),) * seats,
        )

    @classmethod
    def replayed(cls, terms: Terms, begun: int, events: Iterable[Event]) -> Match:
        """Return the match that began at an instant, after some events."""
        match: Match = cls.begun(terms, begun)
        for event in events:
            match = match.after(event)
        return match

    @property
    def ply(self) -> int:
        """Number of moves."""
        return len(self.moves)

    @property
    def seat_to_move(self) -> int | None:
        """The seat to move; ``None`` after the end."""
        return None if self.result is not None else self.position.seat_to_move

    def color_of(self, seat: int) -> Color:
        """Return the colour that a seat plays now."""
        return self.position.color_of(seat)

    def is_agreed(self, kind: OfferKind) -> bool:
        """Return whether all players have agreed to an offer, each from at least one seat."""
        players = self.terms.players
        return {players[seat] for seat in self.offers.get(kind, ())} == set(players)

    def last_move_of(self, seat: int) -> int | None:
        """Return the number of moves before a seat's last one, or ``None`` if it made none.

        Moves that the start gives do not count.
        """
        given = len(self.terms.given_moves)
        plies = [ply for ply, made in enumerate(self.moves) if made.seat == seat and ply >= given]
        return plies[-1] if plies else None

    def record(self) -> Record:
        """Return the record of the match so far."""
        record = Record(self.terms.game, self.terms.setup, players=self.terms.players)
        node = record.root
        for made in self.moves:
            node = node.add(made.move)
        record.clock = str(self.terms.control)
        record.result = self.result
        return record

    def after(self, event: Event, position: Position | None = None) -> Match:
        """Return the match after an event, which must be possible in this state.

        Args:
            event: the event.
            position: the position after a move, if the caller has it already.
        """
        changed = _changed(self, event, position)
        return replace(changed, keys=self.keys | {event.key}) if event.key else changed


def _changed(  # noqa: C901, PLR0911 - one case for each event
    match: Match, event: Event, position: Position | None
) -> Match:
    match event:
        case Moved():
            return _moved(match, event, position or match.position.play(event.move))
        case Offered() | Agreed():
            return _offered(match, event)
        case Declined() | Withdrawn():
            return _closed(match, event)
        case TakenBack():
            return _taken_back(match, event)
        case Paused():
            # An outage of the site pauses too, without consent: then an offer stays open.
            agreed = match.is_agreed(OfferKind.PAUSE)
            offers = _without(match, OfferKind.PAUSE) if agreed else match.offers
            return replace(match, clock=match.clock.pause(event.at), offers=offers)
        case Resumed():
            return replace(match, clock=match.clock.resume(event.at))
        case ConditionalMovesSet():
            return _with_conditional_moves(match, event.seat, event.moves)
        case ConditionalMovesDropped():
            return _with_conditional_moves(match, event.seat, ConditionalMoves())
        case ResignationQueued():
            return replace(match, resigning=match.resigning | {event.seat})
        case ResignationCancelled():
            return replace(match, resigning=match.resigning - {event.seat})
        case VacationStarted():
            return replace(match, clock=match.clock.leave(event.seat, event.at))
        case VacationEnded():
            return replace(match, clock=match.clock.come_back(event.seat, event.at))
        case Ended():
            stopped = replace(match, clock=match.clock.stop(event.at), result=event.result)
            return _without_intentions(stopped)
        case _:
            assert_never(event)


def _moved(match: Match, event: Moved, position: Position) -> Match:
    move = Move(event.move)
    made = MadeMove(move=move, seat=event.seat, at=event.at, source=event.source)
    # A move leaves offers of others unanswered.
    players = match.terms.players
    offers = {
        kind: seats
        for kind, seats in match.offers.items()
        if players[event.seat] in {players[seat] for seat in seats}
    }
    conditional_moves = tuple(
        _moves_after(moves, move, own=seat == event.seat)
        for seat, moves in enumerate(match.conditional_moves)
    )
    return replace(
        match,
        position=position,
        moves=(*match.moves, made),
        clock=match.clock.turn_to(position.seat_to_move, event.at),
        offers=offers,
        declined={},
        withdrawn={},
        conditional_moves=conditional_moves,
    )


def _moves_after(moves: ConditionalMoves, move: Move, *, own: bool) -> ConditionalMoves:
    if not own:
        return moves.after(move)
    # A player who makes the planned move by hand keeps what follows it.
    answer = moves.answer
    return answer.then if answer is not None and answer.move == move else ConditionalMoves()


def _offered(match: Match, event: Offered | Agreed) -> Match:
    seats = (*match.offers.get(event.offer, ()), event.seat)
    declined = {kind: one for kind, one in match.declined.items() if kind is not event.offer}
    withdrawn = {kind: seat for kind, seat in match.withdrawn.items() if kind is not event.offer}
    offers = {**match.offers, event.offer: seats}
    after = replace(match, offers=offers, declined=declined, withdrawn=withdrawn)
    if isinstance(event, Offered) and event.offer is OfferKind.TAKEBACK:
        return replace(after, takeback_to=match.last_move_of(event.seat))
    return after


def _closed(match: Match, event: Declined | Withdrawn) -> Match:
    offers = _without(match, event.offer)
    if isinstance(event, Withdrawn):
        withdrawn = {**match.withdrawn, event.offer: event.seat}
        return replace(match, offers=offers, withdrawn=withdrawn)
    # A player who had agreed may decline later, for instance in a game of teams.
    agreed = tuple(seat for seat in match.offers.get(event.offer, ()) if seat != event.seat)
    declined = {**match.declined, event.offer: (event.seat, agreed)}
    return replace(match, offers=offers, declined=declined)


def _taken_back(match: Match, event: TakenBack) -> Match:
    moves = match.moves[: event.ply]
    # A position does not know the one before it: play what remains again.
    position = match.terms.origin
    for made in moves:
        position = position.play(made.move)
    withdrawn = [made.seat for made in match.moves[event.ply :]]
    clock = match.clock.take_back(withdrawn, position.seat_to_move, event.at)
    return _without_intentions(replace(match, position=position, moves=moves, clock=clock))


def _without_intentions(match: Match) -> Match:
    """Return a match without offers, conditional moves and queued resignations."""
    return replace(
        match,
        offers={},
        declined={},
        withdrawn={},
        conditional_moves=(ConditionalMoves(),) * len(match.conditional_moves),
        resigning=frozenset(),
    )


def _without(match: Match, kind: OfferKind) -> dict[OfferKind, tuple[int, ...]]:
    return {offer: seats for offer, seats in match.offers.items() if offer is not kind}


def _with_conditional_moves(match: Match, seat: int, moves: ConditionalMoves) -> Match:
    changed = list(match.conditional_moves)
    changed[seat] = moves
    return replace(match, conditional_moves=tuple(changed))
