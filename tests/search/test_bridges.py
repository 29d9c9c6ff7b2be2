"""Laws of the random games that keep bridges."""

import numpy as np
import pytest

from antipodes.core import Color, Setup
from antipodes.games.kernels import edition, header, placement
from antipodes.games.registry import make_game
from antipodes.search.kernels import batch, bridges
from tests.kernels.editions import editions
from tests.thorough import repetitions

GAMES = [
    ("hex", {"size": 2, "swap": "off"}),
    ("hex", {"size": 3, "swap": "off"}),
    ("hex", {"size": 6, "swap": "off"}),
    ("antipod", {"side": 3, "handicap": "none"}),
    ("antipod", {"side": 4}),
    ("cylindrical-hex", {"rows": 4, "columns": 3}),
    ("cylindrical-hex", {"rows": 5, "columns": 4}),
    ("cylindrical-hex", {"rows": 5, "columns": 6, "first": "white"}),
]


class Keeping:
    """Random fillings of a position that keep its bridges."""

    def __init__(self, position, seed=1, *, plain=False):
        self.position = position
        self.tables = position.game.tables
        self.state = position.state.copy()
        board = position.game.topology
        self.cells = board.cell_count
        self.layout = batch.flood_layout(board, self.tables)
        self.table = bridges.bridge_table(self.tables)
        self.rng = np.array([seed], np.int64)
        self.empty = np.zeros(self.cells + 1, np.int64)
        self.black = np.zeros(self.cells, np.int64)
        self.pairs = np.zeros(bridges.ROOM * self.cells, np.int64)
        self.kernels = vars(bridges) if plain else editions(bridges)

    def found(self):
        slots = self.layout.slots
        count = self.kernels["find_bridges"](self.tables, self.state, slots, self.table, self.pairs)
        cell = {int(slot): cell for cell, slot in enumerate(slots)}
        rows = self.pairs[:count].tolist()
        return [frozenset((cell[row & 0xFFFF], cell[row >> 16])) for row in rows]

    def fill(self):
        """Fill the lanes; return the pairs of cells that were kept."""
        kept = self.kernels["fill_and_keep"](
            self.tables,
            self.state,
            self.layout.slots,
            self.table,
            self.rng,
            self.empty,
            self.black,
            self.pairs,
        )
        cell = {int(slot): cell for cell, slot in enumerate(self.layout.slots)}
        return [(cell[row & 0xFFFF], cell[row >> 16]) for row in self.pairs[:kept].tolist()]

    def word(self, cell):
        """Return Black's lanes on a cell."""
        return int(self.black[self.layout.slots[cell]])


def random_positions(game_id, options, count, seed=0):
    """Yield positions of random games that go on."""
    rng = np.random.default_rng(seed)
    game = make_game(game_id, options)
    while count:
        position = game.initial()
        for _ in range(int(rng.integers(1, game.max_plies))):
            after = position.play(int(rng.choice(position.legal_moves.array())))
            if after.outcome is not None:
                break
            position = after
        yield position
        count -= 1


def stones_round(position):
    """Return owner of each node, and for each cell its nodes with windings."""
    tables = position.game.tables
    return position.state[header.HEADER :], [
        dict(bridges._steps(tables, cell)) for cell in range(position.game.topology.cell_count)
    ]


def chains_without(position, color):
    """Return for each node of a colour its chain, as a set of (node, winding) from that node."""
    owners, near = stones_round(position)
    nodes = int(position.game.tables[placement.NODES])
    around: list[dict[int, set[int]]] = [{} for _ in range(nodes)]
    for cell, row in enumerate(near):
        for node, winding in row.items():
            around[cell].setdefault(node, set()).add(winding)
            around[node].setdefault(cell, set()).add(-winding)
    chains = {}
    for start in range(nodes):
        if owners[start] == color:
            seen, edge = {(start, 0)}, [(start, 0)]
            while edge:
                node, level = edge.pop()
                for other, windings in around[node].items():
                    for winding in windings:
                        place = (other, level + winding)
                        if owners[other] == color and abs(place[1]) < 3 and place not in seen:
                            seen.add(place)
                            edge.append(place)
            chains[start] = seen
    return chains


