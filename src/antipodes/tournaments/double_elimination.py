"""Double elimination: a player who has lost twice is out.

All players begin in the winners' bracket. A player who loses there goes on in the losers' bracket,
and is out after another loss. The winners of both brackets meet in the grand final. If the one of
the losers' bracket wins it, both have lost once, and a second grand final decides.

With a winners' bracket of ``n`` rounds the event has ``2 n`` rounds, and one more for the second
grand final. Round 1 is the first of the winners' bracket. In each later round the losers' bracket
plays; the winners' bracket plays in round 1 and in the even ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from antipodes.errors import Phrase
from antipodes.tournaments.formats import Bracket, BracketRound, EventState, Part, Place
from antipodes.tournaments.history import History, Pairing, check_players, check_round
from antipodes.tournaments.knockout import (
    Decisions,
    Elimination,
    Pair,
    check_decided,
    columns,
    neighbours,
    pairings_of_pairs,
    rank_by_losses,
    rounds_of_knockout,
)
from antipodes.tournaments.standings import Standing

_WINNERS, _LOSERS, _FINAL = (
    Phrase("Winners' bracket"),
    Phrase("Losers' bracket"),
    Phrase("Grand final"),
)
_LAST_OF_WINNERS, _LAST_OF_LOSERS = Phrase("Winners' final"), Phrase("Losers' final")


def _swapped(places: list[Place]) -> list[Place]:
    middle = len(places) // 2
    return places[middle:] + places[:middle]


# The order in which losers of the second, third ... round of the winners' bracket come down: each
# keeps players apart who have met.
_ORDERS: tuple[Callable[[list[Place]], list[Place]], ...] = (
    lambda places: places[::-1],
    _swapped,
    lambda places: _swapped(places[::-1]),
    lambda places: places,
)


def rounds_of_double_elimination(count: int) -> int:
    """Return how many rounds so many players need, with the second grand final."""
    return 2 * rounds_of_knockout(count) + 1


@dataclass(frozen=True, slots=True)
class Brackets:
    """The pairs of an event as far as they are known, by the rounds in which they meet.

    Attributes:
        winners: of the winners' bracket.
        losers: of the losers' bracket.
        final: of the grand final; the second one is missing where it is not needed.
    """

    winners: dict[int, list[Pair]]
    losers: dict[int, list[Pair]]
    final: dict[int, list[Pair]]


def brackets(players: Sequence[int], pairings: Iterable[Pairing]) -> Brackets:
    """Return the brackets of an event.

    Args:
        players: all who began, the strongest first.
        pairings: so far.

    Raises:
        InputError: there are fewer than two players.
    """
    check_players(players)
    known = list(pairings)
    decisions = Decisions(known)
    last = rounds_of_double_elimination(len(players))
    numbers = [1, *range(2, last - 1, 2)]
    winners = dict(zip(numbers, columns(players, known, numbers), strict=True))
    losers: dict[int, list[Pair]] = {}
    alive = [decisions.loser(1, pair) for pair in winners[1]]
    for at, number in enumerate(numbers[1:]):
        losers[number] = neighbours(alive)
        alive = [decisions.winner(number, pair) for pair in losers[number]]
        down = _ORDERS[at % len(_ORDERS)](
            [decisions.loser(number, pair) for pair in winners[number]]
        )
        losers[number + 1] = list(zip(down, alive, strict=True))
        alive = [decisions.winner(number + 1, pair) for pair in losers[number + 1]]
    (decider,) = winners[numbers[-1]]
    champion, (challenger,) = decisions.winner(numbers[-1], decider), alive
    final: dict[int, list[Pair]] = {last - 1: [(champion, challenger)]}
    first = decisions.winner(last - 1, (champion, challenger))
    if first is None:
        final[last] = [(None, None)]
    elif first == challenger:
        final[last] = [(champion, challenger)]
    return Brackets(winners, losers, final)


def pair_double_elimination(
    players: Sequence[int], pairings: Iterable[Pairing], round_number: int
) -> list[Pairing]:
    """Return the pairings of a round, those of the winners' bracket first.

    Args:
        players: the pairing numbers of all who began, the strongest first.
        pairings: all earlier rounds with their points.
        round_number: from 1 to ``rounds_of_double_elimination``.

    Returns:
        None for the second grand final if it is not needed.

    Raises:
        InputError: no such round, or an earlier pairing is missing or undecided.
    """
    check_players(players)
    check_round(round_number, rounds_of_double_elimination(len(players)))
    known = list(pairings)
    check_decided(known)
    known_brackets = brackets(players, known)
    parts = (known_brackets.winners, known_brackets.losers, known_brackets.final)
    pairs = [pair for part in parts for pair in part.get(round_number, [])]
    return pairings_of_pairs(pairs, History(known), round_number)


@dataclass(frozen=True, kw_only=True)
class DoubleElimination(Elimination):
    """A player who has lost twice is out."""

    name = "double-elimination"
    title = "Double elimination"
    summary = "A player who has lost twice is out; the losers have a bracket of their own"

    def rounds_for(self, count: int) -> int:
        """Return how many rounds so many players need at most."""
        return rounds_of_double_elimination(count)

    def pair_by_results(
        self, players: Sequence[int], pairings: Sequence[Pairing], round_number: int
    ) -> list[Pairing]:
        """Return the pairings of a round; see `pair_double_elimination`."""
        return pair_double_elimination(players, pairings, round_number)

    def table(self, event: EventState) -> list[Standing]:
        """Rank the players by the round of their second loss."""
        return rank_by_losses(event, lives=2)

    def parts(self, event: EventState) -> list[Part]:
        """Return the three brackets."""
        known_brackets = brackets(sorted(event.players), event.pairings)
        parts: list[Part] = [Bracket(_WINNERS, _rounds(known_brackets.winners, _LAST_OF_WINNERS))]
        if known_brackets.losers:
            parts.append(Bracket(_LOSERS, _rounds(known_brackets.losers, _LAST_OF_LOSERS)))
        return [*parts, Bracket(_FINAL, _rounds(known_brackets.final))]


def _rounds(pairs: dict[int, list[Pair]], last: Phrase | None = None) -> list[BracketRound]:
    """Return the columns of a bracket; the last one may have a title of its own."""
    titles = {number: Phrase("Round {round}", {"round": number}) for number in pairs}
    if last is not None:
        titles[max(pairs)] = last
    return [BracketRound(number, titles[number], pairs[number]) for number in pairs]
