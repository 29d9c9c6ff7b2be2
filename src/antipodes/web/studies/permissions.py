"""Access to studies: who may read, write and manage them.

Pages, files, WebSockets, embeds and the API check access here. A study that a user may not read
looks as if it did not exist. One that moderators have hidden exists for its owner only.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import current_user
from antipodes.web.studies.models import ChapterRow, StudyMemberRow, StudyRow, Visibility


def may_read(study: StudyRow, user: User | None) -> bool:
    if study.hidden_at is not None:
        return may_manage(study, user)
    return study.visibility != Visibility.PRIVATE or _is_member(study, user)


def may_write(study: StudyRow, user: User | None) -> bool:
    """Return whether a user may edit the chapters of a study."""
    if user is None:
        return False
    if study.owner_id == user.pk or study.hidden_at is not None:
        return study.owner_id == user.pk
    return study.members.filter(user=user, can_write=True).exists()


def may_manage(study: StudyRow, user: User | None) -> bool:
    """Return whether a user may rename and delete a study, and choose its readers and writers."""
    return user is not None and study.owner_id == user.pk


def _is_member(study: StudyRow, user: User | None) -> bool:
    if user is None:
        return False
    return study.owner_id == user.pk or study.members.filter(user=user).exists()


def of_member(user: User) -> Q:
    """Return the condition on studies that a user owns or is invited to."""
    invited = StudyMemberRow.objects.filter(study=OuterRef("pk"), user=user)
    return Q(owner=user) | Q(Exists(invited), hidden_at=None)


def is_listed() -> Q:
    """Return the condition on studies that everyone may find."""
    return Q(visibility=Visibility.PUBLIC, hidden_at=None)


def study_for(request: HttpRequest, slug: str) -> StudyRow:
    """Return a study that the user of a request may read.

    Raises:
        Http404: there is none.
    """
    study = StudyRow.objects.select_related("owner").filter(slug=slug).first()
    if study is None or not may_read(study, current_user(request)):
        raise Http404("there is no such study")
    return study


def chapters_of(study: StudyRow) -> list[ChapterRow]:
    """Return the chapters of a study in their order, with the study."""
    rows = list(study.chapters.all())
    for row in rows:
        row.study = study
    return rows


def chapter_for(request: HttpRequest, slug: str, number: int) -> ChapterRow:
    """Return a chapter that the user of a request may read.

    Raises:
        Http404: there is none.
    """
    study = study_for(request, slug)
    row = get_object_or_404(ChapterRow, study=study, number=number)
    row.study = study
    return row
