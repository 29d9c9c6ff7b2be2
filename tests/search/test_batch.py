"""Laws of the random games that are played 64 in a word."""

from statistics import fmean, pvariance

import numpy as np
import pytest

from antipodes.core import Color, Setup
from antipodes.games.kernels import bits, edition, walks_of
from antipodes.games.registry import make_game
from antipodes.search.families import playout_kernel
from antipodes.search.kernels import batch
from tests.kernels.editions import editions

from .fillings import SMALL, after, deviation, exact_share

GAMES = [
    ("hex", {"size": 2}),
    ("hex", {"size": 5}),
    ("antipod", {"side": 3, "handicap": "none"}),
    ("antipod", {"side": 4}),
    ("antipod", {"side": 4, "first": "black"}),
    ("cylindrical-hex", {"rows": 3, "columns": 3}),
    ("cylindrical-hex", {"rows": 4, "columns": 5, "first": "white"}),
]


class Batch:
    """A position's random fillings."""

    def __init__(self, position, seed=1):
        self.position = position
        self.tables = position.game.tables
        self.state = position.state.copy()
        self.layout = batch.flood_layout(position.game.topology, self.tables)
        self.rng = np.array([seed], np.int64)
        self.empty = np.zeros(position.game.move_count, np.int64)
        self.black = np.zeros(len(self.state), np.int64)
        self.reached = np.zeros(len(self.state), np.int64)
        self.kernels = editions(batch)

    def fill(self):
        """Fill the lanes; return the lanes that Black wins."""
        layout = self.layout
        arrays = (self.tables, self.state, layout.slots, self.rng, self.empty, self.black)
        self.kernels["fill"](*arrays)
        return int(self.kernels["flood"](layout, self.black, self.reached))

    def word(self, cell):
        """Return Black's lanes on a cell."""
        return int(self.black[self.layout.slots[cell]])

    def lane(self, number):
        """Return the stones of a lane by point."""
        board = self.position.game.topology
        return {
            board.name(cell): "black" if self.word(cell) >> number & 1 else "white"
            for cell in range(board.cell_count)
        }


