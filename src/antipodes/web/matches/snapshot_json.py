"""JSON of match snapshots for clients; the public part is serialised once for each version."""

from __future__ import annotations

import json
from collections.abc import Sequence

from django.utils import translation

from antipodes.core import Move
from antipodes.games.position import Position
from antipodes.match import Branch, ConditionalMoves, Match, OfferKind
from antipodes.records import Result
from antipodes.search.levels import level_of
from antipodes.web.matches.models import SeriesRow
from antipodes.web.matches.presenters import legal_moves_json, open_swap
from antipodes.web.matches.schemas import (
    ClockOut,
    ConditionalMoveOut,
    MatchChanges,
    MatchConstants,
    MatchOut,
    ResultOut,
    SeatOut,
    SeriesOut,
    ViewerPart,
)
from antipodes.web.matches.snapshots import MatchSnapshot, Seated
from antipodes.web.platform.schemas import json_of
from antipodes.web.platform.translations import caption_text, result_text, translate


def match_json(
    snapshot: MatchSnapshot,
    viewer: int | None,
    *,
    now: int,
    seen: int | None = None,
    known: int = 0,
) -> str:
    """Return a match as a viewer may see it, as JSON.

    Args:
        snapshot: the match.
        viewer: the user's id, or ``None`` for anonymous viewers.
        now: the server's time in milliseconds.
        seen: number of moves at the viewer's last visit.
        known: number of moves that the viewer has already; they are left out, and ``from`` repeats
            the number.
    """
    own = _own_view(snapshot, viewer, now, seen)
    parts = [_public(snapshot)[:-1], _moves(snapshot, known), json_of(own)[1:-1]]
    legal = _legal(snapshot) if snapshot.match.seat_to_move in own["own"] else "[]"
    return f'{",".join(parts)},"legal":{legal}}}'


def match_view(snapshot: MatchSnapshot, viewer: int | None, *, now: int) -> MatchOut:
    """Return a match as a viewer may see it, as data."""
    view: MatchOut = json.loads(match_json(snapshot, viewer, now=now))
    return view


def _public(snapshot: MatchSnapshot) -> str:
    """Return the public part without the moves."""
    texts, constant_texts = snapshot.texts, snapshot.constant_texts
    language = translation.get_language()
    key = "public", language
    if language not in constant_texts:
        constant_texts[language] = json_of(_constant_view(snapshot))
    if key not in texts:
        texts[key] = f"{constant_texts[language][:-1]},{json_of(_changing_view(snapshot))[1:]}"
    return texts[key]


def _moves(snapshot: MatchSnapshot, known: int) -> str:
    key = "moves", known
    if key not in snapshot.texts:
        snapshot.texts[key] = f'"from":{known},"moves":[{",".join(snapshot.moves[known:])}]'
    return snapshot.texts[key]


def _legal(snapshot: MatchSnapshot) -> str:
    texts = snapshot.texts
    if "legal" not in texts:
        texts["legal"] = legal_moves_json(snapshot.match.position)
    return texts["legal"]


def _constant_view(snapshot: MatchSnapshot) -> MatchConstants:
    """Return what is the same in all versions of a match."""
    row, match = snapshot.row, snapshot.match
    game = match.terms.game
    return {
        "slug": row.slug,
        "game": row.game_id,
        "title": translate(game.title),
        "options": row.options,
        "rated": row.rated,
        "analysis": row.analysis,
        "setup": (row.start or {}).get("setup"),
        "given": len(match.terms.given_moves),
        "begun": row.begun_at,
        "draws": game.has_draws,
        "goals": {color.value: translate(goal) for color, goal in game.goals_in_words.items()},
        "swapExchanges": game.swap_exchanges,
        "start": snapshot.start,
    }


def _changing_view(snapshot: MatchSnapshot) -> MatchChanges:
    row, match = snapshot.row, snapshot.match
    position = match.position
    return {
        "version": row.version,
        "ply": match.ply,
        "caption": caption_text(position),
        "seats": [_seat_view(seat, match) for seat in snapshot.seats],
        "toMove": match.seat_to_move,
        **result_view(match.result),
        "clock": _clock_view(match),
        "offers": {kind: list(agreed) for kind, agreed in match.offers.items()},
        "takebackTo": match.takeback_to if OfferKind.TAKEBACK in match.offers else None,
        "declined": {
            kind: {"by": by, "agreed": list(agreed)}
            for kind, (by, agreed) in match.declined.items()
        },
        "withdrawn": dict(match.withdrawn),
        "chain": list(position.winning_chain()),
        "swap": open_swap(position),
        "series": _series_view(row.series, snapshot.seats) if row.series else None,
        "next": snapshot.next,
    }


def result_view(result: Result | None) -> ResultOut:
    """Return the result of a match as data, and as a sentence in the reader's language."""
    if result is None:
        return {"result": None, "winner": None, "reason": None, "loser": None}
    return {
        "result": result_text(result),
        "winner": result.winner and result.winner.value,
        "reason": result.reason,
        "loser": result.loser and result.loser.value,
    }


def _seat_view(seat: Seated, match: Match) -> SeatOut:
    return {
        "seat": seat.number,
        "name": seat.name,
        "computer": bool(seat.computer),
        "level": _level_number(seat.computer),
        "color": match.color_of(seat.number).value,
    }


def _level_number(player: str) -> int | None:
    level = level_of(player)
    return None if level is None else level.number


def _clock_view(match: Match) -> ClockOut:
    clock = match.clock
    return {
        "control": str(clock.control),
        "pace": clock.control.pace.value,
        "seat": clock.seat,
        "running": clock.is_running,
        "paused": clock.paused,
        "away": sorted(clock.away),
        "vacations": list(clock.vacations),
        "until": list(clock.until),
        "left": [clock.left(seat, clock.since or 0) for seat in range(len(clock.banks))],
        "since": clock.since,
        "grace": match.terms.grace,
        "freeUntil": clock.free_until,
        "abortsLate": clock.ends_late,
    }


def _series_view(row: SeriesRow, seats: Sequence[Seated]) -> SeriesOut:
    names = {seat.user: seat.name for seat in seats}
    return {
        "slug": row.slug,
        "points": row.target,
        "scores": row.scores,
        "games": row.games,
        "sides": [[names[user] for user in side] for side in row.sides],
        "winner": row.winner,
    }


def _own_view(
    snapshot: MatchSnapshot, viewer: int | None, now: int, seen: int | None
) -> ViewerPart:
    match, own = snapshot.match, list(snapshot.seats_of(viewer))
    return {
        "now": now,
        "seen": seen,
        "own": own,
        "conditionalMoves": {
            seat: _branches(match.position, match.conditional_moves[seat], seat) for seat in own
        },
        "resigning": sorted(match.resigning & set(own)),
    }


def _branches(
    position: Position | None, moves: ConditionalMoves, seat: int
) -> list[ConditionalMoveOut]:
    """Return conditional moves with their texts, including moves that are not legal."""
    return [_branch_view(position, branch, seat) for branch in moves.branches]


def _branch_view(position: Position | None, branch: Branch, seat: int) -> ConditionalMoveOut:
    legal = position is not None and branch.move in position.legal_moves
    known = position if legal else None
    after = known.play(Move(branch.move)) if known else None
    return {
        "move": branch.move,
        "text": known.format_move(Move(branch.move)) if known else f"move {branch.move}",
        "color": known.to_move.value if known else "",
        "own": position is not None and position.seat_to_move == seat,
        "then": _branches(after, branch.then, seat),
    }
