"""Fill-in and the removal of dominated moves keep the winner: compared with brute force."""

import pytest

from antipodes.games.kernels import header, native
from antipodes.search.proof.reduction import Reducer
from tests.search.proof.brute_force import BOARDS, after, endings, game_of, winner_of
from tests.thorough import repetitions, sample


def empty_cells(game, state):
    owners = state[header.HEADER : header.HEADER + game.topology.cell_count].tolist()
    return [cell for cell, owner in enumerate(owners) if not owner]


@pytest.mark.parametrize(("game_id", "options", "empty"), sample(BOARDS, 3))
def test_filling_in_keeps_the_winner(game_id, options, empty):
    game = game_of(game_id, options)
    reducer = Reducer(game)
    known: dict[object, int] = {}
    filled = 0
    for state in endings(game, empty, repetitions(10, 20)):
        reduced = reducer.fill_in(state)
        assert winner_of(game, reduced, {}) == winner_of(game, state, known)
        filled += len(empty_cells(game, state)) - len(empty_cells(game, reduced))
    assert filled > 0


@pytest.mark.parametrize(("game_id", "options", "empty"), BOARDS)
def test_a_winning_move_is_never_lost(game_id, options, empty):
    game = game_of(game_id, options)
    reducer = Reducer(game)
    for state in endings(game, empty, repetitions(10, 20), seed=2):
        reduced = reducer.fill_in(state)
        mover = int(state[header.COLOR]) + 1
        if reduced[header.WINNER] == 0 and winner_of(game, reduced, {}) == mover:
            moves = reducer.undominated_moves(reduced)
            assert any(winner_of(game, after(game, reduced, m), {}) == mover for m in moves)


@pytest.mark.parametrize(("game_id", "options", "empty"), sample(BOARDS, 3))
def test_positions_with_one_key_have_one_winner(game_id, options, empty):
    game = game_of(game_id, options)
    reducer = Reducer(game)
    known: dict[object, int] = {}
    winners: dict[object, int] = {}
    for state in endings(game, empty, repetitions(6, 30), seed=3):
        reduced = reducer.fill_in(state)
        if reduced[header.WINNER] == 0:
            name = reducer.key(reduced)[0]
            winner = winner_of(game, state, known)
            assert winners.setdefault(name, winner) == winner


def image_of(game, state, image):
    moved = game.new_state()
    moved[:] = state
    for cell in range(game.topology.cell_count):
        moved[header.HEADER + image[cell]] = state[header.HEADER + cell]
    game.rules.rebuild(game.tables, moved, game.work())
    return moved


@pytest.mark.parametrize(("game_id", "options", "empty"), BOARDS)
def test_images_under_symmetries_have_one_key(game_id, options, empty):
    game = game_of(game_id, options)
    reducer = Reducer(game)
    cells = slice(header.HEADER, header.HEADER + game.topology.cell_count)
    for state in endings(game, empty, 5, seed=4):
        filled = reducer.fill_in(state)
        key, _ = reducer.key(filled)
        for image in game.topology.symmetries:
            moved = reducer.fill_in(image_of(game, state, image))
            # Of pairs that share a cell only one is captured, and which one is not symmetrical.
            if (moved[cells] == image_of(game, filled, image)[cells]).all():
                assert reducer.key(moved)[0] == key


def test_look_ahead_agrees_with_playing_and_filling_in():
    game = game_of("antipod", {"side": 3})
    reducer = Reducer(game)
    for state in endings(game, 9, 10):
        filled = reducer.fill_in(state)
        if filled[header.WINNER]:
            continue
        moves = empty_cells(game, filled)
        for move in moves:
            info = reducer.look_ahead(filled, move)
            child = reducer.fill_in(after(game, filled, move))
            assert info.winner == child[header.WINNER]
            if not info.winner:
                assert (info.key, info.symmetry) == reducer.key(child)
            left = set(moves) - {move} - set(empty_cells(game, child))
            assert left == {c for c in range(26) if sum(info.captured) >> c & 1}


@pytest.mark.parametrize(("game_id", "options", "empty"), [BOARDS[0], BOARDS[2], BOARDS[4]])
def test_plain_and_native_kernels_agree(game_id, options, empty):
    game = game_of(game_id, options)
    compiled = Reducer(game)
    with native.plainly():
        plain = Reducer(game)
    for state in endings(game, empty, 3, seed=9):
        filled = compiled.fill_in(state)
        assert (plain.fill_in(state) == filled).all()
        if filled[header.WINNER] == 0:
            moves = compiled.undominated_moves(filled)
            assert plain.undominated_moves(filled) == moves
            assert plain.key(filled) == compiled.key(filled)
            for move in moves:
                assert plain.look_ahead(filled, move) == compiled.look_ahead(filled, move)