def bridges_by_hand(position):
    """Return the pairs of cells of all bridges, found by looking at all nodes and all cells."""
    owners, near = stones_round(position)
    cells, nodes = len(near), int(position.game.tables[placement.NODES])
    found = []
    for color in (1, 2):
        chains = chains_without(position, color)
        for one in range(cells):
            for other in range(one + 1, nodes):
                if owners[one] != color or owners[other] != color or other in near[one]:
                    continue
                ways = [
                    (cell, near[one][cell] + near[cell][other])
                    for cell in range(cells)
                    if cell in near[one] and other in near[cell] and owners[cell] == 0
                ]
                for place, (a, winding) in enumerate(ways):
                    for b, same in ways[place + 1 :]:
                        joined = {level for node, level in chains[one] if node == other}
                        known = bool(joined) if color == 1 else winding in joined
                        if winding == same and not known:
                            found.append(frozenset((a, b)))
    return found


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_bridges_are_found_as_by_hand(game_id, options):
    some = 0
    for position in random_positions(game_id, options, repetitions(12, 40)):
        found = Keeping(position).found()
        assert sorted(map(sorted, found)) == sorted(map(sorted, bridges_by_hand(position)))
        some += len(found)
    assert some or options.get("size") == 2


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_kept_bridges_give_a_cell_to_each_colour_and_every_lane_is_balanced(game_id, options):
    for position in random_positions(game_id, options, 12, seed=5):
        lanes = Keeping(position, seed=9)
        found = lanes.found()
        kept = lanes.fill()
        used = [cell for pair in kept for cell in pair]
        assert len(set(used)) == len(used)
        assert all(frozenset(pair) in found for pair in kept)
        # No more could have been kept beside these.
        assert all(set(pair) & set(used) for pair in found)
        assert all(lanes.word(a) == ~lanes.word(b) for a, b in kept)
        words = [lanes.word(cell) & 0xFFFFFFFFFFFFFFFF for cell in range(lanes.cells)]
        stones = position.stones()
        empty = lanes.cells - len(stones)
        black = sum(color is Color.BLACK for color in stones.values())
        extra = empty % 2 if position.to_move is Color.BLACK else 0
        for lane in range(0, 64, 5):
            assert sum(word >> lane & 1 for word in words) == black + empty // 2 + extra
        assert all((words[cell] != 0) == (color is Color.BLACK) for cell, color in stones.items())


def test_without_a_bridge_fillings_are_those_of_fill():
    position = make_game("hex", {"size": 5, "swap": "off"}).initial()
    lanes, rng = Keeping(position, seed=4), np.array([4], np.int64)
    other = np.zeros_like(lanes.black)
    assert lanes.fill() == []
    arrays = (lanes.tables, lanes.state, lanes.layout.slots, rng, lanes.empty, other)
    edition(batch, "fill")(*arrays)
    assert np.array_equal(lanes.black, other)


def test_a_chain_of_bridges_wins_in_every_lane():
    game = make_game("hex", {"size": 5, "swap": "off"})
    # Black's stones have a bridge to each border and one between them.
    stones = (("c2", "black"), ("b4", "black"), ("e1", "white"), ("e4", "white"))
    position = game.position(Setup(stones=stones, to_move="white", composed=True))
    lanes = Keeping(position, seed=8)
    assert len(lanes.found()) == 3
    for _ in range(50):
        assert len(lanes.fill()) == 3
        reached = np.zeros(lanes.cells + 1, np.int64)
        assert edition(batch, "flood")(lanes.layout, lanes.black, reached) == batch.ALL


def test_bridges_with_a_common_cell_are_kept_equally_often():
    game = make_game("hex", {"size": 6, "swap": "off"})
    stones = (("c2", "black"), ("b4", "black"), ("d3", "black"))
    position = game.position(Setup(stones=stones, to_move="white", composed=True))
    lanes = Keeping(position, seed=8)
    found = lanes.found()
    overlapping = [pair for pair in found if any(pair & other and pair != other for other in found)]
    counts = dict.fromkeys(overlapping, 0)
    for _ in range(600):
        for pair in lanes.fill():
            if frozenset(pair) in counts:
                counts[frozenset(pair)] += 1
    assert len(counts) >= 2
    assert min(counts.values()) > 100


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_both_editions_keep_alike(game_id, options):
    for position in random_positions(game_id, options, 6, seed=2):
        one, other = Keeping(position, seed=-3), Keeping(position, seed=-3, plain=True)
        assert one.fill() == other.fill()
        assert np.array_equal(one.black, other.black)
        assert one.rng[0] == other.rng[0]
