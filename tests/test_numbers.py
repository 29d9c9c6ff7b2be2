"""Whole numbers in text of users."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antipodes.core.numbers import LARGEST, read_number


@given(number=st.integers(0, LARGEST), most=st.integers(0, LARGEST))
def test_a_number_is_read_up_to_the_largest_allowed(number, most):
    assert read_number(str(number), most) == (number if number <= most else None)


@pytest.mark.parametrize("text", ["", "-1", "+1", "1_000", "1.0", " 1", "٣", "²", "e", "9" * 5000])
def test_other_text_is_no_number(text):
    assert read_number(text) is None
