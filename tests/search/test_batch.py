"""Laws of the random games that are played 64 in a word."""

import numpy as np
import pytest

from antipodes.core import Color, Setup
from antipodes.games.kernels import compiled_rules, compiled_walks, jit
from antipodes.games.registry import make_game
from antipodes.search.kernels import batch

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
        self.kernels = jit.compiled(batch.__name__)

    def fill(self):
        """Fill the lanes; return the lanes that Black wins."""
        layout = self.layout
        arrays = (self.tables, self.state, layout.slots, self.rng, self.empty, self.black)
        self.kernels["fill"](*arrays)
        near = (layout.ahead, layout.behind, layout.sources, layout.targets)
        return int(self.kernels["flood"](*near, self.black, self.reached))

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
            winner = position.game.position(setup).outcome.winner
            assert (winner is Color.BLACK) == bool(won >> number & 1)


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("hex", {"size": 6}),
        ("antipod", {"side": 4}),
        ("cylindrical-hex", {"rows": 5, "columns": 6}),
    ],
)
def test_batches_win_as_often_as_games_played_move_by_move(game_id, options):
    position = make_game(game_id, options).initial()
    lanes = Batch(position, seed=5)
    batches = 400
    won = sum((lanes.fill() & 0xFFFFFFFFFFFFFFFF).bit_count() for _ in range(batches))
    share = won / (batches * batch.LANES)
    rules, walks = compiled_rules("placement"), compiled_walks()
    games, wins = 4000, np.zeros(2, np.int64)
    root, work, rng = position.state.copy(), position.game.work(), np.array([9], np.int64)
    arrays = (lanes.tables, root, root.copy(), work, rng, wins)
    draws = walks.play_outs(rules.sample, rules.play, *arrays, 1000, games)
    assert wins.sum() == games
    assert draws == 0
    # Four standard errors of the smaller sample.
    assert abs(share - wins[0] / games) < 4 * (0.25 / games) ** 0.5


@pytest.mark.parametrize("word", [0, 1, -1, 2**62, -(2**63), 0x0F0F0F0F0F0F0F0F, -2])
def test_ones_are_counted_in_all_64_bits(word):
    expected = (word & 0xFFFFFFFFFFFFFFFF).bit_count()
    assert batch.count_ones(word) == expected
    assert jit.compiled(batch.__name__)["count_ones"](word) == expected


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
