"""Tests of the preloading of JavaScript modules."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.templatetags.static import static

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
        assert f'<link rel="modulepreload" href="{static(path)}">' in page


def test_a_missing_module_is_an_error():
    with pytest.raises(FileNotFoundError, match=r"nothing\.js"):
        module("antipodes/nothing.js")


@pytest.fixture
def scripts(monkeypatch, tmp_path):
    """Static files of which one imports the other; the last imports the first."""
    sources = {
        "a/begin.js": (
            'import { b } from "./b.js";\nimport {\n  c,\n} from "../c/c.js";\nimport "./d.js";\n'
            'const text = "./no.js";\nconst late = () => import("./late.js");\n'
        ),
        "a/b.js": 'export { c } from "../c/c.js";\nexport * from "../c/e.js";\n',
        "c/c.js": 'import { begin } from "../a/begin.js";\nimport { f } from "./f.js";\n',
        "a/d.js": "",
        "c/e.js": 'import other from "other.js";\n',
        "c/f.js": "",
    }
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(finders, "find", tmp_path.joinpath)
    imports_of.cache_clear()
    yield
    imports_of.cache_clear()


@pytest.mark.usefixtures("scripts")
def test_imports_are_listed_nearest_first_and_once():
    assert imports_of("a/begin.js") == ("a/b.js", "c/c.js", "a/d.js", "c/e.js", "c/f.js")
    assert module("a/b.js").splitlines() == [
        f'<link rel="modulepreload" href="{static("c/c.js")}">',
        f'<link rel="modulepreload" href="{static("c/e.js")}">',
        f'<link rel="modulepreload" href="{static("a/begin.js")}">',
        f'<link rel="modulepreload" href="{static("c/f.js")}">',
        f'<link rel="modulepreload" href="{static("a/d.js")}">',
        f'<script type="module" src="{static("a/b.js")}"></script>',
    ]
