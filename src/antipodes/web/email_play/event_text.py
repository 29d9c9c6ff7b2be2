"""What has happened at a board, in sentences for letters; always in English."""

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
    OfferKind.DRAW: "{who} proposed a draw.",
    OfferKind.TAKEBACK: "{who} asked to take back a move (undo).",
    OfferKind.PAUSE: "{who} asked for a pause.",
    OfferKind.REMATCH: "{who} offered a rematch.",
}
_AGREED = {
    OfferKind.DRAW: "{who} agreed to a draw.",
    OfferKind.TAKEBACK: "{who} agreed to take back a move.",
    OfferKind.PAUSE: "{who} agreed to a pause.",
    OfferKind.REMATCH: "{who} agreed to a rematch.",
}
_DECLINED = {
    OfferKind.DRAW: "{who} turned down the draw.",
    OfferKind.TAKEBACK: "{who} turned down the takeback.",
    OfferKind.PAUSE: "{who} turned down the pause.",
    OfferKind.REMATCH: "{who} turned down the rematch.",
}
_PLAIN = {
    Paused: "The game is paused.",
    Resumed: "The game goes on.",
    VacationStarted: "{who} {is_are} on vacation.",
    VacationEnded: "{who} {is_are} back.",
    ConditionalMovesDropped: "Your queued move was not legal any more, and was dropped.",
    ResignationQueued: ("You resign when your turn comes; resign once more to think better of it."),
    ResignationCancelled: "You do not resign any more.",
}
_ENDED = {
    Reason.RESIGNATION: "{who} resigned.",
    Reason.TIME: "{whose} ran out.",
    Reason.AGREEMENT: "The game is a draw by agreement.",
    Reason.VOID: "{who} declined the game; it is not counted.",
}


def sentences(
    standing: MatchSnapshot, events: Sequence[Event], viewer: int | None, side: int = 0
) -> tuple[str, ...]:
    """Say what has happened, the latest last.

    Args:
        standing: the match after the events.
        events: what has happened; what is private to others is left out.
        viewer: the seat of whoever reads, or ``None``.
        side: the seat as which they see the board.
    """
    names = [seat.name for seat in standing.seats]
    moves = iter(_move_texts(standing, events, side))
    found = []
    for event in events:
        text = next(moves) if isinstance(event, Moved) else ""
        if event.is_for(viewer):
            who = "Somebody" if event.seat is None else names[event.seat]
            is_own = event.seat is not None and event.seat == viewer
            found.append(_sentence("You" if is_own else who, text, event))
    return tuple(filter(None, found))


def _move_texts(standing: MatchSnapshot, events: Sequence[Event], side: int) -> list[str]:
    """Return the texts of the moves among the last events of a match, as a seat sees the board."""
    count = sum(isinstance(event, Moved) for event in events)
    if not side and not any(isinstance(event, TakenBack) for event in events):
        shown = standing.moves[len(standing.moves) - count :]
        return [str(json.loads(move)["text"]) for move in shown]
    # Moves that do not stand any more are known to the events alone.
    row = standing.row
    texts = []
    match = Match.begun(standing.match.terms, row.begun_at)
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
        return _PLANNED[bool(event.moves)]
    if isinstance(event, Offered | Agreed | Declined):
        return _OF_OFFERS[type(event)][event.offer].format(who=who)
    return _PLAIN[type(event)].format(who=who, is_are="are" if who == "You" else "is")


_OF_OFFERS = {
    Offered: _OFFERED,
    Agreed: _AGREED,
    Declined: _DECLINED,
}
_PLANNED = {
    True: "Your queued move was noted.",
    False: "Your queued move was dropped.",
}
