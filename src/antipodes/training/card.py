"""The data card of a network: from what it was trained, and how well it predicts."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from antipodes.training.plan import Plan

LOG = "log.jsonl"  # a line for each task of self-play and each report
POINTS = 60  # of the curves


def read_log(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of a training's log; none before it has begun."""
    path = folder / LOG
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [json.loads(line) for line in text.splitlines()]


def data_card(folder: Path, plan: Plan) -> str:
    """Return the data card of a training as JSON.

    It has the ``plan`` as text; for each size of board the ``games``, the ``positions`` and the
    games that ``black`` won; the hours of CPU time; and the ``curve``: positions of self-play and
    steps of the learner so far, and the losses since the point before (see
    :class:`~antipodes.training.learner.Losses`).
    """
    boards: dict[int, Counter[str]] = {}
    reports: list[dict[str, Any]] = []
    seconds = 0.0
    for entry in read_log(folder):
        seconds += entry.get("cpu", 0.0)
        if "task" in entry:
            counts = boards.setdefault(entry["size"], Counter())
            counts.update({name: entry[name] for name in ("games", "positions", "black")})
        else:
            reports.append({name: value for name, value in entry.items() if name != "cpu"})
    step = -(-len(reports) // POINTS)
    reports_on_curve = reports[::-1][:: max(step, 1)][::-1]
    card = {
        "plan": plan.text,
        "boards": {str(size): dict(boards[size]) for size in sorted(boards)},
        "cpu_hours": round(seconds / 3600, 2),
        "curve": reports_on_curve,
    }
    return json.dumps(card, indent=1) + "\n"
