"""Laws of playing with other programs: what they are told, and what becomes of the bad ones."""

import os
import signal
import sys

import pytest

from antipodes.engine.gtp_client import (
    GtpOpponent,
    GtpProgram,
    ProgramError,
    ProgramFailure,
    _whole_period,
)
from antipodes.games.registry import make_game
from tests.engine.programs import OURS, command
from tests.raising import raising
from tests.thorough import sample

HEX = make_game("hex", {"size": 5, "swap": "off"})


@pytest.fixture
def start():
    """Return a maker of programs, which are ended after the test."""
    programs = []

    def start(line, patience=20.0):
        programs.append(GtpProgram(line, patience))
        return programs[-1]

    yield start
    for program in programs:
        program.close()
        assert not program.alive


def test_a_simple_program_plays_a_game_with_itself(start):
    sides = [GtpOpponent(start(command("well"))) for _ in range(2)]
    for side in sides:
        side.begin(HEX)
    position = HEX.initial()
    while position.outcome is None:
        mover = position.ply % 2
        move = sides[mover].choose(position)
        assert move in position.legal_moves
        sides[1 - mover].tell(position, move)
        position = position.play(move)
    assert sides[0].title() == "Simple"


def test_a_program_without_a_version_still_has_a_name(start):
    assert GtpOpponent(start(command("nameless"))).title() == "Simple"


def play_some_moves(side, position):
    """Let a program play against the first legal move."""
    for _ in range(3):
        position = position.play(side.choose(position))
        reply = next(iter(position.legal_moves))
        side.tell(position, reply)
        position = position.play(reply)


@pytest.mark.parametrize(
    ("behaviour", "failing", "told"),
    [
        ("crash", ProgramFailure.CRASHED, "exit code 1.*out of cheese"),
        ("hang", ProgramFailure.HUNG, "did not answer"),
        ("garbage", ProgramFailure.GARBLED, "lalala"),
        ("babble", ProgramFailure.GARBLED, "without end"),
        ("nonsense", ProgramFailure.ILLEGAL, "zz99"),
        ("occupied", ProgramFailure.ILLEGAL, "not empty"),
        ("resign", ProgramFailure.RESIGNED, "resigned"),
        ("refuse", ProgramFailure.REFUSED, "illegal move"),
    ],
)
def test_whatever_a_program_does_wrong_is_told_in_time(start, behaviour, failing, told):
    side = GtpOpponent(start(command(behaviour), 5.0 if behaviour == "hang" else 20.0))
    side.begin(HEX)
    position = HEX.initial()
    with pytest.raises(ProgramError, match=told) as caught:
        play_some_moves(side, position)
    assert caught.value.failing is failing


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("no-such-program-anywhere x", "No such file or directory"),
        ("", "nothing to run"),
        ("'", "No closing quotation"),
    ],
)
def test_a_program_that_cannot_be_started_is_named(line, reason):
    with pytest.raises(ProgramError, match=f"cannot be started: {reason}"):
        GtpProgram(line)


def test_what_a_program_knows_is_asked(start):
    program = start(command("well"))
    assert program.knows("genmove")
    assert not program.knows("undo")


def test_a_program_that_cannot_say_what_it_knows_knows_nothing(start):
    program = start(command("unknowing"))
    assert not program.knows("genmove")
    assert program.alive
    with pytest.raises(ProgramError) as caught:
        start("false").knows("genmove")
    assert caught.value.failing is ProgramFailure.CRASHED


def test_empty_lines_before_an_answer_are_skipped(start):
    program = start(command("blank"))
    assert [program.ask("name") for _ in range(2)] == ["Simple", "Simple"]


def test_a_program_that_crashes_has_no_name(start):
    with pytest.raises(ProgramError) as caught:
        GtpOpponent(start("false")).title()
    assert caught.value.failing is ProgramFailure.CRASHED


