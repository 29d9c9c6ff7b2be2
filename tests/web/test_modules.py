"""Tests of the preloading of JavaScript modules."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from antipodes.web.platform.templatetags.modules import imports_of, module

PAGES = ["antipodes/match.js", "antipodes/analysis.js"]


@pytest.mark.parametrize("path", PAGES)
def test_every_imported_module_is_listed_once(path):
    found = imports_of(path)
    assert len(found) == len(set(found)) > 10
    assert path not in found
    for one in found:
        text = Path(str(finders.find(one))).read_text(encoding="utf-8")
        names = set(re.findall(r'from "(\.[^"]+)";', text))
        assert {name.rsplit("/", 1)[1] for name in names} <= {
            name.rsplit("/", 1)[1] for name in found
        }


def test_dynamic_imports_are_not_preloaded():
    assert "antipodes/match/page.js" in imports_of("antipodes/match.js")
    assert "antipodes/analysis_board.js" not in imports_of("antipodes/match.js")


@pytest.mark.django_db
def test_the_page_of_a_match_preloads_its_modules(begin, client):
    page = client.get(f"/m/{begin(size=3).slug}/").content.decode()
    for path in ("antipodes/match/page.js", "antipodes/board/element.js"):
        assert f'<link rel="modulepreload" href="/static/{path}">' in page


def test_a_missing_module_is_an_error():
    with pytest.raises(FileNotFoundError, match=r"nothing\.js"):
        module("antipodes/nothing.js")
