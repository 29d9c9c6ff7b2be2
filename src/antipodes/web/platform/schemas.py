"""Base classes and types of the schemas of what clients send and receive, and their faults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    Strict,
    TypeAdapter,
    ValidationError,
    with_config,
)
from pydantic.alias_generators import to_camel

from antipodes.errors import Fault, InputError
from antipodes.notation.text import shorten

T = TypeVar("T")
_ANY: TypeAdapter[Any] = TypeAdapter(Any)
_MOST_FAULTS = 20  # told of a message; one of 64 kB can have thousands

MAX_INTEGER = 2**53 - 1  # JavaScript represents integers exactly up to here

ByValue = Annotated[T, Strict(False)]  # a member of an enumeration in a request

Milliseconds = Annotated[
    int, Field(ge=0, le=MAX_INTEGER, description="milliseconds since 1970, or a duration")
]
Whole = Annotated[int, Field(ge=0, le=MAX_INTEGER)]
SLUG = r"^[A-Za-z0-9_-]{1,16}$"
Slug = Annotated[str, Field(pattern=SLUG, description="the identifier in addresses")]
Name = Annotated[str, Field(min_length=1, max_length=150, description="a username")]


# Of a typed dictionary: an object in a response that has no other keys. The site makes it as a
# dictionary, since it is made for each move; mypy checks that it has this form.
closed = with_config(ConfigDict(extra="forbid"))


def about(text: str) -> Any:
    """Return the description of a field of a typed dictionary."""
    return Field(description=text)


class ResponseSchema(BaseModel):
    """An object in a response, with names in camel case."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


class RequestSchema(BaseModel):
    """An object in a request; unknown fields and numbers in strings are errors."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=False, extra="forbid", strict=True
    )


class FaultOut(ResponseSchema):
    """One fault of a request.

    The documentation lists the codes, which are stable; messages may be improved.
    """

    code: str
    message: str
    where: str = ""


class Problem(ResponseSchema):
    """An error response: code and message of the first fault, and all faults."""

    code: str
    message: str
    faults: list[FaultOut]


def json_of(data: object) -> str:
    """Return data for a client as JSON, in a quarter of the time of Python's own encoder."""
    return _ANY.dump_json(data).decode()


def read_as(schema: TypeAdapter[T], data: object, code: str) -> T:
    """Return what a client sent, once it has the form of a schema.

    Args:
        schema: that of the message.
        data: the message, read from JSON.
        code: that of the faults.

    Raises:
        InputError: it has another form.
    """
    try:
        return schema.validate_python(data)
    except ValidationError as error:
        if (count := error.error_count()) > _MOST_FAULTS:
            fault = Fault.of(code, "{count} parts of the message are wrong", count=count)
            raise InputError([fault]) from None
        faults = [fault_of(wrong, wrong["loc"], code) for wrong in error.errors(include_url=False)]
        raise InputError(faults) from None


def fault_of(error: Mapping[str, Any], path: Sequence[object], code: str) -> Fault:
    """Return the fault for an error of pydantic, which shows the wrong value.

    Args:
        error: the error.
        path: the steps to the wrong value.
        code: that of the fault.
    """
    where = ".".join(map(str, path))
    words, given = error["msg"].removeprefix("Value error, "), error["input"]
    message = f"{where}: {words}" if where else words
    if not isinstance(given, dict | list):
        message += f" (given: {shorten(given) if isinstance(given, str) else given})"
    return Fault(code, message, where)
