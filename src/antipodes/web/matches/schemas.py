"""Schemas that the parts of matches share: options, seats, results, and messages of WebSockets.

The objects are typed dictionaries, with the names of their keys in JSON. From them come the API's
documentation, the published schemas of sockets, and the types of the site's scripts. Schemas of a
match are in `snapshots`, those of boards and moves in `presenters`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from antipodes.records import Reason
from antipodes.web.platform.schemas import Milliseconds, Whole, about, closed

OptionValue = int | str
Options = Annotated[
    dict[str, OptionValue],
    Field(max_length=30, description="options that differ from the defaults, by name"),
]
Seat = Annotated[int, Field(ge=0, le=3, description="a seat, from 0, in order of first turns")]
Seats = list[Seat]
Cell = Annotated[int, Field(ge=0)]
Pieces = Annotated[
    dict[int, str],
    about("the piece on each cell that is not empty, such as black, red/ or blue*"),
]

# How a match ended, in one match and in lists.
ResultText = Annotated[str | None, about("how it ended, as a sentence in your language")]
WinnerColor = Annotated[str | None, about("colour; null for a draw and where none has won")]
EndReason = Annotated[Reason | None, about("why it ended; null before the end")]
LoserColor = Annotated[str | None, about("colour that gave up where none of the others has won")]


@closed
class ChatMessageOut(TypedDict):
    """A chat message."""

    id: Whole
    room: Literal["seated", "spectators", "lobby", "tournament", "simul"]
    name: str
    text: str
    at: Milliseconds
    own: bool


@closed
class ChatMessage(TypedDict):
    """Chat messages: on connection all that you may read, then each new one."""

    type: Literal["chat"]
    lines: list[ChatMessageOut]


@closed
class HiddenMessage(TypedDict):
    """Moderators or the director of an event have deleted a chat message."""

    type: Literal["chat-hidden"]
    id: Whole


@closed
class WatchingMessage(TypedDict):
    """The number of spectators, and the seats whose players are present."""

    type: Literal["watching"]
    count: Whole
    seats: Seats


@closed
class LeftMessage(TypedDict):
    """A player has left a live game, or is back.

    If it is their turn, the opponent may claim the end `claimAfter` milliseconds after they left,
    or after their turn began, whichever was later. Players who return receive their own absence.
    """

    type: Literal["left"]
    seat: Seat
    at: Annotated[Whole | None, about("milliseconds since 1970; null if the player is back")]
    claimAfter: Whole


@closed
class ThinkingMessage(TypedDict):
    """The computer's progress, from 0 to 1, or why it has not started.

    `wait` is the approximate number of seconds until it starts, if it is busy in other matches.
    """

    type: Literal["thinking"]
    seat: Seat
    share: float
    wait: Whole
