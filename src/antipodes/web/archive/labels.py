"""Labels of colours, results and options on pages of the archive."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from antipodes.core import Color
from antipodes.lab import knowledge
from antipodes.records import Result
from antipodes.web.archive.models import BucketRow, OptionSetRow
from antipodes.web.platform import translations


def color_label(color: str) -> str:
    """Return the name of a colour, given as stored."""
    return translations.color_name(Color(color))


def wins_label(color: str) -> str:
    """Return "… wins" for a colour."""
    return _("%(colour)s wins") % {"colour": color_label(color)}


def result_label(bucket: BucketRow) -> str:
    """Return the result of the games of a bucket as text."""
    result = Result.read({"winner": bucket.winner, "reason": bucket.reason})
    return translations.result_text(result)


def option_set_label(row: OptionSetRow) -> str:
    """Return the options that differ from the defaults as text; empty if none does."""
    return " · ".join(translations.game_label(row.game_id, row.options).split(" · ")[1:])


def texts() -> Iterator[tuple[str | None, str]]:
    """Yield the texts of the laboratory's answers, for the catalogues."""
    yield from ((None, text) for text in knowledge.texts())
