"""Fuzz records: each is read, or refused with the place of the fault."""

from hypothesis import given
from hypothesis import strategies as st

from antipodes.errors import InvalidRecordError
from antipodes.records import KINDS, read_leniently, read_record, to_json
from tests.fuzz.tally import attempt
from tests.records.strategies import damaged, damaged_bytes
from tests.records.test_damaged import JSON_TEXTS, LINKS, SGF_TEXTS

SOURCES = JSON_TEXTS | SGF_TEXTS | LINKS


@given(
    damaged(SOURCES) | damaged_bytes(SOURCES) | st.text() | st.binary(),
    st.none() | st.sampled_from(KINDS),
)
def test_a_record_is_read_or_refused(source, kind):
    def strictly(given_):
        return read_record(given_, kind=kind)

    def leniently(given_):
        return read_leniently(given_, kind=kind)[0]

    for read in (strictly, leniently):
        record = attempt("records", read, source, errors=InvalidRecordError)
        if record is not None:
            assert read_record(to_json(record)) is not None
