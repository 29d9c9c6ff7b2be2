"""The tree search with the neural network."""

import json
import math
import tomllib
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest

from antipodes.core import Move
from antipodes.games.registry import make_game
from antipodes.search.factory import make_search
from antipodes.search.interface import Limits, Proven, SearchSettings
from antipodes.search.levels import levels
from antipodes.search.mcts_tree import MctsTree, network_settings
from antipodes.search.network import evaluator
from antipodes.search.network.evaluator import BATCH, FILES, FOLDER, Evaluator, has_network
from antipodes.search.network.weights import read_network
from antipodes.search.proof.knowledge import solver_knowledge
from antipodes.search.tree import TreeSearch
from tests.thorough import sample

NO_SWAP = {"swap": "off"}


def started(**options):
    return make_game("hex", {"size": 5, "swap": "off", **options}).initial()


def search_of(position, *, knowledge=False, seed=1, **changes):
    source = solver_knowledge(position) if knowledge else None
    settings = replace(network_settings(position.game), **changes)
    return TreeSearch(position, seed=seed, knowledge=source, settings=settings)


def tree_of(position, size):
    return MctsTree(position, network_settings(position.game), 1, size)


@pytest.mark.parametrize("swap", ["off", "sides", "pieces"])
def test_candidates_are_legal_and_their_visits_add_up(swap):
    position = started(size=6, swap=swap).play(Move(14))
    search = search_of(position)
    search.run(Limits(visits=700))
    candidates = search.candidates()
    assert search.visits == 700
    assert sum(one.visits for one in candidates) == search.visits - 1
    assert all(one.move in position.legal_moves for one in candidates)
    assert all(0 <= one.value <= 1 for one in candidates)


def test_a_search_cut_in_slices_is_the_same_search():
    whole, sliced = (tree_of(started(size=11), 1 << 24) for _ in "12")
    whole.add_visits(507, 507)
    while sliced.visits < 507:
        sliced.add_visits(7, 507)
    assert whole.visits == sliced.visits == 507
    for one, other in zip(whole.children(), sliced.children(), strict=True):
        assert (one == other).all()


def test_a_position_that_is_reached_again_keeps_its_evaluation(monkeypatch):
    trees = []
    for room in (evaluator.KNOWN, 1):
        monkeypatch.setattr(evaluator, "KNOWN", room)
        trees.append(tree_of(started(size=7), 1 << 24))
        trees[-1].add_visits(900, 900)
    known, forgotten = trees
    for one, other in zip(known.children(), forgotten.children(), strict=True):
        assert (one == other).all()
    assert (known.arrays["evaluations"].known_values > 0).sum() < 850


def test_a_reused_tree_goes_on_from_its_visits():
    search = search_of(started())
    search.run(Limits(visits=400))
    best = search.candidates()[0]
    search.play(best.move)
    assert search.visits == best.visits
    search.run(Limits(visits=800))
    assert search.visits == 800


def test_a_first_move_that_may_be_swapped_is_about_even():
    search = make_search(make_game("hex", {"size": 9}).initial(), seed=1)
    search.run(Limits(visits=800))
    assert 0.4 < search.candidates()[0].value < 0.6


@pytest.mark.parametrize("size", [2, 3])
def test_small_boards_are_proven_without_knowledge(size):
    search = search_of(started(size=size))
    search.run(Limits(visits=20_000))
    assert search.proven is Proven.WIN


def test_a_win_at_once_is_found_and_proven():
    position = started(size=4)
    for cell in (0, 1, 4, 5, 8, 9):
        position = position.play(Move(cell))
    search = search_of(position)
    search.run(Limits(visits=50))
    assert search.proven is Proven.WIN
    assert position.play(search.candidates()[0].move).outcome is not None


def test_a_full_table_stops_growth_but_not_the_search():
    tree = tree_of(started(size=7), 1 << 16)
    tree.add_visits(1_200)
    assert tree.visits >= 1_200
    assert tree.nodes < 2_500


def test_values_are_means_of_evaluations_after_all_virtual_losses_are_undone(monkeypatch, tmp_path):
    """With an evaluation of 0.7 everywhere, the means are those of levels of the tree."""
    shipped = read_network(FOLDER / FILES["rhombus"])
    value = np.zeros_like(shipped.value)
    value[-1] = math.log(0.7 / 0.3)
    even = replace(shipped, value=value, policy=np.zeros_like(shipped.policy))
    even.write(tmp_path / "even.npz")
    monkeypatch.setenv("ANTIPODES_NETWORK", str(tmp_path / "even.npz"))
    tree = tree_of(started(size=11), 1 << 24)
    tree.add_visits(400)
    children = tree.children()
    # The leaves are children and grandchildren of the root: worth 0.3 and 0.7 to the side to move.
    means = children.totals / np.maximum(children.visits, 1)
    seen = children.visits > 0
    assert ((means[seen] >= 0.3 - 1e-6) & (means[seen] <= 0.7 + 1e-6)).all()
    first = children.visits == 1
    assert np.allclose(means[first], 0.3)


