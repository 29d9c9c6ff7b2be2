"""Antipalos: details of its rules that were once wrong or are easy to get wrong."""

from antipodes.core import Color
from antipodes.games.kernels.antipalos import borders_of, chart_a
from antipodes.games.registry import make_game

BORDERS = 15  # the bits of all four borders; those of the corner points are higher


def played(game, line):
    """Return the position after a line of moves."""
    position = game.initial()
    for text in line.split():
        position = position.play(position.parse_move(text))
    return position


def test_a_win_with_the_very_last_rod_is_one_of_phase_one_after_a_setup_too():
    game = make_game("antipalos", {"size": 12, "rods": 12})
    black = [f"{'*' if row % 2 else ''}F{row}{'' if row % 2 else '*'}" for row in range(1, 13)]
    white = [f"{column}{row}*" for column in "BDHJ" for row in (2, 6, 10)]
    line = " ".join(f"{w} {b}" for w, b in zip(white, black, strict=True))
    position = played(game, line)
    assert position.outcome is not None
    assert position.outcome.winner is Color.BLACK
    assert position.outcome.points == 3
    assert position.phase == 1
    again = game.position(position.to_setup())
    assert again == position
    assert again.outcome == position.outcome


def test_a_rod_on_a_corner_square_touches_two_borders_on_either_diagonal():
    for size in range(12, 21, 2):
        for square in (0, size - 1, size * size - size, size * size - 1):
            for diagonal in range(2):
                assert (borders_of(size, square, diagonal) & BORDERS).bit_count() == 2


def test_only_one_lattice_has_corner_points_and_so_wins_of_five_points():
    for size in range(12, 21, 2):
        lattices = [0, 0]
        for square in range(size * size):
            column, row = square % size, square // size
            for diagonal in range(2):
                lattices[(column + row + diagonal) % 2] |= borders_of(size, square, diagonal)
        assert lattices[0] > BORDERS
        assert lattices[1] == BORDERS
    assert [chart_a(BORDERS, phase) for phase in range(2)] == [4, 2]
