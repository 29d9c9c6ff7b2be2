"""Laws of Antipode, and the designer's photographs."""

import itertools
import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from antipodes.core import Color, Setup, Termination
from antipodes.games.antipode import Antipode
from antipodes.games.kernels import antipode as kernel
from antipodes.games.registry import make_game
from tests.thorough import repetitions

GAME = Antipode()
NAME = GAME.topology.name
FACTS = json.loads(
    (Path(__file__).parents[1] / "data/antipode_photographs.json").read_text(encoding="utf-8")
)
OTHER = {Color.BLUE: Color.RED, Color.RED: Color.BLUE}


def photograph(name, to_move="blue"):
    """Return a photographed position."""
    facts = FACTS["positions"][name]
    return GAME.position(
        Setup(stones=tuple(facts["tokens"].items()), pawns=facts["pawns"], to_move=to_move)
    )


def random_path(rng, game=GAME):
    """Return the positions of a random game."""
    path = [game.initial()]
    while path[-1].outcome is None:
        path.append(path[-1].play(rng.choice(list(path[-1].legal_moves))))
    return path


def after(position, line):
    for text in line:
        position = position.play(position.parse_move(text))
    return position


# The photographs of the rules.


def test_the_first_photograph_is_the_start():
    assert photograph("start") == GAME.initial()


def test_two_turns_lead_from_the_first_photograph_to_the_second():
    assert after(GAME.initial(), FACTS["turns_1_to_2"]) == photograph("after_2_plies")


def test_no_other_two_turns_lead_to_the_second_photograph():
    wanted = photograph("after_2_plies")
    lines = [
        [GAME.initial().format_move(one), middle.format_move(two)]
        for one in GAME.initial().legal_moves
        for middle in [GAME.initial().play(one)]
        for two in middle.legal_moves
        if middle.play(two) == wanted
    ]
    assert lines == [FACTS["turns_1_to_2"]]


def test_eight_turns_lead_from_the_second_photograph_to_the_third():
    reached = after(photograph("after_2_plies"), FACTS["turns_3_to_10"])
    assert reached == photograph("after_10_plies")
    assert reached.ply == 10


def test_pictures_of_the_photographs_differ():
    assert len({photograph(name).picture() for name in FACTS["positions"]}) == 3


# Flips.


def without(setup, cell):
    """Return a setup without the token on a cell."""
    return replace(setup, stones=tuple(s for s in setup.stones if s[0] != NAME(cell)))


def test_putting_a_token_twice_flips_back_where_nothing_is_protected():
    rng = random.Random(1)
    tried = 0
    for _ in range(30):
        position = rng.choice(random_path(rng)[:-1])
        pawns = set(position.pawns().values())
        for cell in range(kernel.CELLS):
            first = position.after_token(cell)
            if first is None or pawns & set(GAME.topology.neighbours[cell]):
                continue
            setup = replace(
                position.to_setup(),
                stones=tuple((NAME(c), color.value) for c, color in first.items() if c != cell),
                to_move=position.to_move.value,
                composed=True,
            )
            try:
                again = GAME.position(setup).after_token(cell)
            except ValueError:
                continue  # flipped into a position that is no position
            if again is not None:
                assert again == {**position.tokens(), cell: position.to_move}
                tried += 1
    assert tried > 100


def test_flipping_any_cells_twice_changes_nothing():
    rng = random.Random(2)
    for _ in range(30):
        for position in random_path(rng):
            state = position.kernel_state.copy()
            tokens = int(state[kernel.TOKENS] | state[kernel.TOKENS + 1])
            cells = tokens & rng.getrandbits(61)
            for expected in (cells == 0, True):
                kernel.flip(GAME.tables, state, cells)
                assert (state == position.kernel_state).all() == expected


def test_sliding_there_and_back_flips_all_it_passes_back():
    """A slide flips what lies between, both ways: from start to rest and from rest to start."""
    between = GAME.tables[kernel.BETWEEN :][: kernel.CELLS**2]
    for here in range(kernel.CELLS):
        for there in range(kernel.CELLS):
            assert between[here * kernel.CELLS + there] == between[there * kernel.CELLS + here]


