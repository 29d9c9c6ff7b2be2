"""Laws of the random games that are played one at a time."""

from statistics import fmean, pvariance

import numpy as np
import pytest

from antipodes.games.kernels import edition, header, placement, rules_of
from antipodes.games.registry import make_game
from antipodes.search.families import playout_kernel
from antipodes.search.kernels import antipalos_playout, antipode_playout, playouts
from tests.kernels.editions import editions

from .fillings import SMALL, UNLIKELY, after, deviation, exact_share

EVERY = [
    ("hex", {"size": 5, "swap": "sides"}),
    ("antipod", {"side": 4, "handicap": "two"}),
    ("cylindrical-hex", {"rows": 4, "columns": 5}),
    ("antipode", {}),
    ("antipalos", {"size": 12, "rods": 3, "phase_two_limit": 4}),
    ("antipalos", {"size": 12, "rods": 3, "seats": "cutthroat3", "phase_two_limit": 4}),
    ("antipalos", {"ruleset": "mail", "size": 5}),
]


@pytest.mark.parametrize(("game_id", "options", "plies"), SMALL)
def test_a_random_game_is_won_as_often_as_the_fillings_say(game_id, options, plies):
    position = after(game_id, options, plies)
    share = exact_share(game_id, plies, **options)
    play, rng = playout_kernel("placement"), np.array([2463534242], np.int64)
    games, won = 20_000, 0
    for _ in range(games):
        won += play(position.game.tables, position.state.copy(), position.game.work(), rng) == 1
    assert deviation(won, games, share) < UNLIKELY


@pytest.mark.parametrize(("game_id", "options"), EVERY)
def test_a_playout_ends_the_game_with_every_colour_at_its_seat(game_id, options):
    game = make_game(game_id, options)
    kernel = playout_kernel(game.family)
    winners = set()
    for seed in range(1, 40):
        position = after(game_id, options, 2 + seed % 3)
        before, state = position.state, position.searchable_state(400)
        work = game.work()
        winner = kernel(game.tables, state, work, np.array([seed], np.int64))
        assert winner == state[header.WINNER] != 0
        assert not work.any()
        shifts = {
            (each[header.COLOR] - each[header.SEAT]) % len(game.colors) for each in (before, state)
        }
        assert len(shifts) == 1
        winners.add(int(winner))
    assert len(winners) > 1 or winners == {header.DRAW}


def test_a_full_board_is_left_to_the_colour_that_alternate_turns_give():
    for plies in range(4):
        position = after("hex", {"size": 4, "swap": "off"}, plies)
        state = position.state.copy()
        playout_kernel("placement")(
            position.game.tables, state, position.game.work(), np.array([7])
        )
        assert state[header.COLOR] == state[header.SEAT] == 0


@pytest.mark.parametrize(("game_id", "options"), EVERY)
def test_both_editions_play_the_same_games(game_id, options):
    game = make_game(game_id, options)
    module = {"antipalos": antipalos_playout, "antipode": antipode_playout}.get(
        game.family, playouts
    )
    root, work = game.initial().searchable_state(400), game.work()
    for seed in range(1, 9):
        ends = []
        for kernel in (module.playout, edition(module, "playout")):
            state, rng = root.copy(), np.array([seed * 7919], np.int64)
            ends.append((int(kernel(game.tables, state, work, rng)), state.tolist(), int(rng[0])))
        assert ends[0] == ends[1]


PLACEMENT = [
    ("hex", {"size": 2, "swap": "off"}, 0),
    ("hex", {"size": 5, "swap": "off"}, 0),
    ("hex", {"size": 5, "swap": "off"}, 5),
    ("antipod", {"side": 3, "handicap": "none"}, 3),
    ("antipod", {"side": 4, "first": "black"}, 0),
    ("antipod", {"side": 4}, 9),
    ("cylindrical-hex", {"rows": 3, "columns": 3}, 0),
    ("cylindrical-hex", {"rows": 4, "columns": 5, "first": "white"}, 2),
]


class Games:
    """Random games to the win from a position."""

    def __init__(self, position, seed, *, plain=False):
        self.position = position
        nodes = int(position.game.tables[placement.NODES])
        self.rng = np.array([seed], np.int64)
        self.order, self.room, self.moves = (np.zeros(2 * nodes, np.int64) for _ in range(3))
        self.arrays = (position.game.tables, position.state.copy(), self.rng, self.order, self.room)
        self.kernels = vars(playouts) if plain else editions(playouts)

    def play(self):
        plies = self.kernels["random_game"](*self.arrays, self.moves)
        return self.moves[:plies].tolist()

    def play_many(self, games):
        """Return how many games each colour won, and the number of moves."""
        wins = np.zeros(2, np.int64)
        total = self.kernels["random_games"](*self.arrays, self.moves, wins, games)
        return wins.tolist(), total


