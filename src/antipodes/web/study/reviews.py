"""Reviews of finished matches: the chances along the moves, and the moves that turned them.

A review is made once, one position after another, each a job of its own: so whoever waits for an
analysis gets between, and what was killed goes on where it was.
"""

from __future__ import annotations

from typing import Any

from antipodes.core import Color, Move
from antipodes.games.position import BoardPosition
from antipodes.match import Match
from antipodes.search.analysis import Analysis, Estimate, analyze
from antipodes.search.game_analysis import turning_points
from antipodes.search.thinking import Candidate, Limits, Proven
from antipodes.web.claims import claim, claimed
from antipodes.web.jobs import studies
from antipodes.web.matches.models import MatchRow
from antipodes.web.study.analyses import MEMORY
from antipodes.web.study.models import ReviewRow, State
from antipodes.web.warming import Use, wait_until_warm

_SECONDS = 30.0  # for all positions together, unless that is too little or too much for one
_LEAST, _MOST = 0.15, 1.0
_SHORTEST = 4  # matches with fewer moves tell nothing
_PRIORITY = 0  # whoever waits for something else comes first


def review_if_over(row: MatchRow, **_: object) -> None:
    """Ask for the review of a match that has ended, once."""
    if row.ended_at is None or ReviewRow.objects.filter(match=row).exists():
        return
    if len(row.match().moves) >= _SHORTEST:
        ReviewRow.objects.create(match=row)
        go_on(row.pk, priority=_PRIORITY)


def take_up() -> None:
    """Go on with the reviews that were not finished when the site was ended."""
    names = {_name_of(row.match_id): row for row in ReviewRow.objects.exclude(state=State.DONE)}
    busy = claimed(names)
    for name, row in names.items():
        if name not in busy:
            go_on(row.match_id, priority=_PRIORITY)


def take_up_lost() -> None:
    """Go on with reviews that were lost with an engine that was killed, or with the queue."""
    if not studies.pending_count():
        take_up()


def _name_of(match_id: int) -> str:
    """Return the name under which one engine alone reviews a match."""
    return f"review {match_id}"


@studies.task()  # type: ignore[untyped-decorator]  # huey has no types
def go_on(match_id: int) -> None:
    """Analyse the next position of a match, then ask for the one after it."""
    if go_on_now(match_id):
        go_on(match_id, priority=_PRIORITY)


def go_on_now(match_id: int) -> bool:
    """Analyse the next position of a match; return whether there is more to do.

    Nothing is done if somebody else does it.
    """
    with claim(_name_of(match_id)) as is_alone:
        return is_alone and _go_on(match_id)


def _go_on(match_id: int) -> bool:
    row = ReviewRow.objects.select_related("match").get(match_id=match_id)
    if row.state == State.DONE:
        return False
    match = row.match.match()
    positions = _positions(match)
    wait_until_warm(match.terms.game, Use.STUDY)
    seconds = min(_MOST, max(_LEAST, _SECONDS / len(positions)))
    position = positions[len(row.found)]
    found = analyze(position, limits=Limits(seconds=seconds), memory=MEMORY)
    row.found.append(found.as_dict(1))
    row.state = State.WORKING
    if len(row.found) == len(positions):
        row.turns = _turns(row.found, positions, match)
        row.state = State.DONE
    row.save()
    return row.state != State.DONE


def _positions(match: Match) -> list[BoardPosition[Any]]:
    position: BoardPosition[Any] = match.terms.game.initial()
    positions = [position]
    for made in match.moves:
        position = position.play(made.move)
        positions.append(position)
    return positions


def _turns(
    found: list[dict[str, Any]], positions: list[BoardPosition[Any]], match: Match
) -> list[dict[str, Any]]:
    """Return the moves that turned a match, as data."""
    analyses = [_restored(p, data) for p, data in zip(positions, found, strict=True)]
    points = turning_points(analyses, [Move(made.move) for made in match.moves])
    turns = []
    for point in points:
        told = point.as_dict(positions[point.turn - 1], digits=4)
        turns.append({"ply": point.turn, "move": told.pop("played"), **told})
    return turns


def _restored(position: BoardPosition[Any], data: dict[str, Any]) -> Analysis:
    """Return an analysis from its data, as far as turning points need it."""
    root = data["rootInfo"]
    return Analysis(
        position=position,
        visits=root["visits"],
        seconds=root["seconds"],
        proven=_proven(root),
        value=root["winrate"],
        error=root["error"],
        estimates=tuple(
            Estimate(Color(one["color"]), tuple(one["seats"]), one["winrate"], one["error"])
            for one in data["estimates"]
        ),
        candidates=tuple(_candidate(position, one) for one in data["moveInfos"]),
        criticality=None,
        threats=None,
    )


def _candidate(position: BoardPosition[Any], data: dict[str, Any]) -> Candidate:
    move = position.parse_move(data["move"])
    return Candidate(
        move, data["visits"], data["winrate"], data["error"], _proven(data), line=(move,)
    )


def _proven(data: dict[str, Any]) -> Proven | None:
    return None if data["proven"] is None else Proven(data["proven"])


def review_view(row: ReviewRow | None) -> dict[str, Any]:
    """Return a review as data for pages: what each colour could hope for at each ply."""
    if row is None:
        return {"state": None, "estimates": [], "turns": []}
    return {
        "state": row.state,
        "estimates": [
            {
                "values": {one["color"]: one["winrate"] for one in data["estimates"]},
                "error": data["rootInfo"]["error"],
                "proven": data["rootInfo"]["proven"] is not None,
                "best": data["moveInfos"][0]["move"] if data["moveInfos"] else None,
            }
            for data in row.found
        ],
        "turns": row.turns,
    }
