"""Challenges of players of a ladder."""

from __future__ import annotations

from django.utils.translation import gettext as _

from antipodes.errors import Fault, InputError
from antipodes.tournaments import Ladder
from antipodes.tournaments.ladder import challenge_pairing, opponents
from antipodes.web.accounts.models import User
from antipodes.web.accounts.restrictions import check_may_play
from antipodes.web.platform.limits import rate_limit, take
from antipodes.web.relations.services import is_blocked
from antipodes.web.tournaments import places, rounds
from antipodes.web.tournaments.log import locked
from antipodes.web.tournaments.models import EntryRow, State, TournamentRow

CHALLENGES = rate_limit(
    "ladder-challenges", "20/hour;60/day", per="user", what="challenges in ladders"
)


def challengeable(row: TournamentRow, entry: EntryRow | None) -> list[EntryRow]:
    """Return the players of a ladder whom one of them may challenge now, the nearest first."""
    if entry is None or entry.number is None or row.state != State.RUNNING:
        return []
    if not isinstance(row.format, Ladder):
        return []
    pairings = rounds.pairings_of(row)
    numbers = opponents(places.order_of(row), pairings, entry.number, row.format.reach)
    entries = {one.number: one for one in row.entries.filter(number__in=numbers)}
    return [entries[one] for one in numbers]


def challenge(key: int, user: User, name: str) -> None:
    """Challenge a player of a ladder; the game begins at once.

    Raises:
        InputError: the user is not in the ladder, it is not running, or they may not challenge this
            player now.
        TooManyError: the user has challenged too often.
    """
    check_may_play(user)
    take(CHALLENGES, str(user.pk))
    with locked(key) as row:
        entry = row.entries.filter(user=user, is_withdrawn=False).first()
        if entry is None:
            raise InputError.single("tournament/not-in", _("You are not in this tournament."))
        found = [
            one for one in challengeable(row, entry) if one.user.username.lower() == name.lower()
        ]
        if not found:
            message = _("You cannot challenge %(name)s now.") % {"name": name[:40]}
            raise InputError([Fault("tournament/challenge", message)])
        if is_blocked(user, found[0].user):
            message = _("You cannot challenge %(name)s now.") % {"name": name[:40]}
            raise InputError([Fault("community/not-together", message)])
        pairing = challenge_pairing(
            rounds.pairings_of(row), entry.number or 0, found[0].number or 0
        )
        rounds.store(row, [pairing], user)
