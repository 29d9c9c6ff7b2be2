"""Reviews of finished matches: estimates of all positions, and turning points.

Each position is a job of its own, so that analyses are done in between, and a review continues
after a crash.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Case, When

from antipodes.core import Color, Move
from antipodes.errors import Fault, MatchError
from antipodes.games.position import Position
from antipodes.match import Match
from antipodes.search.analysis import analyze
from antipodes.search.analysis_result import Analysis, Estimate
from antipodes.search.game_analysis import turning_points
from antipodes.search.interface import Candidate, Limits, Proven
from antipodes.web.accounts.models import User
from antipodes.web.analysis.models import AnalysisState, ReviewRow
from antipodes.web.analysis.schemas import ReviewOut
from antipodes.web.analysis.services import MEMORY
from antipodes.web.jobs import queue
from antipodes.web.jobs.models import JobKind
from antipodes.web.jobs.queue import NewJob
from antipodes.web.matches.models import MatchRow, PageEngineRow

_SECONDS = 30.0  # for all positions together, unless that is too little or too much for one
_LEAST, _MOST = 0.15, 1.0
_SHORTEST = 4  # matches with fewer moves tell nothing
_AT_ONCE = 5  # reviews that are started for mistakes


def review_if_over(row: MatchRow, **_: object) -> None:
    """Start the review of a finished match, once, unless it is left to pages."""
    if row.ended_at is not None and not _is_left(row):
        start(row)


def start(row: MatchRow) -> None:
    """Start the review of a finished match if there is none and it has enough moves."""
    if ReviewRow.objects.filter(match=row).exists():
        return
    if len(row.match().moves) >= _SHORTEST:
        review, is_new = ReviewRow.objects.get_or_create(match=row)
        if is_new:
            queue.put(_work(review))


def ask(row: MatchRow, user: User | None) -> None:
    """Start the review of a match that was left to pages.

    Raises:
        MatchError: the user has not played the match, or it is not over.
    """
    if user is None or not row.seats.filter(user=user).exists():
        raise MatchError([Fault("study/no-review", "only its players ask for a match's review")])
    if row.ended_at is None:
        raise MatchError([Fault("study/no-review", "there are reviews of finished matches only")])
    start(row)


def before_others(slug: str, field: str) -> Case:
    """Return the first key of an order in which one match comes before all others.

    Args:
        slug: of the match; of no match if all are alike.
        field: of the rows, which has the slugs of their matches.
    """
    return Case(When(**{field: slug}, then=0), default=1)


def start_left(user: User, first: str = "") -> None:
    """Start the reviews of a user's latest matches that were left to pages.

    Args:
        user: who has played them.
        first: slug of the match whose review is started before the others.
    """
    rows = MatchRow.objects.filter(seats__user=user, page_engine__isnull=False, review=None)
    order = before_others(first, "slug")
    for row in rows.exclude(ended_at=None).order_by(order, "-ended_at")[:_AT_ONCE]:
        start(row)


def _is_left(row: MatchRow) -> bool:
    """Return whether pages review a match, since the computer has thought in one of them."""
    return PageEngineRow.objects.filter(match=row).exists()


def _work(row: ReviewRow) -> NewJob:
    """Return the job for the next position, charged to the first human player."""
    people = row.match.seats.filter(user__computer="").values_list("user", flat=True)
    key, version = str(row.match_id), len(row.found)
    seconds = _seconds(row.match.version + 1)  # there are hardly more positions than events
    return NewJob(
        kind=JobKind.REVIEW, key=key, version=version, user=people.first(), seconds=seconds
    )


def _seconds(positions: int) -> float:
    """Return the search time for each position."""
    return min(_MOST, max(_LEAST, _SECONDS / positions))


def queue_lost_reviews() -> None:
    """Queue the jobs of unfinished reviews again if they were lost."""
    open_now = ReviewRow.objects.exclude(state=AnalysisState.DONE).select_related("match")
    rows = {str(row.match_id): row for row in open_now}
    lost = queue.missing(JobKind.REVIEW, ((key, len(row.found)) for key, row in rows.items()))
    queue.put(*(_work(rows[key]) for key in lost))


def go_on_now(key: str, version: int) -> None:
    """Analyse the next position of a match, and queue the one after it."""
    row = ReviewRow.objects.select_related("match").filter(match_id=int(key)).first()
    if row is None or row.state == AnalysisState.DONE or len(row.found) != version:
        return
    match = row.match.match()
    positions = _positions(match)
    limits = Limits(seconds=_seconds(len(positions)))
    analysis = analyze(positions[len(row.found)], limits=limits, memory=MEMORY)
    row.found.append(analysis.as_dict(1))
    row.state = AnalysisState.WORKING
    if len(row.found) == len(positions):
        row.turns = _turns(row.found, positions, match)
        row.state = AnalysisState.DONE
    row.save()
    if row.state != AnalysisState.DONE:
        queue.put(_work(row))


def _positions(match: Match) -> list[Position]:
    position: Position = match.terms.origin
    positions = [position]
    for made in match.moves:
        position = position.play(made.move)
        positions.append(position)
    return positions


def _turns(
    stored: list[dict[str, Any]], positions: list[Position], match: Match
) -> list[dict[str, Any]]:
    """Return the turning points of a match as data."""
    analyses = [_restored(p, data) for p, data in zip(positions, stored, strict=True)]
    points = turning_points(analyses, [Move(made.move) for made in match.moves])
    turns = []
    for point in points:
        told = point.as_dict(positions[point.turn - 1], digits=4)
        turns.append({"ply": point.turn, "move": told.pop("played"), **told})
    return turns


def _restored(position: Position, data: dict[str, Any]) -> Analysis:
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
            Estimate(
                Color(estimate["color"]),
                tuple(estimate["seats"]),
                estimate["winrate"],
                estimate["error"],
            )
            for estimate in data["estimates"]
        ),
        candidates=tuple(_candidate(position, one) for one in data["moveInfos"]),
        criticality=None,
        threats=None,
    )


def _candidate(position: Position, data: dict[str, Any]) -> Candidate:
    move = position.parse_move(data["move"])
    return Candidate(
        move, data["visits"], data["winrate"], data["error"], _proven(data), line=(move,)
    )


def _proven(data: dict[str, Any]) -> Proven | None:
    return None if data["proven"] is None else Proven(data["proven"])


def review_view(match: MatchRow) -> ReviewOut:
    """Return the review of a match as data for pages."""
    row = ReviewRow.objects.filter(match=match).first()
    if row is not None:
        return row_view(row, _seconds(match.version + 1))
    positions = 0
    if match.ended_at is not None and _is_left(match):
        moves = len(match.match().moves)
        positions = moves + 1 if moves >= _SHORTEST else 0
    return {
        "state": None,
        "estimates": [],
        "turns": [],
        "seconds": _seconds(positions) if positions else 0.0,
        "isLeft": positions > 0,
    }


def row_view(row: ReviewRow, seconds: float) -> ReviewOut:
    """Return a review of the server: estimates for each colour at each ply.

    Args:
        row: the review.
        seconds: of thinking about each position.
    """
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
        "turns": [turn | {"line": _better_line(row, turn)} for turn in row.turns],
        "seconds": seconds,
        "isLeft": False,
    }


def _better_line(row: ReviewRow, turn: dict[str, Any]) -> list[str]:
    """Return the line of the best move before a turning point, as far as the review knows it."""
    better: str = turn["better"]
    infos = row.found[turn["ply"] - 1]["moveInfos"] if turn["ply"] <= len(row.found) else []
    lines: list[list[str]] = [info["pv"] for info in infos if info["move"] == better]
    return lines[0] if lines and lines[0] else [better]
