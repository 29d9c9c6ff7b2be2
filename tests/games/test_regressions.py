"""Regressions of the games, each named by its bug."""

import random

from antipodes.core import Setup
from antipodes.games.antipalos import Antipalos
from antipodes.games.antipode import Antipode
from antipodes.games.hex import Hex
from antipodes.games.kernels import antipode


def test_a_won_position_with_the_winner_to_move_reads_its_own_setup():
    game = Hex(size=2, swap="off")
    stones = (("a1", "black"), ("a2", "black"), ("b1", "white"), ("b2", "white"))
    position = game.position(Setup(stones=stones, to_move="black", composed=True))
    assert str(position.outcome).startswith("Black wins")
    assert game.position(position.to_setup()) == position


def test_a_won_position_of_antipalos_with_the_winner_to_move_reads_its_own_setup():
    game = Antipalos(ruleset="mail", size=3)
    rods = [("a1-b2", "vert"), ("b2-c3", "vert"), ("c3-d4", "vert")]
    rods += [("b1-c2", "horz"), ("c1-d2", "horz"), ("a3-b2", "horz")]
    position = game.position(Setup(stones=tuple(rods), to_move="vert", composed=True))
    assert str(position.outcome).startswith("Vert wins")
    assert game.position(position.to_setup()) == position


def test_the_rests_of_a_token_are_those_of_the_legal_turns():
    chance = random.Random(5)
    position = Antipode().initial()
    while position.outcome is None:
        turns = position.legal_moves
        for cell in range(antipode.CELLS):
            rests = tuple(turn % antipode.CELLS for turn in turns if turn // antipode.CELLS == cell)
            assert position.rests(cell) == rests
        position = position.play(chance.choice(list(turns)))
    assert position.rests(0) == ()


def test_only_chosen_options_are_shown_as_changed():
    assert repr(Antipalos(ruleset="mail")) == "Antipalos(ruleset='mail')"
    assert repr(Antipalos(size=12)) == "Antipalos(size=12)"
    assert repr(Antipalos(size=12, rods=2)) == "Antipalos(size=12, rods=2)"
    assert repr(Hex(size=5)) == "Hex(size=5)"
    assert repr(Hex()) == "Hex()"
