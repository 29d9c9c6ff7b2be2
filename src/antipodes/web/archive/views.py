"""Search page of finished games, and the download of its results."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from antipodes.errors import InputError
from antipodes.web.accounts.services import current_user
from antipodes.web.archive.queries import SearchForm
from antipodes.web.archive.search import read_cursor, write_cursor
from antipodes.web.archive.selectors import (
    DOWNLOAD_LIMIT,
    PAGE_SIZE,
    GamesPage,
    found_records,
    games_page,
)
from antipodes.web.platform.streams import streamed
from antipodes.web.platform.translations import error_message

LINES = "application/x-ndjson; charset=utf-8"


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """Show the search form and the games found."""
    form = SearchForm(request.GET)
    page: GamesPage | None = None
    problem = ""
    try:
        query = form.query()
        after = read_cursor(request.GET["after"]) if request.GET.get("after") else None
        page = games_page(query, current_user(request), after=after, most=PAGE_SIZE)
    except InputError as error:
        problem = "" if form.errors else error_message(error)
    given = {name: value for name, value in request.GET.items() if value and name in form.fields}
    context = {
        "form": form,
        "page": page,
        "problem": problem,
        "is_filtered": bool(given),
        "is_first": not request.GET.get("after"),
        "query": urlencode(given),
        "next": page and page.after and urlencode({**given, "after": write_cursor(page.after)}),
        "download_limit": DOWNLOAD_LIMIT,
    }
    return render(request, "archive/games.html", context, status=200 if page else 400)


@require_safe
def found_games(request: HttpRequest) -> HttpResponseBase:
    """Return the records of the games found, one per line."""
    try:
        query = SearchForm(request.GET).query()
    except InputError as error:
        return render(request, "refused.html", {"reason": error_message(error)}, status=400)
    answer = streamed(request, found_records(query, current_user(request)), LINES)
    answer.headers["Content-Disposition"] = 'attachment; filename="antipodes-games.jsonl"'
    return answer
