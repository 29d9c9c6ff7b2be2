"""The page of open data, its list for programs, and the files."""

from __future__ import annotations

from typing import Any

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotModified,
    JsonResponse,
)
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from antipodes.web.archive import open_data
from antipodes.web.archive.models import MonthRow
from antipodes.web.archive.months import month_of
from antipodes.web.archive.selectors import instant_text
from antipodes.web.archive.streams import streamed
from antipodes.web.platform.clock import now


@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """Show which files there are, what is in them, and under which licence."""
    months = list(open_data.months())
    context = {
        "months": months,
        "games": sum(month.games for month in months),
        "this_month": month_of(now()),
        "licence": open_data.LICENCE_ADDRESS,
    }
    return render(request, "archive/open_data.html", context)


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Return which files there are, with their checksums, as JSON."""
    data = {
        "licence": open_data.LICENCE,
        "format": "antipodes-record, one on a line, gzip",
        "files": [_file_data(request, month) for month in open_data.months()],
    }
    return JsonResponse(data, headers={"Access-Control-Allow-Origin": "*"})


def _file_data(request: HttpRequest, month: MonthRow) -> dict[str, Any]:
    return {
        "month": month.month,
        "name": open_data.file_name(month),
        "url": request.build_absolute_uri(reverse("open-data-file", args=[month.month])),
        "games": month.games,
        "bytes": month.size,
        "sha256": month.sha256,
        "made_at": instant_text(month.made_at) if month.made_at else None,
        "is_over": month.month < month_of(now()),
    }


@require_safe
def checksums(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Return the checksums as ``sha256sum --check`` reads them."""
    lines = [f"{month.sha256}  {open_data.file_name(month)}\n" for month in open_data.months()]
    return HttpResponse("".join(lines), content_type="text/plain; charset=utf-8")


@require_safe
def month_file(request: HttpRequest, month: str) -> HttpResponseBase:
    """Return the file of a month; nothing is sent to whoever has it already."""
    row = get_object_or_404(open_data.months(), month=month)
    if request.headers.get("If-None-Match") == f'"{row.sha256}"':
        return HttpResponseNotModified(headers={"ETag": f'"{row.sha256}"'})
    # It may be made first, and be newer then.
    file = open_data.file_of(row)
    if file is None:
        raise Http404(f"there are no games of {month} any more")
    # It is compressed as it is: it shall arrive with the bytes that the checksum is of.
    request.META.pop("HTTP_ACCEPT_ENCODING", None)
    answer = streamed(request, open_data.pieces(file), "application/gzip")
    name = open_data.file_name(row)
    more = {
        "Content-Length": str(row.size),
        "Content-Disposition": f'attachment; filename="{name}"',
        "ETag": f'"{row.sha256}"',
        "Cache-Control": "public, no-cache",
        "Access-Control-Allow-Origin": "*",
    }
    for header, value in more.items():
        answer.headers[header] = value
    return answer
