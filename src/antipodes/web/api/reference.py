"""The reference of the interface for programs: as OpenAPI, and as a page made from it."""

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

from antipodes.web.api.api import document
from antipodes.web.api.socket_schemas import socket_schemas

_KEPT = "public, max-age=300"


@require_safe
def openapi(request: HttpRequest) -> HttpResponseBase:
    """Return the document of OpenAPI."""
    return _published(request, _openapi_text())


@require_safe
def sockets(request: HttpRequest) -> HttpResponseBase:
    """Return the schemas of the messages of sockets."""
    return _published(request, _sockets_text())


@cache
def _openapi_text() -> str:
    return json.dumps(document())


@cache
def _sockets_text() -> str:
    return json.dumps(socket_schemas())


def _published(request: HttpRequest, text: str) -> HttpResponseBase:
    etag = f'"{hashlib.sha256(text.encode()).hexdigest()[:16]}"'
    answer = get_conditional_response(request, etag=etag)
    if answer is None:
        answer = HttpResponse(text, content_type="application/json")
        answer.headers["ETag"] = etag
    answer.headers["Cache-Control"] = _KEPT
    # Tools of other sites may read it; there is nothing private in it.
    answer.headers["Access-Control-Allow-Origin"] = "*"
    return answer


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show everything that programs can ask, for people."""
    context = {
        "operations": _operations(translation.get_language()),
        "info": document()["info"],
    }
    return render(request, "api/reference.html", context)


_making = Lock()


def _operations(language: str) -> SafeString:
    """Return the part of the page that lists all operations; it is made once for each language."""
    with _making:
        return _operations_in(language)


@cache
def _operations_in(language: str) -> SafeString:
    with translation.override(language):
        return render_to_string("api/operations.html", {"groups": _groups()})


def _groups() -> list[dict[str, Any]]:
    """Return all operations by their kinds."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            shown = _operation(path, method, operation)
            groups.setdefault(operation["tags"][0], []).append(shown)
    return [{"name": name, "operations": some} for name, some in groups.items()]


def _operation(path: str, method: str, operation: dict[str, Any]) -> dict[str, Any]:
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
            {**one, "type": type_words(one["schema"])} for one in operation["parameters"]
        ],
        "body": body and _pretty(body["schema"]),
        "answers": [
            {
                "status": status,
                "words": answer["description"],
                "media": next(iter(answer.get("content", {})), ""),
                "type": _answer_type(answer),
                "schema": _answer_schema(answer) if int(status) < 300 else "",
            }
            for status, answer in operation["responses"].items()
        ],
    }


def _schema_of(answer: dict[str, Any]) -> dict[str, Any]:
    for content in answer.get("content", {}).values():
        found: dict[str, Any] = content.get("schema", {})
        return found
    return {}


def _answer_type(answer: dict[str, Any]) -> str:
    schema = _schema_of(answer)
    return type_words(schema) if schema else ""


def _answer_schema(answer: dict[str, Any]) -> str:
    schema = _schema_of(answer)
    return _pretty(schema) if schema else ""


def type_words(schema: dict[str, Any]) -> str:
    """Say a type of JSON Schema in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "anyOf" in schema:
        return " or ".join(type_words(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(str(one) for one in schema["enum"])
    if "const" in schema:
        return str(schema["const"])
    if schema.get("type") == "array":
        return f"list of {type_words(schema.get('items', {}))}"
    return str(schema.get("type", "anything"))


def _pretty(schema: dict[str, Any]) -> str:
    """Return a schema as indented JSON, with the shapes that it names written out once."""
    shapes = document()["components"]["schemas"]
    name = str(schema.get("$ref", schema.get("items", {}).get("$ref", ""))).rsplit("/", 1)[-1]
    return json.dumps(shapes.get(name, schema), indent=2)
