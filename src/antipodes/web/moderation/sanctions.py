"""Sanctions in force: whether moderators keep a user from playing or chatting."""

from __future__ import annotations

from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from antipodes.errors import Fault, MatchError
from antipodes.web.accounts.models import User
from antipodes.web.moderation.models import SanctionRow


def in_force(user: User | int, kind: str) -> SanctionRow | None:
    """Return the measure that keeps a user from something longest now, or ``None``."""
    holds = Q(until=None) | Q(until__gt=timezone.now())
    rows = SanctionRow.objects.filter(holds, user=user, kind=kind, lifted_at=None)
    return rows.order_by(F("until").desc(nulls_first=True)).first()


def _check(user: User, kind: str, code: str) -> None:
    row = in_force(user, kind)
    if row is not None:
        raise MatchError([Fault(code, sanction_text(row))])


def sanction_text(row: SanctionRow) -> str:
    """Say what a measure keeps its person from, until when, and why."""
    told = {"reason": row.reason, "until": row.until and date_format(row.until, "DATETIME_FORMAT")}
    if row.kind == SanctionRow.Kind.SUSPENSION:
        if row.until is None:
            return _("you are suspended for ever: %(reason)s") % told
        return _("you are suspended until %(until)s: %(reason)s") % told
    if row.until is None:
        return _("you cannot use the chat any more: %(reason)s") % told
    return _("you cannot use the chat until %(until)s: %(reason)s") % told


def sanctions_of(user: User) -> QuerySet[SanctionRow]:
    """Return what moderators have done about somebody, the newest first."""
    return user.measures.select_related("match")


def active_sanctions(user: User) -> list[SanctionRow]:
    """Return what keeps somebody from something now."""
    lasting = user.measures.filter(kind__in=(SanctionRow.Kind.MUTE, SanctionRow.Kind.SUSPENSION))
    return [row for row in lasting if row.is_in_force]


def refuse_game(user: User) -> None:
    """Refuse new games to somebody who is suspended; running ones go on.

    Raises:
        MatchError: the user is suspended; the message says why, and until when.
    """
    _check(user, SanctionRow.Kind.SUSPENSION, "community/suspended")


def refuse_chat(user: User) -> None:
    """Refuse the chat to somebody who is muted or suspended.

    Raises:
        MatchError: with the reason, and until when.
    """
    _check(user, SanctionRow.Kind.SUSPENSION, "community/suspended")
    _check(user, SanctionRow.Kind.MUTE, "chat/muted")
