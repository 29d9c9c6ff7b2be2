"""Names of the computer's levels in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from antipodes.games import pairing_strategy
from antipodes.search.levels import Level, find_level, levels
from antipodes.web.platform.translations import translate

_LEVEL = "level"  # context of the names


def level_name(level: Level | str) -> str:
    """Return the name of a computer level, capitalised."""
    known = find_level(level) if isinstance(level, str) else level
    return pgettext(_LEVEL, known.name.capitalize())


def level_description(level: Level) -> str:
    """Describe a level with its number and how it plays, briefly enough for lists on phones."""
    values = {
        "number": level.number,
        "name": level_name(level),
        "description": translate(level.description),
    }
    return _("%(number)s %(name)s: %(description)s") % values


def computer_name(level: str) -> str:
    return _("computer, %(level)s") % {"level": pgettext(_LEVEL, level)}


def texts() -> Iterator[tuple[str | None, str]]:
    """Yield the texts of all levels, for the catalogues."""
    for level in levels():
        yield _LEVEL, level.name.capitalize()
        yield _LEVEL, level.name
        yield None, level.description
    yield _LEVEL, pairing_strategy.NAME
