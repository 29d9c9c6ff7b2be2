"""Schemas of the messages of a tournament's WebSocket."""

from __future__ import annotations

from typing_extensions import TypedDict

from antipodes.web.platform.schemas import Whole, closed


@closed
class VersionMessage(TypedDict):
    """The version of the event, on connection and after each change."""

    version: Whole
