"""Views of the pages about the site itself, and QR codes."""

from __future__ import annotations

import qrcode  # type: ignore[import-untyped]  # it has no types
from django.contrib.admin.views.decorators import staff_member_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET
from qrcode.constants import ERROR_CORRECT_M  # type: ignore[import-untyped]

from antipodes.web.platform.limits import rate_limit, take_for_address

_BORDER = 4  # modules of the quiet zone
_MODULE = 8  # pixels


def qr_svg(text: str) -> str:
    """Return a text as a QR code, dark on white in every theme."""
    code = qrcode.QRCode(error_correction=ERROR_CORRECT_M, border=_BORDER)
    code.add_data(text)
    code.make()
    rows = code.get_matrix()
    size = len(rows)
    dark = "".join(
        f"M{x} {y}h1v1h-1z"
        for y, row in enumerate(rows)
        for x, is_dark in enumerate(row)
        if is_dark
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}"'
        f' width="{size * _MODULE}" height="{size * _MODULE}" shape-rendering="crispEdges">'
        f'<rect width="{size}" height="{size}" fill="#fff"/><path d="{dark}" fill="#000"/></svg>'
    )


_QR_CODES = rate_limit("qr-codes", "60/minute;600/hour", per="address", what="QR codes of links")
_LONGEST = 500  # characters of the address in a QR code; longer ones are hard to scan
_BACKGROUND, _THEME = "#fdfbf6", "#fdfbf6"  # --page of tokens.css
_ICONS = (
    ("icon.svg", "any", "image/svg+xml", "any"),
    ("icon-192.png", "192x192", "image/png", "any"),
    ("icon-512.png", "512x512", "image/png", "any"),
    ("icon-maskable-512.png", "512x512", "image/png", "maskable"),
)


@require_GET
def manifest(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Return the web app manifest, with which browsers install the site."""
    shortcuts = ((_("Lobby"), "lobby"), (_("Puzzles"), "puzzles"), (_("Learn"), "courses"))
    data = {
        "id": "/",
        "name": "Antipodes",
        "short_name": "Antipodes",
        "description": _("Play Antipod, Antipalos, Antipode and Hex against people and computers."),
        "lang": get_language(),
        "start_url": reverse("home"),
        "scope": "/",
        "display": "standalone",
        "background_color": _BACKGROUND,
        "theme_color": _THEME,
        "categories": ["games"],
        "icons": [
            {"src": static(f"antipodes/{name}"), "sizes": sizes, "type": kind, "purpose": purpose}
            for name, sizes, kind, purpose in _ICONS
        ],
        "shortcuts": [{"name": name, "url": reverse(view)} for name, view in shortcuts],
    }
    return JsonResponse(data, content_type="application/manifest+json")


@require_GET
def qr_code(request: HttpRequest) -> HttpResponse:
    """Return the QR code of an address of this site."""
    take_for_address(_QR_CODES, request)
    path = request.GET.get("path", "")
    is_ours = path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None)
    if not is_ours or len(path) > _LONGEST:
        return render(
            request, "refused.html", {"reason": _("No address of this site.")}, status=400
        )
    picture = qr_svg(request.build_absolute_uri(path))
    return HttpResponse(picture, content_type="image/svg+xml")


@require_GET
def without_sight(request: HttpRequest) -> HttpResponse:
    """Show how to play with a screen reader or the keyboard alone."""
    return render(request, "site_pages/without_sight.html")


@staff_member_required
@require_GET
def styleguide(request: HttpRequest) -> HttpResponse:
    """Show all components of the pages, for developers and for photographs in tests."""
    return render(request, "site_pages/styleguide.html", {"tokens": _TOKENS})


# The tokens that the style guide shows, from tokens.css.
_TOKENS = {
    "colours": (
        *("page", "card", "ground", "ink", "faint", "line", "edge"),
        *("accent", "link", "last", "good", "danger"),
    ),
    "texts": ("xs", "s", "m", "l", "xl", "2xl", "title"),
    "spaces": tuple(range(1, 8)),
}
