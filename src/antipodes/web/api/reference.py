"""The API reference: the OpenAPI document, WebSocket schemas, and a page made from it."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from threading import Lock
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from antipodes.web.api.api import openapi_document
from antipodes.web.api.socket_schemas import socket_schemas

_CACHE_CONTROL = "public, max-age=300"


@require_safe
def openapi(request: HttpRequest) -> HttpResponseBase:
    """Return the OpenAPI document."""
    return _json_response(request, _openapi_text())


@require_safe
def sockets(request: HttpRequest) -> HttpResponseBase:
    """Return the schemas of WebSocket messages and events."""
    return _json_response(request, _sockets_text())


@cache
def _openapi_text() -> str:
    return json.dumps(openapi_document())


@cache
def _sockets_text() -> str:
    return json.dumps(socket_schemas())


def _json_response(request: HttpRequest, text: str) -> HttpResponseBase:
    etag = f'"{hashlib.sha256(text.encode()).hexdigest()[:16]}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        response = HttpResponse(text, content_type="application/json")
        response.headers["ETag"] = etag
    response.headers["Cache-Control"] = _CACHE_CONTROL
    # Public data, for tools on other sites.
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the reference of all operations."""
    context = {
        "operations": _operations(translation.get_language()),
        "info": openapi_document()["info"],
    }
    return render(request, "api/reference.html", context)


_lock = Lock()


def _operations(language: str) -> SafeString:
    """Return the list of all operations as HTML, rendered once for each language."""
    with _lock:
        return _rendered_operations(language)


@cache
def _rendered_operations(language: str) -> SafeString:
    with translation.override(language):
        return render_to_string("api/operations.html", {"groups": _groups()})


def _groups() -> list[dict[str, Any]]:
    """Return all operations for the template, grouped by tag."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, methods in openapi_document()["paths"].items():
        for method, operation in methods.items():
            context = _operation_context(path, method, operation)
            groups.setdefault(operation["tags"][0], []).append(context)
    return [{"name": name, "operations": operations} for name, operations in groups.items()]


def _operation_context(path: str, method: str, operation: dict[str, Any]) -> dict[str, Any]:
    summary, _end, more = operation.get("description", "").partition("\n\n")
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    return {
        "id": operation["operationId"],
        "path": path,
        "method": method.upper(),
        "summary": summary or operation["summary"],
        "more": " ".join(more.split()),
        "scope": operation.get("x-scope"),
        "parameters": [
            {**parameter, "type": type_label(parameter["schema"])}
            for parameter in operation["parameters"]
        ],
        "body": body and _pretty_json(body["schema"]),
        "responses": [
            _response_context(status, response)
            for status, response in operation["responses"].items()
        ],
    }


def _response_context(status: str | int, response: dict[str, Any]) -> dict[str, Any]:
    contents: dict[str, Any] = response.get("content", {})
    media_type = next(iter(contents), "")
    schema: dict[str, Any] = contents.get(media_type, {}).get("schema", {})
    return {
        "status": status,
        "description": response["description"],
        "media_type": media_type,
        "type": type_label(schema) if schema else "",
        "schema": _pretty_json(schema) if schema and int(status) < 300 else "",
    }


def type_label(schema: dict[str, Any]) -> str:
    """Return a short label for a type of JSON Schema."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if choices := schema.get("anyOf") or schema.get("allOf"):
        return " or ".join(type_label(choice) for choice in choices)
    if "enum" in schema:
        return " | ".join(str(one) for one in schema["enum"])
    if "const" in schema:
        return str(schema["const"])
    if schema.get("type") == "array":
        return f"list of {type_label(schema.get('items', {}))}"
    return str(schema.get("type", "anything"))


def _pretty_json(schema: dict[str, Any]) -> str:
    """Return a schema, or the component that it refers to, as indented JSON."""
    components = openapi_document()["components"]["schemas"]
    name = str(schema.get("$ref", schema.get("items", {}).get("$ref", ""))).rsplit("/", 1)[-1]
    return json.dumps(_with_values(components.get(name, schema)), indent=2)


def _with_values(schema: Any) -> Any:
    """Return a schema with the values of the enumerations that it refers to."""
    if isinstance(schema, list):
        return [_with_values(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    component = openapi_document()["components"]["schemas"].get(name, {})
    if "enum" in component:
        return {"enum": component["enum"]}
    return {key: _with_values(part) for key, part in schema.items()}
