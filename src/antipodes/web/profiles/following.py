"""Queries for the page of followed players and matches."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from antipodes.web.accounts.models import User
from antipodes.web.matches.access import visible_to
from antipodes.web.matches.models import MatchRow, WatchRow, seated
from antipodes.web.matches.selectors import MatchLine, followed_matches, match_line
from antipodes.web.relations.models import FollowRow

_MOST = 24  # matches of each list


@dataclass(frozen=True)
class Following:
    """Players and matches that a user follows.

    Attributes:
        in_progress: current matches of followed players, latest first.
        finished: finished matches of followed players, latest first.
        watched: followed matches, with the settings of notifications.
        people: followed players.
    """

    in_progress: list[MatchLine]
    finished: list[MatchLine]
    watched: list[tuple[WatchRow, MatchLine]]
    people: QuerySet[FollowRow]


def following(user: User) -> Following:
    """Return the players and the matches that a user follows and may watch."""
    rows = followed_matches(user)
    in_progress = rows.filter(ended_at=None).order_by("-begun_at")[:_MOST]
    finished = rows.exclude(ended_at=None).order_by("-ended_at")[:_MOST]
    return Following(
        in_progress=[match_line(row, None) for row in in_progress],
        finished=[match_line(row, None) for row in finished],
        watched=_watched(user),
        people=user.follows.select_related("whom").order_by("whom__username"),
    )


def _watched(user: User) -> list[tuple[WatchRow, MatchLine]]:
    visible = MatchRow.objects.filter(visible_to(user))
    rows = user.watched_matches.filter(match__in=visible).select_related("match")
    rows = rows.prefetch_related(seated("match__seats")).order_by("is_done", "-made_at")
    return [(row, match_line(row.match, None)) for row in rows[:_MOST]]