@pytest.mark.parametrize(("game_id", "options", "plies"), PLACEMENT)
def test_a_game_to_the_win_ends_with_the_very_move_that_wins_by_the_rules(game_id, options, plies):
    position = after(game_id, options, plies)
    rules, games = rules_of("placement"), Games(position, seed=17)
    lengths = set()
    for _ in range(60):
        moves = games.play()
        state, work = position.state.copy(), position.game.work()
        for move in moves:
            assert state[header.WINNER] == 0
            assert rules.judge(position.game.tables, state, work, move) == header.LEGAL
            rules.play(position.game.tables, state, work, move)
        assert state[header.WINNER] != 0
        lengths.add(len(moves))
    assert len(lengths) > 1


@pytest.mark.parametrize(("game_id", "options", "plies"), SMALL)
def test_a_game_to_the_win_is_won_as_often_as_the_fillings_say(game_id, options, plies):
    wins, _ = Games(after(game_id, options, plies), seed=23).play_many(40_000)
    assert sum(wins) == 40_000
    assert deviation(wins[0], 40_000, exact_share(game_id, plies, **options)) < UNLIKELY


def test_games_to_the_win_are_as_long_as_games_played_by_the_rules():
    position = after("antipod", {"side": 4}, 0)
    rules, work, rng = rules_of("placement"), position.game.work(), np.array([3], np.int64)
    fast = Games(position, seed=5)
    lengths = [len(fast.play()) for _ in range(1500)]
    by_the_rules = []
    for _ in range(1500):
        state = position.state.copy()
        while state[header.WINNER] == 0:
            move = rules.sample(position.game.tables, state, work, rng)
            rules.play(position.game.tables, state, work, move)
        by_the_rules.append(int(state[header.PLY]))
    error = ((pvariance(lengths) + pvariance(by_the_rules)) / 1500) ** 0.5
    assert abs(fmean(lengths) - fmean(by_the_rules)) < 4 * error


@pytest.mark.parametrize(("game_id", "options", "plies"), PLACEMENT)
def test_both_editions_play_the_same_games_to_the_win(game_id, options, plies):
    position = after(game_id, options, plies)
    one, other = Games(position, seed=-9), Games(position, seed=-9, plain=True)
    for _ in range(10):
        assert one.play() == other.play()
    assert one.rng[0] == other.rng[0]


@pytest.mark.parametrize(("size", "plies"), [(3, 0), (3, 1), (4, 5), (5, 0)])
def test_random_games_by_mail_are_won_and_drawn_as_often_as_by_the_rules(size, plies):
    position = after("antipalos", {"ruleset": "mail", "size": size, "swap": "off"}, plies)
    tables, work, rng = position.game.tables, position.game.work(), np.array([31], np.int64)
    rules, kernel, games = rules_of("antipalos"), playout_kernel("antipalos"), 3_000
    ends = np.zeros((2, 4))
    for _ in range(games):
        ends[0, kernel(tables, position.state.copy(), work, rng)] += 1
        state = position.state.copy()
        while state[header.WINNER] == 0:
            rules.play(tables, state, work, rules.sample(tables, state, work, rng))
        ends[1, state[header.WINNER]] += 1
    # A draw is -1, so it has the last column; the first one is unused.
    expected = ends.sum(0) / 2
    seen = expected > 0
    chi_square = (((ends - expected) ** 2)[:, seen] / expected[seen]).sum()
    assert chi_square < 18.4
    assert seen.sum() == 3


def test_a_random_game_by_mail_knows_the_chains_that_lie_there():
    game = make_game("antipalos", {"ruleset": "mail", "size": 4, "swap": "off"})
    position = game.initial()
    # Vert has a chain from the bottom but for its last step; Horz is nowhere.
    for text in ("a1-b2", "e1-d2", "b2-a3", "e3-d4", "a3-b4"):
        position = position.play(position.parse_move(text))
    kernel, rng = playout_kernel("antipalos"), np.array([8], np.int64)
    ends = [kernel(game.tables, position.state.copy(), game.work(), rng) for _ in range(400)]
    assert ends.count(1) > 130
