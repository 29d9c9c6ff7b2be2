"""Laws of time controls."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antipodes.clocks import Pace, TimeControl, read_control
from antipodes.errors import InvalidOptionsError

DAY = 86_400_000
TIMES = st.integers(0, 366 * DAY)


@given(TIMES, TIMES, TIMES)
def test_what_is_written_is_read_back(bank, per_move, increment):
    if not bank and not per_move:
        increment = 0
    control = TimeControl(bank=bank, per_move=per_move, increment=increment)
    assert read_control(str(control)) == control


@pytest.mark.parametrize(
    ("text", "bank", "per_move", "increment", "pace"),
    [
        ("unlimited", 0, 0, 0, Pace.UNLIMITED),
        ("5m+3s", 300_000, 0, 3_000, Pace.LIVE),
        ("10m", 600_000, 0, 0, Pace.LIVE),
        ("30s/move", 0, 30_000, 0, Pace.LIVE),
        ("30s/move + 10m + 5s", 600_000, 30_000, 5_000, Pace.LIVE),
        ("3d/move", 0, 3 * DAY, 0, Pace.CORRESPONDENCE),
        ("1d12h/move+10D", 10 * DAY, DAY * 3 // 2, 0, Pace.CORRESPONDENCE),
        ("90d", 90 * DAY, 0, 0, Pace.CORRESPONDENCE),
        ("1d+1d", DAY, 0, DAY, Pace.CORRESPONDENCE),
    ],
)
def test_usual_controls_are_read(text, bank, per_move, increment, pace):
    control = read_control(text)
    assert (control.bank, control.per_move, control.increment) == (bank, per_move, increment)
    assert control.pace is pace


@pytest.mark.parametrize(
    "text",
    ["", "5", "5m+", "+3s", "0s", "0s/move", "0s+5s", "5m+3s+1s", "5 moves", "-5m", "1y", "٣s"],
)
def test_what_is_no_control_is_refused_and_shown(text):
    with pytest.raises(InvalidOptionsError) as caught:
        read_control(text)
    assert caught.value.code == "clock/unreadable"
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"bank": -1}, "clock/out-of-range"),
        ({"per_move": 367 * DAY}, "clock/out-of-range"),
        ({"increment": 5}, "clock/no-time"),
    ],
)
def test_what_cannot_be_played_is_refused(changes, code):
    with pytest.raises(InvalidOptionsError) as caught:
        TimeControl(**changes)
    assert caught.value.code == code
