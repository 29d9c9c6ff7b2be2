"""The published JSON Schema of the analysis engine's queries and answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from antipodes.errors import Fault
from antipodes.records.schema import shape_faults

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

NAME = "analysis-1.json"


@cache
def schema() -> dict[str, Any]:
    """Return the schema as data; nobody may change it."""
    found: dict[str, Any] = json.loads(files(__name__).joinpath(NAME).read_text(encoding="utf-8"))
    return found


@cache
def validator(part: str) -> Draft202012Validator:
    """Return what checks a part that the schema defines by name."""
    # Loading jsonschema takes a tenth of a second, which the first query pays.
    from jsonschema import Draft202012Validator  # noqa: PLC0415

    return Draft202012Validator({"$ref": f"#/$defs/{part}", "$defs": schema()["$defs"]})


def query_faults(data: object, part: str) -> Iterator[Fault]:
    """Yield what is wrong with the shape of a query of the kind ``part``."""
    return shape_faults(validator(part), data, "query/malformed")
