"""Follow matches: get notified of each move, or of the end only."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from antipodes.errors import InputError
from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow, WatchRow
from antipodes.web.relations.services import MOST_FOLLOWED, check_number


def follow_match(user: User, row: MatchRow, *, each_move: bool) -> None:
    """Notify a user of a match from now on.

    The caller checks that the user may see the match.

    Raises:
        InputError: the match is over or the user's own, or the user follows too many matches.
    """
    if row.seats.filter(user=user).exists():
        message = _("you play in this match, so you get its notifications anyway")
        raise InputError.single("community/follow", message)
    if row.ended_at is not None:
        raise InputError.single("community/over", _("this match is over"))
    others = user.watched_matches.filter(is_done=False).exclude(match=row)
    check_number(others.count(), MOST_FOLLOWED)
    WatchRow.objects.update_or_create(
        match=row,
        user=user,
        defaults={"each_move": each_move, "is_done": False},
        create_defaults={"each_move": each_move, "notified_version": row.version},
    )


def unfollow_match(user: User, row: MatchRow) -> None:
    """Stop following a match."""
    user.watched_matches.filter(match=row).delete()


def watchers_of_match(row: MatchRow) -> QuerySet[User]:
    """Return the users who follow a match."""
    return User.objects.filter(watched_matches__match=row)
