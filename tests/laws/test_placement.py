"""Laws of Antipod, Hex and Cylindrical Hex: stones that are placed and stay."""

import random
from typing import Any

import pytest

from antipodes.core import Color, Setup, Termination
from antipodes.games.registry import make_game
from tests.thorough import repetitions

BOARDS: list[tuple[str, dict[str, Any]]] = [
    *(("antipod", {"side": side, "handicap": "none"}) for side in (2, 3, 4, 6, 10)),
    ("antipod", {"side": 4, "handicap": "two"}),
    ("antipod", {"side": 5}),
    *(("hex", {"size": size, "swap": "off"}) for size in (2, 3, 4, 7, 11, 26)),
    *(
        ("cylindrical-hex", {"rows": rows, "columns": columns})
        for rows, columns in ((2, 3), (3, 3), (4, 5), (5, 4), (11, 11), (26, 3), (3, 26))
    ),
]
OTHER = {Color.BLACK: Color.WHITE, Color.WHITE: Color.BLACK}

every_board = pytest.mark.parametrize("game", [make_game(*board) for board in BOARDS], ids=repr)


def setup_of(game, stones, to_move="black"):
    """Return a composed setup from cell -> colour."""
    named = tuple((game.topology.name(cell), color.value) for cell, color in stones.items())
    return Setup(stones=named, to_move=to_move, composed=True)


def random_stones(game, rng, share):
    """Return the start stones and random ones on a share of the other cells."""
    stones = game.start_stones()
    for cell in range(game.topology.cell_count):
        if cell not in stones and rng.random() < share:
            stones[cell] = rng.choice((Color.BLACK, Color.WHITE))
    return stones


