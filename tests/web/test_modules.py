"""Laws of how pages load their scripts."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from antipodes.web.matches.templatetags.modules import imports_of, module

PAGES = ["antipodes/match.js", "antipodes/analysis.js"]


@pytest.mark.parametrize("path", PAGES)
def test_every_module_that_is_imported_is_there_and_told_once(path):
    found = imports_of(path)
    assert len(found) == len(set(found)) > 10
    assert path not in found
    for one in found:
        text = Path(str(finders.find(one))).read_text(encoding="utf-8")
        names = set(re.findall(r'from "(\.[^"]+)";', text))
        assert {name.rsplit("/", 1)[1] for name in names} <= {
            name.rsplit("/", 1)[1] for name in found
        }


def test_what_is_imported_by_a_call_waits_until_it_is_wanted():
    assert "antipodes/match/page.js" in imports_of("antipodes/match.js")
    assert "antipodes/study.js" not in imports_of("antipodes/match.js")


@pytest.mark.django_db
def test_the_page_of_a_match_names_all_its_modules(begin, client):
    page = client.get(f"/m/{begin(size=3).slug}/").content.decode()
    for path in ("antipodes/match/page.js", "antipodes/board/element.js"):
        assert f'<link rel="modulepreload" href="/static/{path}">' in page


def test_a_module_that_is_not_there_is_told():
    with pytest.raises(FileNotFoundError, match=r"nothing\.js"):
        module("antipodes/nothing.js")
