"""Law: the pieces of a position are those of its picture."""

from hypothesis import given

from tests.games.test_position_texts import positions


@given(positions())
def test_the_pieces_of_a_position_are_those_of_its_picture(position):
    scene = position.scene()
    shown = {cell: color.value for cell, color in scene.stones.items()}
    shown |= {cell: rod.color.value + rod.diagonal for cell, rod in scene.rods.items()}
    shown |= {cell: f"{color.value}*" for cell, color in scene.pawns.items()}
    names = position.game.pieces
    assert [names[piece] for piece in position.pieces.tolist()] == [
        shown.get(cell, "") for cell in range(position.game.topology.cell_count)
    ]
