"""Commands as messages of JSON: read, checked, and bound to the seats of whoever sends them."""

from __future__ import annotations

import json
from typing import Any

from antipodes.errors import Fault, MatchError
from antipodes.match import (
    Abort,
    Accept,
    ClaimFlag,
    Command,
    Decline,
    MakePlan,
    Offer,
    OfferKind,
    Plan,
    Play,
    QueueResignation,
    Resign,
)
from antipodes.web.matches.models import SeatRow
from antipodes.web.people.models import User

_PLAIN = {"resign": Resign, "abort": Abort, "claim-flag": ClaimFlag}
_OFFERS = {"offer": Offer, "accept": Accept, "decline": Decline}


def bad_message(message: str) -> MatchError:
    """Return the error for what is no command."""
    return MatchError([Fault("match/message", message)])


def key_of(text: str) -> str | None:
    """Return the key of a message, if it has one that can be read."""
    try:
        key = json.loads(text)["key"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return key if isinstance(key, str) else None


def read_command(text: str, slug: str, user: User | None) -> Command:
    """Read a command that a user sends to a match.

    Raises:
        MatchError: it is no command, or the user does not sit on the seat that it is for.
    """
    data = _object(text)
    kind = data.get("command")
    common: dict[str, Any] = {
        "seat": _whole(data, "seat"),
        "ply": _whole(data, "ply"),
        "key": _key(data),
    }
    _check_seat(slug, user, common["seat"])
    if kind in _PLAIN:
        return _PLAIN[kind](**common)
    if kind in _OFFERS:
        return _OFFERS[kind](**common, kind=_offer(data))
    if kind == "play":
        return Play(**common, move=_whole(data, "move"))
    if kind == "queue-resignation":
        return QueueResignation(**common, on=bool(data.get("on", True)))
    if kind == "plan":
        return MakePlan(**common, plan=Plan.read(data.get("plan")))
    raise bad_message(f"{kind!r} is not a command")


def _object(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise bad_message("the message is not JSON") from None
    if not isinstance(data, dict):
        raise bad_message("the message is not an object")
    return data


def _whole(data: dict[str, Any], name: str) -> int:
    value = data.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**53:
        raise bad_message(f"{name} is {value!r}, but must be a whole number")
    return value


def _key(data: dict[str, Any]) -> str:
    key = data.get("key")
    if not isinstance(key, str) or not 8 <= len(key) <= 64:
        raise bad_message("a command needs a key of 8 to 64 characters")
    return key


def _offer(data: dict[str, Any]) -> OfferKind:
    try:
        return OfferKind(str(data.get("kind")))
    except ValueError:
        raise bad_message(f"{data.get('kind')!r} is nothing to offer") from None


def _check_seat(slug: str, user: User | None, seat: int) -> None:
    own = SeatRow.objects.filter(match__slug=slug, number=seat, user=user)
    if user is None or not own.exists():
        raise MatchError([Fault("match/not-your-seat", f"seat {seat} is not yours")])
