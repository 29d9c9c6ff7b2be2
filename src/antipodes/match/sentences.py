"""Sentences that describe events of a match.

They are the same in e-mails, in notifications and on the page of a match. Each sentence has a key,
and a variant that addresses the player who acted.
"""

from __future__ import annotations

from dataclasses import replace

from antipodes.errors import Phrase
from antipodes.match.commands import MoveSource
from antipodes.match.events import (
    Agreed,
    ConditionalMovesSet,
    Declined,
    Ended,
    Event,
    Moved,
    Offered,
    Resumed,
    TakenBack,
    Withdrawn,
)
from antipodes.records import Reason, Result


def _same(text: str) -> tuple[Phrase, Phrase]:
    return Phrase(text), Phrase(text)


# By key: the sentence for others, and for the player who acted. Events that only that player sees,
# and those without an actor, have one sentence.
SENTENCES: dict[str, tuple[Phrase, Phrase]] = {
    "moved": (Phrase("{player} played {move}."), Phrase("You played {move}.")),
    "moved-conditional": (
        Phrase("{player} played {move} (conditional move)."),
        Phrase("You played {move} (conditional move)."),
    ),
    "offered-draw": (Phrase("{player} offered a draw."), Phrase("You offered a draw.")),
    "offered-takeback": (
        Phrase("{player} asked to take back move {number}."),
        Phrase("You asked to take back move {number}."),
    ),
    "offered-pause": (Phrase("{player} asked for a pause."), Phrase("You asked for a pause.")),
    "offered-rematch": (Phrase("{player} offered a rematch."), Phrase("You offered a rematch.")),
    "agreed-draw": (Phrase("{player} accepted the draw."), Phrase("You accepted the draw.")),
    "agreed-takeback": (
        Phrase("{player} accepted the takeback."),
        Phrase("You accepted the takeback."),
    ),
    "agreed-pause": (Phrase("{player} accepted the pause."), Phrase("You accepted the pause.")),
    "agreed-rematch": (
        Phrase("{player} accepted the rematch."),
        Phrase("You accepted the rematch."),
    ),
    "declined-draw": (Phrase("{player} declined the draw."), Phrase("You declined the draw.")),
    "declined-takeback": (
        Phrase("{player} declined the takeback."),
        Phrase("You declined the takeback."),
    ),
    "declined-pause": (Phrase("{player} declined the pause."), Phrase("You declined the pause.")),
    "declined-rematch": (
        Phrase("{player} declined the rematch."),
        Phrase("You declined the rematch."),
    ),
    "withdrawn-draw": (
        Phrase("{player} withdrew the draw offer."),
        Phrase("You withdrew your draw offer."),
    ),
    "withdrawn-takeback": (
        Phrase("{player} withdrew the request for a takeback."),
        Phrase("You withdrew your request for a takeback."),
    ),
    "withdrawn-pause": (
        Phrase("{player} withdrew the request for a pause."),
        Phrase("You withdrew your request for a pause."),
    ),
    "withdrawn-rematch": (
        Phrase("{player} withdrew the offer of a rematch."),
        Phrase("You withdrew your offer of a rematch."),
    ),
    "taken-back": _same("Moves were taken back; move {number} is next."),
    "paused": _same("The game is paused."),
    "resumed": _same("The pause is over."),
    "resumed-by-player": (Phrase("{player} ended the pause."), Phrase("You ended the pause.")),
    "conditional-moves-set": _same("Your conditional moves are saved."),
    "conditional-moves-removed": _same("Your conditional moves are removed."),
    "conditional-moves-dropped": _same("Your conditional move is no longer legal and was removed."),
    "resignation-queued": _same("You will resign at your next turn."),
    "resignation-cancelled": _same("You will not resign."),
    "vacation-started": (Phrase("{player} is on vacation."), Phrase("You are on vacation.")),
    "vacation-ended": (
        Phrase("{player} is back from vacation."),
        Phrase("You are back from vacation."),
    ),
    "ended-resignation": (Phrase("{player} resigned."), Phrase("You resigned.")),
    "ended-time": (Phrase("{player} ran out of time."), Phrase("You ran out of time.")),
    "ended-forfeit": (Phrase("{player} left the game."), Phrase("You left the game.")),
    "ended-claimed-draw": (
        Phrase("{player} claimed a draw, because the opponent had left."),
        Phrase("You claimed a draw, because your opponent had left."),
    ),
    "ended-agreement": _same("The players accepted the draw."),
    "ended-unbegun": _same("The game is aborted: a first move did not come in time."),
    "ended-void": (Phrase("{player} aborted the game."), Phrase("You aborted the game.")),
}
_UNNAMED = Phrase("A player")


def key_of(event: Event) -> str:
    """Return the key of an event's sentence.

    An end by the rules of the game has none: its key is not in `SENTENCES`.
    """
    match event:
        case Moved(source=MoveSource.CONDITIONAL):
            return "moved-conditional"
        case Offered() | Agreed() | Declined() | Withdrawn():
            return f"{event.kind}-{event.offer}"
        case ConditionalMovesSet():
            return event.kind if event.moves else "conditional-moves-removed"
        case Resumed(seat=int()):
            return "resumed-by-player"
        case Ended(seat=None, result=Result(reason=Reason.VOID)):
            return "ended-unbegun"
        case Ended(seat=int(), result=Result(reason=Reason.AGREEMENT)):
            return "ended-claimed-draw"
        case Ended():
            return f"ended-{event.result.reason.value}"
        case _:
            return event.kind


def sentence(key: str, *, is_own: bool = False, **values: object) -> Phrase:
    """Return a sentence by its key.

    Args:
        key: a key of `SENTENCES`.
        is_own: whether it addresses the player who acted.
        values: values of the template: ``player``, ``move``, ``number``.
    """
    other, own = SENTENCES[key]
    return replace(own if is_own else other, values={"player": _UNNAMED, **values})


def sentence_about(
    event: Event, player: str | None, *, is_own: bool, move: str, takeback_to: int | None = None
) -> Phrase | None:
    """Return the sentence about an event; ``None`` for an end by the rules of the game.

    Args:
        event: the event.
        player: name of the player who acted; ``None`` if no player did.
        is_own: whether the sentence addresses that player.
        move: text of the move, if the event is one.
        takeback_to: number of moves that an offered takeback leaves.
    """
    key = key_of(event)
    if key not in SENTENCES:
        return None
    values: dict[str, object] = {"move": move}
    if player is not None:
        values["player"] = player
    left = event.ply if isinstance(event, TakenBack) else takeback_to
    if left is not None:
        values["number"] = left + 1
    return sentence(key, is_own=is_own, **values)
