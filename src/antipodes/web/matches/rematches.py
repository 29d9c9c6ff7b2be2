"""Check that a rematch is allowed."""

from __future__ import annotations

from django.utils.translation import gettext as _

from antipodes.errors import Fault, MatchError
from antipodes.web.accounts.restrictions import check_may_play
from antipodes.web.matches.models import MatchRow, SeatRow
from antipodes.web.platform.limits import NEW_GAMES, check_not_used_up
from antipodes.web.relations.models import BlockRow


def check_rematch(row: MatchRow) -> None:
    """Refuse a rematch in a tournament, of players who block each other, or who may not begin one.

    Offers are checked too: the computer, which agrees at once, cannot say why no game begins.

    Raises:
        InputError: no rematch is allowed.
        TooManyError: one of them has begun too many games.
    """
    if MatchRow.objects.filter(pk=row.pk, tournament_game__isnull=False).exists():
        message = _("this game is one of a tournament, which pairs its players itself")
        raise MatchError([Fault("match/of-tournament", message)])
    users = [seat.user for seat in SeatRow.objects.filter(match=row).select_related("user")]
    people = {user.pk for user in users}
    if BlockRow.objects.filter(by__in=people, whom__in=people).exists():
        message = _("you cannot play with these people now")
        raise MatchError([Fault("community/not-together", message)])
    for user in dict.fromkeys(users):
        check_may_play(user)
        if not user.is_computer:
            check_not_used_up(NEW_GAMES, str(user.pk))
