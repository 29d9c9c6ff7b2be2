"""Pairings of an event, and what is known of its players from them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from antipodes.errors import Fault, InputError

BYE = (1.0, 0.0)  # points of a bye
_MOST_LEAD = 2  # by how much a player had one seat more often than the other


@dataclass(frozen=True, slots=True)
class Pairing:
    """Players who meet in a round, two or those of a larger table, or one player with a bye.

    Attributes:
        round: the round, from 1.
        first: pairing number of the player who has the first seat.
        second: that of the opponent; ``None`` for a bye.
        points: of the players in the order of their seats; ``None`` while they are playing.
        is_forfeit: whether it was decided without a game. The two may be paired again.
        needs_winner: whether one of the two must have more points, as in a knockout.
        others: the players of the third seat and the fourth.
        is_playoff: whether it decides who is first, and counts for nothing else.
        score: of two players: the points of each in the games of the pairing, as in match play.
    """

    round: int
    first: int
    second: int | None
    points: tuple[float, ...] | None = None
    is_forfeit: bool = False
    needs_winner: bool = False
    others: tuple[int, ...] = ()
    is_playoff: bool = False
    score: tuple[float, float] | None = None

    @classmethod
    def of(cls, round_number: int, first: int | None, second: int | None) -> Pairing:
        """Return the pairing of two players; where one place is empty, the other has a bye.

        Raises:
            ValueError: both places are empty.
        """
        if first is None and second is None:
            raise ValueError("a pairing needs a player")
        if first is None or second is None:
            return cls(round_number, first or second or 0, None, BYE)
        return cls(round_number, first, second)

    @property
    def players(self) -> tuple[int, ...]:
        """All players in the order of their seats."""
        return tuple(one for one in (self.first, self.second, *self.others) if one is not None)

    @property
    def winner(self) -> int | None:
        """The one of two players with more points; ``None`` if there is none, and for a bye."""
        if len(self.players) != 2 or self.points is None or self.points[0] == self.points[1]:
            return None
        return self.first if self.points[0] > self.points[1] else self.second

    @property
    def is_played(self) -> bool:
        """Whether players have met; not so for byes and forfeits."""
        return self.second is not None and not self.is_forfeit

    def opponents_of(self, player: int) -> list[int]:
        """Return all others at the table of one of the players."""
        return [one for one in self.players if one != player]

    def opponent_of(self, player: int) -> int | None:
        """Return the opponent of one of two players; ``None`` for a bye."""
        return self.second if self.first == player else self.first

    def points_of(self, player: int) -> float:
        """Return the points of one of the players; 0 while they are playing."""
        return 0.0 if self.points is None else self.points[self.players.index(player)]


class History:
    """Points, opponents, byes and seats of each player in the pairings so far."""

    def __init__(self, pairings: Iterable[Pairing]) -> None:
        """Read all pairings, in any order."""
        self.pairings: Sequence[Pairing] = sorted(pairings, key=lambda one: one.round)
        self._points: defaultdict[int, float] = defaultdict(float)
        self._games: defaultdict[int, list[Pairing]] = defaultdict(list)
        self._met: set[frozenset[int]] = set()
        self._byes: Counter[int] = Counter()
        self._free_wins: Counter[int] = Counter()
        self._lead: Counter[int] = Counter()
        self._due: dict[int, bool | None] = {}
        for pairing in self.pairings:
            self._read(pairing)

    def _read(self, pairing: Pairing) -> None:
        for at, player in enumerate(pairing.players):
            self._points[player] += pairing.points[at] if pairing.points else 0.0
            self._games[player].append(pairing)
        if pairing.second is None:
            self._byes[pairing.first] += 1
            self._free_wins[pairing.first] += 1
        elif pairing.is_forfeit and pairing.winner is not None:
            self._free_wins[pairing.winner] += 1
        elif pairing.is_played:
            self._met.update(map(frozenset, combinations(pairing.players, 2)))
            self._lead[pairing.first] += 1
            self._lead[pairing.second] -= 1

    def points(self, player: int) -> float:
        """Return the points of a player, with those of byes and forfeits."""
        return self._points[player]

    def games(self, player: int) -> Sequence[Pairing]:
        """Return the pairings of a player in the order of rounds, byes and forfeits among them."""
        return self._games[player]

    def have_met(self, one: int, other: int) -> bool:
        """Tell whether two players have played or are playing each other."""
        return frozenset((one, other)) in self._met

    def met(self, player: int) -> set[int]:
        """Return the players whom a player has played or is playing."""
        games = (one for one in self.games(player) if one.is_played)
        return {other for one in games for other in one.opponents_of(player)}

    def byes(self, player: int) -> int:
        """Return how many byes a player had."""
        return self._byes[player]

    def free_wins(self, player: int) -> int:
        """Return how many byes a player had, and wins by forfeit; both are wins without a game."""
        return self._free_wins[player]

    def seats(self, player: int) -> list[bool]:
        """Return for each game that a player has begun whether they had the first seat."""
        return [one.first == player for one in self.games(player) if one.is_played]

    def due_seat(self, player: int) -> bool | None:
        """Return whether a player must have the first seat next; ``None`` if both are possible.

        No player has a seat three times in a row, or three times more often than the other, as
        FIDE's absolute colour preferences say (C.04.3, article 1.7).
        """
        if player not in self._due:
            seats, lead = self.seats(player), self.lead(player)
            due = None if abs(lead) < _MOST_LEAD else lead < 0
            if len(seats) > 1 and seats[-1] == seats[-2]:
                due = not seats[-1]
            self._due[player] = due
        return self._due[player]

    def may_sit_together(self, one: int, other: int) -> bool:
        """Tell whether one of two players can have the seat that the other one must not have."""
        due = self.due_seat(one)
        return due is None or due != self.due_seat(other)

    def lead(self, player: int) -> int:
        """Return how often a player had the first seat more than the second one."""
        return self._lead[player]


def check_players(players: Sequence[int], least: int = 2) -> None:
    """Check that pairing numbers are different numbers from 1, and enough of them.

    Raises:
        InputError: they are not; the message names the first wrong number.
    """
    seen: set[int] = set()
    for player in players:
        if player < 1 or player in seen:
            fault = Fault.of(
                "tournament/players",
                "pairing numbers are different numbers from 1; {player} is not",
                player=player,
            )
            raise InputError([fault])
        seen.add(player)
    if len(seen) < least:
        fault = Fault.of(
            "tournament/players",
            "{count} players are too few: at least {least} are needed",
            count=len(seen),
            least=least,
        )
        raise InputError([fault])


def check_round(round_number: int, last: int) -> None:
    """Check the number of a round.

    Raises:
        InputError: it is not from 1 to ``last``.
    """
    if not 1 <= round_number <= last:
        fault = Fault.of(
            "tournament/round",
            "round is {round}, but has to be from 1 to {last}",
            round=round_number,
            last=last,
        )
        raise InputError([fault])


def seated(pair: tuple[int, int], history: History, round_number: int) -> Pairing:
    """Give each player of a pair a seat, or the bye if the other number is 0.

    A player has the seat that they must have, else the one that they had less often, else the one
    that they did not have when the seats of the two last differed; else the two take turns, by the
    seats of the player with the lower number, or before the first game by this number.
    """
    player, other = sorted(pair)
    if player == 0:
        return Pairing.of(round_number, other, None)
    is_first = _has_first_seat(player, other, history)
    return Pairing(round_number, *((player, other) if is_first else (other, player)))


def _has_first_seat(player: int, other: int, history: History) -> bool:
    """Return whether the first of two players has the first seat."""
    due, other_due = history.due_seat(player), history.due_seat(other)
    if due != other_due:
        return not other_due if due is None else due
    leads = history.lead(player), history.lead(other)
    if leads[0] != leads[1]:
        return leads[0] < leads[1]
    seats, others = history.seats(player)[::-1], history.seats(other)[::-1]
    for was_first, was_other_first in zip(seats, others, strict=False):
        if was_first != was_other_first:
            return was_other_first
    return not seats[0] if seats else player % 2 == 1
