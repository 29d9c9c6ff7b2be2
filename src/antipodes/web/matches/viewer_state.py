"""State of a match for one user: private notes, and how many moves they have seen."""

from __future__ import annotations

from antipodes.errors import Fault, MatchError
from antipodes.records.texts import clean_text
from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow, ViewerStateRow
from antipodes.web.platform.queries import first_row, table

LONGEST = 10_000  # characters of notes


def notes_of(row: MatchRow, user: User | None) -> str:
    state = ViewerStateRow.objects.filter(match=row, user=user).first() if user else None
    return state.notes if state else ""


def write_notes(row: MatchRow, user: User, text: str) -> None:
    """Replace a user's private notes.

    Raises:
        MatchError: the notes are too long.
    """
    if len(text) > LONGEST:
        fault = Fault.of(
            "notes/too-long",
            "notes of {length} characters are too long; {longest} are allowed",
            length=len(text),
            longest=LONGEST,
        )
        raise MatchError([fault])
    ViewerStateRow.objects.update_or_create(
        match=row, user=user, defaults={"notes": clean_text(text)}
    )


def seen_by(row: MatchRow, user: User | None) -> int | None:
    """Return the number of moves at a user's last visit, or ``None`` at the first visit."""
    query = f"SELECT seen FROM {table(ViewerStateRow)} WHERE match_id = %s AND user_id = %s"  # noqa: S608
    found = first_row(query, row.pk, user.pk) if user else None
    return found[0] if found else None


def note_seen(row: MatchRow, user: User, ply: int) -> None:
    """Store how many moves a user has seen."""
    ViewerStateRow.objects.bulk_create(
        [ViewerStateRow(match=row, user=user, seen=ply)],
        update_conflicts=True,
        unique_fields=["match", "user"],
        update_fields=["seen"],
    )
