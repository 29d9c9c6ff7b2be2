"""Saving the session's game as a record, and going on with one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from antipodes.core import Color
from antipodes.tui.session import Session


def proposed_name(session: Session) -> str:
    """Return a file name that is not taken yet, such as ``antipod-1.json``."""
    number = 1
    while Path(f"{session.game.id}-{number}.json").exists():
        number += 1
    return f"{session.game.id}-{number}.json"


def path_of(name: str) -> Path:
    """Return the file that a name means: in the home folder for ``~``, JSON without a suffix."""
    path = Path(name.strip()).expanduser()
    return path if path.suffix else path.with_suffix(".json")


def fault_in_name(name: str) -> str | None:
    """Say why a file name cannot be used, or return ``None``."""
    if not name.strip():
        return "Please give a file name."
    path = path_of(name)
    if path.is_dir():
        return f"{path} is a folder."
    if not path.absolute().parent.is_dir():
        return f"There is no folder {path.absolute().parent}."
    if path.suffix.lower() != ".json":
        return f"Records are saved as .json, not {path.suffix}; antipodes convert makes others."
    return None


def save(session: Session, path: Path) -> None:
    """Write the session's game as a JSON record.

    Raises:
        OSError: the file cannot be written.
    """
    from antipodes.records import Record, save as write

    write(Record.from_moves(session.game, session.moves), path)
    session.saved_plies = len(session.moves)


def continued(record: Any, players: Mapping[Color, str]) -> Session:
    """Return a session that goes on where the main line of a record ends."""
    raise NotImplementedError(record, players)
