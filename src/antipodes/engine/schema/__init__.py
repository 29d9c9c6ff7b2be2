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
    """Return the schema as data, which must not be changed."""
    found: dict[str, Any] = json.loads(files(__name__).joinpath(NAME).read_text(encoding="utf-8"))
    return found


@cache
def validator(part: str) -> Draft202012Validator:
    """Return the validator of a part that the schema defines by name."""
    # Loading jsonschema takes a tenth of a second, so it is deferred to the first query.
    from jsonschema import Draft202012Validator  # noqa: PLC0415

    return Draft202012Validator({"$ref": f"#/$defs/{part}", "$defs": schema()["$defs"]})


def query_faults(data: object, part: str) -> Iterator[Fault]:
    """Yield the faults of a query of the kind ``part`` by the schema."""
    return shape_faults(validator(part), data, "query/malformed")
