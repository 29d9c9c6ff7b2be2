"""Events as text in FIDE's tournament report format (TRF16), which pairing programs read.

The player with the first seat is written as White. A game of this package may count more than one
result, such as a pair of mirrored games; then the line has the result of the pair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from caissify_pairings.trf import write_trf

from antipodes.tournaments.history import History, Pairing
from antipodes.tournaments.standings import Standing

_LONGEST_NAME = 33


@dataclass(frozen=True, slots=True)
class TrfPlayer:
    """A player in a report.

    Attributes:
        name: up to 33 characters are written.
        rating: at the start of the event; 0 for none.
    """

    name: str
    rating: int = 0


def to_trf(
    title: str,
    system: str,
    players: Mapping[int, TrfPlayer],
    pairings: Sequence[Pairing],
    table: Sequence[Standing],
    rounds: int,
) -> str:
    """Return an event in FIDE's format.

    Args:
        title: of the event.
        system: such as ``swiss``.
        players: by their pairing numbers.
        pairings: of all rounds so far.
        table: the standings, with all players.
        rounds: of the event.
    """
    history = History(pairings)
    lines = [
        {
            "starting_number": one.player,
            "name": players[one.player].name[:_LONGEST_NAME],
            "rating": players[one.player].rating,
            "score": one.points,
            "rank": one.rank,
            "results": {
                game.round: _result(game, one.player) for game in history.games(one.player)
            },
        }
        for one in table
    ]
    text: str = write_trf({"name": title, "type": system}, lines, rounds)
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def _result(pairing: Pairing, player: int) -> dict[str, object]:
    """Return a pairing as a player's line has it."""
    other = pairing.opponent_of(player)
    if other is None:
        return {"opponent": None, "result": "U" if pairing.points_of(player) else "Z"}
    return {
        "opponent": other,
        "color": "w" if pairing.first == player else "b",
        "result": _sign(pairing, player),
    }


def _sign(pairing: Pairing, player: int) -> str:
    if pairing.points is None:
        return ""
    own, theirs = pairing.points_of(player), pairing.points_of(pairing.opponent_of(player) or 0)
    if pairing.is_forfeit:
        return "+" if own > theirs else "-"
    if own == theirs:
        return "=" if own else "0"
    return "1" if own > theirs else "0"
