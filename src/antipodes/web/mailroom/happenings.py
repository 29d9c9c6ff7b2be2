"""What has happened at a board, in sentences for letters; always in English."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from antipodes.games.position import BoardPosition
from antipodes.match import Event, EventKind, Match, MoveSource, OfferKind
from antipodes.records import Reason

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
    EventKind.PAUSED: "The game is paused.",
    EventKind.RESUMED: "The game goes on.",
    EventKind.LEFT: "{who} {is_are} on vacation.",
    EventKind.CAME_BACK: "{who} {is_are} back.",
    EventKind.PLAN_DROPPED: "Your queued move was not legal any more, and was dropped.",
}
_ENDED = {
    Reason.RESIGNATION: "{who} resigned.",
    Reason.TIME: "The time of {loser} ran out.",
    Reason.AGREEMENT: "The game is a draw by agreement.",
    Reason.VOID: "{who} declined the game; it is not counted.",
}


def sentences(
    names: Sequence[str], before: Match, events: Iterable[Event], viewer: int | None
) -> tuple[str, ...]:
    """Say what has happened, the latest last.

    Args:
        names: who sits on each seat.
        before: the match before the events.
        events: what has happened; what is private to others is left out.
        viewer: the seat of whoever reads, or ``None``.
    """
    return tuple(_sentences(names, before, events, viewer))


def _sentences(
    names: Sequence[str], match: Match, events: Iterable[Event], viewer: int | None
) -> Iterator[str]:
    for event in events:
        if event.is_for(viewer):
            who = "Somebody" if event.seat is None else names[event.seat]
            if event.seat is not None and event.seat == viewer:
                who = "You"
            yield from filter(None, [_sentence(who, match.position, event)])
        match = match.after(event)


def _sentence(who: str, position: BoardPosition[Any], event: Event) -> str:
    if event.kind is EventKind.MOVED and event.move is not None:
        text = position.format_move(event.move)
        how = ", prepared before" if event.source is MoveSource.PLAN else ""
        return f"{who} played {text}{how}."
    if event.kind is EventKind.ENDED and event.result is not None:
        loser = "you" if who == "You" else who
        return _ENDED.get(event.result.reason, "").format(who=who, loser=loser)
    if event.kind is EventKind.TAKEN_BACK and event.ply is not None:
        return f"The moves from number {event.ply + 1} on were taken back."
    if event.kind is EventKind.RESIGNATION_QUEUED:
        return _RESIGNING[bool(event.on)]
    if event.kind is EventKind.PLANNED:
        return _PLANNED[bool(event.plan)]
    if event.kind in _OF_OFFERS and event.offer is not None:
        return _OF_OFFERS[event.kind][event.offer].format(who=who)
    return _PLAIN.get(event.kind, "").format(who=who, is_are="are" if who == "You" else "is")


_OF_OFFERS = {
    EventKind.OFFERED: _OFFERED,
    EventKind.AGREED: _AGREED,
    EventKind.DECLINED: _DECLINED,
}
_PLANNED = {
    True: "Your queued move was noted.",
    False: "Your queued move was dropped.",
}
_RESIGNING = {
    True: "You resign when your turn comes; resign once more to think better of it.",
    False: "You do not resign any more.",
}
