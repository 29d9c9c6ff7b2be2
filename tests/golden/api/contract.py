"""The API as programs know it: operations, parameters, limits, defaults and fields, without texts.

Run ``DJANGO_SETTINGS_MODULE=tests.web.settings python -m tests.golden.api.contract`` to write the
file again, and read the difference: programs depend on it.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("contract.txt")
TEXTS = {"title", "description", "summary", "examples"}

Schema = Mapping[str, Any]


def contract() -> str:
    """Return the OpenAPI document and the schemas of sockets as lines."""
    from antipodes.web.api.api import openapi_document
    from antipodes.web.api.socket_schemas import socket_schemas

    document = openapi_document()
    found = [
        line
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        for line in lines_of_operation(f"{method.upper()} {path}", operation)
    ]
    for name, schema in document["components"]["schemas"].items():
        found += lines_of_schema(name, schema)
    sockets = socket_schemas()
    for socket in [name for name in sockets if isinstance(sockets[name], dict)]:
        for direction in sorted(sockets[socket].keys() - {"address"}):
            found += lines_of_schema(f"{socket} {direction}", sockets[socket][direction])
    return "".join(f"{line}\n" for line in found)


def lines_of_operation(name: str, operation: Schema) -> Iterator[str]:
    """Yield lines about parameters, body and responses of an operation."""
    yield f"{name} {operation['operationId']}, {json.dumps(operation['security'])}"
    for one in operation["parameters"]:
        yield f"    {one['in']} {one['name']}{mark(one['required'])}: {brief(one['schema'])}"
    if "requestBody" in operation:
        body = operation["requestBody"]
        yield f"    body{mark(body['required'])}: {brief_content(body['content'])}"
    responses: dict[str, list[str]] = {}
    for status, one in operation["responses"].items():
        responses.setdefault(brief_content(one.get("content", {})), []).append(str(status))
    for content, statuses in responses.items():
        yield f"    {' '.join(statuses)}: {content or 'nothing'}"


def lines_of_schema(name: str, schema: Schema) -> Iterator[str]:
    """Yield a line for each field of a schema, and of the schemas in it."""
    rest = {key: one for key, one in schema.items() if key not in ("properties", "$defs")}
    required = rest.pop("required", ())
    yield f"{name} {brief(rest)}"
    for field, one in schema.get("properties", {}).items():
        yield f"    {field}{mark(field in required)}: {brief(one)}"
    for one_name, one in schema.get("$defs", {}).items():
        yield from lines_of_schema(f"{name} {one_name}", one)


def mark(is_required: bool) -> str:
    """Return a mark for what may be left out."""
    return "" if is_required else "?"


def brief_content(content: Schema) -> str:
    """Return media types with their schemas."""
    return ", ".join(f"{media} {brief(one.get('schema', {}))}" for media, one in content.items())


def brief(schema: Schema) -> str:
    """Return a schema in one line."""
    rest = {key: one for key, one in schema.items() if key not in TEXTS}
    default = f" = {json.dumps(rest.pop('default'))}" if "default" in rest else ""
    kinds = [
        " | ".join(brief(one) for one in rest.pop(key))
        for key in ("anyOf", "oneOf", "allOf")
        if key in rest
    ]
    if "$ref" in rest:
        kinds.append(rest.pop("$ref").rpartition("/")[2])
    if "enum" in rest:
        kinds.append("|".join(map(str, rest.pop("enum"))))
    if "items" in rest:
        kinds.append(f"[{brief(rest.pop('items'))}]")
    if "prefixItems" in rest:
        kinds.append(f"({', '.join(brief(one) for one in rest.pop('prefixItems'))})")
        rest = {key: one for key, one in rest.items() if key not in ("minItems", "maxItems")}
    if "properties" in rest:
        fields = rest.pop("properties").items()
        kinds.append("{" + ", ".join(f"{name}: {brief(one)}" for name, one in fields) + "}")
    if not kinds and "type" in rest:
        kinds.append(str(rest["type"]))
    rest.pop("type", None)
    limits = [
        f"{key}={one if not isinstance(one, dict) else brief(one)}" for key, one in rest.items()
    ]
    return " ".join([*kinds, *limits]) + default


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.web.settings")
    django.setup()
    FILE.write_text(contract(), encoding="utf-8")
