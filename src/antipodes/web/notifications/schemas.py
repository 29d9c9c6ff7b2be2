"""Schemas of the messages of a page's notification socket."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict

from antipodes.web.platform.schemas import Slug, Whole, about, closed


@closed
class BellMessage(TypedDict):
    """The number of unread notifications, on connection and after each change."""

    type: Literal["bell"]
    unseen: Whole
    words: NotRequired[Annotated[str, about("of the latest notification")]]
    address: NotRequired[Annotated[str, about("of the latest notification")]]


@closed
class BeginningOut(TypedDict):
    """A live game of the user that begins."""

    slug: Slug
    words: str
    after: Annotated[str | None, about("the game of which it is the rematch")]


@closed
class BeganMessage(BeginningOut):
    """A live game of the user begins; also told to pages opened within its first seconds."""

    type: Literal["began"]


@closed
class LookingMessage(TypedDict):
    """The match that is visible, sent at least once a minute; null when it no longer is."""

    looking: str | None


@closed
class PushOut(TypedDict):
    """The data of a push message; one replaces another of its tag on a device."""

    title: str
    body: str
    url: str
    tag: str


Notice: TypeAlias = BellMessage | BeganMessage
