"""Parse clients' JSON messages into commands, and check them against the sender's seats."""

from __future__ import annotations

from typing import Any

from antipodes.errors import Fault, InputError, MatchError
from antipodes.match import (
    Abort,
    Accept,
    CancelResignation,
    ClaimFlag,
    Command,
    ConditionalMoves,
    Decline,
    EndVacation,
    Offer,
    OfferKind,
    Play,
    QueueResignation,
    Resign,
    Resume,
    SetConditionalMoves,
    StartVacation,
)
from antipodes.notation.text import shorten
from antipodes.web.matches.snapshots import MatchSnapshot
from antipodes.web.platform.client_json import read_object

_CODE = "match/message"

_PLAIN: dict[object, type[Command]] = {
    "resign": Resign,
    "abort": Abort,
    "claim-flag": ClaimFlag,
    "resume": Resume,
    "vacation": StartVacation,
    "back": EndVacation,
}
_OFFERS: dict[object, type[Offer | Accept | Decline]] = {
    "offer": Offer,
    "accept": Accept,
    "decline": Decline,
}


def bad_message(message: str) -> MatchError:
    """Return the error for an invalid message."""
    return MatchError([Fault(_CODE, message)])


def key_of(text: str) -> str | None:
    """Return the key of a message, or ``None`` if it has none that can be read."""
    try:
        key = read_object(text, _CODE).get("key")
    except InputError:
        return None
    return key if isinstance(key, str) else None


def read_message(text: str | None) -> dict[str, Any]:
    """Parse a client's message: an object with a command and a key.

    Raises:
        InputError: the message is invalid.
    """
    data = read_object(text, _CODE)
    _key(data)
    return data


def read_command(data: dict[str, Any], snapshot: MatchSnapshot, user: int | None) -> Command:
    """Return the command that a user's message means.

    Raises:
        MatchError: the command is unknown or malformed, or the seat is not the user's.
        MoveError: the text of a move cannot be parsed.
    """
    kind = data.get("command")
    common: dict[str, Any] = {
        "seat": _integer(data, "seat"),
        "ply": _integer(data, "ply"),
        "key": _key(data),
    }
    if common["seat"] not in snapshot.seats_of(user):
        seat = common["seat"]
        raise MatchError([Fault.of("match/not-your-seat", "seat {seat} is not yours", seat=seat)])
    if kind in _PLAIN:
        return _PLAIN[kind](**common)
    if kind in _OFFERS:
        offer = _offer(data)
        # Clients may end a pause in the same way in which they decline an offer.
        if kind == "decline" and offer is OfferKind.PAUSE and snapshot.match.clock.paused:
            return Resume(**common)
        return _OFFERS[kind](**common, kind=offer)
    if kind == "play":
        return Play(**common, move=_move(data, snapshot))
    if kind == "queue-resignation":
        queued = QueueResignation if data.get("on", True) else CancelResignation
        return queued(**common)
    if kind == "conditional-moves":
        return SetConditionalMoves(**common, moves=ConditionalMoves.read(data.get("moves")))
    raise bad_message(f"{_quoted(kind)} is not a command")


def _move(data: dict[str, Any], snapshot: MatchSnapshot) -> int:
    """Return a move given as a number or in notation."""
    if "text" not in data:
        return _integer(data, "move")
    text = data["text"]
    if not isinstance(text, str):
        raise bad_message("the text of a move must be text")
    # Notation for another position cannot be parsed in this one; the match refuses the command as
    # stale, or recognises its key as done.
    is_stale = data["ply"] != snapshot.match.ply
    return 0 if is_stale else int(snapshot.match.position.parse_move(text))


def _integer(data: dict[str, Any], name: str) -> int:
    value = data.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**53:
        raise bad_message(f"{name} is {_quoted(value)}, but must be a whole number")
    return value


def _quoted(value: object) -> str:
    return shorten(value) if isinstance(value, str) else f"{type(value).__name__} {value!r:.40}"


def _key(data: dict[str, Any]) -> str:
    key = data.get("key")
    if not isinstance(key, str) or not 8 <= len(key) <= 64:
        raise bad_message("a command needs a key of 8 to 64 characters")
    return key


def _offer(data: dict[str, Any]) -> OfferKind:
    try:
        return OfferKind(str(data.get("kind")))
    except ValueError:
        raise bad_message(f"{_quoted(data.get('kind'))} cannot be offered") from None
