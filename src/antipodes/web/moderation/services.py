"""What moderators do: every act is written down, and told to the person with its reason."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from antipodes.errors import InputError
from antipodes.web.accounts.models import User
from antipodes.web.accounts.usernames import check_name, name_taken
from antipodes.web.challenges.withdrawals import withdraw_all
from antipodes.web.matches import chat
from antipodes.web.matches.models import ChatLine, MatchRow
from antipodes.web.moderation.audit import write_down
from antipodes.web.moderation.models import HiddenLineRow, ReportRow, SanctionRow
from antipodes.web.moderation.notify import tell_of, tell_of_lifting
from antipodes.web.ratings import voiding

MAY = "moderation.moderate"
LONGEST = 2_000  # characters of a reason
MOST_DAYS = 3_650

Kind = SanctionRow.Kind
State = ReportRow.State


def may_act_on(by: User, user: User) -> bool:
    """Return whether somebody may act on a person: moderators on all but themselves and staff."""
    if by == user or user.is_computer or not by.is_active or not by.has_perm(MAY):
        return False
    return by.is_superuser or not user.is_staff


def check_may_act_on(by: User, user: User) -> None:
    """Refuse an act of moderators.

    Raises:
        InputError: they may not act on this person.
    """
    if not may_act_on(by, user):
        message = _("%(by)s may not act on %(name)s") % {"by": by.name, "name": user.name}
        raise InputError.single("moderation/not-allowed", message)


def warn(by: User, user: User, reason: str, report: ReportRow | None = None) -> SanctionRow:
    """Tell somebody what they shall not do again.

    Raises:
        InputError: the moderator may not act on this person, or gives no reason.
    """
    with _act(by, user, reason, report):
        return _measure(by, user, Kind.WARNING, reason, report)


def mute(
    by: User, user: User, days: int | None, reason: str, report: ReportRow | None = None
) -> SanctionRow:
    """Keep somebody from all chats for some days, or with ``None`` for ever.

    Raises:
        InputError: the moderator may not act on this person, gives no reason, or a wrong number.
    """
    until = _end(days)
    with _act(by, user, reason, report):
        return _measure(by, user, Kind.MUTE, reason, report, until=until, what=_length(days))


def suspend(
    by: User, user: User, days: int | None, reason: str, report: ReportRow | None = None
) -> SanctionRow:
    """Keep somebody from new games and all chats for some days, or with ``None`` for ever.

    What they play goes on, because the others shall not suffer. Their challenges are taken back.

    Raises:
        InputError: the moderator may not act on this person, gives no reason, or a wrong number.
    """
    until = _end(days)
    with _act(by, user, reason, report):
        withdraw_all(user)
        return _measure(by, user, Kind.SUSPENSION, reason, report, until=until, what=_length(days))


def rename(
    by: User, user: User, name: str, reason: str, report: ReportRow | None = None
) -> SanctionRow:
    """Give somebody another name.

    Raises:
        InputError: the moderator may not act on this person, gives no reason, or a name that
            nobody can have or somebody has.
    """
    if user.is_guest:
        message = _("%(name)s is a guest, whose name is given by the site") % {"name": user.name}
        raise InputError.single("moderation/name", message)
    try:
        check_name(name)
        if User.objects.alike(name).exclude(pk=user.pk).exists():
            raise name_taken(name)
    except ValidationError as error:
        raise InputError.single("moderation/name", " ".join(error.messages)) from None
    with _act(by, user, reason, report):
        before, user.username = user.username, name
        user.save(update_fields=["username"])
        return _measure(by, user, Kind.RENAMING, reason, report, what=f"{before} -> {name}")


def hide_line(
    by: User, line: ChatLine, reason: str, report: ReportRow | None = None
) -> SanctionRow:
    """Delete a line of a chat for all but moderators.

    Raises:
        InputError: the moderator may not act on whoever said it, or gives no reason.
    """
    with _act(by, line.user, reason, report):
        HiddenLineRow.objects.get_or_create(line=line)
        transaction.on_commit(lambda: chat.hide(line))
        return _measure(by, line.user, Kind.LINE, reason, report, what=line.text)


def void_ratings(
    by: User, row: MatchRow, reason: str, report: ReportRow | None = None
) -> list[SanctionRow]:
    """Let a finished match count for ratings no longer; all its players are told.

    Raises:
        InputError: the match does not count, or the moderator may not act on one of its players, or
            gives no reason.
    """
    players = _players_of(row)
    for player in players:
        check_may_act_on(by, player)
    more = {"match": row, "what": str(row)}
    with transaction.atomic():
        voiding.void(row)
        measures = []
        for player in players:
            with _act(by, player, reason, report):
                measures.append(_measure(by, player, Kind.VOID, reason, report, **more))
    return measures


def _players_of(row: MatchRow) -> list[User]:
    """Return the people who have played a match, each once."""
    seats = row.seats.select_related("user").order_by("number")
    return list(dict.fromkeys(seat.user for seat in seats))


def lift(by: User, measure: SanctionRow, reason: str) -> None:
    """Take a measure that holds back before its time.

    A game that is counted again is counted for all who played it.

    Raises:
        InputError: it does not hold, the moderator may not act on this person, or gives no reason.
    """
    if not measure.is_in_force:
        raise InputError.single("moderation/over", _("this holds no longer"))
    together = [measure]
    if measure.kind == Kind.VOID:
        of_match = SanctionRow.objects.filter(match=measure.match, kind=Kind.VOID, lifted_at=None)
        together = list(of_match.select_related("user", "match").order_by("pk"))
    with transaction.atomic():
        if measure.kind == Kind.VOID and measure.match is not None:
            voiding.restore(measure.match)
        for one in together:
            _lift(by, one, reason)


def _lift(by: User, measure: SanctionRow, reason: str) -> None:
    with _act(by, measure.user, reason, None):
        measure.lifted_at = timezone.now()
        measure.save(update_fields=["lifted_at"])
        tell_of_lifting(measure, reason.strip())
        write_down(by, "lift", measure.user, what=str(measure), reason=reason)


def dismiss(by: User, report: ReportRow, reason: str) -> None:
    """Close a report without doing anything.

    Raises:
        InputError: the moderator may not act on this person, or gives no reason.
    """
    with _act(by, report.about, reason, None):
        _close(by, report, State.DISMISSED)
        write_down(by, "dismiss", report.about, what=f"report {report.pk}", reason=reason)


@contextmanager
def _act(by: User, user: User, reason: str, report: ReportRow | None) -> Iterator[None]:
    """Check an act, do it whole or not at all, and close its report."""
    check_may_act_on(by, user)
    if not 0 < len(reason.strip()) <= LONGEST:
        message = _("a reason has 1 to %(most)s characters, not %(count)s")
        told = {"most": LONGEST, "count": len(reason.strip())}
        raise InputError.single("moderation/reason", message % told)
    with transaction.atomic():
        yield
        if report is not None:
            _close(by, report, State.ACTED)


def _measure(
    by: User, user: User, kind: str, reason: str, report: ReportRow | None, **more: Any
) -> SanctionRow:
    measure = SanctionRow.objects.create(
        user=user, kind=kind, reason=reason.strip(), by=by, report=report, **more
    )
    write_down(by, kind, user, what=measure.what, reason=measure.reason)
    tell_of(measure)
    return measure


def _close(by: User, report: ReportRow, state: str) -> None:
    report.state, report.closed_at, report.closed_by = state, timezone.now(), by
    report.save(update_fields=["state", "closed_at", "closed_by"])


def _end(days: int | None) -> datetime | None:
    if days is None:
        return None
    if not 1 <= days <= MOST_DAYS:
        message = _("it can be for 1 to %(most)s days, or for ever, but not for %(days)s")
        told = {"most": MOST_DAYS, "days": days}
        raise InputError.single("moderation/days", message % told)
    return timezone.now() + timedelta(days=days)


def _length(days: int | None) -> str:
    return "for ever" if days is None else f"{days} days"
