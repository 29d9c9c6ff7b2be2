"""Pictures of Antipod in text, as the mail server draws them: recognising and reading."""

from __future__ import annotations

from collections.abc import Mapping

from antipodes.boards import sphere
from antipodes.errors import InvalidRecordError
from antipodes.games.antipod import Antipod, AntipodOptions
from antipodes.games.position import Position
from antipodes.notation.sphere_reading import examine_sphere, side_of_picture
from antipodes.records.formats import recognise

_USUAL_SIDE = 6


def picture_text(source: str | bytes) -> str | None:
    """Return the text of what looks like a picture and not like a record; else ``None``."""
    try:
        recognise(source)
    except InvalidRecordError:
        text = source if isinstance(source, str) else source.decode("utf-8", "replace")
        faults = examine_sphere(text, sphere(_USUAL_SIDE)).faults
        without_rows = any(fault.code == "picture/no-board" for fault in faults)
        return None if without_rows else text
    return None


def read_picture(text: str, options: Mapping[str, int | str] | None = None) -> Position:
    """Return the position that a picture shows; its rows tell the side unless options do.

    Raises:
        InvalidPictureError: the picture has faults, or shows no possible position.
        InvalidOptionsError: Antipod has no such options.
    """
    side = side_of_picture(text) or _USUAL_SIDE
    game = Antipod(AntipodOptions.read({"side": side, **(options or {})}))
    position: Position = game.position_from_picture(text)
    return position
