"""Looks ahead: whether the rounds that remain can be paired without rematches.

Players who have not met are the neighbours of a graph, and each round is a perfect matching of it;
the bye is one more node, whose neighbours are those who may have it. A round leaves enough of the
graph if that still has as many disjoint perfect matchings as rounds remain. Sets of players are
bits of a number, which makes the search of matchings fast.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import count

from antipodes.tournaments.history import History, Pairing
from antipodes.tournaments.matching import heaviest_pairs

BYE_NODE = 0  # the opponent of who has a bye: pairing numbers begin with 1

Pairs = tuple[tuple[int, int], ...]  # of a round; a bye is a pair with `BYE_NODE`

_TRIES = 60  # searches of a schedule, each in another order
_STEPS = 400  # pairs that a search tries for each pair of the schedule, before it gives up


class Rest:
    """The players of the rounds that remain, and who of them can still meet."""

    def __init__(self, players: Sequence[int], history: History) -> None:
        """Read who has met, and how many rounds each player had free."""
        self._nodes = sorted(players)
        has_bye = len(players) % 2 == 1
        if has_bye:
            self._nodes.append(BYE_NODE)
        self._bit = {node: 1 << at for at, node in enumerate(self._nodes)}
        self._free = {one: history.free_wins(one) for one in players} if has_bye else {}
        everyone = sum(self._bit[one] for one in players)
        self._graph = [
            everyone & ~sum(self._bit.get(other, 0) for other in {*history.met(node), node})
            if node != BYE_NODE
            else 0
            for node in self._nodes
        ]

    def schedule(self, rounds: int, played: Pairs = ()) -> list[Pairs] | None:
        """Return the pairs of so many further rounds; ``None`` if none are found.

        A small event is searched in all ways. In a large one nearly every order of the players
        leads to a schedule where there is one, so some orders are tried.

        Args:
            rounds: how many.
            played: the pairs of a round before them, who do not meet again.
        """
        graph, free = list(self._graph), dict(self._free)
        self._take(graph, free, played)
        rng = random.Random(0)
        for _ in range(_TRIES):
            search = _Search(self._nodes, self._bit, rng)
            schedule = search.rounds(graph, free, rounds)
            if schedule is not None or search.is_complete:
                return schedule
        return None

    def allows(self, rounds: int, played: Pairs) -> bool:
        """Return whether so many further rounds can be paired after a round.

        Where each player can meet half of the others in each of them, they can (G. A. Dirac, 1952).
        """
        if rounds == 0:
            return True
        graph, free = list(self._graph), dict(self._free)
        self._take(graph, free, played)
        choices = [graph[at].bit_count() for at, node in enumerate(self._nodes) if node != BYE_NODE]
        if free:
            choices.append(len(fewest(free)))
        if min(choices) - (rounds - 1) >= (len(graph) + 1) // 2:
            return True
        return self.schedule(rounds, played) is not None

    def _take(self, graph: list[int], free: dict[int, int], pairs: Pairs) -> None:
        for one, other in pairs:
            _remove(graph, self._bit, (one, other))
            if BYE_NODE in (one, other):
                free[max(one, other)] += 1


def fewest(free: Mapping[int, int]) -> list[int]:
    """Return the players with the fewest rounds free."""
    least = min(free.values(), default=0)
    return [one for one in free if free[one] == least]


def _remove(graph: list[int], bit: Mapping[int, int], pair: tuple[int, int]) -> None:
    one, other = (bit[node] for node in pair)
    graph[one.bit_length() - 1] &= ~other
    graph[other.bit_length() - 1] &= ~one


class _Search:
    """One search of a schedule, depth first, with the node that has the fewest choices first."""

    def __init__(self, nodes: Sequence[int], bit: Mapping[int, int], rng: random.Random) -> None:
        self._nodes, self._bit = nodes, bit
        self._order = list(range(len(nodes)))
        rng.shuffle(self._order)
        self._steps = 0
        self._most = 0
        self.is_complete = True  # whether no choice has been left out

    def rounds(self, graph: list[int], free: dict[int, int], rounds: int) -> list[Pairs] | None:
        """Return the pairs of rounds, or ``None``."""
        self._most = self._most or _STEPS * rounds * len(self._nodes)
        if rounds == 0:
            return []
        now = list(graph)
        if BYE_NODE in self._bit:
            at = self._bit[BYE_NODE].bit_length() - 1
            now[at] = sum(self._bit[one] for one in fewest(free))
            for player in range(len(now)):
                if now[at] >> player & 1:
                    now[player] |= 1 << at
        elif any(one.bit_count() < rounds for one in graph):
            return None
        for pairs in self._matchings(now, (1 << len(now)) - 1):
            later, byes = list(graph), dict(free)
            for pair in pairs:
                _remove(later, self._bit, pair)
                if BYE_NODE in pair:
                    byes[max(pair)] += 1
            later_rounds = self.rounds(later, byes, rounds - 1)
            if later_rounds is not None:
                return [pairs, *later_rounds]
            if not self.is_complete:
                return None
        return None

    def _matchings(self, graph: Sequence[int], left: int) -> Iterator[Pairs]:
        """Yield perfect matchings of the nodes that are left."""
        if not left:
            yield ()
            return
        self._steps += 1
        if self._steps > self._most:
            self.is_complete = False
            return
        # Nodes with few neighbours first; among these an order by chance.
        node = min(
            (at for at in self._order if left >> at & 1),
            key=lambda at: (graph[at] & left).bit_count(),
        )
        left &= ~(1 << node)
        others = graph[node] & left
        for other in self._order:
            if others >> other & 1:
                pair = (self._nodes[node], self._nodes[other])
                for more in self._matchings(graph, left & ~(1 << other)):
                    yield (pair, *more)


def cheapest_first(costs: Mapping[tuple[int, int], int]) -> Iterator[Pairs]:
    """Yield the perfect matchings of a graph, those with the lowest sum of costs first.

    Each one found is divided into those without its first pair, those with the first and without
    the second, and so on (K. G. Murty, 1968).

    Args:
        costs: of the pairs of nodes that may be matched.
    """
    size = len({node for pair in costs for node in pair})
    number = count()
    heap: list[tuple[int, int, Pairs, Pairs, frozenset[tuple[int, int]]]] = []

    def push(forced: Pairs, forbidden: frozenset[tuple[int, int]]) -> None:
        pairs = _cheapest(costs, forced, forbidden)
        if 2 * len(pairs) == size:
            total = sum(costs[pair] for pair in pairs)
            heappush(heap, (total, next(number), pairs, forced, forbidden))

    push((), frozenset())
    while heap:
        _, _, pairs, forced, forbidden = heappop(heap)
        yield pairs
        for pair in (one for one in pairs if one not in forced):
            push(forced, forbidden | {pair})
            forced = (*forced, pair)


def _cheapest(
    costs: Mapping[tuple[int, int], int], forced: Pairs, forbidden: frozenset[tuple[int, int]]
) -> Pairs:
    """Return the largest matching of the lowest costs with some pairs, and without others."""
    taken = {node for pair in forced for node in pair}
    most = max(costs.values(), default=0) + 1
    edges = [
        (*pair, most - cost)
        for pair, cost in costs.items()
        if pair not in forbidden and taken.isdisjoint(pair)
    ]
    matching = heaviest_pairs(edges)
    return (*forced, *(pair if pair in costs else pair[::-1] for pair in sorted(matching)))


def first_that(
    candidates: Iterator[Pairs], is_possible: Callable[[Pairs], bool], most: int
) -> Pairs | None:
    """Return the first of at most so many candidates that is possible; ``None`` without one."""
    for _, pairs in zip(range(most), candidates, strict=False):
        if is_possible(pairs):
            return pairs
    return None


def pairs_of(pairings: Sequence[Pairing]) -> Pairs:
    """Return the pairings of a round as pairs."""
    return tuple((one.first, one.second or BYE_NODE) for one in pairings)
