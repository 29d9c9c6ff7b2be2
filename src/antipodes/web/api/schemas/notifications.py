"""Schemas of notifications, their settings, and absence."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from antipodes.web.notifications.kinds import Channel, Frequency, NotificationKind
from antipodes.web.notifications.preferences import REMINDERS
from antipodes.web.platform.schemas import (
    MAX_INTEGER,
    ByValue,
    Milliseconds,
    RequestSchema,
    ResponseSchema,
    Whole,
)

_Hour = Annotated[int, Field(ge=0, le=23, description="of the daily mail, in the time zone")]
_Zone = Annotated[str, Field(max_length=64, description="time zone, such as Europe/Rome")]
_Language = Annotated[
    str, Field(max_length=12, description="of mail; empty for the language of the site's pages")
]
_Reminders = Annotated[
    list[Annotated[int, Field(ge=0, le=72)]],
    Field(
        max_length=len(REMINDERS),
        description="hours before your time ends; 0 for a tenth of the time",
    ),
]


class NotificationOut(ResponseSchema):
    """A notification."""

    id: Whole
    kind: str
    words: str
    path: str = Field(description="the page that it is about; may be empty")
    at: Milliseconds
    seen: bool


class NotificationsOut(ResponseSchema):
    """Notifications, the latest first, with the number of unread ones."""

    unseen: Whole
    notices: list[NotificationOut]


class MarkSeenIn(RequestSchema):
    """Notifications to mark as read; null for all."""

    ids: Annotated[
        list[Annotated[int, Field(ge=0, le=MAX_INTEGER)]] | None, Field(max_length=200)
    ] = None


class NotificationSettingsOut(ResponseSchema):
    """Notification settings: channels of each kind, and how often mail is sent."""

    ways: dict[NotificationKind, list[Channel]]
    frequency: Frequency
    hour: _Hour
    zone: _Zone
    language: _Language
    reminders: _Reminders


class NotificationSettingsPatch(RequestSchema):
    """Changes of the notification settings; omitted fields and kinds do not change."""

    ways: (
        dict[
            ByValue[NotificationKind],
            Annotated[list[ByValue[Channel]], Field(max_length=len(Channel))],
        ]
        | None
    ) = None
    frequency: ByValue[Frequency] | None = None
    hour: _Hour | None = None
    zone: _Zone | None = None
    language: _Language | None = None
    reminders: _Reminders | None = None


class AbsenceOut(ResponseSchema):
    """The end of your absence."""

    until: Milliseconds | None = Field(description="null if you are not away")


class AbsenceIn(RequestSchema):
    """The last day of your absence."""

    until: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", description="such as 2030-12-31")]
