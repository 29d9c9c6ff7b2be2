"""Sentences about a match's events for e-mails; always in English."""

from __future__ import annotations

import json
from collections.abc import Sequence

from antipodes.match import (
    Agreed,
    ConditionalMovesDropped,
    ConditionalMovesSet,
    Declined,
    Ended,
    Event,
    Match,
    Moved,
    MoveSource,
    Offered,
    OfferKind,
    Paused,
    ResignationCancelled,
    ResignationQueued,
    Resumed,
    TakenBack,
    VacationEnded,
    VacationStarted,
    read_event,
)
from antipodes.records import Reason
from antipodes.web.matches.snapshots import MatchSnapshot

_OFFERED = {
    OfferKind.DRAW: "{who} offered a draw.",
    OfferKind.TAKEBACK: "{who} asked for a takeback (undo).",
    OfferKind.PAUSE: "{who} asked for a pause.",
    OfferKind.REMATCH: "{who} offered a rematch.",
}
_AGREED = {
    OfferKind.DRAW: "{who} accepted the draw.",
    OfferKind.TAKEBACK: "{who} accepted the takeback.",
    OfferKind.PAUSE: "{who} accepted the pause.",
    OfferKind.REMATCH: "{who} accepted the rematch.",
}
_DECLINED = {
    OfferKind.DRAW: "{who} declined the draw.",
    OfferKind.TAKEBACK: "{who} declined the takeback.",
    OfferKind.PAUSE: "{who} declined the pause.",
    OfferKind.REMATCH: "{who} declined the rematch.",
}
_PLAIN = {
    Paused: "The game is paused.",
    Resumed: "The game is resumed.",
    VacationStarted: "{who} {is_are} on vacation.",
    VacationEnded: "{who} {is_are} back.",
    ConditionalMovesDropped: "Your queued move was no longer legal, and was dropped.",
    ResignationQueued: "You resign when your turn comes; to cancel this, resign again.",
    ResignationCancelled: "You no longer resign when your turn comes.",
}
_ENDED = {
    Reason.RESIGNATION: "{who} resigned.",
    Reason.TIME: "{whose} ran out.",
    Reason.AGREEMENT: "The game is a draw by agreement.",
    Reason.VOID: "{who} aborted the game; it does not count.",
}
_OFFERS = {Offered: _OFFERED, Agreed: _AGREED, Declined: _DECLINED}
_QUEUED = {True: "Your queued move was saved.", False: "Your queued move was dropped."}


def sentences(
    snapshot: MatchSnapshot, events: Sequence[Event], viewer: int | None, side: int = 0
) -> tuple[str, ...]:
    """Return sentences about the latest events of a match, in their order.

    Args:
        snapshot: the match after the events.
        events: the events; other players' private ones are left out.
        viewer: the reader's seat; ``None`` for spectators.
        side: the seat as which the reader sees the board.
    """
    names = [seat.name for seat in snapshot.seats]
    moves = iter(_move_texts(snapshot, events, side))
    found = []
    for event in events:
        text = next(moves) if isinstance(event, Moved) else ""
        if event.is_for(viewer):
            name = "A player" if event.seat is None else names[event.seat]
            is_own = event.seat is not None and event.seat == viewer
            found.append(_sentence("You" if is_own else name, text, event))
    return tuple(filter(None, found))


def _move_texts(snapshot: MatchSnapshot, events: Sequence[Event], side: int) -> list[str]:
    """Return the texts of the moves among the last events of a match, as a seat sees the board."""
    count = sum(isinstance(event, Moved) for event in events)
    if not side and not any(isinstance(event, TakenBack) for event in events):
        shown = snapshot.moves[len(snapshot.moves) - count :]
        return [str(json.loads(move)["text"]) for move in shown]
    # The snapshot lacks moves that were taken back, and has the texts of the first seat only.
    row = snapshot.row
    texts = []
    match = Match.begun(snapshot.match.terms, row.begun_at)
    for data in row.events.filter(number__lt=row.version).values_list("data", flat=True):
        event = read_event(data)
        if isinstance(event, Moved):
            texts.append(match.position.format_move(event.move, side))
        match = match.after(event)
    return texts[len(texts) - count :]


def _sentence(who: str, text: str, event: Event) -> str:
    if isinstance(event, Moved):
        how = ", prepared before" if event.source is MoveSource.CONDITIONAL else ""
        return f"{who} played {text}{how}."
    if isinstance(event, Ended):
        whose = "Your time" if who == "You" else f"The time of {who}"
        return _ENDED.get(event.result.reason, "").format(who=who, whose=whose)
    if isinstance(event, TakenBack):
        return f"The moves from number {event.ply + 1} on were taken back."
    if isinstance(event, ConditionalMovesSet):
        return _QUEUED[bool(event.moves)]
    if isinstance(event, Offered | Agreed | Declined):
        return _OFFERS[type(event)][event.offer].format(who=who)
    return _PLAIN[type(event)].format(who=who, is_are="are" if who == "You" else "is")
