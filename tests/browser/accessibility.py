"""Accessibility checks with axe."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

_AXE = Axe()
# The standards, and the rules that axe calls best practice.
_OPTIONS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
    "preload": False,  # of imported style sheets, which the Content-Security-Policy refuses
}
_STILL = "() => document.getAnimations().every((one) => one.playState !== 'running')"


def violations(page: Page) -> list[str]:
    """Return axe's violations on a page, one line for each rule."""
    # Colours are checked after transitions.
    page.wait_for_function(_STILL)
    # At the end of the page, sticky elements cover nothing.
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    found = _AXE.run(page, options=_OPTIONS).response["violations"]
    return [_line(violation) for violation in found]


def _line(violation: dict[str, object]) -> str:
    nodes = violation["nodes"]
    assert isinstance(nodes, list)
    shown = "; ".join(
        f"{node['html'][:160]} ({_reason(node['failureSummary'])})" for node in nodes[:3]
    )
    return f"{violation['id']}: {violation['help']} [{len(nodes)} times]: {shown}"


def _reason(summary: str) -> str:
    return " ".join(summary.split())[:240]
