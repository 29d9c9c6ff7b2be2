"""Compile the catalogues of translations for Django, without GNU gettext.

Compiled catalogues are not committed: wheels, editable installations, ``make run`` and the tests
compile those that are missing or have changed.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

LOCALE = Path(__file__).parents[1] / "src/antipodes/web/locale"

# Spaces that must not end a line, and what they become: narrow ones and wide ones.
_SPACES = {
    "fr": (
        (re.compile(r"[ \u00a0](?=[;!?])"), "\u202f"),
        (re.compile(r" (?=[:»])|(?<=«) "), "\u00a0"),
    )
}


def typeset(catalogue: Catalog) -> Catalog:
    """Return a catalogue whose translations have the spaces of their language."""
    for message in catalogue:
        for pattern, space in _SPACES.get(str(catalogue.locale), ()) if message.id else ():
            if isinstance(message.string, str):
                message.string = pattern.sub(space, message.string)
            elif message.string:
                message.string = tuple(pattern.sub(space, one) for one in message.string)
    return catalogue


def compile_catalogues(locale: Path = LOCALE) -> list[Path]:
    """Compile each ``django.po`` that has changed to ``django.mo``; return the compiled files.

    A compiled file has the time of its source, or of this program if that is later; so an older
    source counts as changed too.
    """
    sources = {
        po: max(po.stat().st_mtime_ns, Path(__file__).stat().st_mtime_ns)
        for po in sorted(locale.glob("*/LC_MESSAGES/django.po"))
    }
    changed = [po for po, time in sources.items() if _time_of(po.with_suffix(".mo")) != time]
    for po in changed:
        _compile(po, sources[po])
    return [po.with_suffix(".mo") for po in changed]


def _time_of(path: Path) -> int | None:
    return path.stat().st_mtime_ns if path.exists() else None


def _compile(po: Path, time: int) -> None:
    from babel.messages.mofile import write_mo  # noqa: PLC0415 - mostly there is nothing to do
    from babel.messages.pofile import read_po  # noqa: PLC0415

    with po.open("rb") as source:
        catalogue = read_po(source, locale=po.parents[1].name)
    # A process that reads the file meanwhile sees the old one or the new one, whole.
    with tempfile.NamedTemporaryFile(dir=po.parent, suffix=".mo", delete=False) as partial:
        write_mo(partial, typeset(catalogue))
    os.utime(partial.name, ns=(time, time))
    Path(partial.name).chmod(po.stat().st_mode)
    Path(partial.name).replace(po.with_suffix(".mo"))


if __name__ == "__main__":
    compile_catalogues()
