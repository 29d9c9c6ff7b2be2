"""Accessibility checks by axe, with what is wrong in readable words."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

_AXE = Axe()
# What the standards ask for, and what axe itself calls good practice.
_OPTIONS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
_STILL = "() => document.getAnimations().every((one) => one.playState !== 'running')"


def violations(page: Page) -> list[str]:
    """Return what axe finds wrong on a page, one line for each rule."""
    # Colours are judged as they are at rest, not half way from one to the other.
    page.wait_for_function(_STILL)
    # At the end of the page, what sticks to the window's edge covers nothing that it could leave.
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
