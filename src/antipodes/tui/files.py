"""Files of the session: names, saving, and going on from a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from antipodes import local_game
from antipodes.core import Color
from antipodes.tui.session import Session

if TYPE_CHECKING:
    from antipodes.records import Record

_ENDINGS = (".json", ".sgf")


def proposed_name(session: Session) -> str:
    """Return a file name that is not taken yet, such as ``antipod-1.json``."""
    number = 1
    while Path(f"{session.game.id}-{number}.json").exists():
        number += 1
    return f"{session.game.id}-{number}.json"


def path_of(name: str) -> Path:
    """Return the file that a name means: in the home folder for ``~``, JSON without a suffix."""
    path = Path(name.strip()).expanduser()
    return path if path.suffix or path.is_dir() else path.with_suffix(".json")


def fault_in_name(name: str) -> str | None:
    """Say why a file name cannot be used, or return ``None``."""
    if not name.strip() or "\0" in name:
        return "Please give a file name."
    try:
        path = path_of(name)
        is_folder = path.is_dir()
    except (OSError, RuntimeError, ValueError):
        return "That cannot be a file name."
    if is_folder:
        return f"{path} is a folder."
    if not path.absolute().parent.is_dir():
        return f"There is no folder {path.absolute().parent}."
    if path.suffix.lower() not in _ENDINGS:
        return f"Games are saved as {' or '.join(_ENDINGS)}, not {path.suffix}."
    return None


def save(session: Session, path: Path) -> None:
    """Write the session's game to a file; the name's ending chooses the format.

    Raises:
        InvalidRecordError: the file cannot be written.
    """
    local_game.save(session, path)
    session.saved_plies = len(session.moves)


def continued(record: Record, players: Mapping[Color, str] | Sequence[str]) -> Session:
    """Return a session that goes on where the main line of a record ends."""
    session = local_game.continued(Session(record.game, players, record.root.position), record)
    session.saved_plies = len(session.moves)
    return session
