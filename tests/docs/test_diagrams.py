"""Tests of the diagrams on the architecture page, and of the modules that the page names."""

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
    page = text_of(DOCS / "architecture.md")
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
