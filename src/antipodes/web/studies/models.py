"""Models of studies: members, chapters, and the edits that chapters consist of.

A chapter is the result of its edits, in their order. ``ChapterRow.data`` is a record that has the
first ``data_edits`` of them; only the latest of these are kept.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext_lazy as _

from antipodes.web.matches.models import new_slug

_TIME = "milliseconds since 1970"


class Visibility(models.TextChoices):
    """Who may read a study besides its members."""

    PUBLIC = "public", _("Public: everyone, and it is listed")
    UNLISTED = "unlisted", _("Unlisted: anyone with the link")
    PRIVATE = "private", _("Private: only members")


class StudyRow(models.Model):
    """A study."""

    slug = models.CharField(max_length=16, unique=True, default=new_slug)
    title = models.CharField(max_length=100)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="studies"
    )
    visibility = models.CharField(
        max_length=8, choices=Visibility.choices, default=Visibility.UNLISTED
    )
    version = models.PositiveIntegerField(default=0, help_text="number of edits of all chapters")
    chapters_made = models.PositiveIntegerField(default=0, help_text="also deleted ones")
    nbytes = models.BigIntegerField(default=0, help_text="of all chapters")
    made_at = models.BigIntegerField(help_text=_TIME)
    changed_at = models.BigIntegerField(help_text=_TIME)
    hidden_at = models.BigIntegerField(
        null=True, help_text=f"{_TIME}, when moderators hid it from all but its owner"
    )

    class Meta:
        """Indexes for the list of public studies, and for those of a user."""

        indexes = [
            models.Index(fields=["visibility", "changed_at"], name="studies_by_visibility"),
        ]

    def __str__(self) -> str:
        return f"{self.title} {self.slug}"

    @property
    def is_private(self) -> bool:
        """Whether only members may read it, or only the owner."""
        return self.visibility == Visibility.PRIVATE or self.hidden_at is not None


class StudyMemberRow(models.Model):
    """A user whom the owner of a study has invited."""

    study = models.ForeignKey(StudyRow, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="study_memberships"
    )
    can_write = models.BooleanField(default=True)

    class Meta:
        """One row per user."""

        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["study", "user"], name="study_one_member")]

    def __str__(self) -> str:
        return f"{self.user} in {self.study}"


class _ChapterManager(models.Manager["ChapterRow"]):
    """Chapters without their records: lists of chapters do not read megabytes."""

    def get_queryset(self) -> models.QuerySet[ChapterRow]:
        return super().get_queryset().defer("data")


class ChapterRow(models.Model):
    """A chapter of a study."""

    objects = _ChapterManager()

    study = models.ForeignKey(StudyRow, on_delete=models.CASCADE, related_name="chapters")
    number = models.PositiveIntegerField(help_text="never given again")
    place = models.PositiveIntegerField(help_text="in the order of the chapters")
    title = models.CharField(max_length=100)
    game_id = models.CharField(max_length=32)
    data = models.TextField(help_text="a record as JSON")
    data_edits = models.PositiveIntegerField(default=0, help_text="edits that the record has")
    edits = models.PositiveIntegerField(default=0)
    nbytes = models.BigIntegerField(default=0, help_text="of the record and the stored edits")

    class Meta:
        """In their order; numbers are unique."""

        ordering = ["place", "number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="study_one_chapter")
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.title}"


class PlainEncoder(DjangoJSONEncoder):
    """Writes each character as itself: an emoji takes 4 bytes, and escaped it would take 12."""

    def __init__(self, **options: Any) -> None:
        """Take the options of `json.dumps` but one."""
        super().__init__(**{**options, "ensure_ascii": False})


class EditRow(models.Model):
    """An edit of a chapter."""

    chapter = models.ForeignKey(ChapterRow, on_delete=models.CASCADE, related_name="edit_rows")
    number = models.PositiveIntegerField(help_text="counted from 0 in the chapter")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="study_edits"
    )
    key = models.CharField(max_length=64, help_text="of the client, so that none is done twice")
    data = models.JSONField(encoder=PlainEncoder)
    made_at = models.BigIntegerField(help_text=_TIME)

    class Meta:
        """In their order."""

        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["chapter", "number"], name="study_one_edit"),
            models.UniqueConstraint(fields=["chapter", "key"], name="study_one_key"),
        ]

    def __str__(self) -> str:
        return f"{self.number} of {self.chapter}"


class CommentAuthorRow(models.Model):
    """The writer who made or changed a comment last; the edit itself may be gone."""

    chapter = models.ForeignKey(ChapterRow, on_delete=models.CASCADE, related_name="authors")
    place = models.CharField(max_length=32, help_text="a hash of the moves to the position")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="study_comments"
    )

    class Meta:
        """One author for each comment."""

        constraints = [
            models.UniqueConstraint(fields=["chapter", "place"], name="study_one_author")
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.chapter}"
