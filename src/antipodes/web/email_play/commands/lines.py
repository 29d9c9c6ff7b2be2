"""Subjects of responses, and database rows as lines of their tables."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse

from antipodes.mail.layout import ChallengeLine, GameLine
from antipodes.web.archive.models import GameRow
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.snapshots import snapshot_of
from antipodes.web.notifications.emails import absolute_url
from antipodes.web.platform.clock import now


def subject(topic: str) -> str:
    """Return the subject of a response, which is not a command when it is replied to."""
    return f"Antipodes: {topic}"


def game_lines(rows: Iterable[MatchRow]) -> list[GameLine]:
    """Return matches as lines of a table; fetch them with their seats."""
    matches = list(rows)
    archived = GameRow.objects.filter(match__in=[row.pk for row in matches if row.ended_at])
    moves = dict(archived.values_list("match", "moves"))
    return [_game_line(row, moves.get(row.pk)) for row in matches]


def _game_line(row: MatchRow, moves: int | None) -> GameLine:
    """Return a match as a line; without a number of moves from the archive, count them."""
    seats = [(seat.number, seat.user.name) for seat in row.seats.all()]
    turn = next((name for number, name in seats if number == row.seat_to_move), "")
    return GameLine(
        number=row.pk,
        game_id=row.game_id,
        players=tuple(name for _, name in seats),
        turn="" if row.ended_at else turn,
        moves=snapshot_of(row).match.ply if moves is None else moves,
        deadline=row.deadline,
        left=None if row.deadline is None else row.deadline - now(),
        result=row.result,
    )


def challenge_line(row: ChallengeRow) -> ChallengeLine:
    """Return a challenge as a line of a table."""
    joined = tuple(join.user.name for join in row.joins.all())
    taken = 1 + len(joined) + len(row.computers)
    points = {} if row.points is None else {"points": row.points}
    private = {"private": "on"} if row.is_private else {}
    options = {**row.options, **points, **private}
    return ChallengeLine(
        number=row.pk,
        game_id=row.game_id,
        options=", ".join(f"{name}={value}" for name, value in options.items()),
        by=row.by.name,
        control=row.control,
        rated=row.rated,
        invited=tuple(user.name for user in row.invited.all()),
        joined=joined,
        free=row.game.seats - taken,
    )


def challenge_url(row: ChallengeRow) -> str:
    """Return the absolute URL of a challenge's page."""
    return absolute_url(reverse("challenge", args=[row.slug]))