def some_plies_on(game, plies):
    position = game.initial()
    for _ in range(plies):
        moves = [move for move in position.legal_moves if move != game.swap_move]
        position = position.play(moves[len(moves) // 2])
        if position.outcome:
            return game.initial()
    return position


@pytest.mark.parametrize("plies", [0, 1, 2])
@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_every_lane_is_a_full_board_that_alternate_turns_can_reach(game_id, options, plies):
    position = some_plies_on(make_game(game_id, options), plies)
    lanes = Batch(position)
    lanes.fill()
    empty = position.game.topology.cell_count - len(position.stones())
    own = sum(color is position.to_move for color in position.stones().values())
    for number in range(0, batch.LANES, 7):
        stones = lanes.lane(number)
        held = sum(color == position.to_move.value for color in stones.values())
        assert held == own + (empty + 1) // 2
        for cell, color in position.stones().items():
            assert stones[position.game.topology.name(cell)] == color.value


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_the_winner_of_a_lane_is_the_winner_by_the_rules(game_id, options):
    position = make_game(game_id, options).initial()
    lanes = Batch(position, seed=77)
    for _ in range(3):
        won = lanes.fill()
        for number in range(batch.LANES):
            setup = Setup(stones=tuple(lanes.lane(number).items()), to_move="black", composed=True)
            outcome = position.game.position(setup).outcome
            assert outcome is not None
            assert (outcome.winner is Color.BLACK) == bool(won >> number & 1)


@pytest.mark.parametrize(("game_id", "options", "plies"), SMALL)
def test_batches_are_won_as_often_as_the_fillings_say(game_id, options, plies):
    lanes = Batch(after(game_id, options, plies), seed=5)
    won = [(lanes.fill() & 0xFFFFFFFFFFFFFFFF).bit_count() for _ in range(2_000)]
    share = exact_share(game_id, plies, **options)
    # Lanes share a pairing, so it is the batches that are independent, not the lanes.
    error = (pvariance(won) / len(won)) ** 0.5
    assert abs(fmean(won) - batch.LANES * share) < 4 * error


def test_sharing_a_pairing_makes_a_batch_but_little_less_certain():
    lanes = Batch(make_game("hex", {"size": 11, "swap": "off"}).initial(), seed=5)
    won = [(lanes.fill() & 0xFFFFFFFFFFFFFFFF).bit_count() for _ in range(4_000)]
    share = fmean(won) / batch.LANES
    assert 1.0 < pvariance(won) / (batch.LANES * share * (1 - share)) < 1.18


def test_no_lane_is_won_more_often_than_another():
    lanes = Batch(make_game("hex", {"size": 5, "swap": "off"}).initial(), seed=6)
    won = [lanes.fill() for _ in range(4_000)]
    counts = [sum(lanes >> number & 1 for lanes in won) for number in range(batch.LANES)]
    share = sum(counts) / (batch.LANES * len(won))
    # Chi-square with 63 degrees of freedom; one in ten thousand exceeds this.
    assert sum(deviation(count, len(won), share) for count in counts) < 113.5


def test_every_bit_of_a_random_word_is_as_often_0_as_1():
    x, counts = 88172645463325252, [0] * batch.LANES
    kernels = {**editions(bits), **editions(batch)}
    for _ in range(10_000):
        x = kernels["step"](x)
        word = kernels["mixed"](x)
        for number in range(batch.LANES):
            counts[number] += word >> number & 1
    assert sum(deviation(count, 10_000, 0.5) for count in counts) < 113.5


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("hex", {"size": 6}),
        ("antipod", {"side": 4}),
        ("cylindrical-hex", {"rows": 5, "columns": 6}),
    ],
)
def test_random_games_of_every_kind_are_won_equally_often(game_id, options):
    position = make_game(game_id, options).initial()
    games, rng = 6_400, np.array([9], np.int64)
    lanes = Batch(position, seed=5)
    in_batches = sum((lanes.fill() & 0xFFFFFFFFFFFFFFFF).bit_count() for _ in range(games // 64))
    at_leaves = 0
    for _ in range(games):
        at_leaves += playout_kernel("placement")(
            lanes.tables, position.state.copy(), position.game.work(), rng
        )
    walks, wins = walks_of("placement"), np.zeros(2, np.int64)
    arrays = (
        lanes.tables,
        position.state.copy(),
        position.state.copy(),
        position.game.work(),
        rng,
        wins,
    )
    assert walks.play_outs(*arrays, 1000, games) == 0
    wins_of_black = [in_batches, 2 * games - at_leaves, int(wins[0])]
    share = sum(wins_of_black) / (3 * games)
    # Chi-square with two degrees of freedom; one in ten thousand exceeds this.
    assert sum(deviation(won, games, share) for won in wins_of_black) < 18.4


@pytest.mark.parametrize("word", [0, 1, -1, 2**62, -(2**63), 0x0F0F0F0F0F0F0F0F, -2])
def test_ones_are_counted_in_all_64_bits(word):
    expected = (word & 0xFFFFFFFFFFFFFFFF).bit_count()
    assert batch.count_ones(word) == expected
    assert edition(batch, "count_ones")(word) == expected


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_both_editions_fill_and_flood_alike(game_id, options):
    position = some_plies_on(make_game(game_id, options), 1)
    one, other = Batch(position, seed=-5), Batch(position, seed=-5)
    other.kernels = vars(batch)
    for _ in range(5):
        assert one.fill() == other.fill()
        assert np.array_equal(one.black, other.black)
        assert one.rng[0] == other.rng[0]


def test_all_pairings_of_the_empty_cells_are_equally_likely():
    lanes = Batch(make_game("hex", {"size": 2, "swap": "off"}).initial(), seed=3)
    found: dict[int, int] = {}
    for _ in range(3000):
        lanes.fill()
        words = [lanes.word(cell) for cell in range(4)]
        partner = next(cell for cell in (1, 2, 3) if words[cell] == ~words[0])
        found[partner] = found.get(partner, 0) + 1
    assert sorted(found) == [1, 2, 3]
    assert sum((count - 1000) ** 2 / 1000 for count in found.values()) < 18.4  # one in 10,000


def test_a_cell_left_over_is_any_cell():
    lanes = Batch(make_game("hex", {"size": 3, "swap": "off"}).initial(), seed=3)
    found = [0] * 9
    for _ in range(4500):
        lanes.fill()
        found[[lanes.word(cell) for cell in range(9)].index(batch.ALL)] += 1
    assert sum((count - 500) ** 2 / 500 for count in found) < 31.8  # one in 10,000
