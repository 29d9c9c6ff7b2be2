"""Forgetting what nobody needs any more."""

from __future__ import annotations

from antipodes.web.matches.services import now
from antipodes.web.notices.models import LetterRow, LookRow, NoticeRow
from antipodes.web.rounds import every

# All in days.
KEPT_SEEN = 90
KEPT_UNSEEN = 365
KEPT_LETTERS = 30

_DAY = 86_400_000  # milliseconds


@every(3_600)
def forget_old() -> None:
    """Delete old notices, letters that are done with, and looks of pages that are gone."""
    at = now()
    old = NoticeRow.objects.filter(made_at__lt=at - KEPT_SEEN * _DAY)
    old.exclude(seen_at=None).delete()
    old.filter(made_at__lt=at - KEPT_UNSEEN * _DAY).delete()
    LetterRow.objects.filter(due_at=None, made_at__lt=at - KEPT_LETTERS * _DAY).delete()
    LookRow.objects.filter(until__lt=at).delete()