def test_protected_tokens_never_flip():
    rng = random.Random(3)
    for _ in range(30):
        path = random_path(rng)
        for before, following in itertools.pairwise(path):
            mover = before.to_move
            still = before.pawns()[OTHER[mover]]
            assert following.pawns()[OTHER[mover]] == still
            assert following.tokens()[still] is OTHER[mover]
            assert following.tokens()[following.pawns()[mover]] is mover


def test_every_turn_adds_one_token_of_either_colour():
    rng = random.Random(4)
    for _ in range(20):
        path = random_path(rng)
        for ply, position in enumerate(path):
            assert len(position.tokens()) == 6 + ply


def test_both_steps_of_a_turn_flip_what_differs_after_it():
    rng = random.Random(12)
    for _ in range(repetitions(10, 100)):
        position = GAME.initial()
        while position.outcome is None:
            move = rng.choice(list(position.legal_moves))
            tokens = {**position.tokens(), position.steps(move)[0]: position.to_move}
            for cell in itertools.chain(*position.flips(move)):
                tokens[cell] = OTHER[tokens[cell]]
            position = position.play(move)
            assert position.tokens() == tokens


# Symmetries.


def turned(position):
    """Return the position turned by 180 degrees with the colours exchanged."""
    half = GAME.topology.symmetries[3]
    setup = Setup(
        stones=tuple((NAME(half[c]), OTHER[color].value) for c, color in position.tokens().items()),
        pawns={OTHER[color].value: NAME(half[cell]) for color, cell in position.pawns().items()},
        to_move=OTHER[position.to_move].value,
        composed=True,
    )
    return position.game.position(setup)


def test_the_start_turned_with_colors_exchanged_is_the_start_with_red_to_move():
    image = turned(GAME.initial())
    assert (image.tokens(), image.pawns()) == (GAME.initial().tokens(), GAME.initial().pawns())
    assert image.to_move is Color.RED


@pytest.mark.parametrize("full_board", ["draw", "loss"])
def test_half_a_turn_with_colors_exchanged_exchanges_everything(full_board):
    game = Antipode(full_board=full_board)
    half = game.topology.symmetries[3]
    rng = random.Random(5)
    for _ in range(repetitions(15, 40)):
        for position in random_path(rng, game)[-12:]:
            image = turned(position)
            moves = {
                int(game.turn(half[move // kernel.CELLS], half[move % kernel.CELLS]))
                for move in position.legal_moves
            }
            assert moves == set(map(int, image.legal_moves))
            assert (position.outcome is None) == (image.outcome is None)
            if position.outcome is not None:
                assert position.outcome.termination is image.outcome.termination
                winner = position.outcome.winner
                assert image.outcome.winner is (None if winner is None else OTHER[winner])


def test_the_mirror_keeps_outcomes():
    rng = random.Random(6)
    for _ in range(40):
        position, image = GAME.initial(), GAME.initial()
        while position.outcome is None:
            move = rng.choice(position.legal_moves)
            position, image = position.play(move), image.play(GAME.transform(move, 6))
            assert position.outcome == image.outcome
            assert len(position.legal_moves) == len(image.legal_moves)


# Ends.


def test_a_full_board_is_drawn_or_lost_by_the_player_to_move():
    rng = random.Random(7)
    seen = 0
    loss = make_game("antipode", {"full_board": "loss"})
    for _ in range(80):
        end = random_path(rng)[-1]
        if end.outcome.termination is Termination.FULL_BOARD:
            seen += 1
            assert end.outcome.is_draw
            strict = loss.position(end.to_setup())
            assert strict.outcome is not None
            assert strict.outcome.winner is OTHER[strict.to_move]
    assert seen


def test_both_colors_are_never_joined_at_once():
    rng = random.Random(8)
    for _ in range(300):
        tokens = {NAME(c): rng.choice(("blue", "red")) for c in range(kernel.CELLS)}
        pawns = {
            color: next(n for n, shown in tokens.items() if shown == color)
            for color in ("blue", "red")
        }
        # A setup in which two colours had won would be refused.
        GAME.position(Setup(stones=tuple(tokens.items()), pawns=pawns, composed=True))
