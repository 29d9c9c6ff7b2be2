"""Schemas of the lines of the event stream."""

from __future__ import annotations

from typing import Literal

from antipodes.web.api.schemas.challenges import ChallengeOut
from antipodes.web.api.schemas.matches import MatchSummaryOut
from antipodes.web.api.schemas.notifications import NotificationOut
from antipodes.web.platform.schemas import ResponseSchema, Slug, Whole


class MatchEvent(ResponseSchema):
    """A match is in progress, it is your turn, or the match has ended."""

    type: Literal["match", "your-turn", "match-ended"]
    match: MatchSummaryOut


class ChallengeEvent(ResponseSchema):
    """A challenge that you have made, joined or are invited to; again after each change."""

    type: Literal["challenge"]
    challenge: ChallengeOut


class ChallengeGoneEvent(ResponseSchema):
    """A challenge has started, or was cancelled or declined."""

    type: Literal["challenge-gone"]
    slug: Slug


class NotificationEvent(ResponseSchema):
    """A notification, new or still unread."""

    type: Literal["notice"]
    notice: NotificationOut


class NotificationSeenEvent(ResponseSchema):
    """You have read a notification, here or elsewhere."""

    type: Literal["notice-seen"]
    id: Whole


class StatusEvent(ResponseSchema):
    """The current state is complete (``ready``), or a heartbeat (``alive``)."""

    type: Literal["ready", "alive"]


class EndedEvent(ResponseSchema):
    """The last line: the token was revoked or has expired, or the account was closed."""

    type: Literal["ended"]
    code: str
    message: str


Event = (
    MatchEvent
    | ChallengeEvent
    | ChallengeGoneEvent
    | NotificationEvent
    | NotificationSeenEvent
    | StatusEvent
    | EndedEvent
)
