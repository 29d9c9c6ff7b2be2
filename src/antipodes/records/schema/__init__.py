"""The published JSON Schema of records, and the checking of data against it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from antipodes.errors import Fault
from antipodes.notation.text import shorten

NAME = "record-1.json"
ENOUGH = 200


def schema_text() -> str:
    """Return the schema as it is published."""
    return files(__name__).joinpath(NAME).read_text(encoding="utf-8")


@cache
def schema() -> dict[str, Any]:
    """Return the schema as data; nobody may change it."""
    found: dict[str, Any] = json.loads(schema_text())
    return found


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(schema())


def schema_faults(data: object) -> Iterator[Fault]:
    """Yield what is wrong with the shape of a record, each with its JSON path."""
    faults = (
        Fault("record/schema", _sentence(error), error.json_path)
        for error in _validator().iter_errors(data)
    )
    # Whoever reads the list needs no more of them, and finding all takes long in a large text.
    yield from dict.fromkeys(islice(faults, ENOUGH))


def setup_faults(data: object) -> Iterator[Fault]:
    """Yield what is wrong with the shape of a setup."""
    shape = {"$ref": "#/$defs/setup", "$defs": schema()["$defs"]}
    for error in Draft202012Validator(shape).iter_errors(data):
        yield Fault("record/schema", _sentence(error), error.json_path)


def _sentence(error: ValidationError) -> str:
    """Say what is wrong in our own words, short even where the value is very long."""
    value = shorten(json.dumps(error.instance, ensure_ascii=False)[:200])
    found: Any = error.instance
    rule: Any = error.validator_value
    known: Any = error.schema
    match error.validator:
        case "type":
            wanted = rule if isinstance(rule, str) else " or ".join(rule)
            return f"{value} must be of type {wanted}"
        case "enum":
            return f"{value} must be one of {', '.join(json.dumps(word) for word in rule)}"
        case "const":
            return f"{value} must be {json.dumps(rule)}"
        case "required":
            missing = [name for name in rule if name not in found]
            return f"{', '.join(missing)} is missing"
        case "additionalProperties":
            unknown = [shorten(name) for name in found if name not in known["properties"]]
            return f"{', '.join(unknown[:5])} is not known here; own data belongs under extra"
        case _:
            return f"{value} goes against {error.validator} {rule}"
