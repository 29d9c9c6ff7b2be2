"""Eligibility: which players may join a challenge."""

from __future__ import annotations

from functools import cached_property

from django.utils.translation import gettext as _

from antipodes.errors import Fault, MatchError
from antipodes.web.accounts.models import User
from antipodes.web.challenges.game_limits import challengers_at_limit, limit_reached
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.clubs.models import MemberRow
from antipodes.web.platform.clock import now
from antipodes.web.ratings.ranges import RatingRange
from antipodes.web.ratings.selectors import UNRATED, CurrentRating, ratings_of
from antipodes.web.relations.services import blocked_by_or_blocking


class Viewer:
    """A user who looks at challenges; facts about the user are cached for all of them."""

    def __init__(self, user: User | None) -> None:
        """Take the user, or ``None`` for an anonymous visitor."""
        self.user = user

    @property
    def has_account(self) -> bool:
        """Whether the user is registered, not a guest."""
        return self.user is not None and not self.user.is_guest

    @cached_property
    def barred(self) -> frozenset[int]:
        """Ids of users whom the viewer has blocked, or who have blocked the viewer."""
        return blocked_by_or_blocking(self.user)

    @cached_property
    def at_limit(self) -> frozenset[tuple[int, str]]:
        """Challengers who have reached their game limit: pairs of a user's and a game's id."""
        return challengers_at_limit()

    @cached_property
    def clubs(self) -> frozenset[int]:
        """Ids of the viewer's clubs."""
        rows = MemberRow.objects.filter(user=self.user) if self.user else MemberRow.objects.none()
        return frozenset(rows.values_list("club", flat=True))

    @cached_property
    def _ratings(self) -> dict[tuple[str, str, str], CurrentRating]:
        pools = ratings_of(self.user) if self.user else []
        return {(one.game_id, one.speed, one.board_class): one.rating for one in pools}

    def rating_for(self, row: ChallengeRow) -> CurrentRating:
        """Return the viewer's rating for the game, speed and board of a challenge."""
        return self._ratings.get((row.game_id, row.speed, row.board_class), UNRATED)


def why_not(row: ChallengeRow, viewer: Viewer) -> Fault | None:
    """Return why a viewer may not join a challenge, or ``None`` if they may.

    Ratings are not checked for invited players. The challenge itself checks invitations and seats.
    """
    if row.expires_at is not None and row.expires_at <= now():
        return Fault("lobby/expired", _("this challenge has expired"))
    if row.club_id is not None and row.club_id not in viewer.clubs:
        return Fault("lobby/members-only", _("this challenge is for the members of a club"))
    if row.by_id in viewer.barred:
        return Fault("community/not-together", _("you cannot play with these players"))
    if row.is_listed and (row.by_id, row.game_id) in viewer.at_limit:
        return limit_reached(row.by, row.game_id)
    if not viewer.has_account:
        return _why_not_as_guest(row)
    return _why_not_with_rating(row, viewer.rating_for(row))


def needs_account() -> Fault:
    """Return the error that guests play no rated games."""
    return Fault("match/rated", _("this game is rated; sign up to play it"))


def _why_not_as_guest(row: ChallengeRow) -> Fault | None:
    if row.rated:
        return needs_account()
    has_range = row.lowest is not None or row.highest is not None
    if row.accounts_only or row.established_only or has_range:
        message = _("this challenge is for players with an account; sign up to play it")
        return Fault("lobby/accounts-only", message)
    return None


def _why_not_with_rating(row: ChallengeRow, rating: CurrentRating) -> Fault | None:
    accepted = RatingRange(row.lowest, row.highest)
    if not accepted.includes(rating.rounded):
        message = _("this challenge requires a %(range)s; yours is %(rating)s")
        values = {"range": accepted.label, "rating": rating.text}
        return Fault("lobby/rating", message % values)
    if row.established_only and rating.is_provisional:
        message = _(
            "this challenge requires an established rating; yours, %(rating)s, is provisional"
        )
        return Fault("lobby/provisional", message % {"rating": rating.text})
    return None


def check_bot_may_join(row: ChallengeRow, user: User) -> None:
    """Refuse a bot that would join a human player's rated challenge uninvited.

    A player who joins a bot's challenge, or invites a bot by name, has agreed to play a bot. An
    open challenge of a human player is meant for humans.

    Raises:
        MatchError: the user is a bot and may not join.
    """
    if not (user.is_bot and row.rated) or row.by.is_bot:
        return
    if not row.invited.filter(pk=user.pk).exists():
        message = _("%(name)s is a bot and can join rated games by invitation only.")
        raise MatchError.single("bot/rated", message % {"name": user.username})
