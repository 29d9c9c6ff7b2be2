"""Report of the figures of all attacks, compared with an earlier run."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "build" / "attack"

# Heading, name and format of figures. Compared ones have a column for the earlier run.
_COMPARED = (
    ("p50 ms", "p50", "{:.0f}"),
    ("p99 ms", "p99", "{:.0f}"),
    ("level 1 s", "answer", "{:.1f}"),
    ("page s", "page", "{:.1f}"),
)
_OTHERS = (
    ("site cores", "core", "{:.1f}"),
    ("site MiB", "grown", "{:+.0f}"),
    ("attacker cores", "attacker", "{:.1f}"),
    ("other programs' cores", "others", "{:.1f}"),
    ("machine ms", "delay", "{:.0f}"),
)

Rows = Mapping[str, Mapping[str, Any]]


def _format(form: str, value: float | None) -> str:
    if value is None:
        return "–"
    return form.format(value) if math.isfinite(value) else "none"


def table(rows: Rows, earlier: Rows) -> str:
    """Return the figures as a Markdown table."""
    heads = ["attack"]
    for heading, name, _ in _COMPARED:
        heads += [f"{heading} before"] if earlier else []
        heads += [heading]
        heads += [f"{heading} calm"] if name == "p99" else []
    heads += [*(heading for heading, *_ in _OTHERS), "outcomes for the attacker", "missed"]
    lines = [heads, ["---"] * len(heads)]
    lines += [_line(name, row, earlier) for name, row in rows.items()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _line(name: str, row: Mapping[str, Any], earlier: Rows) -> list[str]:
    cells = [name]
    for _, figure, form in _COMPARED:
        if earlier:
            cells.append(_format(form, earlier.get(name, {}).get(figure)))
        cells.append(_format(form, row.get(figure)))
        if figure == "p99":
            cells.append(_format(form, row.get("calm", {}).get(figure)))
    cells += [_format(form, row.get(figure)) for _, figure, form in _OTHERS]
    counts = sorted(row.get("counts", {}).items(), key=lambda item: -item[1])
    cells.append(", ".join(f"{what}: {count}" for what, count in counts[:5]))
    cells.append("; ".join(row.get("missed", ())).replace("|", "/")[:200])
    return cells


def write(rows: Rows, earlier: Rows) -> str:
    """Write ``report.json`` and ``report.md``; return the table."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "report.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    found = table(rows, earlier)
    (FOLDER / "report.md").write_text(found, encoding="utf-8")
    return found


def read(path: Path) -> Rows:
    """Read the figures of an earlier run."""
    found: Rows = json.loads(path.read_text(encoding="utf-8"))
    return found
