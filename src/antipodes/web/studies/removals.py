"""Removals by moderators: a study is hidden, or a title or a comment in it is removed."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.db import models, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from antipodes.web.accounts.models import User
from antipodes.web.platform.clock import now
from antipodes.web.studies.chapters import opened
from antipodes.web.studies.edits import find_node, place_of
from antipodes.web.studies.models import ChapterRow, CommentAuthorRow, StudyRow
from antipodes.web.studies.reading_costs import Charge, free
from antipodes.web.studies.services import announce, remove_comment


class Part(models.TextChoices):
    """A part of a study that can be reported or removed."""

    STUDY = "study", gettext_lazy("the study as a whole")
    TITLE = "title", gettext_lazy("the title of the study")
    CHAPTER = "chapter", gettext_lazy("the title of the chapter")
    COMMENT = "comment", gettext_lazy("the comment at this position")


@dataclass(frozen=True)
class Place:
    """A part of a study.

    Attributes:
        chapter: the chapter.
        part: what of it.
        path: for a comment the moves to its position.
    """

    chapter: ChapterRow
    part: Part
    path: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The text that readers see there now; empty if it is gone."""
        if self.part is Part.COMMENT:
            return comment_at(self.chapter, self.path)
        return self.chapter.title if self.part is Part.CHAPTER else self.chapter.study.title

    @property
    def author(self) -> User:
        """The last writer of a comment, if there still is an account; else the study's owner."""
        owner = self.chapter.study.owner
        if self.part is not Part.COMMENT:
            return owner
        rows = CommentAuthorRow.objects.select_related("user")
        row = rows.filter(chapter=self.chapter, place=place_of(self.path)).first()
        return row.user if row is not None else owner


def comment_at(row: ChapterRow, path: tuple[int, ...], charge: Charge = free) -> str:
    """Return the comment at a position of a chapter; empty if there is none."""
    with opened(row, charge) as chapter:
        node = find_node(chapter.record, list(path))
        return node.comment if node is not None else ""


def places_of(chapter: ChapterRow, path: tuple[int, ...], charge: Charge = free) -> list[Place]:
    """Return what can be reported while a position of a chapter is shown."""
    found = [Place(chapter, part) for part in (Part.STUDY, Part.TITLE, Part.CHAPTER)]
    if comment_at(chapter, path, charge):
        found.append(Place(chapter, Part.COMMENT, path))
    return found


def set_hidden(study: StudyRow, *, is_hidden: bool) -> None:
    """Hide a study from all but its owner, or show it again."""
    StudyRow.objects.filter(pk=study.pk).update(hidden_at=now() if is_hidden else None)
    announce(study.slug)


def remove_text(place: Place) -> None:
    """Remove a title or a comment; a title becomes a neutral one."""
    chapter = place.chapter
    if place.part is Part.COMMENT:
        remove_comment(chapter, list(place.path), secrets.token_urlsafe(12))
        return
    with transaction.atomic():
        if place.part is Part.CHAPTER:
            title = _("Chapter %(number)d") % {"number": chapter.number}
            ChapterRow.objects.filter(pk=chapter.pk).update(title=title)
        else:
            StudyRow.objects.filter(pk=chapter.study_id).update(title=_("Study"))
    announce(chapter.study.slug)
