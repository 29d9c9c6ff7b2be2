"""Time for moves: never more than there is, something always, all of it in the end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antipodes.engine.clock import GtpTimeControl, TimeLeft, allot, moves_to_come

SECONDS = st.floats(0, 10_000)
CONTROLS = st.builds(GtpTimeControl, SECONDS, st.floats(0.5, 600), st.integers(0, 30)) | st.builds(
    GtpTimeControl, SECONDS
)


@given(CONTROLS, SECONDS, st.integers(0, 30), st.integers(-5, 500))
def test_a_move_never_takes_more_than_there_is(control, seconds, stones, moves):
    left = TimeLeft(seconds, stones)
    given_time = allot(control, left, moves)
    over = control.period / control.stones if control.stones and not stones else 0.0
    assert 0 < given_time <= max(0.02, seconds + over)


@given(st.builds(GtpTimeControl, st.floats(1, 10_000)), st.integers(5, 60))
def test_main_time_lasts_for_all_expected_moves(control, moves):
    left = control.start()
    for to_come in range(moves, 0, -1):
        spent = allot(control, left, to_come)
        assert spent <= max(left.seconds, 0.02)
        left = left.after(control, spent)
    assert left.seconds < control.main


def test_more_time_is_given_early_and_with_fewer_moves_to_come():
    control = GtpTimeControl(600)
    assert allot(control, control.start(), 20) > allot(control, control.start(), 40)
    assert allot(control, TimeLeft(600, 0), 30) > allot(control, TimeLeft(60, 0), 30)


def test_overtime_is_used_up_to_its_margin():
    control = GtpTimeControl(0, 30, 5)
    assert control.start() == TimeLeft(30, 5)
    assert allot(control, control.start(), 40) == pytest.approx(0.9 * 30 / 5)
    assert allot(GtpTimeControl(0, 10, 1), TimeLeft(10, 1), 40) == pytest.approx(9)


def test_a_period_starts_again_when_its_moves_are_made():
    control = GtpTimeControl(0, 30, 2)
    once = control.start().after(control, 10)
    assert once == TimeLeft(20, 1)
    assert once.after(control, 19) == TimeLeft(30, 2)
    assert control.start().after(control, 31) == TimeLeft(0, 1)


@pytest.mark.parametrize(
    ("control", "left"),
    [
        (GtpTimeControl(0.5, 30, 2), TimeLeft(0.5, 0)),
        (GtpTimeControl(0, 0.5, 2), TimeLeft(0.5, 2)),
        (GtpTimeControl(0, 0, 2), TimeLeft(0, 0)),
        (GtpTimeControl(0), TimeLeft(0, 0)),
    ],
)
def test_a_game_starts_with_main_time_else_with_a_period(control, left):
    assert control.start() == left


@pytest.mark.parametrize(
    ("control", "left", "moves", "seconds"),
    [
        (GtpTimeControl(600), TimeLeft(600, 0), 40, 1.5 * 600 / 40),
        (GtpTimeControl(600), TimeLeft(600, 0), 3, 1.5 * 600 / 6),
        (GtpTimeControl(600), TimeLeft(1, 0), 3, 0.25),
        (GtpTimeControl(600), TimeLeft(0, 0), 3, 0.02),
        (GtpTimeControl(600, 30, 5), TimeLeft(600, 0), 40, 2 * 600 / 40 + 0.9 * 6),
        (GtpTimeControl(600, 10, 1), TimeLeft(600, 0), 40, 2 * 600 / 40 + 0.9 * 10),
        (GtpTimeControl(600, 0.5, 1), TimeLeft(0, 0), 40, 0.5 - 0.1),
        (GtpTimeControl(0, 10, 1), TimeLeft(0.5, 1), 40, 0.5 - 0.1),
    ],
)
def test_a_move_gets_its_share_of_main_time_and_period(control, left, moves, seconds):
    assert allot(control, left, moves) == pytest.approx(seconds)


def test_main_time_runs_over_into_a_period():
    control = GtpTimeControl(10, 30, 3)
    assert TimeLeft(10, 0).after(control, 4) == TimeLeft(6, 0)
    assert TimeLeft(6, 0).after(control, 10) == TimeLeft(26, 2)
    assert TimeLeft(6, 0).after(control, 6) == TimeLeft(30, 2)


def test_without_overtime_nothing_is_left():
    assert TimeLeft(5, 0).after(GtpTimeControl(10), 7) == TimeLeft(0, 0)
    assert allot(GtpTimeControl(10), TimeLeft(0, 0), 9) > 0


def test_as_many_moves_are_expected_as_a_game_has_but_not_all():
    assert moves_to_come(0, 121, 2) == 36
    assert moves_to_come(100, 121, 2) == 6
    assert moves_to_come(0, 123, 2) == 37
    assert moves_to_come(0, 121, 3) == 24
    assert moves_to_come(0, 10**300, 2) == 50
