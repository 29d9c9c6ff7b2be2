"""What pages of the archive say of options, colours and results."""

from __future__ import annotations

from django.utils.translation import gettext as _

from antipodes.core import Color
from antipodes.records import Reason, Result
from antipodes.web.archive.models import OptionSetRow, ShelfRow
from antipodes.web.platform import translations


def color_words(color: str) -> str:
    """Name a colour, as it is kept."""
    return translations.color_words(Color(color))


def wins_words(color: str) -> str:
    """Say that a colour wins."""
    return _("%(colour)s wins") % {"colour": color_words(color)}


def result_of(shelf: ShelfRow) -> str:
    """Say how the games of a shelf ended."""
    winner = Color(shelf.winner) if shelf.winner else None
    return translations.result_words(Result(winner, Reason(shelf.reason)))


def option_set_words(row: OptionSetRow) -> str:
    """Say the options that are not the usual ones; nothing if all are."""
    return " · ".join(translations.game_words(row.game_id, row.options).split(" · ")[1:])
