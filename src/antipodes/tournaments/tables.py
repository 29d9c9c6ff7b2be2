"""Tables of three and four: all meet each other as evenly as possible, with rotating seats.

A round divides the players into tables; those who are left over have a bye. Repeated meetings are
the first thing to avoid, differences of points the second. In games of teams the partners change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from antipodes.errors import Fault
from antipodes.games.options import choice, whole
from antipodes.games.position import Game
from antipodes.tournaments.formats import EventState, Format
from antipodes.tournaments.history import History, Pairing, check_players, check_round
from antipodes.tournaments.standings import TieBreak

_MOST_ROUNDS = 30
_AGAIN = 10_000  # cost of a further meeting; a place apart in the table costs 1
_NEAR = 48  # places within which a player is exchanged in a large event
_ATTEMPTS = 24  # orders from which small events are divided
_SMALL = 36  # players
_USUAL_WIN = 3  # points of Chart A for two opposite borders, which most games end with

Meetings = Counter[frozenset[int]]


def pair_tables(
    players: Sequence[int],
    pairings: Sequence[Pairing],
    round_number: int,
    rounds: int,
    sides: Sequence[Sequence[int]],
) -> list[Pairing]:
    """Return the tables of a round, those of the leaders first, then the byes.

    Args:
        players: the pairing numbers of those who play this round.
        pairings: all earlier rounds.
        round_number: from 1 to ``rounds``.
        rounds: of the event.
        sides: the seats of each side of the game, such as ((0, 2), (1, 3)) for two teams.

    Raises:
        InputError: too few players for a table, one twice, or no such round.
    """
    seats = sum(map(len, sides))
    check_players(players, least=seats)
    check_round(round_number, rounds)
    history = History(pairings)
    order = sorted(players, key=lambda one: (-history.points(one), one))
    # The lowest of those with the fewest byes are left over.
    by_byes = sorted(order, key=lambda one: -history.byes(one))
    left = by_byes[len(order) - len(order) % seats :]
    playing = [one for one in order if one not in left]
    partners, meetings = _met(pairings, sides)
    tables = _divided(playing, seats, meetings)
    place = {player: at for at, player in enumerate(order)}
    tables.sort(key=lambda table: min(place[one] for one in table))
    seated = [_seated(table, _seat_counts(pairings), partners, sides) for table in tables]
    made = [Pairing(round_number, one[0], one[1], others=one[2:]) for one in seated]
    return made + [Pairing.of(round_number, one, None) for one in left]


def _met(pairings: Sequence[Pairing], sides: Sequence[Sequence[int]]) -> tuple[Meetings, Meetings]:
    """Return how often two players were partners, and how often they sat at one table."""
    partners: Meetings = Counter()
    meetings: Meetings = Counter()
    for one in pairings:
        if one.is_played:
            meetings.update(map(frozenset, combinations(one.players, 2)))
            partners.update(_partners(one.players, sides))
    return partners, meetings


def _partners(players: Sequence[int], sides: Sequence[Sequence[int]]) -> list[frozenset[int]]:
    """Return the pairs of partners at a table."""
    return [
        frozenset((players[one], players[other]))
        for side in sides
        for one, other in combinations(side, 2)
    ]


def _seat_counts(pairings: Sequence[Pairing]) -> Counter[tuple[int, int]]:
    """Return how often each player had each seat."""
    return Counter(
        (player, seat)
        for one in pairings
        if one.is_played
        for seat, player in enumerate(one.players)
    )


def _divided(order: Sequence[int], seats: int, meetings: Meetings) -> list[list[int]]:
    """Divide ordered players into tables with as few repeated meetings as can be found."""
    place = {player: at for at, player in enumerate(order)}
    best: list[list[int]] = []
    lowest = -1
    for attempt in range(_ATTEMPTS if len(order) <= _SMALL else 1):
        tables = _filled(_turned(order, attempt), seats, meetings)
        _exchange(tables, place, meetings)
        cost = sum(_cost(table, place, meetings) for table in tables)
        if lowest < 0 or cost < lowest:
            best, lowest = tables, cost
        if lowest < _AGAIN:
            break
    return best


def _turned(order: Sequence[int], attempt: int) -> list[int]:
    """Return the players in another order for each attempt; the first keeps it."""
    step = 1 + attempt // 2
    turned = [player for at in range(step) for player in order[at::step]]
    return turned[::-1] if attempt % 2 else turned


def _filled(order: Sequence[int], seats: int, meetings: Meetings) -> list[list[int]]:
    """Fill table after table with the next players who have met those there least often."""
    left = list(order)
    tables = []
    while left:
        table = [left.pop(0)]
        while len(table) < seats:
            near = range(min(len(left), _NEAR))
            at = min(near, key=lambda at: (_meetings_with(left[at], table, meetings), at))
            table.append(left.pop(at))
        tables.append(table)
    return tables


def _meetings_with(player: int, table: Sequence[int], meetings: Meetings) -> int:
    return sum(meetings.get(frozenset((player, one)), 0) for one in table if one != player)


def _cost(table: Sequence[int], place: dict[int, int], meetings: Meetings) -> int:
    """Return what a table costs: repeated meetings, then the distance of its players."""
    return sum(_cost_of(one, (other,), place, meetings) for one, other in combinations(table, 2))


def _cost_of(player: int, others: Iterable[int], place: dict[int, int], meetings: Meetings) -> int:
    """Return what a player costs at a table with some others."""
    at, cost = place[player], 0
    for one in others:
        # Not `meetings[...]`: a counter takes long for what it has not counted.
        cost += _AGAIN * meetings.get(frozenset((player, one)), 0) + abs(at - place[one])
    return cost


def _exchange(tables: list[list[int]], place: dict[int, int], meetings: Meetings) -> None:
    """Exchange players of two tables as long as that makes repeated meetings fewer."""
    seats = [(at, seat) for at, table in enumerate(tables) for seat in range(len(table))]
    is_better = True
    while is_better:
        is_better = False
        for at, seat in seats:
            if not _meetings_with(tables[at][seat], tables[at], meetings):
                continue
            near = [
                near_seat
                for near_seat in seats
                if near_seat[0] != at
                and abs(place[tables[near_seat[0]][near_seat[1]]] - place[tables[at][seat]])
                <= _NEAR
            ]
            gains = [(_gain(tables, (at, seat), one, place, meetings), one) for one in near]
            gain, other = max(gains, default=(0, (at, seat)))
            if gain > 0:
                _swap(tables, (at, seat), other)
                is_better = True


def _gain(
    tables: list[list[int]],
    own_seat: tuple[int, int],
    other: tuple[int, int],
    place: dict[int, int],
    meetings: Meetings,
) -> int:
    """Return by how much an exchange of players of two tables lowers the cost of both."""
    (here, player), (there, guest) = (
        ([*tables[at][:seat], *tables[at][seat + 1 :]], tables[at][seat])
        for at, seat in (own_seat, other)
    )

    def cost(player: int, others: Sequence[int]) -> int:
        return _cost_of(player, others, place, meetings)

    before = cost(player, here) + cost(guest, there)
    return before - cost(guest, here) - cost(player, there)


def _swap(tables: list[list[int]], one: tuple[int, int], other: tuple[int, int]) -> None:
    (at, seat), (to, there) = one, other
    tables[at][seat], tables[to][there] = tables[to][there], tables[at][seat]


def _seated(
    table: Sequence[int],
    counts: Counter[tuple[int, int]],
    partners: Meetings,
    sides: Sequence[Sequence[int]],
) -> tuple[int, ...]:
    """Return the players of a table in the order of their seats.

    New partners come first, then the seats that the players had least often.
    """

    def cost(order: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
        again = sum(partners[pair] for pair in _partners(order, sides))
        had = sum(2 * counts[player, seat] + 1 for seat, player in enumerate(order))
        return again, had, order

    return min(permutations(sorted(table)), key=cost)


@dataclass(frozen=True, kw_only=True)
class Tables(Format):
    """Tables of three and four players."""

    name = "tables"
    title = "Tables of three and four"
    summary = "Players meet at tables of three or four as evenly as possible, with rotating seats"
    usual_tie_breaks = (TieBreak.WINS,)
    seats = (3, 4)

    rounds: int = whole(4, 1, _MOST_ROUNDS, "at most")
    score: str = choice("wins", "chart", help="a win counts 1, or its points of Chart A")
    late_entry: int = whole(
        0, 0, _MOST_ROUNDS, "players may enter before this round is paired; 0: not after the start"
    )

    @property
    def counts_chart(self) -> bool:
        """Whether a win counts the points of Chart A."""
        return self.score == "chart"

    def faults_of_game(self, game: Game) -> list[Fault]:
        """Return why an event cannot have this game: its seats, or points that it does not give."""
        faults = []
        if game.seats not in self.seats:
            template = "This format is for games of three or four players, not of {count}."
            fault = Fault.of("tournament/seats", template, where="seats", count=game.seats)
            faults.append(fault)
        if self.counts_chart and game.options.as_dict().get("ruleset") != "boxed":
            template = "Only boxed Antipalos has points of Chart A."
            faults.append(Fault.of("tournament/seats", template, where="score"))
        return faults

    def bye(self, sides: int) -> float:
        """Return the points of a bye: what equal players have on average."""
        return (_USUAL_WIN if self.counts_chart else 1) / sides

    def rounds_for(self, count: int) -> int:  # noqa: ARG002
        """Return how many rounds are played."""
        return self.rounds

    def pair(self, event: EventState, round_number: int) -> list[Pairing]:
        """Return the tables of a round; see `pair_tables`."""
        if round_number > self.rounds:
            return []
        return pair_tables(event.active, event.pairings, round_number, self.rounds, event.sides)

    def takes_entries(self, latest: int, rounds: int) -> bool:
        """Return whether players may enter after the start, and still be paired."""
        return latest < min(self.late_entry, rounds)