def rounds(game):
    """Return how many random boards to try: many of the small ones."""
    cells = repetitions(500, 4_000)
    return range(max(3, min(100, cells // game.topology.cell_count)))


def black_joined(game, stones):
    """Tell whether black stones join Black's two goals, by walking from one to the other."""
    rims = game.topology.rims
    starts, ends = (
        (rims["poles"][:1], rims["poles"][1:]) if "poles" in rims else (rims["top"], rims["bottom"])
    )
    edge = [cell for cell in starts if stones.get(cell) is Color.BLACK]
    seen = set(edge)
    while edge:
        for near in game.topology.neighbours[edge.pop()]:
            if stones.get(near) is Color.BLACK and near not in seen:
                seen.add(near)
                edge.append(near)
    return any(cell in seen for cell in ends)


@every_board
def test_a_full_board_has_exactly_one_winner(game):
    rng = random.Random(1)
    for _ in rounds(game):
        stones = random_stones(game, rng, 1)
        outcome = game.position(setup_of(game, stones)).outcome
        assert outcome is not None
        assert (outcome.winner is Color.BLACK) == black_joined(game, stones)
        assert not outcome.is_draw


@every_board
def test_the_first_winner_wins_however_the_rest_is_filled(game):
    rng = random.Random(2)
    for _ in rounds(game):
        position = game.initial()
        while position.outcome is None:
            position = position.play(rng.choice(position.legal_moves))
        for _ in range(3):
            stones = {**random_stones(game, rng, 1), **position.stones()}
            full = game.position(setup_of(game, stones))
            assert full.outcome == position.outcome


@every_board
def test_the_order_of_stones_does_not_matter(game):
    rng = random.Random(3)
    for _ in rounds(game):
        stones = random_stones(game, rng, rng.random())
        first = game.position(setup_of(game, stones))
        turned = dict(rng.sample(list(stones.items()), len(stones)))
        again = game.position(setup_of(game, turned))
        assert (first, first.key, first.outcome) == (again, again.key, again.outcome)


@every_board
def test_an_extra_own_stone_never_hurts(game):
    rng = random.Random(4)
    fixed = game.start_stones()
    for _ in rounds(game):
        stones = random_stones(game, rng, rng.uniform(0.5, 1))
        before = game.position(setup_of(game, stones)).outcome
        color = rng.choice((Color.BLACK, Color.WHITE))
        cell = rng.choice([c for c in range(game.topology.cell_count) if c not in fixed])
        # On an empty cell, or in place of an opponent's stone.
        after = game.position(setup_of(game, {**stones, cell: color})).outcome
        if before is not None and before.winner is color:
            assert after == before
        if after is not None and after.winner is not color:
            assert before == after


@every_board
def test_only_the_mover_can_win_by_a_move(game):
    rng = random.Random(5)
    for _ in rounds(game):
        position = game.initial()
        mover = None
        while position.outcome is None:
            mover = position.to_move
            position = position.play(rng.choice(position.legal_moves))
        assert position.outcome.winner is mover


@every_board
def test_the_symmetries_of_the_board_keep_outcomes(game):
    rng = random.Random(6)
    for _ in rounds(game):
        stones = random_stones(game, rng, rng.uniform(0.4, 1))
        position = game.position(setup_of(game, stones))
        symmetry = rng.choice(game.symmetries)
        image = {game.transform(cell, symmetry): color for cell, color in stones.items()}
        turned = game.position(setup_of(game, image))
        assert turned.outcome == position.outcome
        assert len(turned.winning_chain()) == len(position.winning_chain())


@pytest.mark.parametrize("size", [2, 3, 5, 11])
def test_reflecting_hex_with_colors_exchanged_exchanges_the_winner(size):
    game = make_game("hex", {"size": size, "swap": "off"})
    rng = random.Random(7)
    for _ in rounds(game):
        stones = random_stones(game, rng, rng.uniform(0.4, 1))
        mirrored = {
            cell % size * size + cell // size: OTHER[color] for cell, color in stones.items()
        }
        outcome = game.position(setup_of(game, stones)).outcome
        image = game.position(setup_of(game, mirrored, "white")).outcome
        assert (outcome is None) == (image is None)
        if outcome is not None and image is not None:
            assert outcome.winner is not None
            assert image.winner is OTHER[outcome.winner]


@every_board
def test_turning_an_empty_cell_on_a_full_board_decides_nothing_unless_it_is_pivotal(game):
    """Where either colour on one cell gives the same winner, so does leaving it empty."""
    rng = random.Random(8)
    fixed = game.start_stones()
    for _ in rounds(game):
        stones = random_stones(game, rng, 1)
        cell = rng.choice([c for c in stones if c not in fixed])
        ends = [
            game.position(setup_of(game, {**stones, cell: color})).outcome
            for color in (Color.BLACK, Color.WHITE)
        ]
        hole = {c: color for c, color in stones.items() if c != cell}
        empty = game.position(setup_of(game, hole)).outcome
        assert empty == (ends[0] if ends[0] == ends[1] else None)


def double_spiral(turns):
    """Return white cells (row, column) that wind down a cylinder of 26 columns and up again.

    Two helices, two rows apart, are joined below; above, an arc closes the way once round.
    """
    cells = {
        (top + 4 * step // 26, -step % 26)
        for start, top in ((0, 2), (-4, 4))
        for step in range(start, 26 * turns)
    }
    last = 26 * turns - 1
    bottom = 2 + 4 * last // 26
    cells |= {(row, -last % 26) for row in range(bottom, bottom + 3)}
    cells |= {(0, -step % 26) for step in range(23)} | {(1, 0), (1, 4), (2, 4)}
    return cells


@pytest.mark.parametrize("turns", range(1, 6))
def test_a_ring_that_winds_to_and_fro_is_found(turns):
    game = make_game("cylindrical-hex", {"rows": 26, "columns": 26})
    spiral = double_spiral(turns)
    stones = {
        cell: Color.WHITE if divmod(cell, 26) in spiral else Color.BLACK for cell in range(26 * 26)
    }
    position = game.position(setup_of(game, stones))
    assert position.outcome is not None
    assert position.outcome.termination is Termination.RING
    assert len(position.winning_chain()) > 26 * 2 * turns - 10
    # There is no other ring: without any of its stones Black passes.
    for cell in position.winning_chain()[:: 5 * turns]:
        broken = game.position(setup_of(game, {**stones, cell: Color.BLACK}))
        assert broken.outcome is not None
        assert broken.outcome.winner is Color.BLACK
