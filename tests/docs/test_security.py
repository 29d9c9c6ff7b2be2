"""Tests of the security page: it lists every limit with its default, variable and test."""

import re
from importlib import import_module
from pathlib import Path

from antipodes.web.platform.limits import defined
from tests.docs.pages import DOCS, text_of

TESTS = Path(__file__).resolve().parents[1]
SOURCES = TESTS.parent / "src"
ROW = re.compile(r"^\| (.+?) \| (.+?) \| (.+?) \| `(LIMIT_\w+)` \| (?:`.+` )?\|$", re.MULTILINE)


def all_limits():
    """Import every module that defines limits; return all that are defined."""
    for path in sorted((SOURCES / "antipodes/web").rglob("*.py")):
        if re.search(r"\b(?:rate|count)_limit\(", path.read_text(encoding="utf-8")):
            import_module(".".join(path.relative_to(SOURCES).with_suffix("").parts))
    return defined.values()


def test_every_limit_is_listed_with_its_default_and_its_variable():
    listed = {row[3]: row[:3] for row in ROW.findall(text_of(DOCS / "security.md"))}
    assert listed == {one.setting: (one.what, one.per, one.default) for one in all_limits()}


def test_every_test_that_the_page_names_exists():
    for path, name in re.findall(r"`([\w/]+\.py)::(\w+)`", text_of(DOCS / "security.md")):
        assert f"def {name}(" in (TESTS / path).read_text(encoding="utf-8"), f"{path}::{name}"


def test_every_promise_names_a_test():
    promises = text_of(DOCS / "security.md").partition("## Promises")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (?!promise|---)(.+) \| (.+) \|$", promises, re.MULTILINE)
    assert rows
    for promise, tests in rows:
        assert "::test_" in tests, promise
