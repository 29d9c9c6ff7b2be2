"""Tests of CONTRIBUTING: the files that it names exist."""

import re

from tests.docs.pages import ROOT, text_of

SECTION = (
    text_of(ROOT / "CONTRIBUTING.md").partition("## Where to change what")[2].partition("\n## ")[0]
)
ROWS = [row.split("|")[1:-1] for row in SECTION.splitlines() if row.startswith("| ")][1:]


def paths(cell):
    return [path for path in re.findall(r"`([^`]+)`", cell) if "/" in path]


def test_it_names_places_for_at_least_ten_kinds_of_changes():
    assert len(ROWS) >= 10
    for row in ROWS:
        assert paths(row[1]), row[0]


def test_the_places_exist():
    for row in ROWS:
        for path in [path for cell in row for path in paths(cell)]:
            assert (ROOT / path).exists() or (ROOT / "src/antipodes" / path).exists(), path
