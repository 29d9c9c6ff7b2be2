"""Texts hold nothing that is hidden, and lose nothing that shows."""

import math
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antipodes.errors import InvalidRecordError
from antipodes.records.texts import (
    clean_line,
    clean_name,
    clean_seconds,
    clean_text,
    plain_data,
    seconds_text,
)

HIDDEN = (
    "\x00\x07\x7f\x85\xad\u061c\u200b\u200e\u200f\u202a\u202e\u2060\u2066\u2069\ufeff\U000e0041"
)


@pytest.mark.parametrize("clean", [clean_text, clean_line, clean_name])
def test_hidden_characters_are_left_out(clean):
    for one in HIDDEN:
        assert clean(f"a{one}b").replace("\n", "").replace(" ", "") == "ab", ascii(one)


@pytest.mark.parametrize("clean", [clean_text, clean_line, clean_name])
@pytest.mark.parametrize(
    "text",
    [
        "\U0001f469\u200d\U0001f680",  # an astronaut
        "\U0001f3f3\ufe0f\u200d\U0001f308",  # a flag of several colours
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian
        "\u0915\u094d\u200d\u0937",  # Hindi
        "\u2764\ufe0f na\u00efve \u6771\u4eac",
    ],
)
def test_what_needs_joiners_keeps_them(clean, text):
    assert clean(text) == text


@pytest.mark.parametrize(
    "text", ["a\u200db", "\u200da", "a\u200d", "\u0430\u200c\u0430", "1 \u200d 2"]
)
def test_joiners_that_join_nothing_are_left_out(text):
    assert not set(clean_text(text)) & set("\u200c\u200d")


def test_of_several_joiners_the_first_is_kept():
    assert clean_text("\u0627\u200c\u200d\u0628") == "\u0627\u200c\u0628"


@given(st.text())
def test_cleaning_twice_changes_nothing_more(text):
    for clean in (clean_text, clean_line, clean_name):
        assert clean(clean(text)) == clean(text)


@given(st.text())
def test_a_name_has_only_characters_that_can_be_seen(text):
    for one in clean_name(text).replace("\u200c", "").replace("\u200d", ""):
        assert unicodedata.category(one) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        (" a \t\n b ", "a b"),
        ("a\u3164b\u2800", "ab"),
        ("a\ue000b", "ab"),
        ("Cafe\u0301", "Café"),
        ("\u0627\u200c\u0628", "\u0627\u200c\u0628"),
    ],
)
def test_a_name_has_visible_characters_and_single_spaces(name, clean):
    assert clean_name(name) == clean


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0"), (3, "3"), (100, "100"), (0.5, "0.5"), (1.25, "1.25"), (1e9, "1000000000")],
)
def test_seconds_are_written_without_zeros_at_the_end(seconds, text):
    assert seconds_text(seconds) == text
    assert clean_seconds(seconds, "time_left") == seconds


@pytest.mark.parametrize("seconds", [-0.001, 1e9 + 1, math.inf, -math.inf, math.nan])
def test_seconds_are_from_zero_to_a_thousand_million(seconds):
    with pytest.raises(ValueError, match=r"time_left is .*, but must be seconds from 0 to 10{9}$"):
        clean_seconds(seconds, "time_left")


def test_data_are_copied_with_names_in_order():
    data = {"b": (1, None, True), "a\ud800": ["x\udfff", {"z": 1, "y": 2}]}
    found = plain_data(data, "$")
    assert found == {"a\ufffd": ["x\ufffd", {"y": 2, "z": 1}], "b": [1, None, True]}
    assert repr(found).index("'y'") < repr(found).index("'z'") < repr(found).index("'b'")


def test_each_value_that_is_no_data_is_told_with_its_place():
    with pytest.raises(InvalidRecordError) as caught:
        plain_data({"a": [1, b"x", (math.inf,)], 3: {"b": {4}}, "c": 0.5}, "$")
    assert sorted((fault.where, fault.message) for fault in caught.value.faults) == [
        ("$", "the name 3 is not a text"),
        ("$.3.b", "a value of type set cannot be kept in a record"),
        ("$.a[1]", "a value of type bytes cannot be kept in a record"),
        ("$.a[2][0]", "inf is not a number that can be kept"),
    ]
