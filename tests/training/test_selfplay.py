"""Self-play, without a network."""

import numpy as np
import pytest

from antipodes.games.kernels import edition, header
from antipodes.training import selfplay
from antipodes.training.boards import board_of
from antipodes.training.kernels import gumbel
from antipodes.training.samples import SampleFolder, Samples, Window
from antipodes.training.selfplay import Games, considered_visits

SIZE = 4


def evaluate(inputs, count):
    """Return a policy that likes the middle, and values by who is nearer to the goals."""
    cells = inputs.shape[2]
    middle = np.abs(np.arange(cells) - cells / 2).astype(np.float32)
    own, other = inputs[:, 4:6].mean((1, 2)), inputs[:, 6:8].mean((1, 2))
    values = 1 / (1 + np.exp(8 * (own - other)))
    return np.tile(-0.1 * middle, (len(inputs), 1)), values.astype(np.float32)


@pytest.fixture(scope="module")
def played():
    return Games(board_of("hex", SIZE), together=5, visits=12, seed=3).play(11, evaluate)


def test_all_games_are_played_to_their_end(played):
    assert played.games == 11
    assert 0 <= played.black <= 11
    assert len(played.samples) < played.plies <= 11 * SIZE * SIZE


def test_policies_are_probabilities_of_empty_cells(played):
    policies = played.samples.policies.astype(np.float32)
    assert np.allclose(policies.sum(1), 1, atol=0.01)
    assert (policies[played.samples.cells != 0] == 0).all()


def test_both_colours_have_as_many_stones_or_one_differs(played):
    own = (played.samples.cells == 1).sum(1)
    other = (played.samples.cells == 2).sum(1)
    # Seen by the colour to move; Black has one stone more when White is to move.
    assert set((other - own).tolist()) <= {0, 1}


def test_a_seed_determines_the_games():
    first, second = (Games(board_of("hex", 3), 3, 6, seed=5).play(4, evaluate) for _ in "12")
    assert np.array_equal(first.samples.cells, second.samples.cells)
    assert np.array_equal(first.samples.policies, second.samples.policies)


@pytest.mark.parametrize(("considered", "visits"), [(2, 5), (4, 16), (16, 24), (16, 64), (16, 7)])
def test_halving_gives_more_visits_to_fewer_moves(considered, visits):
    targets = considered_visits(considered, visits)
    assert len(targets) == visits
    # Each move that is compared has been visited as often before.
    counts = [0] * considered
    for target in targets:
        counts[counts.index(target)] += 1
    assert max(counts) == max(targets) + 1
    ranked = sorted(counts, reverse=True)
    assert ranked == counts


def test_improved_policies_prefer_moves_of_higher_value():
    trees = selfplay._new_trees(games=1, nodes=1, cells=4)
    trees.logits[0, 0, 3] = gumbel.UNLIKELY
    trees.visits[0, 0, :2] = 4
    trees.totals[0, 0, :2] = 4 * 0.9, 4 * 0.2
    trees.values[0, 0] = 0.5
    policy = np.zeros(4, np.float32)
    edition(gumbel, "write_improved")(trees, 0, 0, policy)
    edition(gumbel, "soften")(policy)
    assert policy[0] > policy[2] > policy[1]
    assert policy[3] == 0
    assert policy.sum() == pytest.approx(1)
    # The value of the node is between its evaluation and the values of its moves.
    mixed = edition(gumbel, "mixed_value")(trees, 0, 0)
    assert mixed == pytest.approx((0.5 + 8 * 0.55) / 9)


def test_the_window_keeps_the_latest_positions_of_each_board(played):
    window = Window("hex", 50)
    window.add(SIZE, played.samples)
    window.add(SIZE, played.samples)
    assert window.sizes == [SIZE]
    latest = played.samples.latest(50)
    batch = window.batch(SIZE, 200, np.random.default_rng(1))
    assert batch.inputs.shape == (200, 8, SIZE * SIZE)
    assert np.allclose(batch.policies.sum(1), 1, atol=1e-5)
    boards = {row.tobytes() for row in latest.cells} | {
        np.ascontiguousarray(row[::-1]).tobytes() for row in latest.cells
    }
    own, other = batch.inputs[:, 0], batch.inputs[:, 1]
    assert {
        (a + 2 * b).astype(np.int8).tobytes() for a, b in zip(own, other, strict=True)
    } <= boards
    assert ((own + other > 0) == batch.occupied).all()


def test_samples_are_read_as_they_were_written(tmp_path, played):
    folder = SampleFolder(tmp_path / "samples")
    folder.write(2, SIZE, played.samples)
    folder.write(1, SIZE, played.samples.latest(3))
    (tmp_path / "samples" / "000003-4.part").write_bytes(b"half")
    found = list(folder.read())
    assert [(number, size, len(samples)) for number, size, samples in found] == [
        (1, SIZE, 3),
        (2, SIZE, len(played.samples)),
    ]
    both = Samples.joined(samples for _, _, samples in found)
    assert np.array_equal(both.cells[3:], played.samples.cells)
    assert np.array_equal(both.colors[3:], played.samples.colors)
    assert np.array_equal(both.results[3:], played.samples.results)


@pytest.mark.parametrize(("game_id", "size"), [("antipod", 3), ("cylindrical-hex", 4)])
def test_games_with_rings_are_played_to_their_end(game_id, size):
    board = board_of(game_id, size)
    played = Games(board, together=4, visits=8, seed=2).play(9, evaluate)
    assert played.games == 9
    assert set(np.unique(played.samples.colors)) == {0, 1}
    window = Window(game_id, 500)
    window.add(size, played.samples)
    batch = window.batch(size, 100, np.random.default_rng(1))
    assert batch.inputs.shape == (100, 8, board.cells)
    assert (batch.policies[batch.occupied] == 0).all()


def test_positions_keep_their_inputs_after_a_symmetry():
    board = board_of("antipod", 3)
    rng = np.random.default_rng(1)
    states = [board.opening(5, rng) for _ in range(20)]
    cells = np.stack([board.seen(state)[0] for state in states])
    colors = np.array([state[header.COLOR] for state in states], np.int8)
    marks = np.tile(np.arange(board.cells, dtype=np.float32), (20, 1))
    turned, origins = board.turned(cells, marks, rng)
    assert len({row.tobytes() for row in origins}) > 5
    before, after = board.inputs(cells, colors), board.inputs(turned, colors)
    for row, origin in enumerate(origins.astype(int)):
        seen = before[row][:, origin]
        # The two poles may have changed places.
        distances = np.sort(seen.reshape(-1, 2, board.cells)[2:], 1)
        assert np.array_equal(distances, np.sort(after[row].reshape(-1, 2, board.cells)[2:], 1))
        assert np.array_equal(seen[:4], after[row][:4])
