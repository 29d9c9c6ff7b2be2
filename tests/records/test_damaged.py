"""Whatever is given to the readers, they read it or say what is wrong: no other exception."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from antipodes.errors import InvalidRecordError
from antipodes.records import KINDS, read_leniently, read_record, to_hexworld, to_json, to_sgf
from tests.records.strategies import damaged, damaged_bytes, records
from tests.thorough import repetitions

SMALL = [
    ("antipod", {"side": 2, "swap": "on"}),
    ("antipalos", {"size": 12, "rods": 1, "seats": "cutthroat3"}),
    ("antipalos", {"ruleset": "mail", "size": 3}),
    ("antipode", {}),
    ("hex", {"size": 3}),
    ("cylindrical-hex", {"rows": 2, "columns": 3}),
]
JSON_TEXTS = records(SMALL, max_plies=6).map(to_json)
SGF_TEXTS = records(SMALL, max_plies=6).map(to_sgf)
LINKS = records([("hex", {"size": 3})], max_plies=6, setups=False).map(to_hexworld)


def read_or_refuse(source, kind=None):
    """Read in both ways; an error must name what is wrong."""
    refused = None
    try:
        read_record(source, kind=kind)
    except InvalidRecordError as error:
        refused = error
    try:
        record, faults = read_leniently(source, kind=kind)
    except InvalidRecordError as error:
        faults = error.faults
        same = str(error) == str(refused)
        assert same
    else:
        # The part that is kept is a whole record, and every fault is reported.
        assert to_json(record)
        assert to_sgf(record)
        assert bool(faults) == (refused is not None)
    assert all(fault.code and fault.message for fault in faults)
    assert len(str(refused)) < 100_000


@pytest.mark.parametrize("kind", [None, *KINDS])
@given(source=st.text() | st.binary())
@example(source="")
@example(source=b"")
@example(source="\ud800")
def test_anything_at_all(kind, source):
    read_or_refuse(source, kind)


@settings(max_examples=repetitions(25, 200))
@given(damaged(JSON_TEXTS | SGF_TEXTS | LINKS))
def test_damaged_text(source):
    read_or_refuse(source)


@settings(max_examples=repetitions(15, 100))
@given(damaged_bytes(JSON_TEXTS | SGF_TEXTS | LINKS))
def test_damaged_bytes(source):
    read_or_refuse(source)


@given(st.sampled_from(KINDS), JSON_TEXTS | SGF_TEXTS | LINKS)
def test_one_format_read_as_another(kind, source):
    read_or_refuse(source, kind)
