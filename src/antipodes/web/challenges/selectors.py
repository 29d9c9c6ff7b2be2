"""Challenges as lines of lists."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from antipodes.web.accounts.models import User
from antipodes.web.challenges.eligibility import Viewer, why_not
from antipodes.web.challenges.filters import Filter
from antipodes.web.challenges.models import ChallengeRow, JoinRow, joined
from antipodes.web.matches.labels import control_words
from antipodes.web.platform.clock import now
from antipodes.web.platform.translations import game_label
from antipodes.web.ratings.ranges import RatingRange
from antipodes.web.ratings.selectors import ratings_in_pools

_MOST_OWN = 24
_MOST_OPEN = 50
_MOST_CHECKED = 500  # challenges checked for eligibility


@dataclass(frozen=True)
class ChallengeLine:
    """A challenge in a list.

    Attributes:
        row: the challenge.
        title: the game, with options that differ from the defaults.
        clock: label of the time control.
        is_mine: whether the viewer has created or joined it.
        taken: number of taken seats.
        seats: number of seats.
        requirements: labels of the requirements on joining players.
        reason: why the viewer may not join; empty if they may.
        rating: the challenger's rating for this game; empty without rated games.
    """

    row: ChallengeRow
    title: str
    clock: str
    is_mine: bool
    taken: int
    seats: int
    requirements: tuple[str, ...] = ()
    reason: str = ""
    rating: str = ""

    @property
    def can_join(self) -> bool:
        """Whether the viewer may join and has not yet done so."""
        return not self.is_mine and not self.reason


@dataclass(frozen=True)
class OpenChallenges:
    """The open challenges that match a filter.

    Attributes:
        lines: the newest ones.
        more: number of further ones, which a narrower filter would show.
        is_filtered: whether the filter hides any challenges.
    """

    lines: list[ChallengeLine]
    more: int
    is_filtered: bool


def challenge_line(
    row: ChallengeRow, user: User | None, viewer: Viewer | None = None
) -> ChallengeLine:
    """Return a challenge as a line of a list.

    Args:
        row: the challenge, with prefetched players.
        user: the user who looks at the list.
        viewer: the same user, if eligibility is to be checked.
    """
    joined = list(row.joins.all())
    people = {row.by_id, *(one.user_id for one in joined)}
    is_mine = user is not None and user.pk in people
    reason = None if viewer is None or is_mine else why_not(row, viewer)
    return ChallengeLine(
        row=row,
        title=game_label(row.game_id, row.options),
        clock=control_words(row.control),
        is_mine=is_mine,
        taken=len(people) + len(row.computers),
        seats=row.game.seats,
        requirements=requirement_labels(row),
        reason=reason.message if reason else "",
    )


def requirement_labels(row: ChallengeRow) -> tuple[str, ...]:
    """Return labels of a challenge's requirements on joining players."""
    labels = [RatingRange(row.lowest, row.highest).label]
    if row.accounts_only and not row.rated:
        labels.append(_("with an account"))
    if row.established_only:
        labels.append(_("with an established rating"))
    return tuple(label for label in labels if label)


def waiting_challenges() -> QuerySet[ChallengeRow]:
    """Return the challenges that have not expired, newest first, with related rows for lines."""
    unexpired = Q(expires_at=None) | Q(expires_at__gt=now())
    rows = ChallengeRow.objects.filter(unexpired, match=None).select_related("by", "club")
    return rows.prefetch_related(joined()).order_by("-made_at", "-pk")


@dataclass(frozen=True)
class PersonalChallenges:
    """The waiting challenges that concern one user.

    Attributes:
        invitations: those to which the user is invited by name, and has not joined.
        own: those that the user has created or joined.
    """

    invitations: list[ChallengeLine]
    own: list[ChallengeLine]


def listed_for(viewer: Viewer) -> QuerySet[ChallengeRow]:
    """Return the open challenges of others that a viewer may see.

    Challenges in clubs are visible to members, and blocked users do not see each other's.
    """
    rows = waiting_challenges().filter(Q(club=None) | Q(club__in=viewer.clubs), is_listed=True)
    if viewer.user is None:
        return rows
    joined_ones = JoinRow.objects.filter(user=viewer.user).values("challenge")
    return rows.exclude(Q(by__in=viewer.barred) | Q(by=viewer.user) | Q(pk__in=joined_ones))


def open_challenges(viewer: Viewer, chosen: Filter) -> OpenChallenges:
    rows = listed_for(viewer).filter(chosen.condition())
    if chosen.only_joinable:
        joinable = [row for row in rows[:_MOST_CHECKED] if why_not(row, viewer) is None]
        shown, count = joinable[:_MOST_OPEN], len(joinable)
    else:
        shown = list(rows[: _MOST_OPEN + 1])
        count = len(shown) if len(shown) <= _MOST_OPEN else rows.count()
        shown = shown[:_MOST_OPEN]
    lines = [challenge_line(row, viewer.user, viewer) for row in shown]
    return OpenChallenges(with_ratings(lines), count - len(lines), is_filtered=bool(chosen.text))


def with_ratings(lines: list[ChallengeLine]) -> list[ChallengeLine]:
    """Return lines with the challengers' ratings added, from one query."""
    ratings = ratings_in_pools(line.row.by_id for line in lines) if lines else {}
    rated = []
    for line in lines:
        row = line.row
        rating = ratings.get((row.by_id, row.game_id, row.speed, row.board_class))
        rated.append(replace(line, rating=rating.text) if rating else line)
    return rated


def club_challenges(club: int, viewer: Viewer) -> list[ChallengeLine]:
    """Return the open challenges among the members of a club."""
    rows = listed_for(viewer).filter(club=club)
    return [challenge_line(row, viewer.user, viewer) for row in rows[:_MOST_OPEN]]


def personal_challenges(user: User) -> PersonalChallenges:
    """Return a user's own challenges and the invitations to others, the newest ones."""
    joined_ones = JoinRow.objects.filter(user=user).values("challenge")
    inviting = ChallengeRow.invited.through.objects.filter(user=user).values("challengerow")
    mine = Q(by=user) | Q(pk__in=joined_ones)
    rows = waiting_challenges().filter(mine | Q(pk__in=inviting))
    # Most users have none most of the time, and to ask so costs less than to load them.
    if not rows.exists():
        return PersonalChallenges([], [])
    invitations, own = (
        [challenge_line(row, user) for row in some[:_MOST_OWN]]
        for some in (rows.exclude(mine), rows.filter(mine))
    )
    return PersonalChallenges(with_ratings(invitations), own)
