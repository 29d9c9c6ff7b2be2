"""Antipalos: details of its rules that were once wrong or are easy to get wrong."""

from antipodes.core import Color
from antipodes.games.registry import make_game


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
