"""Sentences about a match's events for e-mails; always in English."""

from __future__ import annotations

import json
from collections.abc import Sequence

from antipodes.match import Event, Match, Moved, TakenBack, read_event
from antipodes.match.sentences import key_of, sentence_about
from antipodes.web.matches.snapshots import MatchSnapshot

# Replies to commands of e-mails, in their words.
_OF_COMMANDS = {
    "conditional-moves-set": "Your conditional moves were saved.",
    "conditional-moves-removed": "Your conditional moves were dropped.",
    "conditional-moves-dropped": "Your conditional moves were no longer legal, and were dropped.",
    "resignation-queued": "You resign when your turn comes; to cancel this, resign again.",
    "resignation-cancelled": "You no longer resign when your turn comes.",
}


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
        move = next(moves) if isinstance(event, Moved) else ""
        if event.is_for(viewer):
            player = None if event.seat is None else names[event.seat]
            is_own = event.seat is not None and event.seat == viewer
            phrase = sentence_about(
                event,
                player,
                is_own=is_own,
                move=move,
                takeback_to=snapshot.match.takeback_to,
            )
            found.append(_OF_COMMANDS.get(key_of(event)) or str(phrase or ""))
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
