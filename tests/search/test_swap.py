"""The swap right in every search: its value is the better of the two choices."""

import random
from dataclasses import replace

import pytest

from antipodes.core import Color
from antipodes.games.registry import make_game
from antipodes.search.factory import make_search
from antipodes.search.interface import Limits, Proven, Search, SearchSettings
from antipodes.search.levels import find_level
from antipodes.search.mcts_tree import TreeSettings
from antipodes.search.plain import PlainSearch
from antipodes.search.players import SearchPlayer, make_player
from antipodes.search.proof.openings import openings_of
from antipodes.search.tree import TreeSearch
from tests.search.proof.brute_force import game_of
from tests.thorough import repetitions, sample


def tree_of_batches(position) -> Search:
    return TreeSearch(position, seed=1, memory=16)


def tree_of_single_games(position) -> Search:
    return TreeSearch(position, seed=1, memory=16, settings=TreeSettings())


def tree_in_two_threads(position) -> Search:
    return TreeSearch(position, seed=1, memory=16, threads=2)


def plain_tree(position) -> Search:
    return PlainSearch(position, seed=1, memory=16)


def strongest(position) -> Search:
    return make_search(position, SearchSettings(memory=16), seed=1)


SEARCHES = [tree_of_batches, tree_of_single_games, tree_in_two_threads, plain_tree, strongest]
KINDS = [
    ("hex", {"size": 5}, "sides"),
    ("hex", {"size": 5}, "pieces"),
    ("antipod", {"side": 5}, "on"),
]
# A weak first stone, one in the middle, and one between.
OPENINGS = {"hex": ("a1", "c3", "b2"), "antipod": ("a2+", "c4", "b2")}


def after(game_id, options, swap, *moves):
    position = make_game(game_id, {**options, "swap": swap}).initial()
    for text in moves:
        position = position.play(position.parse_move(text))
    return position


def measured(make, position, visits) -> float:
    search: Search = make(position)
    search.run(Limits(visits=visits))
    return search.value()


@pytest.mark.parametrize(("game_id", "options", "swap"), sample(KINDS, 2))
@pytest.mark.parametrize("make", SEARCHES)
def test_the_value_with_a_swap_right_is_the_better_of_swapping_and_playing_on(
    make, game_id, options, swap
):
    single = {plain_tree, tree_of_single_games}
    # Batches teach about 64 games a visit; single games need more visits for the same error.
    visits = repetitions(8_000, 20_000) if make in single else 4_000
    for opening in sample(OPENINGS[game_id], 2):
        with_right = measured(make, after(game_id, options, swap, opening), visits)
        swapped = 1 - measured(make, after(game_id, options, swap, opening, "swap"), visits)
        not_swapped = measured(make, after(game_id, options, "off", opening), visits)
        assert with_right == pytest.approx(max(swapped, not_swapped), abs=0.06), opening


@pytest.mark.parametrize("swap", ["sides", "pieces"])
@pytest.mark.parametrize("level", sample(range(4, 8), 2))
def test_levels_swap_a_strong_first_stone_and_leave_a_weak_one(level, swap):
    chosen = {"weak": 0, "strong": 0}
    seeds = range(5)
    for size, middle in ((7, "d4"), (9, "e5"), (11, "f6")):
        for kind, opening in (("weak", "a1"), ("strong", middle)):
            position = after("hex", {"size": size}, swap, opening)
            for seed in seeds:
                move = make_player(f"computer:{level}", seed).choose(position)
                chosen[kind] += position.format_move(move) == "swap"
    assert chosen["weak"] <= len(seeds) < 2 * len(seeds) <= chosen["strong"]


@pytest.mark.parametrize("swap", ["sides", "pieces"])
@pytest.mark.parametrize("level", [6, 7])
def test_no_level_from_6_on_gives_a_proven_win_away_by_a_swap_or_without_one(level, swap):
    game = game_of("hex", {"size": 7, "swap": swap})
    winners = openings_of(game).winners
    for opening in ("a1", "b1", "c1", "a7", "b4", "d4"):
        position = after("hex", {"size": 7}, swap, opening)
        wins = winners[position.last_cell] is game.first
        for seed in range(12):
            move = make_player(f"computer:{level}", seed).choose(position)
            assert (position.format_move(move) == "swap") == wins, (opening, seed)


def test_no_level_from_6_on_gives_a_pairing_away_in_haste():
    position = make_game("antipod", {"side": 4, "handicap": "none"}).initial()
    hasty = replace(find_level("6").skill(position.game), haste=1.0)
    opponent = random.Random(1)
    player = SearchPlayer("hasty", hasty, 1)
    while position.outcome is None:
        is_own = position.to_move is Color.BLACK
        position = position.play(
            player.choose(position) if is_own else opponent.choice(list(position.legal_moves))
        )
    assert position.outcome.winner is Color.BLACK


def test_a_win_without_a_swap_is_not_swapped_away():
    # On 5x5 White wins after a1.
    position = after("hex", {"size": 5}, "sides", "a1")
    search = make_search(position, SearchSettings(memory=16), seed=1)
    search.run(Limits(visits=20_000))
    assert position.format_move(search.candidates()[0].move) != "swap"
    assert search.value() > 0.8


@pytest.mark.parametrize("swap", ["sides", "pieces"])
def test_a_first_stone_that_may_be_swapped_is_an_even_one(swap):
    search = tree_of_batches(after("hex", {"size": 7}, swap))
    search.run(Limits(visits=2_000))
    opening = search.position.format_move(search.candidates()[0].move)
    without = measured(tree_of_batches, after("hex", {"size": 7}, "off", opening), 2_000)
    in_the_middle = measured(tree_of_batches, after("hex", {"size": 7}, "off", "d4"), 2_000)
    assert abs(without - 0.5) < abs(in_the_middle - 0.5) / 2


@pytest.mark.parametrize("swap", ["sides", "pieces"])
def test_nothing_is_proven_by_a_first_stone_that_the_opponent_takes(swap):
    # Without a swap the middle wins; with one, every first stone loses on 2x2.
    middle = make_search(after("hex", {"size": 3}, swap), SearchSettings(memory=16), seed=1)
    middle.run(Limits(visits=2_000))
    assert middle.proven is not Proven.WIN
    search = make_search(after("hex", {"size": 2}, swap), SearchSettings(memory=16), seed=1)
    search.run(Limits(visits=2_000))
    assert search.proven is Proven.LOSS
