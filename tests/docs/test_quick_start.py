"""Tests of the quick start: its transcript is current, and its advice wins the first game."""

import re
import subprocess
import sys

import pytest

from antipodes.core import Color
from antipodes.games.hex import Hex
from tests.cli.tools import run
from tests.docs.pages import DOCS, text_of

BRIDGES = [("b1", "c1"), ("a3", "b3")]


def advice(position):
    """Return the move that the page advises: the middle, a bridge's other cell, or any of four."""
    stones = {position.game.topology.name(cell): c for cell, c in position.stones().items()}
    if "b2" not in stones:
        return "b2"
    for bridge in BRIDGES:
        occupied = [cell for cell in bridge if cell in stones]
        if len(occupied) == 1 and stones[occupied[0]] is Color.WHITE:
            return bridge[1 - bridge.index(occupied[0])]
    return next(cell for bridge in BRIDGES for cell in bridge if not set(bridge) & set(stones))


def outcomes(position):
    """Yield the winners of all games in which Black follows the advice."""
    if position.outcome is not None:
        yield position.outcome.winner
    elif position.to_move is Color.BLACK:
        yield from outcomes(position.play(position.parse_move(advice(position))))
    else:
        for move in position.legal_moves:
            yield from outcomes(position.play(move))


def test_the_advice_wins_the_first_game():
    assert set(outcomes(Hex(size=3, swap="off").initial())) == {Color.BLACK}


def test_the_transcript_is_the_output_of_the_program():
    text = text_of(DOCS / "quick-start.md")
    block = re.search(r"\$ (antipodes play hex .* --line)\n(.*?)```", text, re.DOTALL)
    assert block is not None
    done = subprocess.run(
        [sys.executable, "-m", *block[1].split()],
        input="quit\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(block[2].rstrip("\n"))


@pytest.mark.parametrize("command", ["hex", "antipod", "antipalos", "antipode"])
def test_the_command_lines_are_understood(command):
    text = text_of(DOCS / "quick-start.md")
    lines = re.findall(rf"^\$ antipodes play ({command}.*)$", text, re.MULTILINE)
    assert lines
    for line in lines:
        words = [word for word in line.split() if word != "--line"]
        done = run("play", *words, "--line", text="quit\n")
        assert done.exit_code == 0, done.output
