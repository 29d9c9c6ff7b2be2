"""The types of kernels: numbers, arrays, groups of arrays and kernels as arguments.

Whole numbers are 64 bits wide in every expression, and signed if any operand is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from antipodes.games.kernels.registry import types_of


@dataclass(frozen=True)
class Number:
    """A number: ``letter`` is i, u, f or b (a truth value), ``size`` in bytes."""

    letter: str
    size: int

    @property
    def c(self) -> str:
        """The type in C."""
        if self.letter == "f":
            return "double" if self.size == 8 else "float"
        return f"{'uint' if self.letter in 'ub' else 'int'}{8 * self.size}_t"

    @property
    def name(self) -> str:
        """The type as signatures name it."""
        return f"{self.letter}{self.size}"


@dataclass(frozen=True)
class Array:
    """An array in C order."""

    element: Number
    dimensions: int

    @property
    def c(self) -> str:
        """The name of its struct in C."""
        return f"{self.element.name}_{self.dimensions}"


@dataclass(frozen=True)
class Group:
    """A named tuple of arrays and groups."""

    name: str
    fields: tuple[tuple[str, Array | Group], ...]

    @property
    def c(self) -> str:
        """The name of its struct in C."""
        return self.name


@dataclass(frozen=True)
class Kernel:
    """A kernel as an argument; the translation has a copy of the callee for each."""

    function: Callable[..., Any] | None = None


Kind: TypeAlias = Number | Array | Group | Kernel

BOOL = Number("b", 1)
INT = Number("i", 8)
UNSIGNED = Number("u", 8)
FLOAT = Number("f", 8)

_ARRAY = re.compile(r"([iuf])(\d)\[((?::, ?)*)::1\]")
_NUMBER = re.compile(r"([iuf])(\d)")


def read(text: Any) -> Kind:
    """Return the type that a signature or an annotation names.

    Raises:
        ValueError: there is no such type.
    """
    if not isinstance(text, str):
        fields = ((name, read(kind)) for name, kind in types_of(text).items())
        parts = tuple((name, kind) for name, kind in fields if isinstance(kind, Array | Group))
        return Group(f"{text.__module__.rpartition('.')[2]}_{text.__name__}", parts)
    text = text.strip()
    if text.startswith("FunctionType("):
        return Kernel()
    if match := _ARRAY.fullmatch(text):
        return Array(Number(match[1], int(match[2])), 1 + match[3].count(","))
    if match := _NUMBER.fullmatch(text):
        return Number(match[1], int(match[2]))
    raise ValueError(f"{text} is not a type of kernels")


def read_signature(function: Callable[..., Any], signature: str) -> tuple[list[Kind], Number]:
    """Return the types of a kernel's parameters and of its result."""
    if signature:
        result, _, inner = signature.partition("(")
        parts = [*_split(inner.removesuffix(")")), result]
    else:
        parts = list(types_of(function).values())
    *parameters, returned = map(read, parts)
    assert isinstance(returned, Number)
    return parameters, returned


def _split(text: str) -> list[str]:
    """Return what stands between the commas outside of all brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def widened(kind: Number) -> Number:
    """Return the type of a number in an expression."""
    if kind.letter == "f":
        return kind
    return UNSIGNED if kind.letter == "u" else INT


def arithmetic(one: Number, other: Number) -> Number:
    """Return the type of a sum, a difference or a product."""
    if "f" in (one.letter, other.letter):
        # A float of 4 bytes stays one only beside another.
        return one if one == other else FLOAT
    return UNSIGNED if one.letter == other.letter == "u" else INT


def common(one: Number, other: Number) -> Number | None:
    """Return the type of a variable that gets values of both types, or ``None``."""
    if one == other:
        return one
    if "f" in (one.letter, other.letter):
        return FLOAT
    letters = {one.letter, other.letter} - {"b"}
    if letters == {"i", "u"}:
        small = one if one.letter == "u" else other
        return INT if small.size < 8 else None
    return Number(letters.pop(), max(one.size, other.size))
