"""Tests of match play of Antipalos at the terminal."""

import pytest

from tests.cli.tools import run

GIVE_UP = "resign\nagain\n"


def match(text, *arguments):
    """Play a match to 6 points on the smallest board, by default with people at all seats."""
    people = ("--white", "human", "--black", "human")
    return run(
        "play", "antipalos", "--set", "size=12", "--match-play", "6", *people, *arguments, text=text
    )


def test_points_add_up_and_the_loser_begins_the_next_game():
    done = match("resign\nagain\nresign\nagain\nquit\n", "--white", "random", "--seed", "1")
    assert done.exit_code == 0
    lines = done.output.splitlines()
    # The same player resigns twice, first as Black, then as White, which the loser becomes.
    assert "Black resigns; White wins. Match to 6 points: White has 3, Black has 0." in lines
    assert "Game 2. White: a person, Black: random." in lines
    assert any(line.startswith("White resigns; Black wins. Match to 6 points:") for line in lines)
    assert "The match is over; quit, and start another." in lines


def test_a_match_needs_antipalos():
    done = run("play", "hex", "--match-play", "6", text="")
    assert done.exit_code == 2
    assert "Hex has no match play" in done.output


def test_the_mail_ruleset_has_no_match_play():
    done = run("play", "antipalos", "--set", "ruleset=mail", "--match-play", "6", text="")
    assert done.exit_code == 2
    assert "Chart A scores the boxed game only" in done.output


@pytest.mark.parametrize("points", ["5", "many"])
def test_a_match_is_to_six_nine_or_fifteen(points):
    done = run("play", "antipalos", "--match-play", points, text="")
    assert done.exit_code == 2
    assert points in done.output


def test_four_players_keep_their_order():
    done = run(
        *("play", "antipalos", "--set", "size=12", "--set", "seats=cutthroat4"),
        *("--match-play", "9", "--seat", "1=human", "--seat", "2=human", "--seat", "3=human"),
        *("--seat", "4=human"),
        text="resign\nagain\nquit\n",
    )
    # With three left there is no winner, so no side scores and the same side begins.
    assert "White has 0, Black has 0, Red has 0, Blue has 0." in done.output
