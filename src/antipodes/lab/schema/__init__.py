"""The published JSON Schemas of the laboratory: rows of results, and files of experiments."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

ROW = "game-row-1.json"
EXPERIMENT = "experiment-1.json"


@cache
def schema(name: str = ROW) -> dict[str, Any]:
    """Return a schema as data, which must not be changed."""
    found: dict[str, Any] = json.loads(files(__name__).joinpath(name).read_text(encoding="utf-8"))
    return found
