"""Drop the edits that chapters hold, keep the authors of comments, and count all bytes."""

import hashlib
import json
from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.models import Sum

_KEPT_EDITS = 50
_ROW = 200  # bytes of a row beside its data


def prune(apps: Apps, _schema_editor: object) -> None:
    """Go through the edits of each chapter, and the chapters of each study."""
    chapters = apps.get_model("studies", "ChapterRow").objects
    for chapter in chapters.only("data_edits").iterator():
        _prune_chapter(apps, chapter)
    for study in apps.get_model("studies", "StudyRow").objects.only("pk").iterator():
        total = chapters.filter(study=study).aggregate(total=Sum("nbytes"))["total"]
        study.nbytes = total or 0
        study.save(update_fields=["nbytes"])


def _prune_chapter(apps: Apps, chapter: Any) -> None:
    authors: dict[str, int | None] = {}
    nbytes = 0
    edits = apps.get_model("studies", "EditRow").objects.filter(chapter=chapter)
    for edit in edits.order_by("number").iterator():
        is_comment = edit.data["kind"] == "comment"
        if is_comment:
            moves = "".join(f"{move}," for move in edit.data["path"])
            place = hashlib.blake2b(moves.encode(), digest_size=16).hexdigest()
            authors[place] = edit.user_id if edit.data["text"] else None
        if edit.number < chapter.data_edits - _KEPT_EDITS:
            continue
        # The previous version reads the comment before from edits that the chapter lacks.
        if is_comment and edit.number < chapter.data_edits:
            edit.data.pop("before", None)
            edit.save(update_fields=["data"])
        nbytes += _ROW + len(json.dumps(edit.data, ensure_ascii=False).encode())
    edits.filter(number__lt=chapter.data_edits - _KEPT_EDITS).delete()
    rows = apps.get_model("studies", "CommentAuthorRow").objects
    known = {place: user for place, user in authors.items() if user is not None}
    rows.bulk_create(
        [rows.model(chapter=chapter, place=place, user_id=user) for place, user in known.items()],
        batch_size=500,
    )
    text = apps.get_model("studies", "ChapterRow").objects.values_list("data", flat=True)
    chapter.nbytes = nbytes + _ROW * len(known) + len(text.get(pk=chapter.pk).encode())
    chapter.save(update_fields=["nbytes"])


class Migration(migrations.Migration):
    """After the new columns and table."""

    dependencies = [("studies", "0002_edits_in_bytes")]

    operations = [migrations.RunPython(prune, migrations.RunPython.noop)]
