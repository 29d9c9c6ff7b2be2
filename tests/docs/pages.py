"""The pages of the docs, and the modules that build them, for tests."""

import importlib.util
import re
import sys
from pathlib import Path

from antipodes.games import registry

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if "_build" not in path.parts)
NAMES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md")
TEXTS = [*PAGES, *(ROOT / name for name in NAMES)]


def name_of(path):
    """Return a page's path from the root, as a test's id."""
    return path.relative_to(ROOT).as_posix()


def text_of(path):
    """Return a page as text."""
    return path.read_text(encoding="utf-8")


def prose_of(path):
    """Return a page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", text_of(path), flags=re.MULTILINE | re.DOTALL)


def anchors_of(path):
    """Return the anchors of a page: labels, and headings as GitHub and MyST write them."""
    text = text_of(path)
    labels = re.findall(r"^\(([\w-]+)\)=$", text, re.MULTILINE)
    headings = re.findall(r"^#+ (.+)$", prose_of(path), re.MULTILINE)
    slugs = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
    return {*labels, *slugs}


def module_of_docs(path, name):
    """Import a file of the docs as a module."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, DOCS / path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


def register_crater(monkeypatch):
    """Add Crater to the registry, as the page "Adding a game" says; return its class."""
    module = module_of_docs("examples/crater.py", "crater")
    monkeypatch.setitem(registry._GAMES, "crater", "crater:Crater")
    monkeypatch.setitem(sys.modules, "antipodes.games.crater", module)
    return module.Crater
