"""Lines of the stream of one's own events."""

from __future__ import annotations

from typing import Literal

from antipodes.web.api.schemas.base import Shape, Slug, Whole
from antipodes.web.api.schemas.challenges import ChallengeShape
from antipodes.web.api.schemas.community import NoticeShape
from antipodes.web.api.schemas.matches import MatchLineShape


class MatchEvent(Shape):
    """A match goes on, or has begun; it is one's turn; or it is over."""

    type: Literal["match", "your-turn", "match-ended"]
    match: MatchLineShape


class ChallengeEvent(Shape):
    """A challenge that one has made, joined or is invited to: as it stands, after each change."""

    type: Literal["challenge"]
    challenge: ChallengeShape


class ChallengeGoneEvent(Shape):
    """A challenge has begun, or was taken back or declined."""

    type: Literal["challenge-gone"]
    slug: Slug


class NoticeEvent(Shape):
    """One is told something, or was told it and has not seen it."""

    type: Literal["notice"]
    notice: NoticeShape


class NoticeSeenEvent(Shape):
    """One has seen a notice, here or elsewhere."""

    type: Literal["notice-seen"]
    id: Whole


class PlainEvent(Shape):
    """All that there was has been told; or there is nothing to tell."""

    type: Literal["ready", "alive"]


class EndedEvent(Shape):
    """The token was revoked or has expired, or the account was closed: the last line."""

    type: Literal["ended"]
    code: str
    message: str


Event = (
    MatchEvent
    | ChallengeEvent
    | ChallengeGoneEvent
    | NoticeEvent
    | NoticeSeenEvent
    | PlainEvent
    | EndedEvent
)
