"""Templates are read line by line: one condition or loop on each, and no longer than the screen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TEMPLATES = Path(__file__).parents[2] / "src" / "antipodes" / "web" / "templates"
PAGES = sorted(TEMPLATES.rglob("*.html"))
LONGEST = 120
UNBREAKABLE = 100  # a longer tag stands in a line as long as it needs: tags cannot be broken


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(TEMPLATES)))
def test_a_line_of_a_template_has_one_condition_and_fits_the_screen(path: Path) -> None:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        conditions = re.findall(r"{%\s*(?:if|elif|for)\b", line)
        assert len(conditions) <= 1, f"{path.name}:{number} has {len(conditions)} conditions"
        tags = re.findall(r"{%.*?%}|{{.*?}}", line)
        is_unbreakable = any(len(tag) > UNBREAKABLE for tag in tags)
        assert is_unbreakable or len(line) <= LONGEST, f"{path.name}:{number} is {len(line)} long"


def test_templates_are_found() -> None:
    assert len(PAGES) > 150
