"""Laws of the random games that are played in eight batches at once."""

import numpy as np
import pytest

from antipodes.games.registry import make_game
from antipodes.search.kernels import batch, eight
from tests.kernels.editions import editions

GAMES = [
    ("hex", {"size": 3, "swap": "off"}),
    ("hex", {"size": 7}),
    ("antipod", {"side": 3, "handicap": "none"}),
    ("antipod", {"side": 5}),
    ("cylindrical-hex", {"rows": 3, "columns": 3}),
    ("cylindrical-hex", {"rows": 6, "columns": 5, "first": "white"}),
]


class Eight:
    """Eight batches of a game's start."""

    def __init__(self, game_id, options, seed=1):
        game = make_game(game_id, options)
        self.cells = game.topology.cell_count
        self.layout = batch.flood_layout(game.topology, game.tables)
        self.rng = np.array([seed], np.int64)
        self.empty = np.zeros(self.cells + 1, np.int64)
        self.black, self.reached, self.lanes = eight.room(self.cells)
        self.start = (game.tables, game.initial().state.copy())

    def play(self, rounds, kernels):
        """Play games; return how many Black wins."""
        room = (self.rng, self.empty, self.black, self.reached, self.lanes)
        return kernels["black_wins_eight"](*self.start, self.layout, *room, rounds)

    def column(self, word):
        """Return the lanes of one of the eight batches, for each slot."""
        return np.ascontiguousarray(self.black[word :: eight.WIDTH])


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_every_batch_is_won_as_if_it_were_alone(game_id, options):
    games = Eight(game_id, options, seed=11)
    kernels, one = editions(eight), editions(batch)
    reached = np.zeros(games.cells + 1, np.int64)
    undecided = 0
    for _ in range(40):
        wins = games.play(1, kernels)
        won = [int(one["flood"](games.layout, games.column(word), reached)) for word in range(8)]
        assert won == games.lanes[eight.WIDTH :].tolist()
        assert wins == sum((lanes & 0xFFFFFFFFFFFFFFFF).bit_count() for lanes in won)
        undecided += sum(lanes not in (0, -1) for lanes in won)
    assert undecided


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_every_lane_of_every_batch_is_balanced(game_id, options):
    games = Eight(game_id, options, seed=12)
    games.play(1, editions(eight))
    columns = [games.column(word) for word in range(8)]
    held = [
        sum(int(slot) >> lane & 1 for slot in column) for column in columns for lane in range(64)
    ]
    assert len(set(held)) == 1
    assert len({column.tobytes() for column in columns}) == 8


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_both_editions_play_alike(game_id, options):
    one, other = Eight(game_id, options, seed=-7), Eight(game_id, options, seed=-7)
    for _ in range(3):
        assert one.play(1, editions(eight)) == other.play(1, vars(eight))
        assert np.array_equal(one.black, other.black)
        assert one.rng[0] == other.rng[0]


def test_vectors_begin_on_lines_of_the_cache():
    for cells in (3, 121, 488):
        assert all(words.ctypes.data % eight.LINE == 0 for words in eight.room(cells))
