"""The words of the library in the language of the page: the library itself speaks English.

Whatever the library says as data is listed here, so that the catalogues have it. What it says with
values in it, such as a refusal, carries the sentence and the values apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext

from antipodes.errors import Fault, InputError


def said(text: str) -> str:
    """Say a text of the library, such as the title of a game, in the language of the page."""
    return gettext(text) if text else ""


def fault_words(fault: Fault) -> str:
    """Say what is wrong in the language of the page; what has no translation stays English."""
    if not fault.template:
        return said(fault.message)
    values = {name: _value(value) for name, value in fault.values.items()}
    return said(fault.template).format_map(values)


def _value(value: object) -> object:
    """Return a value of a fault as it is said: what is a fault itself is said as one."""
    return fault_words(value) if isinstance(value, Fault) else value


def error_words(error: InputError) -> str:
    """Say all that is wrong, with the place of each fault."""
    return "; ".join(_placed(fault) for fault in error.faults)


def _placed(fault: Fault) -> str:
    words = fault_words(fault)
    if not fault.where or fault.message.startswith(fault.where):
        return words
    return f"{said(fault.where)}: {words}"


def library_texts() -> Iterator[tuple[str | None, str]]:
    """Return every text of the library that pages show, with a context where it needs one."""
    yield from ()
