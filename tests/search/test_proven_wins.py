"""A win once proven is never lost again, whatever the opponent replies."""

import random

import pytest

from antipodes.core import Move
from antipodes.games.registry import make_game
from antipodes.search.factory import make_search
from antipodes.search.interface import Limits, Proven, Search, SearchSettings
from tests.thorough import repetitions

SMALL = [
    ("hex", {"size": 5, "swap": "sides"}),
    ("hex", {"size": 7, "swap": "off"}),
    ("antipod", {"side": 4, "swap": "on"}),
    ("cylindrical-hex", {"rows": 5, "columns": 6}),
    ("antipalos", {"size": 12, "rods": 3}),
    ("antipode", {}),
]
LARGE = [
    ("hex", {"size": 9, "swap": "pieces"}),
    ("hex", {"size": 11, "swap": "off"}),
    ("antipod", {"side": 5, "swap": "off"}),
    ("cylindrical-hex", {"rows": 8, "columns": 9}),
    ("antipalos", {"size": 12, "rods": 9}),
]
LOOK = 300  # visits a move


def proven_win(game_id, options, seed, threads) -> Search | None:
    """Return a search at the first position of a random game that it proves to be won."""
    chance = random.Random(seed)
    position = make_game(game_id, options).initial()
    while position.outcome is None:
        search = make_search(position, SearchSettings(memory=8, threads=threads), seed=seed)
        search.run(Limits(visits=LOOK))
        if search.proven is Proven.WIN:
            return search
        good = search.candidates()[:4] or search.candidates()
        position = position.play(chance.choice(good).move)
    return None


def reply(search: Search, chance: random.Random) -> Move:
    """Return an opponent's reply: any move, one that the search expects, or one that it found."""
    kind, known = chance.random(), search.candidates()
    if kind < 0.4 or not known:
        return chance.choice(search.position.legal_moves)
    return known[0].move if kind < 0.7 else chance.choice(known).move


def play_out(search: Search, seed: int) -> None:
    """Play a proven win to the end against every kind of reply."""
    chance = random.Random(seed)
    winner = search.position.to_move
    while True:
        search.run(Limits(visits=LOOK))
        best = search.candidates()[0]
        assert best.proven is Proven.WIN, f"{search.position!r}"
        after = search.position.play(best.move)
        if after.outcome is not None:
            assert after.outcome.winner is winner
            return
        search.play(best.move)
        answer = reply(search, chance)
        after = after.play(answer)
        if after.outcome is not None:
            assert after.outcome.winner is winner
            return
        search.play(answer)


def check(games, seeds, threads=1) -> None:
    for seed in seeds:
        game_id, options = games[seed % len(games)]
        search = proven_win(game_id, options, seed, threads)
        if search is not None:
            play_out(search, seed)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_proven_win_stays_proven_whatever_the_opponent_replies(threads):
    check(SMALL, range(repetitions(2, 18)), threads)


# Here the proof had been lost: by what was known of the opponent's position alone, by a reply that
# was not in the tree, and by a board too open for a short proof search.
@pytest.mark.parametrize(
    ("game", "seed"), [(0, 2), pytest.param(1, 1, marks=pytest.mark.extreme), (2, 0)]
)
def test_a_win_that_was_proven_one_ply_earlier_is_found_again(game, seed):
    check([LARGE[game]], [seed])


@pytest.mark.extreme
@pytest.mark.parametrize("first", range(0, 200, 20))
def test_two_hundred_proven_wins_are_played_to_the_end(first):
    check(SMALL + LARGE, range(first, first + 20))
