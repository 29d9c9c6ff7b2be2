"""Law of permissions: who may ask for what, of whom; every address of the site, cell by cell."""

from __future__ import annotations

import pytest

from antipodes.web.platform import write_probe
from tests.web.conftest import kept
from tests.web.permission_row import addresses
from tests.web.permission_staff import STAFF
from tests.web.permission_table import ROWS
from tests.web.permission_world import COLUMNS, World

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

TABLE = (*ROWS, *STAFF)

# Answered in threads of their own, which see nothing of a world that is not committed.
ELSEWHERE = {"api:stream_match": "tests/web/api"}

HOW = """\
these addresses are not in the table of permissions: {missing}

Add a row for each of them to permission_table.py (pages of the staff: permission_staff.py),
and one more for each private thing that it can be asked for. A row has the address's name, what of
`World` it is made of, what is sent, and for each method a letter for each column:
{columns}
`World.outcome` says what the letters mean. Write what ought to be, run this test, and look hard at
each letter that differs before you change the row instead of the program."""


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    """Return the small site, made once; what is done in each cell is undone."""
    with kept(django_db_blocker):
        yield World()


@pytest.fixture(autouse=True)
def writes_are_known_to_work(monkeypatch):
    """The probe of /readyz writes a row of its own, which is nobody's."""
    monkeypatch.setattr(write_probe, "try_write", lambda: True)


@pytest.mark.parametrize("row", TABLE, ids=str)
def test_everybody_may_do_what_the_table_says_and_nothing_else(world, row):
    address, sent = row.address(world), row.sent(world)
    found = {
        method: "".join(
            world.outcome(who, method, address, sent, by_token=row.by_token)
            for who in COLUMNS.values()
        )
        for method in row.expected
    }
    assert found == row.expected, f"the columns are {', '.join(COLUMNS.values())}"


def test_every_address_is_in_the_table():
    missing = sorted(set(addresses()) - {row.name for row in TABLE} - set(ELSEWHERE))
    columns = ", ".join(COLUMNS.values())
    assert not missing, HOW.format(missing=", ".join(missing), columns=columns)


def test_the_table_has_no_address_that_the_site_lacks():
    assert {row.name for row in TABLE} <= set(addresses())


def test_every_page_is_asked_for_and_sent_to():
    for row in TABLE:
        assert row.by_token or {"GET", "POST"} <= set(row.expected), str(row)
        assert all(len(letters) == len(COLUMNS) for letters in row.expected.values()), str(row)
