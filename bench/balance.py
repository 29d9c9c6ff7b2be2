"""Add folders of results of ``antipodes lab`` to the summary behind docs/knowledge.md.

    python bench/balance.py DIR...

A setting and a family of fair settings get the figures of these folders, if they have more games of
it than the summary; all others stay. First moves are searched where they are missing.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from antipodes.games.antipod import FAIR
from antipodes.lab.balance_summary import joined, searched_first_moves, summarised
from antipodes.lab.measured_balance import FILE
from antipodes.lab.results import Results

VISITS = 3000


def in_lines(summary: dict[str, Any]) -> str:
    """Return a summary as JSON with each item of a list in a line of its own."""
    parts = []
    for name, value in summary.items():
        items = value if isinstance(value, list) else None
        text = json.dumps(value)
        if items:
            text = "[\n  " + ",\n  ".join(map(json.dumps, items)) + "\n ]"
        parts.append(f' "{name}": {text}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main() -> None:
    """Read all rows, each once, search first moves where they are missing, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="with results")
    folders = parser.parse_args().folders
    rows = {row.id: row for folder in folders for row in Results(folder).rows()}
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    summary = joined(kept, summarised(rows.values()))
    known = kept["first_moves"]
    wanted = [{"side": side, "extra_stones": extra} for side in FAIR for extra in (0, FAIR[side])]
    summary["first_moves"] = [
        next((one for one in known if options.items() <= one["options"].items()), None)
        or searched_first_moves(options, VISITS)
        for options in wanted
    ]
    FILE.write_text(in_lines(summary), encoding="utf-8")
    print(f"{summary['games']} games, {summary['cpu_hours']} hours of CPU time: {FILE}")


if __name__ == "__main__":
    main()
