"""Knockout: who loses a pairing is out. The strongest players can meet in the last rounds only."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from antipodes.errors import Fault, InputError, Phrase
from antipodes.tournaments.formats import (
    EMPTY,
    Bracket,
    BracketRound,
    EventState,
    Format,
    Part,
    Place,
)
from antipodes.tournaments.history import History, Pairing, check_players, check_round, seated
from antipodes.tournaments.standings import Standing, ranked, standings

Pair = tuple[Place, Place]

_TITLE = Phrase("Bracket")
_LAST_ROUNDS = {1: Phrase("Final"), 2: Phrase("Semifinals"), 4: Phrase("Quarterfinals")}


def rounds_of_knockout(count: int) -> int:
    """Return how many rounds so many players need."""
    return (count - 1).bit_length()


def bracket(players: Sequence[int]) -> list[Place]:
    """Return the players in the order of the bracket, neighbours meeting in the first round.

    Its length is a power of two; the neighbour of an empty place has a bye. With all favourites
    winning, the first two players meet in the last round, these and the next two in the one before,
    and so on.

    Args:
        players: the strongest first.
    """
    order = [1]
    while len(order) < len(players):
        size = 2 * len(order)
        order = [place for seed in order for place in (seed, size + 1 - seed)]
    return [players[seed - 1] if seed <= len(players) else EMPTY for seed in order]


def neighbours(places: Sequence[Place]) -> list[Pair]:
    """Return the pairs of neighbours."""
    return list(zip(places[::2], places[1::2], strict=True))


class Decisions:
    """Winners and losers of pairs, from the pairings so far."""

    def __init__(self, pairings: Iterable[Pairing]) -> None:
        """Read pairings in any order."""
        self._winners = {
            (one.round, frozenset((one.first, one.second))): one.winner for one in pairings
        }

    def winner(self, round_number: int, pair: Pair) -> Place:
        """Return who goes on; ``None`` while it is not known."""
        if EMPTY in pair:
            return pair[1] if pair[0] == EMPTY else pair[0]
        return self._winners.get((round_number, frozenset(pair)))

    def loser(self, round_number: int, pair: Pair) -> Place:
        """Return who has lost, `EMPTY` after a bye; ``None`` while it is not known."""
        if EMPTY in pair:
            return EMPTY
        winner = self.winner(round_number, pair)
        if winner is None:
            return None
        return pair[1] if winner == pair[0] else pair[0]


def columns(
    players: Sequence[int], pairings: Iterable[Pairing], numbers: Sequence[int] = ()
) -> list[list[Pair]]:
    """Return the pairs of all rounds, from top to bottom, as far as they are known.

    Args:
        players: all who began, the strongest first.
        pairings: the rounds so far.
        numbers: of the rounds in the event, by default from 1.
    """
    decisions = Decisions(pairings)
    rounds = [neighbours(bracket(players))]
    for number in (numbers or range(1, rounds_of_knockout(len(players)) + 1))[:-1]:
        rounds.append(neighbours([decisions.winner(number, pair) for pair in rounds[-1]]))
    return rounds


def check_decided(pairings: Iterable[Pairing]) -> None:
    """Check that all pairings have a winner.

    Raises:
        InputError: one has none; the message names it.
    """
    for pairing in pairings:
        if pairing.second is not None and pairing.winner is None:
            fault = Fault.of(
                "tournament/undecided",
                "round {round}: the pairing of {one} and {other} is not decided",
                round=pairing.round,
                one=pairing.first,
                other=pairing.second,
            )
            raise InputError([fault])


def pairings_of_pairs(pairs: Iterable[Pair], history: History, round_number: int) -> list[Pairing]:
    """Return the pairings of the pairs of a bracket; pairs of empty places have none.

    The seats of each player alternate where those of the opponent allow it.

    Raises:
        InputError: a player is not known yet.
    """
    pairings = []
    for pair in pairs:
        if None in pair:
            fault = Fault.of(
                "tournament/undecided",
                "round {round} cannot be paired: a pairing before it is missing",
                round=round_number,
            )
            raise InputError([fault])
        low, high = sorted(one or EMPTY for one in pair)
        if high != EMPTY:
            made = seated((low, high), history, round_number)
            pairings.append(replace(made, needs_winner=True))
    return pairings


def pair_knockout(
    players: Sequence[int],
    pairings: Iterable[Pairing],
    round_number: int,
    history: History | None = None,
) -> list[Pairing]:
    """Return the pairings of a round in the order of the bracket.

    Args:
        players: the pairing numbers of all who began, the strongest first.
        pairings: all earlier rounds with their points; the one with more points goes on.
        round_number: from 1 to ``rounds_of_knockout``.
        history: of the whole event, where rounds of another kind came before; it decides seats.

    Raises:
        InputError: no such round, or an earlier pairing is missing or undecided.
    """
    check_players(players)
    check_round(round_number, rounds_of_knockout(len(players)))
    known = list(pairings)
    check_decided(known)
    pairs = columns(players, known)[round_number - 1]
    return pairings_of_pairs(pairs, history or History(known), round_number)


def bracket_of(players: Sequence[int], pairings: Iterable[Pairing], after: int = 0) -> Bracket:
    """Return the bracket of a knockout.

    Args:
        players: all who began, the strongest first.
        pairings: of its rounds, from 1.
        after: the rounds of the event before the first of the knockout.

    Raises:
        InputError: there are fewer than two players.
    """
    check_players(players)
    rounds = [
        BracketRound(
            after + number,
            _LAST_ROUNDS.get(len(pairs)) or Phrase("Round {round}", {"round": after + number}),
            pairs,
        )
        for number, pairs in enumerate(columns(players, pairings), start=1)
    ]
    return Bracket(_TITLE, rounds)


def rank_by_losses(event: EventState, lives: int = 1) -> list[Standing]:
    """Return the table of an event whose players are out after some losses.

    Players who lasted longer are ahead; among those who are still in, who has lost less often, then
    who is through to a later round.
    """
    losses: dict[int, list[int]] = {one: [] for one in event.players}
    reached = dict.fromkeys(event.players, 0)
    for pairing in event.pairings:
        if pairing.winner is not None:
            losses[pairing.opponent_of(pairing.winner) or 0].append(pairing.round)
        if pairing.points is not None:
            reached |= {player: max(reached[player], pairing.round) for player in pairing.players}
    after = max((one.round for one in event.pairings), default=0) + 1
    lasted = {}
    for player, rounds in losses.items():
        is_out = len(rounds) >= lives
        last = max(rounds) if is_out else after
        lasted[player] = (float(last), -float(len(rounds)), 0.0 if is_out else reached[player])
    rows = standings(event.players, event.pairings, event.tie_breaks)
    return ranked(lasted, {row.player: (row.points, *row.values) for row in rows})


@dataclass(frozen=True, kw_only=True)
class Elimination(Format):
    """Base of formats whose pairings need a winner."""

    @abstractmethod
    def pair_by_results(
        self, players: Sequence[int], pairings: Sequence[Pairing], round_number: int
    ) -> list[Pairing]:
        """Return the pairings of a round that the event has.

        Args:
            players: all who began, the strongest first.
            pairings: all earlier rounds.
            round_number: from 1.

        Raises:
            InputError: an earlier pairing is missing or undecided.
        """

    def pair(self, event: EventState, round_number: int) -> list[Pairing]:
        """Return the pairings of a round; opponents of players who have withdrawn win."""
        if round_number > (self.rounds_for(len(event.players)) or 0):
            return []
        return self.pair_by_results(sorted(event.players), event.pairings, round_number)

    def is_built_on(self, count: int, round_number: int, latest: int) -> bool:  # noqa: ARG002
        """Return whether a later round is paired: its players are winners and losers."""
        return latest > round_number


@dataclass(frozen=True, kw_only=True)
class Knockout(Elimination):
    """Who loses a pairing is out."""

    name = "knockout"
    title = "Knockout"
    summary = "The loser of a pairing is out"

    def rounds_for(self, count: int) -> int:
        """Return how many rounds so many players need."""
        return rounds_of_knockout(count)

    def pair_by_results(
        self, players: Sequence[int], pairings: Sequence[Pairing], round_number: int
    ) -> list[Pairing]:
        """Return the pairings of a round; see `pair_knockout`."""
        return pair_knockout(players, pairings, round_number)

    def table(self, event: EventState) -> list[Standing]:
        """Rank the players by the round in which they lost."""
        return rank_by_losses(event)

    def parts(self, event: EventState) -> list[Part]:
        """Return the bracket."""
        return [bracket_of(sorted(event.players), event.pairings)]
