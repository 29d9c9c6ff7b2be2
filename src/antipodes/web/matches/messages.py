"""WebSocket messages of clients: their schemas, and the commands that they mean."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, TypeAdapter, model_validator

from antipodes.errors import Fault, MatchError
from antipodes.match import (
    Abort,
    Accept,
    CancelResignation,
    ClaimDraw,
    ClaimFlag,
    ClaimWin,
    Command,
    ConditionalMoves,
    Decline,
    EndVacation,
    Match,
    MoveSource,
    Offer,
    OfferKind,
    Play,
    QueueResignation,
    Resign,
    Resume,
    SetConditionalMoves,
    StartVacation,
)
from antipodes.web.matches.snapshots import MatchSnapshot
from antipodes.web.platform.schemas import MAX_INTEGER, ByValue, RequestSchema, read_as

CODE = "match/message"  # of the faults of messages

Key = Annotated[
    str,
    Field(
        min_length=8,
        max_length=64,
        description="idempotency key, different for each command; a repeated one has no effect",
    ),
]
CommandSeat = Annotated[
    int, Field(ge=0, le=MAX_INTEGER, description="your seat; optional if you have only one")
]
Ply = Annotated[
    int,
    Field(
        ge=0,
        le=MAX_INTEGER,
        description="how many moves the match had; with another number the command is stale",
    ),
]
Answer = Literal["offer", "accept", "decline"]
PlainCommand = Literal[
    "resign", "abort", "claim-flag", "claim-win", "claim-draw", "resume", "vacation", "back"
]

_PLAIN: dict[PlainCommand, type[Command]] = {
    "resign": Resign,
    "abort": Abort,
    "claim-flag": ClaimFlag,
    "claim-win": ClaimWin,
    "claim-draw": ClaimDraw,
    "resume": Resume,
    "vacation": StartVacation,
    "back": EndVacation,
}
_OFFERS: dict[Answer, type[Offer | Accept | Decline]] = {
    "offer": Offer,
    "accept": Accept,
    "decline": Decline,
}


class MoveFields(RequestSchema):
    """A move, either as its number or in the game's notation."""

    move: Annotated[int, Field(ge=0, le=MAX_INTEGER)] | None = None
    text: Annotated[str, Field(min_length=1, max_length=200)] | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> MoveFields:
        if (self.move is None) == (self.text is None):
            raise ValueError("send either move or text")
        return self


class ConditionalMoveIn(RequestSchema):
    """A move of the opponent or the answer to it, with the moves that follow."""

    move: Annotated[int, Field(ge=-1, le=MAX_INTEGER, description="-1 stands for any other move")]
    then: list[ConditionalMoveIn] = []


class ConditionalMovesFields(RequestSchema):
    """Conditional moves that replace the present ones; an empty list removes them."""

    moves: Annotated[list[ConditionalMoveIn], Field(max_length=500)]


class CommandMessage(RequestSchema):
    """The fields of every command."""

    seat: CommandSeat
    ply: Ply
    key: Key

    @property
    def common(self) -> dict[str, Any]:
        """The fields that every command of a match has."""
        return {"seat": self.seat, "ply": self.ply, "key": self.key}

    def command_in(self, match: Match) -> Command:
        """Return the command that the message means in a match."""
        raise NotImplementedError


class PlayMessage(MoveFields, CommandMessage):
    """Make a move, by its number or in the game's notation."""

    command: Literal["play"]

    def command_in(self, match: Match) -> Command:
        """Return the move.

        Raises:
            MoveError: the text cannot be parsed.
        """
        move = self.move
        if self.text is not None:
            # Notation for another position cannot be parsed in this one; the match refuses the
            # command as stale, or recognises its key as done.
            is_stale = self.ply != match.ply
            move = 0 if is_stale else match.position.parse_move(self.text)
        assert move is not None
        return Play(**self.common, move=move)


class PlainMessage(CommandMessage):
    """Resign, abort, end a pause, start or end a vacation, or claim an end.

    That is a win on time, or a win or a draw from an opponent who has left a live game.
    """

    command: PlainCommand

    def command_in(self, match: Match) -> Command:  # noqa: ARG002
        return _PLAIN[self.command](**self.common)


class OfferMessage(CommandMessage):
    """Make or accept an offer, or decline or withdraw it."""

    command: Answer
    kind: ByValue[OfferKind]

    def command_in(self, match: Match) -> Command:
        """Return the offer or the answer; declining a pause that has begun ends it."""
        if self.command == "decline" and self.kind is OfferKind.PAUSE and match.clock.paused:
            return Resume(**self.common)
        return _OFFERS[self.command](**self.common, kind=self.kind)


class QueueMessage(CommandMessage):
    """Resign when it is your turn, or cancel that."""

    command: Literal["queue-resignation"]
    on: bool = True

    def command_in(self, match: Match) -> Command:  # noqa: ARG002
        return (QueueResignation if self.on else CancelResignation)(**self.common)


class ConditionalMovesMessage(ConditionalMovesFields, CommandMessage):
    """Set your conditional moves: a tree of moves and their answers."""

    command: Literal["conditional-moves"]

    def command_in(self, match: Match) -> Command:  # noqa: ARG002
        """Return the moves.

        Raises:
            InvalidRecordError: they are too many or too deep, or one is twice in a place.
        """
        branches = [branch.model_dump() for branch in self.moves]
        return SetConditionalMoves(**self.common, moves=ConditionalMoves.read(branches))


class PageEngineMessage(CommandMessage):
    """Say whether your page makes the computer's moves in this casual match against it alone.

    A move that does not come within 10 seconds is made by the server.
    """

    command: Literal["page-engine"]
    on: bool


class ComputerMoveMessage(CommandMessage):
    """Make the move of the computer, on its seat, that the engine in your page has found."""

    command: Literal["computer-move"]
    seat: Annotated[int, Field(ge=0, le=MAX_INTEGER, description="the computer's seat")]
    move: Annotated[int, Field(ge=0, le=MAX_INTEGER)]

    def command_in(self, match: Match) -> Play:  # noqa: ARG002
        """Return the move."""
        return Play(**self.common, move=self.move, source=MoveSource.DEVICE)


class SayMessage(RequestSchema):
    """Send a chat message."""

    command: Literal["chat"]
    key: Key
    text: str
    room: Literal["seated", "spectators"] | None = None
    seat: int | None = None
    ply: int | None = None


ClientMessage: TypeAlias = (
    PlayMessage
    | PlainMessage
    | OfferMessage
    | QueueMessage
    | ConditionalMovesMessage
    | PageEngineMessage
    | ComputerMoveMessage
    | SayMessage
)
CLIENT_MESSAGE: TypeAdapter[ClientMessage] = TypeAdapter(
    Annotated[ClientMessage, Field(discriminator="command")]
)
SAY_MESSAGE = TypeAdapter(SayMessage)


def read_message(data: object) -> ClientMessage:
    """Return a message that a client sent to a match.

    Raises:
        InputError: the message is invalid.
    """
    return read_as(CLIENT_MESSAGE, data, CODE)


def command_of(message: CommandMessage, snapshot: MatchSnapshot, user: int | None) -> Command:
    """Return the command that a user's message means.

    Raises:
        InputError: the seat is not the user's, or `command_in` refuses the message.
    """
    if message.seat not in snapshot.seats_of(user):
        fault = Fault.of("match/not-your-seat", "seat {seat} is not yours", seat=message.seat)
        raise MatchError([fault])
    return message.command_in(snapshot.match)
