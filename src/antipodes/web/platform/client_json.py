"""JSON from clients: pages, sockets and the API read it here, and refuse the same texts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import HttpRequest
from django.http.request import RawPostDataException

from antipodes.errors import Fault, InputError, InvalidRecordError
from antipodes.records import json_text

LONGEST = 64 * 1024  # characters, or bytes, of a message


def read_object(text: str | bytes | None, code: str, *, most: int = LONGEST) -> dict[str, Any]:
    """Read the object that a client sent.

    Args:
        text: the message; ``None`` if it was not text.
        code: that of the faults.
        most: number of characters or bytes that it may have.

    Raises:
        InputError: it is no JSON that the site reads, or no object.
    """
    if text is None:
        raise InputError([Fault(code, "the message is not text")])
    if len(text) > most:
        message = "a message of {count} characters is too long"
        raise InputError([Fault.of(code, message, count=len(text))])
    data = read_json(text, code)
    if not isinstance(data, dict):
        kind = type(data).__name__
        raise InputError([Fault.of(code, "the message is a {kind}, not an object", kind=kind)])
    return data


def read_body(request: HttpRequest, code: str, *, most: int = LONGEST) -> dict[str, Any]:
    """Read the object that a page sent as the body of a request, as `read_object` does.

    Raises:
        InputError: it is a form, or `read_object` refuses it.
    """
    try:
        text = request.body
    except RawPostDataException:
        raise InputError([Fault(code, "the message is a form, not an object")]) from None
    return read_object(text, code, most=most)


def read_json(text: str | bytes, code: str) -> object:
    """Read JSON that a client sent, as `read_object` does, but with any data in it.

    Raises:
        InputError: it is no JSON that the site reads.
    """
    try:
        return json_text.parse(text)
    except InvalidRecordError as error:
        raise InputError([replace(fault, code=code) for fault in error.faults]) from None
