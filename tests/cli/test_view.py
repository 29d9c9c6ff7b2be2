"""Tests of the views of Antipalos in line mode, from the side of each player."""

import pytest

from antipodes.records import load
from tests.cli.test_play import play

ALONE_SECOND = ["--white", "random", "--black", "human", "--seed", "1"]
TWO_PEOPLE = ["--white", "human", "--black", "human"]


def test_a_person_against_a_program_has_the_own_view(tmp_path):
    path = tmp_path / "game.json"
    done = play("antipalos", "*A1\nquit\n", *ALONE_SECOND, "--save", str(path))
    assert "Seen by seat 2 (black): A1 is at its lower left." in done.output
    assert "Black plays *A1." in done.output
    record = load(path)
    position = record.root.position.play(record.moves()[0])
    assert position.format_move(record.moves()[1]) == "*P16"


def test_two_people_have_the_view_of_the_first_seat():
    done = play("antipalos", "B4*\n*A1\nquit\n", *TWO_PEOPLE)
    assert "Seen by seat 1 (white): A1 is at its lower left." in done.output
    assert "Seen by seat 2" not in done.output
    assert "Black plays *A1." in done.output


@pytest.mark.parametrize("command", ["view", "view 2", "v 2"])
def test_the_view_command_changes_input_and_output(command):
    done = play(
        "antipalos", f"B4*\n{command}\n*A1\nwhere A1\nview first\nwhere P16\nquit\n", *TWO_PEOPLE
    )
    assert "Seen by seat 2 (black): A1 is at its lower left." in done.output
    assert "Black plays *A1." in done.output
    assert "A1: a black \\ rod." in done.output
    assert "P16: a black \\ rod." in done.output


def test_lists_of_moves_are_in_the_current_view():
    text = "B4*\nview 2\nmoves O13\nread\nview first\nmoves B4\nquit\n"
    done = play("antipalos", text, *TWO_PEOPLE)
    assert "There are no legal moves that begin with o13" in done.output
    assert "White (1): O13*." in done.output
    assert "There are no legal moves that begin with b4" in done.output


def test_an_unknown_view_is_refused_with_the_known_ones():
    done = play("antipalos", "view 3\nview north\nquit\n", *TWO_PEOPLE)
    assert "the view can be own, first, or a seat from 1 to 2, not '3'" in done.output
    assert "not 'north'" in done.output
    assert "Traceback" not in done.output


def test_games_with_one_view_say_so():
    assert "All seats see the board of Hex alike." in play("hex", "view\nquit\n").output
    assert "Seen by" not in play("hex", "quit\n").output
