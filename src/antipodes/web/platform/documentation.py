"""The built documentation, served at ``/docs/`` as static files."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from wsgiref.headers import Headers

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

PREFIX = "/docs/"

# Pages change with upgrades of the site; then browsers revalidate them.
_CACHED = "max-age=3600, public"

# Sphinx and Furo write inline styles. Inline scripts are allowed by their hashes.
_POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "script-src 'self'{hashes}; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_INLINE_SCRIPT = re.compile(rb"<script(?![^>]*\ssrc=)[^>]*>(.+?)</script>", re.DOTALL)


def add_headers(headers: Headers, path: str) -> None:
    """Add the headers of a page or file of the documentation."""
    headers["Cache-Control"] = _CACHED
    if path.endswith(".html"):
        headers["Content-Security-Policy"] = policy(Path(path).read_bytes())


def policy(page: bytes) -> str:
    """Return the Content-Security-Policy of a page of the documentation."""
    found = dict.fromkeys(_INLINE_SCRIPT.findall(page))
    hashes = "".join(f" '{_source_hash(script)}'" for script in found)
    return _POLICY.format(hashes=hashes)


def _source_hash(script: bytes) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(script).digest()).decode()


@require_GET
def not_built(request: HttpRequest) -> HttpResponse:
    """Show that the documentation is not built; otherwise its first page is served."""
    return render(request, "documentation.html")
