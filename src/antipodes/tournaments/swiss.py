"""Swiss system: players with about equal points meet, never twice, with seats in balance.

Up to 48 players are paired by the FIDE Dutch System (FIDE Handbook C.04.3), from caissify-pairings.
Its cost grows with the third power of the players, so larger events are paired in blocks of players
with nearly equal points, each by a matching of maximum weight from networkx. Both hold the same
laws: no two players meet twice, no player has a second bye before all have had one, no player has
a seat three times in a row where that can be avoided, and a round leaves pairings for the rounds
that remain.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, groupby

from caissify_pairings import generate_pairings

from antipodes.errors import Fault, InputError
from antipodes.games.options import choice, whole
from antipodes.tournaments.formats import EventState
from antipodes.tournaments.history import History, Pairing, check_players, check_round, seated
from antipodes.tournaments.knockout import rounds_of_knockout
from antipodes.tournaments.look_ahead import (
    BYE_NODE,
    Pairs,
    Rest,
    cheapest_first,
    fewest,
    first_that,
    pairs_of,
)
from antipodes.tournaments.matching import heaviest_pairs
from antipodes.tournaments.playoff import WithPlayoff
from antipodes.tournaments.round_robin import rounds_of_round_robin
from antipodes.tournaments.standings import TieBreak

_DUTCH_MOST = 48  # players; a round of so many takes about half a second
_BLOCK = 24  # players that are matched together
_BYES = 12  # players for whose bye pairs are looked for in which none has a seat too often
# Rounds in which the upper half counts one point more, in both ways of pairing. caissify-pairings
# calls this the Baku acceleration, but that one goes on with half a point.
_ACCELERATED = 2
_LOOKED_AT = 60  # rounds that are tried, the best ones first, before any that leaves the others

Pair = tuple[int, int]

# It warns of rounds that cannot be paired, which are errors here.
logging.getLogger("caissify_pairings").setLevel(logging.ERROR)

# Costs of a pair: much more for a point apart than for seats out of balance, and more for these
# than for opponents who are not half a block apart. The lowest of a block are left over.
_POINTS_APART, _OUT_OF_BALANCE, _LEFT_OVER, _MOST = 40_000, 2_000, 100, 10**11
_SAME_SEAT_DUE = 10**8  # more than any difference of points
_BYE_ABOVE = 10**6  # for each place above the last one


def pair_swiss(
    players: Sequence[int],
    pairings: Iterable[Pairing],
    round_number: int,
    rounds: int,
    *,
    accelerated: bool = False,
) -> list[Pairing]:
    """Return the pairings of the next round, those of the leaders first and the bye last.

    Args:
        players: the pairing numbers of those who play this round.
        pairings: all earlier rounds. Undecided pairings count as no points.
        round_number: from 1 to ``rounds``.
        rounds: of the event.
        accelerated: whether the upper half counts a point more in the first two rounds, so that
            leaders meet earlier in large events.

    Raises:
        InputError: fewer than two players, one twice, no such round, or no pairing without a
            rematch exists.
    """
    check_players(players)
    check_round(round_number, rounds)
    history = History(pairings)
    upper = set(sorted(players)[: (len(players) + 1) // 2])
    bonus = upper if accelerated and round_number <= _ACCELERATED else set()
    score = {one: history.points(one) + (one in bonus) for one in players}
    order = sorted(players, key=lambda one: (-score[one], one))
    chosen = None
    if len(players) <= _DUTCH_MOST:
        chosen = _by_dutch_system(players, history, round_number, rounds, accelerated=accelerated)
    if chosen is None:
        chosen = _by_blocks(order, score, history, round_number)
    remaining = Rest(players, history)
    if chosen is None or not remaining.allows(rounds - round_number, pairs_of(chosen)):
        pairs = _looking_ahead(order, score, history, remaining, rounds - round_number)
        chosen = [seated(pair, history, round_number) for pair in pairs]
    place = {player: at for at, player in enumerate(order)}
    return sorted(
        chosen,
        key=lambda pairing: (
            pairing.second is None,
            min(place[pairing.first], place.get(pairing.second or 0, len(order))),
        ),
    )


def _looking_ahead(
    order: Sequence[int], score: Mapping[int, float], history: History, remaining: Rest, later: int
) -> Pairs:
    """Return the best pairs that leave as many of the later rounds as possible.

    Raises:
        InputError: there are no pairs without a rematch.
    """
    costs = _costs(order, score, history)
    for rounds in range(later, -1, -1):
        schedule = remaining.schedule(rounds + 1)
        if schedule is None:
            continue
        best = first_that(cheapest_first(costs), partial(remaining.allows, rounds), _LOOKED_AT)
        return best or schedule[0]
    raise _no_pairing(len(order))


def _costs(order: Sequence[int], score: Mapping[int, float], history: History) -> dict[Pair, int]:
    """Return the costs of the pairs that may meet, and of the byes that players may have."""
    costs = {
        (player, order[to]): _cost(at, to, order, score, history)
        for at, player in enumerate(order)
        for to in range(at + 1, len(order))
        if not history.have_met(player, order[to])
    }
    if len(order) % 2:
        place = {player: at for at, player in enumerate(reversed(order))}
        for player in fewest({one: history.free_wins(one) for one in order}):
            costs[player, BYE_NODE] = _BYE_ABOVE * place[player]
    return costs


# --- the Dutch System ---------------------------------------------------------------------------


def _by_dutch_system(
    players: Sequence[int],
    history: History,
    round_number: int,
    rounds: int,
    *,
    accelerated: bool,
) -> list[Pairing] | None:
    """Return pairings by the Dutch System; ``None`` if it finds none that hold the laws."""
    met = {
        (min(pairing.first, pairing.second), max(pairing.first, pairing.second))
        for pairing in history.pairings
        if pairing.second is not None and pairing.is_played
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            answer = generate_pairings(
                system="dutch",
                players=[_described(one, history) for one in players],
                previous_pairings=met,
                round_number=round_number,
                total_rounds=rounds,
                accelerated=accelerated,
            )
        except (ValueError, RuntimeError):
            return None
    seated = ((one["white_id"], one["black_id"]) for one in answer)
    pairings = [Pairing.of(round_number, *pair) for pair in seated]
    return pairings if _hold_the_laws(pairings, players, history) else None


def _described(player: int, history: History) -> dict[str, object]:
    """Return a player as the Dutch System takes one."""
    games = history.games(player)
    before = [_points_before(history, one, player) for one in games]
    return {
        "id": player,
        "name": str(player),
        "score": history.points(player),
        "rating": -player,
        "starting_number": player,
        # Of the games that were played: rounds between them end no row of the same seat.
        "color_hist": ["white" if is_first else "black" for is_first in history.seats(player)],
        "float_history": [
            "none" if own == other else "down" if own > other else "up" for own, other in before
        ],
        "bye_count": history.byes(player),
        "forfeit_win_count": history.free_wins(player) - history.byes(player),
    }


def _points_before(history: History, pairing: Pairing, player: int) -> tuple[float, float]:
    """Return the points of a player and the opponent before a round; equal without an opponent."""
    other = pairing.opponent_of(player)
    if other is None:
        return 1.0, 0.0  # a bye is a downfloat
    own, theirs = (
        sum(game.points_of(one) for game in history.games(one) if game.round < pairing.round)
        for one in (player, other)
    )
    return own, theirs


def _hold_the_laws(pairings: Sequence[Pairing], players: Sequence[int], history: History) -> bool:
    """Tell whether all players are paired once, without a rematch, a bye or a seat too early.

    FIDE lets leaders have a seat three times in a row in the last round; here all sizes of events
    have one law.
    """
    paired = [one for pair in pairings for one in (pair.first, pair.second) if one is not None]
    byes = [one.first for one in pairings if one.second is None]
    least = min(history.free_wins(one) for one in players)
    return (
        sorted(paired) == sorted(players)
        and len(byes) == len(players) % 2
        and not any(one.second and history.have_met(one.first, one.second) for one in pairings)
        and all(history.free_wins(one) == least for one in byes)
        and all(
            history.due_seat(pairing.first) is not False
            and history.due_seat(pairing.second) is not True
            for pairing in pairings
            if pairing.second is not None
        )
    )


# --- blocks -------------------------------------------------------------------------------------


def _by_blocks(
    order: Sequence[int], score: Mapping[int, float], history: History, round_number: int
) -> list[Pairing] | None:
    """Pair the ordered players block by block; return ``None`` if some are left over."""
    byes: list[int | None] = [None]
    if len(order) % 2:
        free = {one: history.free_wins(one) for one in order}
        byes = [*reversed(fewest(free))]
    tries = [(player, True) for player in byes[:_BYES]] + [(player, False) for player in byes]
    for player, keeps_seats in tries:
        others = [one for one in order if one != player]
        pairs = _all_paired(others, score, history, keeps_seats=keeps_seats)
        if pairs is not None:
            games = [seated(pair, history, round_number) for pair in pairs]
            free_one = [] if player is None else [Pairing.of(round_number, player, None)]
            return [*games, *free_one]
    return None


def _all_paired(
    order: Sequence[int], score: Mapping[int, float], history: History, *, keeps_seats: bool
) -> list[Pair] | None:
    """Return pairs of all players; ``None`` if there are none without a rematch.

    Args:
        order: the players.
        score: their points.
        history: all earlier pairings.
        keeps_seats: whether no two may meet who must have the same seat.
    """
    pairs: list[Pair] = []
    left: list[int] = []
    for block in blocks(order, score):
        pairs_of_block, left = matched([*left, *block], score, history, history.may_sit_together)
        pairs += pairs_of_block
    # Those who are left over at the end are matched again with more and more of the last pairs,
    # at last also with players who must have the same seat.
    again = _BLOCK // 2
    while left:
        taken = pairs[-again:]
        some = [*chain.from_iterable(taken), *left]
        pairs_of_block, failed = matched(some, score, history, history.may_sit_together)
        if failed and len(taken) == len(pairs):
            if not keeps_seats:
                pairs_of_block, failed = matched(some, score, history)
            if failed:
                return None
        if not failed:
            return pairs[:-again] + pairs_of_block
        again *= 2
    return pairs


def blocks(order: Sequence[int], score: Mapping[int, float]) -> list[list[int]]:
    """Cut groups of equal points into blocks, each a part of the upper and of the lower half."""
    cut = []
    for _, members in groupby(order, key=lambda one: score[one]):
        group = list(members)
        middle = len(group) // 2
        upper, lower, step = group[:middle], group[middle:], _BLOCK // 2
        cut += [
            [*upper[at : at + step], *lower[at : at + step]]
            for at in range(0, max(1, len(lower)), step)
        ]
    return cut


def matched(
    players: Sequence[int],
    score: Mapping[int, float],
    history: History,
    may_meet: Callable[[int, int], bool] = lambda _one, _other: True,
) -> tuple[list[Pair], list[int]]:
    """Return the best pairs among some players, and those who are left over, in order.

    Args:
        players: those to pair.
        score: their points.
        history: all earlier pairings; players who have met do not meet again.
        may_meet: tells of two players whether they may meet for other reasons.
    """
    players = sorted(players, key=lambda one: (-score[one], one))
    edges = []
    for at, player in enumerate(players):
        for to in range(at + 1, len(players)):
            other = players[to]
            if history.have_met(player, other) or not may_meet(player, other):
                continue
            cost = _cost(at, to, players, score, history) + _LEFT_OVER * (at + to)
            edges.append((player, other, _MOST - cost))
    matching = heaviest_pairs(edges)
    place = {player: at for at, player in enumerate(players)}
    pairs = sorted(
        (tuple(sorted(pair, key=place.__getitem__)) for pair in matching),
        key=lambda pair: place[pair[0]],
    )
    matched = {one for pair in pairs for one in pair}
    return [(one, other) for one, other in pairs], [one for one in players if one not in matched]


def _cost(
    at: int, to: int, order: Sequence[int], score: Mapping[int, float], history: History
) -> int:
    """Return what it costs to pair the players at two places of an order."""
    one, other = order[at], order[to]
    cost = round(_POINTS_APART * (score[one] - score[other]) ** 2)
    cost += _OUT_OF_BALANCE * _imbalance(one, other, history)
    cost += _SAME_SEAT_DUE * (not history.may_sit_together(one, other))
    return cost + abs(to - at - len(order) // 2)


def _imbalance(one: int, other: int, history: History) -> int:
    """Return by how much seats would be out of balance after a game, squared; 0 for up to one."""
    low, high = sorted((history.lead(one), history.lead(other)))
    worst = max(abs(low + 1), abs(high - 1))
    return int(max(0, worst - 1) ** 2)


def _no_pairing(count: int) -> InputError:
    fault = Fault.of(
        "tournament/no-pairing",
        "{count} players cannot be paired without a second game between two of them",
        count=count,
    )
    return InputError([fault])


# --- the format ---------------------------------------------------------------------------------

_MOST_ROUNDS = 30


@dataclass(frozen=True, kw_only=True)
class Swiss(WithPlayoff):
    """Players with equal points meet, never twice."""

    name = "swiss"
    title = "Swiss system"
    summary = "Players with equal points meet, never twice, and all play every round"
    usual_tie_breaks = (
        TieBreak.BUCHHOLZ_CUT,
        TieBreak.BUCHHOLZ,
        TieBreak.DIRECT_ENCOUNTER,
        TieBreak.WINS,
    )

    rounds: int = whole(0, 0, _MOST_ROUNDS, "at most; 0: as many as the players need")
    late_entry: int = whole(
        0, 0, _MOST_ROUNDS, "players may enter before this round is paired; 0: not after the start"
    )
    accelerated: str = choice(
        "off", "on", help="the upper half counts one point more in the first two rounds"
    )

    def rounds_for(self, count: int) -> int:
        """Return the number of rounds, never so many that players would have to meet twice.

        Without a given number it is one more than a knockout of as many players has.
        """
        return min(self.rounds or rounds_of_knockout(count) + 1, rounds_of_round_robin(count))

    def faults_of_size(self, count: int) -> list[Fault]:
        """Return a fault if the host wants more rounds than so many players can play."""
        most = self.rounds_for(count)
        if self.rounds <= most:
            return []
        template = "{count} players can play at most {most} rounds without second games."
        return [Fault.of("tournament/size", template, where="rounds", count=count, most=most)]

    def pair_regular(self, event: EventState, round_number: int) -> list[Pairing]:
        """Return the pairings of a round; see `pair_swiss`."""
        rounds = event.rounds or self.rounds_for(len(event.players))
        if round_number > rounds:
            return []
        return pair_swiss(
            event.active,
            event.pairings,
            round_number,
            rounds,
            accelerated=self.accelerated == "on",
        )

    def takes_entries(self, latest: int, rounds: int) -> bool:
        """Return whether players may enter after the start, and still be paired."""
        return latest < min(self.late_entry, rounds)
