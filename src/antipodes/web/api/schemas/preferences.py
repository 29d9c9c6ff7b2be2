"""Shapes of how somebody wants to be told, and of absences."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from antipodes.web.api.schemas.base import Milliseconds, Shape, Wanted

KindName = Literal[
    "your-turn",
    "match-began",
    "match-ended",
    "invited",
    "offer",
    "chat",
    "reminder",
    "flag-fell",
    "followed-plays",
    "moderation",
    "mail-fails",
]
ChannelName = Literal["page", "push", "mail"]
FrequencyName = Literal["each", "hourly", "daily", "reminders", "never"]

_Hour = Annotated[int, Field(ge=0, le=23, description="of the daily mail, in the time zone")]
_Zone = Annotated[str, Field(max_length=64, description="time zone, such as Europe/Rome")]
_Language = Annotated[
    str, Field(max_length=12, description="of mail; empty for that in which one reads the site")
]
_Reminders = Annotated[
    list[Annotated[int, Field(ge=0, le=72)]],
    Field(max_length=8, description="hours before one's time ends; 0 for a tenth of the time"),
]


class ChoicesShape(Shape):
    """By which ways one is told, and how often by mail."""

    ways: dict[KindName, list[ChannelName]]
    frequency: FrequencyName
    hour: _Hour
    zone: _Zone
    language: _Language
    reminders: _Reminders


class ChoicesChange(Wanted):
    """What shall be different; what is left out stays as it is, kinds of news too."""

    ways: dict[KindName, Annotated[list[ChannelName], Field(max_length=3)]] | None = None
    frequency: FrequencyName | None = None
    hour: _Hour | None = None
    zone: _Zone | None = None
    language: _Language | None = None
    reminders: _Reminders | None = None


class AwayShape(Shape):
    """Whether one is away."""

    until: Milliseconds | None = Field(description="null if one is here")


class AwayWanted(Wanted):
    """The last day on which one is away."""

    until: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", description="such as 2030-12-31")]
