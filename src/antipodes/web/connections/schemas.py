"""Schemas of the answers to commands."""

from __future__ import annotations

from typing import Literal, TypeAlias

from typing_extensions import TypedDict

from antipodes.web.platform.schemas import closed


@closed
class DoneMessage(TypedDict):
    """A command had effect."""

    type: Literal["done"]
    key: str


@closed
class RefusedMessage(TypedDict):
    """A command was refused; nothing has changed."""

    type: Literal["refused"]
    key: str | None
    code: str
    message: str


@closed
class LaterMessage(TypedDict):
    """The disk is full or fails, so a command was not stored; repeat it later with its key."""

    type: Literal["later"]
    key: str | None
    code: str
    message: str


AnswerMessage: TypeAlias = DoneMessage | RefusedMessage | LaterMessage
