"""Tests of permissions: every URL of the site, with every kind of user."""

from __future__ import annotations

import pytest

from antipodes.web.platform import rasterizer, write_probe
from tests.thorough import repetitions, sample
from tests.web.permission_row import addresses
from tests.web.permission_staff import STAFF
from tests.web.permission_table import ROWS
from tests.web.permission_world import COLUMNS
from tests.web.test_picture_sizes import unsized

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

TABLE = (*ROWS, *STAFF)

# Handled in other threads, which do not see the uncommitted world.
ELSEWHERE = {
    "api:stream_match": "tests/web/api",
    "api:stream_tournament": "tests/web/tournaments/test_api.py",
}

# Pages of Django for its staff, apart from those that are the same for everyone.
STAFF_PAGES = [
    row
    for row in STAFF
    if row.name.startswith("admin:")
    and row.name not in ("admin:jsi18n", "admin:password_change", "admin:password_change_done")
]
# Pages that other sites may show in a frame, and those that browsers never keep.
FRAMED = {
    *("match-embed", "puzzle-embed", "study-embed", "tournament-embed"),
    *("healthz", "readyz", "metrics"),
}
NEVER_STORED = {
    *("account_login", "account_signup", "by-mail", "data-export", "game-limits", "tokens"),
    *("course", "courses", "first-game", "lesson", "mistake", "mistakes"),
    *("mistake-judgement", "mistake-result", "puzzle-judgement", "puzzle-result"),
    *("healthz", "readyz", "metrics"),
}

ADVICE = """\
these URLs are not in the permission table: {missing}

Add a row for each of them to permission_table.py (staff pages: permission_staff.py), and another
one for each private object that it can show. A row has the URL's name, its arguments as attributes
of `World`, the data to send, and for each method a letter for each column:
{columns}
`World.outcome` explains the letters. Write what ought to be, run this test, and check each letter
that differs before you change the row instead of the program."""


@pytest.fixture(autouse=True)
def _site(monkeypatch, settings):
    """A site with a chat in its lobby; its /readyz does not write the row of its probe.

    Pictures are not drawn, which would take a process for each.
    """
    settings.LOBBY_CHAT = True
    monkeypatch.setattr(write_probe, "try_write", lambda: True)
    monkeypatch.setattr(rasterizer, "draw_png", lambda _svg, _width: b"a picture")


# A test for each row would take a fifth of the time for its fixtures.
GROUPS = [TABLE[start : start + 20] for start in range(0, len(TABLE), 20)]


@pytest.mark.parametrize("rows", GROUPS, ids=lambda rows: f"{rows[0]} to {rows[-1]}")
def test_permissions_are_those_of_the_table(world, rows):
    found: dict[tuple[str, str], dict[str, str]] = {}
    expected: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        for method, letters in row.expected.items():
            columns = asked(letters, TABLE.index(row))
            expected[str(row), method] = {who: letters[at] for at, who in columns}
            found[str(row), method] = {who: answer(world, row, who, method) for _, who in columns}
    assert found == expected


def answer(world, row, who, method):
    """Return the letter for the outcome of a request, whose headers are checked."""
    address, sent = row.address(world), row.sent(world)
    letter = world.outcome(who, method, address, sent, by_token=row.by_token)
    assert row.name.startswith("admin:") or unsized(world.page) == [], str(row)  # Django's are not
    if method == "GET" and letter in ".+" and not row.by_token:
        is_never_stored = row.name in NEVER_STORED or row in STAFF_PAGES
        assert ("X-Frame-Options" not in world.headers) == (row.name in FRAMED), str(row)
        is_stored = "no-store" not in world.headers.get("Cache-Control", "")
        assert is_stored != is_never_stored, str(row)
    return letter


NEVER = set("m")  # a method that no column may use


def asked(letters, turn):
    """Return the columns to try: some of those with the same outcome, others in each turn."""
    columns = list(enumerate(COLUMNS.values()))
    start = turn % len(columns)
    turned = columns[start:] + columns[:start]
    tried = [
        column
        for letter in dict.fromkeys(letters)
        for column in sample(
            [one for one in turned if letters[one[0]] == letter], repetitions(1, 2)
        )
    ]
    return sorted(tried)


def test_every_url_is_in_the_table():
    missing = sorted(set(addresses()) - {row.name for row in TABLE} - set(ELSEWHERE))
    columns = ", ".join(COLUMNS.values())
    assert not missing, ADVICE.format(missing=", ".join(missing), columns=columns)


# Files, pictures and data that the table's world does not have, and forms without a page.
NO_PAGES = {
    "api/<path:rest>",
    "first-moves-map",
    "mfa_download_recovery_codes",
    "notifications-seen",
    "oembed",
    "open-data-file",
    "puzzle-data",
    "qr",
    "statistics-csv",
}
# Checked in tests/browser/test_every_page.py and test_account_security.py.
AFTER_SIGNING_IN_AGAIN = {
    "mfa_activate_totp",
    "mfa_deactivate_totp",
    "mfa_generate_recovery_codes",
    "mfa_view_recovery_codes",
    "new-mail-token",
    "new-token",
}


def test_every_page_is_shown_to_some_user_of_the_table():
    """The tests in a browser visit these pages (``tests/browser/test_every_page.py``)."""
    asked = {row.name for row in TABLE if set(row.expected.get("GET", "m")) - NEVER}
    shown = {row.name for row in TABLE if row.viewer or ">" in row.expected.get("GET", "")}
    hidden = {row.name for row in TABLE if row.by_token or row.name.startswith("admin:")}
    assert asked - shown - hidden == NO_PAGES | AFTER_SIGNING_IN_AGAIN


def test_every_row_is_a_url_of_the_site():
    assert {row.name for row in TABLE} <= set(addresses())


def test_rows_have_all_methods_and_columns():
    for row in TABLE:
        assert row.by_token or {"GET", "POST"} <= set(row.expected), str(row)
        assert all(len(letters) == len(COLUMNS) for letters in row.expected.values()), str(row)
