"""Tests of the diagrams of the docs, and of the modules that the architecture page names."""

import re
from xml.etree import ElementTree as ET

import pytest

from tests.docs.pages import DOCS, ROOT, module_of_docs, text_of

diagrams = module_of_docs("make_diagrams.py", "make_diagrams")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", diagrams.DIAGRAMS)
def test_the_diagram_is_drawn_from_the_code(name):
    committed = text_of(DOCS / "_static" / name)
    assert committed == diagrams.DIAGRAMS[name](), "draw it again: python docs/make_diagrams.py"


@pytest.mark.parametrize("name", diagrams.DIAGRAMS)
def test_the_diagram_is_shown_with_an_alternative_text(name):
    page = text_of(DOCS / ("analysis.md" if name == "chances.svg" else "architecture.md"))
    alternative = page.partition(f"](_static/{name})")[0].rpartition("![")[2]
    assert len(alternative) > 40


@pytest.mark.parametrize("name", diagrams.DIAGRAMS)
def test_the_diagram_has_a_title_and_a_description(name):
    picture = ET.fromstring(text_of(DOCS / "_static" / name))
    assert len(picture.findtext(f"{SVG}title", "")) > 5
    assert len(picture.findtext(f"{SVG}desc", "")) > 100


@pytest.mark.parametrize("flow", [diagrams.MOVE, diagrams.MAIL], ids=lambda flow: flow.title)
def test_the_steps_name_modules_that_exist(flow):
    for step in flow.steps:
        path = ROOT / "src" / step.module.replace(".", "/")
        assert not step.module or path.is_dir() or path.with_suffix(".py").exists(), step.module


def test_the_layers_are_those_of_the_import_rules():
    drawn = text_of(DOCS / "_static/layers.svg")
    for layers in diagrams.contracts():
        for name in [name for layer in layers for name in layer]:
            assert f">{name}</text>" in drawn


PATH = re.compile(r"`([\w.*-]+(?:/[\w.*-]+)+/?|[a-z_]+(?:\.\w+)+)`")
SOURCES = ROOT / "src" / "antipodes"
# Folders that a path may start from; `kernels` on the architecture page are those of the search.
STARTS = (ROOT, SOURCES, SOURCES / "search", SOURCES / "web")
BUILT = ("build/", "docs/_build/")


def exists(name):
    """Return whether a file or folder, a module or a name in a module exists."""
    if "/" in name:
        return name.startswith(BUILT) or any(any(start.glob(name)) for start in STARTS)
    parts = name.removeprefix("antipodes.").split(".")
    for start in (SOURCES, SOURCES / "web"):
        for count in range(len(parts), 0, -1):
            module = start.joinpath(*parts[:count])
            files = [module.with_suffix(".py"), module / "__init__.py"]
            if text := next((text_of(file) for file in files if file.exists()), None):
                rest = parts[count:]
                return not rest or bool(
                    re.search(rf"^(?:def |class )?{rest[0]}\b", text, re.MULTILINE)
                )
    return False


def is_module(name):
    """Return whether a name with dots begins with one of our packages."""
    first = name.split(".")[0]
    return "/" in name or any((start / first).is_dir() for start in (SOURCES, SOURCES / "web"))


@pytest.mark.parametrize(
    "page", [DOCS / "architecture.md", ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name
)
def test_the_files_and_modules_that_the_page_names_exist(page):
    names = {name for name in PATH.findall(text_of(page)) if is_module(name)}
    assert len(names) > 10
    assert [name for name in sorted(names) if not exists(name)] == []


def test_a_missing_module_is_noticed():
    assert not exists("matches.no_such_module")
    assert not exists("matches.services.no_such_function")
    assert not exists("web/matches/no_such_file.py")
