"""Fixtures of the tests of the full-screen program."""

import pytest
from textual import _wait
from textual._compositor import Compositor
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

_RULES: dict[tuple[object, ...], list[RuleSet]] = {}


@pytest.fixture(autouse=True)
def _pilot_looks_often(monkeypatch):
    """Let the pilot look every 4 ms, instead of 20, whether the program has become idle."""
    monkeypatch.setattr(_wait, "SLEEP_GRANULARITY", 1 / 250)
    monkeypatch.setattr(_wait, "SLEEP_IDLE", 1 / 2_500)


@pytest.fixture(autouse=True)
def _screens_are_drawn_when_read(monkeypatch):
    """Draw no screen for the terminal, of which there is none; tests draw the screens they read."""

    def update(compositor, full=False, screen_stack=None, simplify=False):
        compositor._dirty_regions.clear()

    monkeypatch.setattr(Compositor, "render_update", update)


@pytest.fixture(autouse=True)
def _style_sheets_are_parsed_once(monkeypatch):
    """Parse the style sheets of widgets once, instead of for the app of each test."""
    parse = Stylesheet._parse_rules

    def rules(sheet, *args, **kwargs):
        key = (args, *sorted(kwargs.items()), *sorted(sheet._variables.items()))
        if key not in _RULES:
            _RULES[key] = parse(sheet, *args, **kwargs)
        return _RULES[key]

    monkeypatch.setattr(Stylesheet, "_parse_rules", rules)
