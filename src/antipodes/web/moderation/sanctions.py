"""Sanctions in force: whether moderators keep a user from playing or from speaking to others."""

from __future__ import annotations

from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from antipodes.errors import Fault, MatchError
from antipodes.web.accounts.models import User
from antipodes.web.moderation.models import SanctionRow


def in_force(user: User | int, *kinds: str) -> SanctionRow | None:
    """Return the sanction of some kinds that is in force longest, or ``None``."""
    unexpired = Q(until=None) | Q(until__gt=timezone.now())
    rows = SanctionRow.objects.filter(unexpired, user=user, kind__in=kinds, lifted_at=None)
    return rows.order_by(F("until").desc(nulls_first=True)).first()


_CODES = {
    SanctionRow.Kind.SUSPENSION: "community/suspended",
    SanctionRow.Kind.MUTE: "chat/muted",
}


def _refuse(user: User, *kinds: SanctionRow.Kind) -> None:
    row = in_force(user, *kinds)
    if row is not None:
        raise MatchError([Fault(_CODES[SanctionRow.Kind(row.kind)], sanction_text(row))])


def sanction_text(row: SanctionRow) -> str:
    """Return the user's message of a mute or suspension, with its end and reason."""
    until = row.until and date_format(row.until, "DATETIME_FORMAT")
    values = {"reason": row.reason, "until": until}
    if row.kind == SanctionRow.Kind.SUSPENSION:
        if row.until is None:
            return _("you are suspended permanently: %(reason)s") % values
        return _("you are suspended until %(until)s: %(reason)s") % values
    if row.until is None:
        return _("you are muted permanently: %(reason)s") % values
    return _("you are muted until %(until)s: %(reason)s") % values


def sanctions_of(user: User) -> QuerySet[SanctionRow]:
    """Return the sanctions against a user, newest first."""
    return user.sanctions.select_related("match")


def active_sanctions(user: User) -> list[SanctionRow]:
    """Return the mutes and suspensions of a user that are in force."""
    kinds = (SanctionRow.Kind.MUTE, SanctionRow.Kind.SUSPENSION)
    return [row for row in user.sanctions.filter(kind__in=kinds) if row.is_in_force]


def refuse_game(user: User) -> None:
    """Refuse new games to a suspended user; games in progress continue.

    Raises:
        MatchError: the user is suspended; the message has the end and the reason.
    """
    _refuse(user, SanctionRow.Kind.SUSPENSION)


def refuse_speech(user: User) -> None:
    """Refuse words and invitations to others to a muted or suspended user.

    Raises:
        MatchError: the user is muted or suspended; the message has the end and the reason.
    """
    _refuse(user, SanctionRow.Kind.SUSPENSION, SanctionRow.Kind.MUTE)
