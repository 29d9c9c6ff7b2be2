"""Laws of the figures that explain a game: they show what their captions say."""

import pytest

from antipodes.core import Color
from antipodes.errors import InputError
from antipodes.games.figures import FIGURES, drawn_overlay
from antipodes.games.registry import make_game
from antipodes.notation.svg.graph import parts

ANTIPOD = {figure.letter: figure for figure in FIGURES["antipod"]}


def winning(position):
    return {
        position.game.topology.name(move)
        for move in position.legal_moves
        if (after := position.play(move)).outcome is not None
        and after.outcome.winner is position.to_move
    }


def test_antipod_has_the_inventors_figures_c_to_g():
    assert list(ANTIPOD) == ["C", "D", "E", "F", "G"]
    assert [d.view for d in ANTIPOD["C"].drawings] == ["cylinder", "sphere"]
    assert ANTIPOD["E"].drawings[0].lines == "neighbours"


@pytest.mark.parametrize("letter", ANTIPOD)
def test_every_figure_can_be_drawn(letter):
    for drawing in ANTIPOD[letter].drawings:
        assert drawing.svg().startswith("<svg")


def test_figure_f_is_a_game_won_by_white_whose_graph_has_two_parts():
    position = ANTIPOD["F"].drawings[1].position()
    assert position.outcome is not None
    assert position.outcome.winner is Color.WHITE
    first, second = parts(position.scene())
    assert first.isdisjoint(second)
    assert min(len(first), len(second)) > 10


def test_figure_g_is_a_fork_that_one_stone_cannot_stop():
    (drawing,) = ANTIPOD["G"].drawings
    position, b = drawing.position(), set(drawing.marks["b"].split())
    assert position.to_move is Color.BLACK
    assert winning(position) == set()
    forked = position.play(position.parse_move(drawing.marks["a"]))
    assert forked.outcome is None
    for point in b:
        assert winning(forked.play(forked.parse_move(point))) == b - {point}
    assert all(winning(forked.play(answer)) for answer in forked.legal_moves)


def test_without_the_forking_move_white_stops_both_attacks_at_once():
    (drawing,) = ANTIPOD["G"].drawings
    position = drawing.position()
    later = position.play(position.parse_move("h5"))
    stopped = later.play(later.parse_move(drawing.marks["a"]))
    assert winning(stopped) == set()


def test_a_letter_on_no_point_is_refused_by_its_name():
    with pytest.raises(InputError, match="'z99'"):
        drawn_overlay(make_game("antipod").initial(), "", {"a": "z99"})
