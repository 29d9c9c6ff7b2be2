"""What all shapes of requests and answers share."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

FARTHEST = 2**53 - 1  # the largest whole number that every reader of JSON knows exactly

Milliseconds = Annotated[
    int, Field(ge=0, le=FARTHEST, description="milliseconds since 1970, or a duration in them")
]
Whole = Annotated[int, Field(ge=0, le=FARTHEST)]
Slug = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,16}$", description="the name in addresses")]
Name = Annotated[str, Field(min_length=1, max_length=150, description="the name of a user")]


class Shape(BaseModel):
    """An object of an answer, with names as JavaScript writes them."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


class Wanted(BaseModel):
    """An object of a request: nothing that is unknown in it, and no text for numbers."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=False, extra="forbid", strict=True
    )


class FaultShape(Shape):
    """One thing that is wrong.

    The codes are listed in the documentation and stay the same; messages may be improved.
    """

    code: str
    message: str
    where: str = ""


class Problem(Shape):
    """Every answer that is not the wanted one: code and message of the first fault, and all."""

    code: str
    message: str
    faults: list[FaultShape]
