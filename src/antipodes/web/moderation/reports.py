"""Reports of players, chat lines, matches and studies."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from antipodes.errors import InputError
from antipodes.web.accounts.masking import for_moderators
from antipodes.web.accounts.models import User
from antipodes.web.matches import chat, open_chat
from antipodes.web.matches.access import may_watch
from antipodes.web.matches.models import ChatLine, MatchRow
from antipodes.web.matches.snapshots import snapshot_of
from antipodes.web.moderation.models import ReportRow
from antipodes.web.studies.removals import Part, Place

MOST_A_DAY = 10
LONGEST = 2_000  # characters of a report
_DAY = timedelta(days=1)


def report(
    by: User,
    about: User,
    reason: str,
    text: str = "",
    *,
    match: MatchRow | None = None,
    line: ChatLine | None = None,
    place: Place | None = None,
) -> ReportRow:
    """Report a player; an open report about the same is returned instead of a second one.

    The caller checks that the reporter may see the match, the line or the study.

    Raises:
        InputError: the player is the reporter or the computer, the daily limit is reached, the text
            is too long, or the reason is missing.
    """
    _check(by, about, reason, text)
    subject = {"match": match, "line": line, **_in_study(place)}
    same = ReportRow.objects.filter(
        by=by, about=about, state=ReportRow.State.OPEN, **subject
    ).first()
    if same is not None:
        return same
    if ReportRow.objects.filter(by=by, made_at__gt=timezone.now() - _DAY).count() >= MOST_A_DAY:
        message = _("you have reached the limit of %(most)s reports a day")
        raise InputError.single("report/too-many", message % {"most": MOST_A_DAY})
    return ReportRow.objects.create(
        by=by,
        about=about,
        quote=line.text if line else place.text if place else "",
        reason=reason,
        text=for_moderators(by, text).strip(),
        **subject,
    )


def _in_study(place: Place | None) -> dict[str, Any]:
    if place is None:
        return {"study": None, "place": {}}
    chapter = place.chapter
    where = {"part": place.part.value, "chapter": chapter.number, "path": list(place.path)}
    return {"study": chapter.study, "place": where}


def place_of(row: ReportRow) -> Place | None:
    """Return the reported part of a study, if the report is about one that still exists."""
    if row.study is None:
        return None
    chapter = row.study.chapters.filter(number=row.place["chapter"]).first()
    if chapter is None:
        return None
    chapter.study = row.study
    return Place(chapter, Part(row.place["part"]), tuple(row.place["path"]))


def _check(by: User, about: User, reason: str, text: str) -> None:
    if by == about or about.is_computer:
        message = _("%(name)s cannot be reported") % {"name": about.name}
        raise InputError.single("report/whom", message)
    if reason not in ReportRow.Reason.values:
        message = _("unknown reason “%(reason)s”") % {"reason": reason[:40]}
        raise InputError.single("report/reason", message)
    if len(text) > LONGEST:
        message = _("a report can have at most %(most)s characters, not %(count)s")
        counts = {"most": LONGEST, "count": len(text)}
        raise InputError.single("report/too-long", message % counts)
    if reason == ReportRow.Reason.OTHER and not text.strip():
        raise InputError.single("report/reason", _("describe what happened"))


def readable_line(user: User, key: int) -> ChatLine | None:
    """Return a chat line if a user may read it now, else ``None``."""
    lines = ChatLine.objects.select_related("match__series", "user")
    line = lines.filter(pk=key, hidden=None).first()
    if line is None:
        return None
    if line.match is None:
        return line if open_chat.place_of(line, user) is not None else None
    if not may_watch(line.match, user):
        return None
    return line if chat.may_read(snapshot_of(line.match), user.pk, line.room) else None


def people_of(row: MatchRow, but: User) -> QuerySet[User]:
    """Return the players of a match whom a user can report."""
    return User.objects.filter(seats__match=row, computer="").exclude(pk=but.pk).distinct()
