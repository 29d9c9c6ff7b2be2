"""Random games: the library and the oracles agree."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.tally import READ
from tests.games.oracle_games import agree, random_game, random_setup
from tests.games.test_against_oracles import CASES

# A game takes longer than a text.
FEWER = settings(max_examples=max(1, settings().max_examples // 5))
QUICK = [(game_id, options) for game_id, options, games, *_ in CASES if games >= 10]
SET_UP = [case for case in CASES if case[3]]  # oracles do not know the team mate to move


@FEWER
@given(st.sampled_from(QUICK), st.integers(10_000, 2**40))
def test_a_random_game_agrees(case, seed):
    game_id, options = case
    random_game(game_id, options, seed, share=0.3)
    READ["games"] += 1


@FEWER
@given(st.sampled_from(SET_UP), st.integers(10_000, 2**40))
def test_a_random_setup_agrees(case, seed):
    position, oracle = random_setup(case[0], case[1], seed)
    if position is not None:
        agree(position, oracle, f"{case[:2]} setup {seed}", legal=seed % 10 == 0)
    READ["random setups"] += 1
