"""Page of open data, its manifest and checksums, and downloads of the files."""

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
from antipodes.web.archive.open_data import DataFile, data_files
from antipodes.web.archive.selectors import time_text
from antipodes.web.archive.services import month_of
from antipodes.web.platform.clock import now
from antipodes.web.platform.streams import streamed


@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """Show the files with their contents and licence."""
    months = list(open_data.months())
    context = {
        "months": months,
        "games": sum(month.games for month in months),
        "this_month": month_of(now()),
        "others": data_files(),
        "licence": open_data.LICENCE_ADDRESS,
    }
    return render(request, "archive/open_data.html", context)


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Return the list of files with their checksums as JSON."""
    data = {
        "licence": open_data.LICENCE,
        "format": "antipodes-record, one per line, gzip",
        "files": [_file_data(request, month) for month in open_data.months()],
        "others": [_other_data(request, file) for file in data_files()],
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
        "made_at": time_text(month.made_at) if month.made_at else None,
        "is_over": month.month < month_of(now()),
    }


def _other_data(request: HttpRequest, file: DataFile) -> dict[str, Any]:
    return {
        "name": file.name,
        "url": request.build_absolute_uri(file.path),
        "format": file.format,
        "lines": file.lines,
        "bytes": file.size,
        "sha256": file.sha256,
        "made_at": time_text(file.made_at),
    }


@require_safe
def checksums(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Return the checksums in the format of ``sha256sum --check``."""
    lines = [f"{month.sha256}  {open_data.file_name(month)}\n" for month in open_data.months()]
    lines += [f"{file.sha256}  {file.name}\n" for file in data_files()]
    return HttpResponse("".join(lines), content_type="text/plain; charset=utf-8")


@require_safe
def month_file(request: HttpRequest, month: str) -> HttpResponseBase:
    """Return the file of a month, or 304 if the client has it already."""
    row = get_object_or_404(open_data.months(), month=month)
    if request.headers.get("If-None-Match") == f'"{row.sha256}"':
        return HttpResponseNotModified(headers={"ETag": f'"{row.sha256}"'})
    # The file may have to be written first, and then be newer.
    file = open_data.file_of(row)
    if file is None:
        raise Http404(f"{month} has no games any more")
    # No second compression, so that the bytes match the checksum.
    request.META.pop("HTTP_ACCEPT_ENCODING", None)
    answer = streamed(request, open_data.chunks(file), "application/gzip")
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
