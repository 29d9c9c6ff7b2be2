"""Actions of moderators; each is logged, and the user is notified with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from antipodes.errors import InputError
from antipodes.web.accounts.masking import for_moderators
from antipodes.web.accounts.models import User
from antipodes.web.accounts.usernames import check_name, name_taken
from antipodes.web.challenges.services import withdraw_all
from antipodes.web.matches import chat
from antipodes.web.matches.models import ChatLine, MatchRow
from antipodes.web.moderation.audit import record
from antipodes.web.moderation.models import HiddenLineRow, ReportRow, SanctionRow
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.services import notify
from antipodes.web.ratings import voiding
from antipodes.web.studies import removals
from antipodes.web.studies.models import StudyRow
from antipodes.web.studies.removals import Place

PERMISSION = "moderation.moderate"
LONGEST = 2_000  # characters of a reason
MOST_DAYS = 3_650
_LONGEST_QUOTE = 500  # characters of a removed text in a sanction

SanctionKind = SanctionRow.Kind
State = ReportRow.State


def may_act_on(by: User, user: User) -> bool:
    """Return whether a moderator may act on a user.

    Moderators may not act on themselves, on the computer or, unless superusers, on staff.
    """
    if by == user or user.is_computer or not by.has_perm(PERMISSION):
        return False
    return by.is_superuser or not user.is_staff


def check_may_act_on(by: User, user: User) -> None:
    """Check that a moderator may act on a user.

    Raises:
        InputError: they may not.
    """
    if not may_act_on(by, user):
        message = _("%(by)s may not act on %(name)s") % {"by": by.name, "name": user.name}
        raise InputError.single("moderation/not-allowed", message)


def warn(by: User, user: User, reason: str, report: ReportRow | None = None) -> SanctionRow:
    """Warn a user.

    Raises:
        InputError: the moderator may not act on this user, or gives no reason.
    """
    with _action(by, user, reason, report):
        return _sanction(by, user, SanctionKind.WARNING, reason, report)


def mute(
    by: User, user: User, days: int | None, reason: str, report: ReportRow | None = None
) -> SanctionRow:
    """Exclude a user from all chats for some days, or permanently if ``None``.

    Raises:
        InputError: the moderator may not act on this user, gives no reason, or the number of days
            is out of range.
    """
    until = _end(days)
    with _action(by, user, reason, report):
        return _sanction(
            by, user, SanctionKind.MUTE, reason, report, until=until, what=_length(days)
        )


def suspend(
    by: User, user: User, days: int | None, reason: str, report: ReportRow | None = None
) -> SanctionRow:
    """Exclude a user from new games and all chats for some days, or permanently if ``None``.

    Games in progress continue, for the sake of the opponents. Challenges are cancelled.

    Raises:
        InputError: the moderator may not act on this user, gives no reason, or the number of days
            is out of range.
    """
    until = _end(days)
    with _action(by, user, reason, report):
        withdraw_all(user)
        return _sanction(
            by, user, SanctionKind.SUSPENSION, reason, report, until=until, what=_length(days)
        )


def rename(
    by: User, user: User, name: str, reason: str, report: ReportRow | None = None
) -> SanctionRow:
    """Rename a user.

    Raises:
        InputError: the moderator may not act on this user, gives no reason, or the name is invalid
            or taken.
    """
    if user.is_guest:
        message = _("%(name)s is a guest and cannot be renamed") % {"name": user.name}
        raise InputError.single("moderation/name", message)
    try:
        check_name(name)
        if User.objects.alike(name).exclude(pk=user.pk).exists():
            raise name_taken(name)
    except ValidationError as error:
        raise InputError.single("moderation/name", " ".join(error.messages)) from None
    with _action(by, user, reason, report):
        before, user.username = user.username, name
        user.save(update_fields=["username"])
        return _sanction(
            by, user, SanctionKind.RENAMING, reason, report, what=f"{before} -> {name}"
        )


def hide_line(
    by: User, line: ChatLine, reason: str, report: ReportRow | None = None
) -> SanctionRow:
    """Delete a chat line; only moderators can still read it.

    Raises:
        InputError: the moderator may not act on the author, or gives no reason.
    """
    with _action(by, line.user, reason, report):
        _hide(line)
        return _sanction(
            by, line.user, SanctionKind.LINE, reason, report, what=line.text[:_LONGEST_QUOTE]
        )


def hide_line_of_event(by: User, line: ChatLine) -> None:
    """Delete a chat line of an event that a user directs; only moderators can still read it."""
    with transaction.atomic():
        _hide(line)
        record(by, "delete line of event", line.user, what=line.text)


def _hide(line: ChatLine) -> None:
    HiddenLineRow.objects.get_or_create(line=line)
    transaction.on_commit(lambda: chat.hide(line))


def hide_study(
    by: User, study: StudyRow, reason: str, report: ReportRow | None = None
) -> SanctionRow:
    """Hide a study from all but its owner, until the sanction is lifted.

    Raises:
        InputError: the moderator may not act on the owner, or gives no reason.
    """
    with _action(by, study.owner, reason, report):
        removals.set_hidden(study, is_hidden=True)
        more = {"study": study, "what": study.title}
        return _sanction(by, study.owner, SanctionKind.STUDY, reason, report, **more)


def remove_text(
    by: User, user: User, place: Place, reason: str, report: ReportRow | None = None
) -> SanctionRow:
    """Remove a title or a comment of a study; only moderators can still read it.

    Args:
        by: the moderator.
        user: the author of the text.
        place: of the text.
        reason: for the author.
        report: of the text, if any.

    Raises:
        InputError: the moderator may not act on the author, or gives no reason.
    """
    with _action(by, user, reason, report):
        text = place.text[:_LONGEST_QUOTE]
        removals.remove_text(place)
        return _sanction(by, user, SanctionKind.TEXT, reason, report, what=text)


def void_ratings(
    by: User, row: MatchRow, reason: str, report: ReportRow | None = None
) -> list[SanctionRow]:
    """Void the ratings of a finished match, and notify its players.

    Raises:
        InputError: the match does not count, or the moderator may not act on one of its players or
            gives no reason.
    """
    players = _players_of(row)
    for player in players:
        check_may_act_on(by, player)
    more = {"match": row, "what": str(row)}
    with transaction.atomic():
        voiding.void(row)
        sanctions = []
        for player in players:
            with _action(by, player, reason, report):
                sanctions.append(_sanction(by, player, SanctionKind.VOID, reason, report, **more))
    return sanctions


def _players_of(row: MatchRow) -> list[User]:
    """Return the players of a match, each once."""
    seats = row.seats.select_related("user").order_by("number")
    return list(dict.fromkeys(seat.user for seat in seats))


def lift(by: User, sanction: SanctionRow, reason: str) -> None:
    """Lift a sanction.

    Voided ratings of a match are restored for all its players, and a hidden study is shown again.

    Raises:
        InputError: the sanction is not in force, or the moderator may not act on the user or gives
            no reason.
    """
    if not sanction.is_in_force:
        raise InputError.single("moderation/over", _("this sanction is no longer in force"))
    together = [sanction]
    if sanction.kind == SanctionKind.VOID:
        of_match = SanctionRow.objects.filter(
            match=sanction.match, kind=SanctionKind.VOID, lifted_at=None
        )
        together = list(of_match.select_related("user", "match").order_by("pk"))
    with transaction.atomic():
        if sanction.kind == SanctionKind.VOID and sanction.match is not None:
            voiding.restore(sanction.match)
        if sanction.study is not None:
            removals.set_hidden(sanction.study, is_hidden=False)
        for lifted in together:
            _lift(by, lifted, reason)


def _lift(by: User, sanction: SanctionRow, reason: str) -> None:
    with _action(by, sanction.user, reason, None):
        sanction.lifted_at = timezone.now()
        sanction.save(update_fields=["lifted_at"])
        reason = for_moderators(by, reason).strip()
        notify_of_lifting(sanction, reason)
        record(by, "lift", sanction.user, what=str(sanction), reason=reason)


def dismiss(by: User, report: ReportRow, reason: str) -> None:
    """Close a report without a sanction.

    Raises:
        InputError: the moderator may not act on this user, or gives no reason.
    """
    with _action(by, report.about, reason, None):
        _close(by, report, State.DISMISSED)
        record(by, "dismiss", report.about, what=f"report {report.pk}", reason=reason)


@contextmanager
def _action(by: User, user: User, reason: str, report: ReportRow | None) -> Iterator[None]:
    """Check permission and reason, run the body in a transaction, and close the report."""
    check_may_act_on(by, user)
    if not 0 < len(reason.strip()) <= LONGEST:
        message = _("a reason must have 1 to %(most)s characters, not %(count)s")
        counts = {"most": LONGEST, "count": len(reason.strip())}
        raise InputError.single("moderation/reason", message % counts)
    with transaction.atomic():
        yield
        if report is not None:
            _close(by, report, State.ACTED)


def _sanction(
    by: User, user: User, kind: str, reason: str, report: ReportRow | None, **more: Any
) -> SanctionRow:
    sanction = SanctionRow.objects.create(
        user=user,
        kind=kind,
        reason=for_moderators(by, reason).strip(),
        by=by,
        report=report,
        **more,
    )
    record(by, kind, user, what=sanction.what, reason=sanction.reason)
    notify_of_sanction(sanction)
    return sanction


def _close(by: User, report: ReportRow, state: str) -> None:
    report.state, report.closed_at, report.closed_by = state, timezone.now(), by
    report.save(update_fields=["state", "closed_at", "closed_by"])


def _end(days: int | None) -> datetime | None:
    if days is None:
        return None
    if not 1 <= days <= MOST_DAYS:
        message = _("choose 1 to %(most)s days, or permanently; not %(days)s days")
        values = {"most": MOST_DAYS, "days": days}
        raise InputError.single("moderation/days", message % values)
    return timezone.now() + timedelta(days=days)


def _length(days: int | None) -> str:
    if days is None:
        return "permanent"
    return "1 day" if days == 1 else f"{days} days"


def notify_of_sanction(sanction: SanctionRow) -> None:
    notify(
        sanction.user,
        NotificationKind.MODERATION,
        key=f"sanction {sanction.pk}",
        path=reverse("sanctions"),
        act=sanction.kind,
        text=sanction.reason,
    )


def notify_of_lifting(sanction: SanctionRow, reason: str) -> None:
    """Notify a user that a sanction has been lifted."""
    notify(
        sanction.user,
        NotificationKind.MODERATION,
        key=f"sanction {sanction.pk} lifted",
        path=reverse("sanctions"),
        act="counted" if sanction.kind == SanctionRow.Kind.VOID else "lifted",
        text=reason,
    )
