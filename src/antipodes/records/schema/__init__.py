"""The published JSON Schema of records, and the checking of data against it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING, Any

from antipodes.errors import Fault, Phrase
from antipodes.notation.text import shorten

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

NAME = "record-1.json"
ENOUGH = 200


def schema_text() -> str:
    """Return the schema as it is published."""
    return files(__name__).joinpath(NAME).read_text(encoding="utf-8")


@cache
def schema() -> dict[str, Any]:
    """Return the schema as data, which must not be changed."""
    found: dict[str, Any] = json.loads(schema_text())
    return found


@cache
def _validator(part: str = "") -> Draft202012Validator:
    """Return what checks a whole record, or a part of it that the schema defines by name."""
    # Loading jsonschema takes a tenth of a second, for which writing should not wait.
    from jsonschema import Draft202012Validator  # noqa: PLC0415

    shape = {"$ref": f"#/$defs/{part}", "$defs": schema()["$defs"]} if part else schema()
    return Draft202012Validator(shape)


def schema_faults(data: object) -> Iterator[Fault]:
    """Yield what is wrong with the shape of a record, each with its JSON path."""
    yield from shape_faults(_validator(), data, "record/schema")


def shape_faults(validator: Draft202012Validator, data: object, code: str) -> Iterator[Fault]:
    """Yield what a validator finds wrong, in our own words, under a code."""
    faults = (
        _fault(code, _sentence(error), error.json_path) for error in validator.iter_errors(data)
    )
    # A reader of the list needs no more of them, and finding all takes long in a large text.
    yield from dict.fromkeys(islice(faults, ENOUGH))


def setup_faults(data: object) -> Iterator[Fault]:
    """Yield what is wrong with the shape of a setup."""
    yield from shape_faults(_validator("setup"), data, "record/schema")


def _fault(code: str, phrase: Phrase, where: str) -> Fault:
    return Fault.of(code, phrase.template, where=where, **phrase.values)


def _sentence(error: ValidationError) -> Phrase:
    """Say what is wrong in our own words, short even where the value is very long."""
    instance: Any = error.instance
    rule: Any = error.validator_value
    known: Any = error.schema
    match error.validator:
        case "required":
            missing = tuple(name for name in rule if name not in instance)
            return Phrase("missing here: {names}", {"names": missing})
        case "additionalProperties":
            unknown = [shorten(name) for name in instance if name not in known["properties"]]
            names = {"names": tuple(unknown[:5])}
            if "extra" not in known["properties"]:
                return Phrase("not known here: {names}", names)
            return Phrase("not known here: {names}; own data belongs under extra", names)
        case "type":
            wanted = rule if isinstance(rule, str) else " | ".join(rule)
            values = {"value": _shown(instance), "type": wanted}
            return Phrase("{value} must be of type {type}", values)
        case "enum":
            values = {"value": _shown(instance), "known": ", ".join(map(json.dumps, rule))}
            return Phrase("{value} must be one of {known}", values)
        case "const":
            values = {"value": _shown(instance), "known": json.dumps(rule)}
            return Phrase("{value} must be {known}", values)
        case _:
            values = {"value": _shown(instance), "rule": f"{error.validator} {rule}"}
            return Phrase("{value} goes against {rule}", values)


def _shown(value: object) -> str | Phrase:
    if isinstance(value, dict | list):
        return Phrase("an object") if isinstance(value, dict) else Phrase("a list")
    return shorten(value) if isinstance(value, str) else json.dumps(value)[:60]
