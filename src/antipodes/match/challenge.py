"""Challenges: proposed matches, until all seats are taken."""

from __future__ import annotations

from dataclasses import dataclass, replace

from antipodes.clocks import UNLIMITED, TimeControl
from antipodes.errors import Fault, InvalidOptionsError, MatchError, Phrase
from antipodes.games.antipalos import Antipalos
from antipodes.games.match_play import MatchPlay
from antipodes.games.position import Game
from antipodes.match.match import Terms
from antipodes.match.start import Start


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """A player who has joined a challenge.

    Attributes:
        player: by any stable name.
        seat: the seat they chose, or ``None`` to take any that is left.
    """

    player: str
    seat: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """An offer to play; an immutable value.

    Attributes:
        game: the rules with their options.
        by: the challenger.
        control: the time control.
        rated: whether the match is rated.
        analysis: whether players may try variations during the game.
        points: target of Antipalos' match play; ``None`` for a single game.
        seat: the seat that the challenger wants, or ``None`` to draw lots.
        computers: seats of the computer, each with the name of the level's player.
        invited: players who may join; empty for all players.
        promised: pairs of an invited player and the seat that they take when they join.
        joined: players who have joined, besides the challenger.
        start: where the match begins, if not at the start of the game.
    """

    game: Game
    by: str
    control: TimeControl = UNLIMITED
    rated: bool = False
    analysis: bool = True
    points: int | None = None
    seat: int | None = None
    computers: tuple[tuple[int, str], ...] = ()
    invited: frozenset[str] = frozenset()
    promised: tuple[tuple[str, int], ...] = ()
    joined: tuple[Joined, ...] = ()
    start: Start | None = None

    def __post_init__(self) -> None:
        """Check the start, the seats, and the conditions of match play.

        Raises:
            MatchError: a seat does not exist or is taken twice, or there are too many players; or
                the game is over in the position from which the match begins.
            InvalidOptionsError: the game has no match play, or is over before the first move.
            InvalidPositionError: the start has no position of the game.
            IllegalMoveError: the start has a move that is not legal.
        """
        self._check_start()
        wanted = [seat for seat, _ in self.computers]
        wanted += [one.seat for one in self.joined if one.seat is not None]
        present = {one.player for one in self.joined}
        wanted += [seat for player, seat in self.promised if player not in present]
        if self.seat is not None:
            wanted.append(self.seat)
        for seat in wanted:
            if not 0 <= seat < self.game.seats:
                raise _refused(
                    "match/seats",
                    "{game} has no seat {seat}",
                    game=Phrase(self.game.title),
                    seat=seat + 1,
                )
            if wanted.count(seat) > 1:
                raise _refused("match/seat-taken", "seat {seat} is taken already", seat=seat + 1)
        if self.taken > self.game.seats:
            raise _refused(
                "match/full",
                "{taken} cannot sit at {seats} seats",
                taken=self.taken,
                seats=self.game.seats,
            )
        if self.rated and self.computers:
            raise _refused("match/rated", "games with the computer are not rated")
        if self.rated and self.start is not None:
            raise _refused("match/rated", "games that begin from a position are not rated")
        self.check_points()

    def _check_start(self) -> None:
        """Check that the game is not over before the first move."""
        if self.start is not None:
            outcome = self.start.position(self.game).outcome
            if outcome is not None:
                raise _refused(
                    "match/decided", "the game is over in this position: {outcome}", outcome=outcome
                )
        elif self.game.initial().outcome is not None:
            fault = Fault.of(
                "match/decided",
                "with these options {game} is over before the first move",
                game=Phrase(self.game.title),
            )
            raise InvalidOptionsError([fault])

    def check_points(self) -> None:
        """Check that the game has match play, if the challenge is one to it.

        Raises:
            InvalidOptionsError: the game has no match play, or not to so many points.
        """
        if self.points is None:
            return
        if not isinstance(self.game, Antipalos):
            fault = Fault.of(
                "match-play/no-such-game",
                "{game} has no match play; it belongs to Antipalos",
                game=Phrase(self.game.title),
            )
            raise InvalidOptionsError([fault])
        MatchPlay(self.game, self.points)

    @property
    def taken(self) -> int:
        """Number of taken seats."""
        return 1 + len(self.joined) + len(self.computers)

    @property
    def is_full(self) -> bool:
        """Whether all seats are taken, so that the match can begin."""
        return self.taken == self.game.seats

    @property
    def free_seats(self) -> tuple[int, ...]:
        """Seats that no player has chosen; players without a choice get some of them."""
        chosen = {self.seat, *(seat for seat, _ in self.computers)}
        chosen |= {one.seat for one in self.joined}
        return tuple(seat for seat in range(self.game.seats) if seat not in chosen)

    def join(self, player: str, seat: int | None = None) -> Challenge:
        """Return the challenge with one more player, on a chosen seat or any.

        A player to whom a seat was promised gets that one.

        Raises:
            MatchError: the player has joined already or is not invited, the seat is taken, or the
                challenge is full.
        """
        if self.is_full:
            raise _refused("match/full", "all seats are taken")
        if player == self.by or any(player == one.player for one in self.joined):
            raise _refused("match/joined", "you have joined already")
        if self.invited and player not in self.invited:
            raise _refused("match/not-invited", "you are not invited")
        promised = dict(self.promised)
        seat = promised.get(player, seat)
        if player not in promised and seat is not None and seat in promised.values():
            raise _refused("match/seat-taken", "seat {seat} is taken already", seat=seat + 1)
        return replace(self, joined=(*self.joined, Joined(player=player, seat=seat)))

    def leave(self, player: str) -> Challenge:
        """Return the challenge without a player who had joined.

        Raises:
            MatchError: the player had not joined.
        """
        rest = tuple(one for one in self.joined if one.player != player)
        if len(rest) == len(self.joined):
            raise _refused("match/not-joined", "you have not joined")
        return replace(self, joined=rest)

    def fill(self, player: str) -> Challenge:
        """Return the challenge with the computer on all seats that players leave free.

        Args:
            player: name of the computer player.
        """
        free = self.free_seats
        # Players without a choice get the first of the free seats.
        waiting = sum(one.seat is None for one in self.joined) + (self.seat is None)
        more = tuple((seat, player) for seat in free[waiting:])
        return replace(self, computers=(*self.computers, *more), rated=False)

    def terms(self, lot: int) -> Terms:
        """Return the terms of the match, when all seats are taken.

        Args:
            lot: a random number from 0, for the seat of a challenger without a choice.

        Raises:
            MatchError: seats are free.
        """
        if not self.is_full:
            raise _refused(
                "match/not-full", "{count} more must join", count=self.game.seats - self.taken
            )
        players = dict(self.computers)
        players.update({one.seat: one.player for one in self.joined if one.seat is not None})
        free = self.free_seats
        own = self.seat if self.seat is not None else free[lot % len(free)]
        players[own] = self.by
        # Players without a choice sit in the order of joining, clockwise from the challenger.
        other_seats = [seat for seat in free if seat != own]
        other_seats.sort(key=lambda seat: (seat - own) % self.game.seats)
        waiting = (one.player for one in self.joined if one.seat is None)
        players.update(zip(other_seats, waiting, strict=True))
        return Terms(
            game=self.game,
            players=tuple(players[seat] for seat in range(self.game.seats)),
            control=self.control,
            rated=self.rated,
            analysis=self.analysis,
            start=self.start,
        )


def _refused(code: str, template: str, **values: object) -> MatchError:
    return MatchError([Fault.of(code, template, **values)])
