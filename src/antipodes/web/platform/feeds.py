"""Answers with feeds in Atom and RSS."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.feedgenerator import Atom1Feed, Rss201rev2Feed, SyndicationFeed

MAX_AGE = 900  # seconds
_TYPES: dict[type[SyndicationFeed], str] = {
    Atom1Feed: "application/atom+xml; charset=utf-8",
    Rss201rev2Feed: "application/rss+xml; charset=utf-8",
}


def feed_response(
    request: HttpRequest,
    kind: type[SyndicationFeed],
    latest: str,
    write: Callable[[], SyndicationFeed],
) -> HttpResponseBase:
    """Return a feed, or 304 if the reader has it.

    Args:
        request: of the reader.
        kind: the class of the feed.
        latest: changes with the contents.
        write: returns the feed.
    """
    etag = f'"{kind.__name__}-{latest}-{translation.get_language()}"'
    if unchanged := get_conditional_response(request, etag=etag):
        return unchanged
    answer = HttpResponse(write().writeString("utf-8"), content_type=_TYPES[kind])
    answer.headers["ETag"] = etag
    answer.headers["Cache-Control"] = f"private, max-age={MAX_AGE}"
    patch_vary_headers(answer, ["Accept-Language", "Cookie"])
    return answer
