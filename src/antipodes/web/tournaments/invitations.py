"""Invitations to events: a director invites players by name."""

from __future__ import annotations

from django.utils.translation import gettext as _

from antipodes.errors import Fault, InputError
from antipodes.web.accounts.models import User
from antipodes.web.accounts.restrictions import check_may_speak
from antipodes.web.accounts.services import users_named
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import rate_limit, take
from antipodes.web.relations.services import is_blocked
from antipodes.web.tournaments.access import check_director
from antipodes.web.tournaments.log import Step, locked, record
from antipodes.web.tournaments.models import TournamentRow
from antipodes.web.tournaments.plans import PLAYERS

INVITATIONS = rate_limit(
    "tournament-invitations", "60/hour;300/day", per="user", what="players invited to tournaments"
)


def invite(key: int, by: User, name: str) -> None:
    """Invite a player, who is notified; inviting twice has no further effect.

    Raises:
        InputError: the user may not or is muted, the event is over, there is no such player, one of
            them blocks the other, or the event has as many invitations as it can have players.
        TooManyError: the user has invited too many players.
    """
    check_may_speak(by)
    take(INVITATIONS, str(by.pk))
    with locked(key) as row:
        check_director(row, by)
        if row.is_over:
            raise InputError.single("tournament/state", _("This tournament is over."))
        guest = users_named(name).filter(is_active=True).first()
        if guest is None or guest.is_guest or guest.is_computer:
            message = _("There is no player %(name)s with an account.") % {"name": name[:40]}
            raise InputError([Fault("tournament/no-such-player", message)])
        if is_blocked(by, guest):
            message = _("you cannot invite %(name)s") % {"name": guest.name}
            raise InputError([Fault("community/not-together", message)])
        if row.invitations.filter(user=guest).exists():
            return
        if row.invitations.count() >= PLAYERS.value:
            message = _("%(count)d players are invited; that is the limit.")
            raise InputError([Fault("tournament/too-many", message % {"count": PLAYERS.value})])
        row.invitations.create(user=guest, by=by, at=now())
        record(row, Step.INVITED, by, user=guest.pk)


def is_invited(row: TournamentRow, user: User) -> bool:
    """Return whether a user may enter an event by invitation: the host and all who are invited."""
    return user.pk == row.host_id or row.invitations.filter(user=user).exists()
