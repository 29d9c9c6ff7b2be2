"""Base classes and types that all schemas share."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

MAX_INTEGER = 2**53 - 1  # JavaScript represents integers exactly up to here

Milliseconds = Annotated[
    int, Field(ge=0, le=MAX_INTEGER, description="milliseconds since 1970, or a duration")
]
Whole = Annotated[int, Field(ge=0, le=MAX_INTEGER)]
Slug = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9_-]{1,16}$", description="the identifier in addresses")
]
Name = Annotated[str, Field(min_length=1, max_length=150, description="a username")]


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
