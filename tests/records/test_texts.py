"""Texts hold nothing that is hidden, and lose nothing that shows."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antipodes.records.texts import clean_line, clean_name, clean_text

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


@given(st.text())
def test_cleaning_twice_changes_nothing_more(text):
    for clean in (clean_text, clean_line, clean_name):
        assert clean(clean(text)) == clean(text)


@given(st.text())
def test_a_name_has_only_characters_that_can_be_seen(text):
    for one in clean_name(text).replace("\u200c", "").replace("\u200d", ""):
        assert unicodedata.category(one) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
