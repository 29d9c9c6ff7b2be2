"""Directive of the docs for what one person can cause: ``{costs}`` is the table of all acts."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from antipodes_docs import table
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

DOCS = Path(__file__).parents[1]
ROWS, MEASURES = DOCS / "costs.toml", DOCS / "costs.json"
HEAD = ("acts", "limits", "CPU, ms", "memory, kB", "stored, bytes")


def rows() -> list[dict[str, Any]]:
    """Return the rows: kind, limits and acts."""
    found: list[dict[str, Any]] = tomllib.loads(ROWS.read_text(encoding="utf-8"))["cost"]
    return found


def measures() -> dict[str, dict[str, Any]]:
    """Return for each kind the worst act of time, memory and disk, and the acts measured."""
    found: dict[str, dict[str, Any]] = json.loads(MEASURES.read_text(encoding="utf-8"))
    return found


def cost_rows() -> list[tuple[str, ...]]:
    """Return the table: for each kind its limits, and the worst of its acts that was measured."""
    known = measures()
    return [
        (
            f"{one['kind']} ({_count(one)})",
            ", ".join(one["limits"]),
            _cell(known[one["kind"]]["milliseconds"], 1),
            _cell(known[one["kind"]]["memory"], 1_000),
            _cell(known[one["kind"]]["stored"], 1),
        )
        for one in rows()
    ]


def _count(one: dict[str, Any]) -> str:
    """Return the number of acts, with the reason of each that is not measured."""
    reasons = one.get("unmeasured", {})
    without = "; ".join(f"without {act}: {reason}" for act, reason in reasons.items())
    return f"{len(one['acts'])}; {without}" if without else str(len(one["acts"]))


def _cell(worst: dict[str, Any], unit: int) -> str:
    return f"{round(worst['worst'] / unit):,}: {worst['act']}" if worst["worst"] else "0"


class Costs(SphinxDirective):
    """The table of what one person can cause."""

    def run(self) -> list[nodes.Node]:
        """Build the table."""
        for path in (ROWS, MEASURES):
            self.env.note_dependency(str(path))
        return [table(HEAD, cost_rows(), codes=0)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("costs", Costs)
    return {"parallel_read_safe": True}
