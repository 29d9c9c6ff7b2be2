"""The published JSON Schema of the rows that the laboratory writes."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

NAME = "game-row-1.json"


@cache
def schema() -> dict[str, Any]:
    """Return the schema as data, which must not be changed."""
    found: dict[str, Any] = json.loads(files(__name__).joinpath(NAME).read_text(encoding="utf-8"))
    return found
