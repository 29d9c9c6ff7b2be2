"""Studies on other sites: frames, previews of links, and pictures of their chapters."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_GET, require_safe

import antipodes
from antipodes.web.platform.pictures import picture_response
from antipodes.web.platform.previews import Preview, make_preview
from antipodes.web.platform.security_headers import frames_allowed
from antipodes.web.studies.chapters import board_of, opened
from antipodes.web.studies.models import ChapterRow
from antipodes.web.studies.permissions import chapter_for, study_for
from antipodes.web.studies.reading_costs import ReadingCost


def preview_of(request: HttpRequest, row: ChapterRow) -> Preview:
    """Return the preview of a chapter that the user of the request may read."""
    study, where = row.study, [row.study.slug, row.number]
    is_private = study.is_private
    picture = f"{reverse('study-picture', args=where)}?v={row.edits}"
    values = {"chapter": row.title, "author": study.owner.name}
    return make_preview(
        request,
        reverse("study-chapter", args=where),
        title=study.title,
        description=_("%(chapter)s, in a study by %(author)s.") % values,
        picture=picture,
        frame="" if is_private else reverse("study-embed", args=where),
        author=study.owner.name,
    )


def chapter_preview(request: HttpRequest, slug: str, number: int) -> Preview:
    return preview_of(request, chapter_for(request, slug, number))


def study_preview(request: HttpRequest, slug: str) -> Preview:
    """Return the preview of the page of a study: that of its first chapter."""
    first = study_for(request, slug).chapters.first()
    if first is None:
        raise Http404("there is no chapter")
    return chapter_preview(request, slug, first.number)


@require_GET
@xframe_options_exempt
@frames_allowed
def embed(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a chapter in a frame of another site, without a way to edit it."""
    row = chapter_for(request, slug, number)
    context = {"chapter": row, "preview": preview_of(request, row), **board_of(row)}
    return render(request, "studies/embed.html", context)


@require_safe
def picture(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Return the position at the end of a chapter's main line as PNG."""
    row = chapter_for(request, slug, number)
    key = f"study-{antipodes.__version__}-{row.pk}-{row.edits}"
    who = "private" if row.study.is_private else "public"

    def draw() -> str:
        with opened(row, ReadingCost.of(request)) as chapter:
            return chapter.record.final_position().to_svg()

    name = f"study-{slug}-{number}"
    caching = f"{who}, max-age=86400"
    return picture_response(request, key, "png", draw, name=name, caching=caching)
