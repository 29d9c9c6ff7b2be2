"""The TypeScript declarations of what scripts and site tell each other: `tools/wire.d.ts`.

They come from the schemas of the site, as the API's documentation does.
Run ``python -m tools.declarations`` to write the file again.
"""

from __future__ import annotations

import json
import os
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("wire.d.ts")
_HEADER = "// Written by tools/declarations.py from the schemas of the site.\n\n"
_PLAIN = {
    "integer": "number",
    "number": "number",
    "string": "string",
    "boolean": "boolean",
    "null": "null",
}

Schema = Mapping[str, Any]


def declarations() -> str:
    """Return the text of the file."""
    from antipodes.web.api.socket_schemas import definitions  # noqa: PLC0415 - needs Django

    schemas = definitions()
    body = "\n".join(_declaration(name, schema) for name, schema in sorted(schemas.items()))
    return f'{_HEADER}declare module "wire" {{\n{textwrap.indent(body, "  ")}}}\n'


def _declaration(name: str, schema: Schema) -> str:
    head = _comment(schema)
    if "properties" not in schema:
        return f"{head}export type {name} = {type_of(schema)};\n"
    return f"{head}export interface {name} {{\n{textwrap.indent(_fields(schema), '  ')}}}\n"


def _fields(schema: Schema) -> str:
    """Return the properties of an object, one on a line."""
    required = schema.get("required", ())
    return "".join(
        f"{_comment(field)}{name}{'' if name in required else '?'}: {type_of(field)};\n"
        for name, field in schema["properties"].items()
    )


def _comment(schema: Schema) -> str:
    lines = textwrap.wrap(" ".join(schema.get("description", "").split()), 90)
    if len(lines) < 2:
        return "".join(f"/** {line} */\n" for line in lines)
    return "/**\n" + "".join(f" * {line}\n" for line in lines) + " */\n"


def type_of(schema: Schema) -> str:
    """Return the type of what a JSON Schema describes."""
    return " | ".join(dict.fromkeys(_choices(schema)))


def _choices(schema: Schema) -> Iterator[str]:
    """Yield the types of which a value has one."""
    if "$ref" in schema:
        yield schema["$ref"].rpartition("/")[2]
    elif "const" in schema:
        yield json.dumps(schema["const"])
    elif "enum" in schema:
        yield from map(json.dumps, schema["enum"])
    elif choices := schema.get("anyOf") or schema.get("oneOf"):
        for choice in choices:
            yield from _choices(choice)
    elif "prefixItems" in schema:
        items = [type_of(item) for item in schema["prefixItems"]]
        least = schema.get("minItems", len(items))
        yield f"[{', '.join([*items[:least], *(f'{item}?' for item in items[least:])])}]"
    elif schema.get("type") == "array":
        item = type_of(schema.get("items", {}))
        yield f"({item})[]" if " | " in item else f"{item}[]"
    elif schema.get("type") == "object":
        yield _record(schema)
    else:
        yield _PLAIN.get(schema.get("type", ""), "any")


def _record(schema: Schema) -> str:
    values = schema.get("additionalProperties", True)
    value = "any" if isinstance(values, bool) else type_of(values)
    if "propertyNames" in schema:
        return f"Partial<Record<{type_of(schema['propertyNames'])}, {value}>>"
    return f"Record<string, {value}>"


def main() -> None:
    """Write the file."""
    import django  # noqa: PLC0415

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.web.settings")
    django.setup()
    FILE.write_text(declarations(), encoding="utf-8")


if __name__ == "__main__":
    main()
