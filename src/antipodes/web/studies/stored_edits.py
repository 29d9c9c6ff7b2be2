"""Stored edits: bounded in bytes, and dropped once their chapter has been written with them."""

from __future__ import annotations

import json
from typing import Any

from django.db import transaction
from django.db.models import F, Sum
from django.utils.translation import gettext as _

from antipodes.errors import Fault, InputError
from antipodes.records import Record
from antipodes.web.accounts.models import User
from antipodes.web.platform import metrics
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import CountLimit, count_limit
from antipodes.web.studies.chapters import Chapter, catch_up, move_view, record_text
from antipodes.web.studies.edits import (
    Edit,
    apply,
    comment_places,
    find_node,
    place_of,
    size_of,
)
from antipodes.web.studies.models import ChapterRow, CommentAuthorRow, EditRow, StudyRow

STUDY_SIZE = count_limit(
    "study-size", 8_192, per="study", what="kilobytes of a study, with its latest edits"
)
STUDIES_SIZE = count_limit(
    "studies-size",
    65_536,
    per="user",
    what="kilobytes of all studies of one owner; an eighth of that for guests",
)

_GUESTS_HAVE = 8  # times less room
_STORED_EDITS = 50  # after which the whole chapter is written again
_KEPT_EDITS = 50  # that the chapter has: for clients that lack them, or send them again
_NEARLY = 32 * 1024  # bytes of room in a study that is nearly full
_ROW = 200  # bytes of a row beside its data


def size_of_edit(edit: Edit) -> int:
    """Return how many bytes an edit has in the database."""
    return _ROW + len(json.dumps(edit, ensure_ascii=False).encode())


def check_room(study: StudyRow, nbytes: int) -> None:
    """Check that a study, and all of its owner, may grow by some bytes.

    Raises:
        InputError: they may not.
    """
    kilobytes = STUDY_SIZE.value
    if study.nbytes + nbytes > kilobytes * 1024:
        message = _("A study has at most %(most)d kB; delete some of it, or begin another.")
        raise _full(STUDY_SIZE, message % {"most": kilobytes})
    kilobytes = STUDIES_SIZE.value // (_GUESTS_HAVE if study.owner.is_guest else 1)
    total = StudyRow.objects.filter(owner=study.owner_id).aggregate(total=Sum("nbytes"))["total"]
    if (total or 0) + nbytes > kilobytes * 1024:
        message = _("All studies of one owner have at most %(most)d kB; delete one first.")
        raise _full(STUDIES_SIZE, message % {"most": kilobytes})


def _full(limit: CountLimit, message: str) -> InputError:
    metrics.note_limit(limit.name)
    return InputError([Fault("studies/full", message)])


def locked(row: ChapterRow) -> ChapterRow:
    """Lock a chapter and return it as it is now; on SQLite transactions begin with a lock."""
    rows = ChapterRow.objects.select_related("study__owner")
    return rows.select_for_update(of=("self",)).get(pk=row.pk)


def store_edit(row: ChapterRow, chapter: Chapter, user: User | None, key: str, edit: Edit) -> bool:
    """Apply an edit to a locked chapter and store it; return whether anything changed.

    Raises:
        InputError: the edit is refused, or there is no room for it; nothing has changed.
    """
    catch_up(chapter, row)
    data = _stored_form(chapter.record, edit)
    nbytes = size_of_edit(data)
    if not _frees(edit):
        check_room(row.study, nbytes)
    if not apply(chapter.record, edit):
        return False
    EditRow.objects.create(
        chapter=row, number=row.edits, user=user, key=key, data=data, made_at=now()
    )
    if edit["kind"] == "comment":
        _note_author(row, user, edit)
    row.edits += 1
    row.nbytes += nbytes
    row.save(update_fields=["edits", "nbytes"])
    chapter.edits, chapter.size = row.edits, size_of(chapter.record.root)
    StudyRow.objects.filter(pk=row.study_id).update(
        version=F("version") + 1, changed_at=now(), nbytes=F("nbytes") + nbytes
    )
    return True


def _stored_form(record: Record, edit: Edit) -> dict[str, Any]:
    """Return an edit without what its writer saw before, and its move, if legal, with its text."""
    data: dict[str, Any] = {name: value for name, value in edit.items() if name != "before"}
    node = find_node(record, edit["path"]) if edit["kind"] == "add" else None
    if node is not None and node.position.why_illegal(edit["move"]) is None:
        data.update(move_view(node.position, edit["move"]))
    return data


def _frees(edit: Edit) -> bool:
    """Return whether an edit makes a chapter smaller."""
    return edit["kind"] == "remove" or (edit["kind"] == "comment" and not edit["text"])


def _note_author(row: ChapterRow, user: User | None, edit: Edit) -> None:
    place = place_of(edit["path"])
    if user is None or not edit["text"]:
        row.authors.filter(place=place).delete()
    else:
        CommentAuthorRow.objects.update_or_create(chapter=row, place=place, defaults={"user": user})


def is_to_fold(row: ChapterRow, edit: Edit) -> bool:
    """Return whether a chapter should be written with its edits, the latest of which is given."""
    is_nearly_full = row.study.nbytes > STUDY_SIZE.value * 1024 - _NEARLY
    return row.edits - row.data_edits >= _STORED_EDITS or (is_nearly_full and _frees(edit))


def fold_edits(row: ChapterRow, chapter: Chapter) -> None:
    """Write a chapter with its edits, drop all but the latest of these, and count its bytes.

    The text is written without a lock, since it takes long.
    """
    text = record_text(chapter.record)
    places = set(comment_places(chapter.record))
    with transaction.atomic():
        latest = locked(row)
        if latest.data_edits >= chapter.edits:
            return
        latest.edit_rows.filter(number__lt=chapter.edits - _KEPT_EDITS).delete()
        authors = dict(latest.authors.values_list("place", "pk"))
        gone = [authors[place] for place in authors.keys() - places]
        latest.authors.filter(pk__in=gone).delete()
        before = latest.nbytes
        latest.data, latest.data_edits = text, chapter.edits
        latest.nbytes = len(text.encode()) + _ROW * len(places & authors.keys())
        latest.nbytes += sum(map(size_of_edit, latest.edit_rows.values_list("data", flat=True)))
        latest.save(update_fields=["data", "data_edits", "nbytes"])
        StudyRow.objects.filter(pk=row.study_id).update(nbytes=F("nbytes") + latest.nbytes - before)