def test_criticality_is_the_difference_that_a_stone_makes():
    position = started(size=5)
    for name in ("c2", "a4", "c4", "e1"):
        position = position.play(position.parse_move(name))
    search = search_of(position)
    found = dict(enumerate(search.criticality()))
    cell = position.game.topology.cell
    # Each colour needs c3 most: it lies between the stones of both colours.
    assert max(found, key=lambda place: found[place]) == cell("c3")
    assert all(found[cell(name)] == 0 for name in ("c2", "a4", "c4", "e1"))
    assert all(-1 <= one <= 1 for one in found.values())


def test_evaluations_do_not_depend_on_the_rest_of_the_batch():
    position = started(size=9)
    evaluate = Evaluator(position.game)
    rng = np.random.default_rng(1)
    inputs = rng.random((BATCH, 8, 81)).astype(np.float32)
    policies, values = (one.copy() for one in evaluate(inputs, BATCH))
    other = inputs.copy()
    other[1:] = 0
    alone, value = (one.copy() for one in evaluate(other, 2))
    assert np.array_equal(alone[0], policies[0])
    assert value[0] == values[0]


def test_only_hex_has_a_network_so_far(monkeypatch):
    assert has_network(make_game("hex"))
    assert not any(has_network(make_game(name)) for name in ("antipod", "antipode", "antipalos"))
    monkeypatch.setenv("ANTIPODES_NETWORK", "0")
    assert not has_network(make_game("hex"))


def test_plans_name_the_boards_of_which_the_card_has_games():
    boards = json.loads((FOLDER / "hex.json").read_text(encoding="utf-8"))["boards"]
    for name in ("hex", "hex-games"):
        text = files("antipodes.training").joinpath("plans", f"{name}.toml").read_text("utf-8")
        planned = {size for stage in tomllib.loads(text)["stages"] for size in stage["sizes"]}
        assert planned == set(boards), name


def test_the_network_serves_the_boards_of_its_training_and_no_larger_ones(monkeypatch):
    for size, is_served in ((5, True), (13, True), (14, False), (19, False)):
        game = make_game("hex", {"size": size})
        assert has_network(game) == is_served
        assert levels()[-1].skill(game).network == is_served
    monkeypatch.setenv("ANTIPODES_NETWORK", str(FOLDER / "hex.npz"))
    assert has_network(make_game("hex", {"size": 19}))


def test_the_strongest_search_uses_the_network_where_it_may():
    position = started(size=5)
    for allowed in (True, False):
        search = make_search(position, SearchSettings(network=allowed))
        assert isinstance(search, TreeSearch)
        assert search.settings.network == allowed


@pytest.mark.parametrize("first", sample(range(25), 2))
def test_the_network_search_agrees_with_proofs_of_small_boards(first):
    """After each first stone on the board of side 5 a second's search knows who wins."""
    position = started(size=5).play(Move(first))
    proven = search_of(position, knowledge=True)
    proven.run(Limits(visits=5_000))
    alone = search_of(position)
    alone.run(Limits(visits=2_000))
    assert proven.proven is not None
    assert (alone.value() > 0.5) == (proven.proven is Proven.WIN)


def after(text):
    """Return the position of Hex 11x11 after some moves."""
    position = make_game("hex", {"size": 11, "swap": "off"}).initial()
    for move in text.split():
        position = position.play(position.parse_move(move))
    return position


# White has lost, as the solver proves with a hundred positions.
LOST = (
    "f2 g3 h3 f6 e6 e7 c8 d5 c6 c5 b6 b5 g6 g5 h5 h4 j3 i4 k4 j5 k5 j6 k6 i9 j8 j9 i8 h9 d9 c10 d10"
)


def test_a_proof_search_of_the_root_finds_losses_that_visits_do_not():
    position = after(LOST)
    unproven = search_of(position, knowledge=True, proof_price=0)
    unproven.run(Limits(visits=3_000))
    assert unproven.proven is None
    search = search_of(position, knowledge=True)
    search.run(Limits(visits=8_000))
    assert search.proven is Proven.LOSS
    assert search.visits < 8_000


# Black wins by c7 alone, which the network holds for improbable.
WON = "h1 g2 e7 h4 f5 g3 c4 c3 d3 c9 d9 e6 f6 e4 d5 e5 h3 g4 i4 g6 h6 h8 i7 i8 j7 j8 h7 f8 d7 c5"


def test_a_proof_search_of_the_root_finds_wins_that_the_network_does_not_expect():
    position = after(WON)
    search = search_of(position, knowledge=True)
    search.run(Limits(visits=500))
    best = search.candidates()[0]
    assert (position.format_move(best.move), best.proven) == ("c7", Proven.WIN)


def test_only_new_visits_pay_for_proofs():
    """A move keeps the tree below it, but its visits were paid out at the former root."""
    game = make_game("hex", {"size": 11, "swap": "off"})
    tree = tree_of(game.initial(), 1 << 24)
    tree.add_visits(9_000)
    assert tree.positions_due() == 150
    assert tree.positions_due() == 0
    move = tree.next_move()
    tree.move_root(game.initial().play(move), move)
    assert tree.visits > 1_500
    assert tree.positions_due() == 0
