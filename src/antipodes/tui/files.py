"""Saving the session's game as a record, and going on with one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from antipodes.core import Color, Setup
from antipodes.tui.session import Session

if TYPE_CHECKING:
    from antipodes.records import Record, Result

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
    """Write the session's game as a record; the name's ending chooses the format.

    A game that went on from a record keeps that record's names, comments and variations; what was
    played is its main line.

    Raises:
        InvalidRecordError: the file cannot be written.
    """
    # Records are imported when they are needed, so that the first picture comes sooner.
    from antipodes import records
    from antipodes.records import Record

    record = session.record
    if record is None:
        record = Record(session.game, _start(session), session.seats)
    node = record.root
    for move in session.moves:
        node = node.play(move)
        node.promote()
    for later in node.children:
        later.remove()  # these moves were taken back
    record.result = _result(session)
    records.save(path, record)
    session.saved_plies = len(session.moves)


def _start(session: Session) -> Setup | None:
    """Return the setup of a start that is not the game's own."""
    first = session.positions[0]
    return None if first == session.game.initial() else first.to_setup()


def _result(session: Session) -> Result | None:
    from antipodes.records import Reason, Result

    outcome = session.position.outcome
    if outcome is not None:
        return Result.of(outcome)
    if session.resigned is None:
        return None
    if session.winner is None:
        return Result(None, Reason.ABANDONED, f"{session.resigned} resigned")
    return Result(session.winner, Reason.RESIGNATION)


def continued(record: Record, players: Mapping[Color, str] | Sequence[str]) -> Session:
    """Return a session that goes on where the main line of a record ends."""
    from antipodes.records import Reason

    session = Session(record.game, players, record.root.position)
    for move in record.moves():
        session.play(move)
    session.record = record
    session.saved_plies = len(session.moves)
    result = record.result
    if result is not None and result.reason is Reason.RESIGNATION:
        session.resigned = result.winner and record.game.opponent_of(result.winner)
    return session