@pytest.mark.parametrize("error", [PermissionError, AttributeError])
def test_a_program_whose_group_cannot_be_killed_is_killed_itself(start, monkeypatch, error):
    program = start(command("well"))
    monkeypatch.setattr(os, "killpg", raising(error))
    program.kill()
    assert not program.alive
    assert program._process.returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("true", "ended with exit code 0"),
        ("false", "ended with exit code 1"),
        ("sh -c 'kill -9 $$'", "ended by signal 9"),
        (
            "sh -c 'echo one >&2; echo two >&2; exit 3'",
            "ended with exit code 3; its last words: 'two'",
        ),
    ],
)
def test_a_program_that_ends_at_once_has_crashed(start, line, told):
    with pytest.raises(ProgramError) as caught:
        start(line).ask("name")
    assert (str(caught.value), caught.value.failing) == (told, ProgramFailure.CRASHED)


def test_a_program_that_does_not_take_the_size_is_found_out_at_the_start(start):
    side = GtpOpponent(start(command("small")))
    with pytest.raises(ProgramError, match="unacceptable size"):
        side.begin(make_game("hex"))


def test_what_a_program_uses_of_the_processor_is_known(start):
    program = start(command("well"))
    program.ask("name")
    used = program.cpu_seconds
    assert used is None or 0 < used < 60
    assert used is not None or sys.platform != "linux"


def test_what_a_program_has_used_is_still_known_when_it_has_ended(start):
    program, other = start(command("well")), start(command("well"))
    program.ask("name")
    used = program.cpu_seconds
    program.close()
    other.close()
    assert program.cpu_seconds == used
    assert other.cpu_seconds is None


@pytest.mark.parametrize(
    ("game_id", "options"),
    sample(
        [
            ("hex", {"size": 4, "swap": "sides"}),
            ("antipod", {"side": 3, "handicap": "none"}),
            ("cylindrical-hex", {"rows": 3, "columns": 4}),
            ("antipalos", {"size": 14, "seats": "cutthroat3"}),
            ("antipalos", {"ruleset": "mail", "size": 6}),
            ("antipode", {}),
        ],
        3,
    ),
)
def test_our_own_program_is_told_all_options_of_every_game(start, game_id, options):
    game = make_game(game_id, options)
    side = GtpOpponent(start(f"{OURS} {game_id} --level 1 --seed 1", 300.0))
    side.begin(game)
    position = game.initial()
    told = side.program.ask("list_options")
    for name, value in game.options.as_dict().items():
        assert f" {name} {value}" in told
    move = next(iter(position.legal_moves))
    side.tell(position, move)
    assert f" {side.program.ask('to_move')} " in f" {position.play(move).to_move} "


def test_our_own_program_is_asked_for_moves_and_swaps(start):
    game = make_game("hex", {"size": 4, "swap": "sides"})
    side = GtpOpponent(start(f"{OURS} hex --level 1 --seed 1", 300.0))
    side.begin(game, 0.5)
    position = game.initial()
    for text in ("b2", "swap"):
        move = position.parse_move(text)
        side.tell(position, move)
        position = position.play(move)
    assert side.choose(position) in position.legal_moves


@pytest.mark.parametrize(
    ("seconds", "period"),
    [
        (1, (1, 1)),
        (0.5, (1, 2)),
        (2.5, (5, 2)),
        (0.25, (1, 4)),
        (0.2, (1, 5)),
        (0.1, (1, 10)),
        (0.05, (1, 20)),
        (0.02, (1, 50)),
        (0.01, (1, 100)),
        (0.001, (1, 1000)),
        (30, (30, 1)),
        (0.0123456, (12, 1000)),
        (0.0004, (1, 1000)),
    ],
)
def test_times_are_told_in_whole_seconds(seconds, period):
    assert _whole_period(seconds) == period
    period, moves = _whole_period(0.123)
    assert period / moves == pytest.approx(0.123, rel=0.01)
