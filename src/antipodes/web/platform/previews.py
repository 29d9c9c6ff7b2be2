"""Previews of pages on other sites: Open Graph tags, and oEmbed with frames.

An app registers a function for the URL name of each page that can be embedded. Templates include
``preview.html`` with the same `Preview`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.http import Http404, HttpRequest, JsonResponse
from django.urls import Resolver404, resolve, reverse
from django.utils.html import escape, format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

_WIDTH, _HEIGHT = 480, 640  # pixels of a frame
_LEAST = 240
_LONGEST = 500  # characters of an address


@dataclass(frozen=True, slots=True)
class Preview:
    """A page as other sites show it; all addresses are absolute.

    Attributes:
        title: of the page.
        description: a sentence.
        url: of the page.
        picture: PNG of the position; empty if there is none.
        frame: page for frames; empty if there is none.
        author: player or writer; may be empty.
        oembed: data about the frame.
    """

    title: str
    description: str
    url: str
    picture: str = ""
    frame: str = ""
    author: str = ""
    oembed: str = ""

    @property
    def frame_element(self) -> str:
        """HTML that shows the frame on another site."""
        return format_html(
            '<iframe src="{}" width="{}" height="{}" title="{}"></iframe>',
            self.frame,
            _WIDTH,
            _HEIGHT,
            self.title,
        )


# A function that returns the preview of a page from a request and the arguments of the URL. It
# raises `Http404` for a page that the user of the request may not see.
Provider = Callable[..., Preview]
providers: dict[str, Provider] = {}  # by the URL's name; set by the wiring


def make_preview(request: HttpRequest, path: str, **fields: Any) -> Preview:
    """Return a preview with absolute addresses; ``picture`` and ``frame`` are paths."""
    url = request.build_absolute_uri(path)
    links = {name: fields[name] for name in ("picture", "frame") if fields.get(name)}
    if "frame" in links:
        links["oembed"] = f"{reverse('oembed')}?{urlencode({'url': url, 'format': 'json'})}"
    absolute = {name: request.build_absolute_uri(link) for name, link in links.items()}
    return Preview(**{**fields, **absolute, "url": url})


@require_GET
def oembed(request: HttpRequest) -> JsonResponse:
    """Return how another site can show a page of this one, as oEmbed 1.0 has it."""
    if request.GET.get("format", "json") != "json":
        return _refused(501, _("Only JSON is available."))
    preview = _find(request, request.GET.get("url", "")[:_LONGEST])
    if preview is None:
        return _refused(404, _("This address cannot be embedded."))
    width = _size(request, "maxwidth", _WIDTH)
    height = _size(request, "maxheight", _HEIGHT)
    html = (
        f'<iframe src="{escape(preview.frame)}" width="{width}" height="{height}"'
        f' title="{escape(preview.title)}" loading="lazy"></iframe>'
    )
    data: dict[str, object] = {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Antipodes",
        "provider_url": request.build_absolute_uri("/"),
        "title": preview.title,
        "html": html,
        "width": width,
        "height": height,
    }
    if preview.author:
        data["author_name"] = preview.author
    if preview.picture:
        data.update(thumbnail_url=preview.picture, thumbnail_width=1_200, thumbnail_height=1_200)
    response = JsonResponse(data)
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response


def _find(request: HttpRequest, url: str) -> Preview | None:
    try:
        parts = urlsplit(url)
        where = resolve(parts.path)
    except (ValueError, Resolver404):  # "http://[" is no address
        return None
    if parts.netloc and parts.netloc != request.get_host():
        return None
    provider = providers.get(where.url_name or "")
    if provider is None:
        return None
    try:
        preview = provider(request, **where.kwargs)
    except Http404:
        return None
    return preview if preview.frame else None


def _size(request: HttpRequest, name: str, usual: int) -> int:
    """Return the usual size, or a smaller one that the query asks for."""
    text = request.GET.get(name, "")
    most = int(text) if text.isdecimal() and len(text) < 6 else usual
    return max(_LEAST, min(usual, most))


def _refused(status: int, message: str) -> JsonResponse:
    return JsonResponse({"code": "embed/refused", "message": message}, status=status)
