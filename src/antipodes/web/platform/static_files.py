"""Static files, minified and compressed once when the site starts, and the built documentation.

Pages name a file below a folder of the present release, so browsers keep it without asking again.
Modules name each other by relative addresses, which lead to the same release.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import logging
import os
import re
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any
from wsgiref.headers import Headers

import rcssmin  # type: ignore[import-untyped]  # it has no types
import rjsmin  # type: ignore[import-untyped]  # it has no types
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

from antipodes import __version__
from antipodes.web.platform.config import data_folder
from antipodes.web.platform.request_threads import Application

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
    headers["Referrer-Policy"] = headers["Cross-Origin-Opener-Policy"] = "same-origin"
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


logger = logging.getLogger(__name__)

_COMPRESSIBLE = (".css", ".html", ".js", ".svg", ".txt", ".json", ".wasm")
_LEAST = 500  # bytes; below that nothing is gained
_OURS = Path(__file__).parents[1] / "static"  # libraries and documentation stay as they are
# Comments are a third of our scripts; clients that take no compressed files get the sources.
_MINIFIERS = {".js": rjsmin.jsmin, ".css": rcssmin.cssmin}

_RELEASE = re.compile("^[0-9a-f]{12}/")
_KEPT = "max-age=31536000, public, immutable"


@cache
def release() -> str:
    """Return the version of all static files, which changes with each release."""
    digest = hashlib.sha256(__version__.encode())
    listed = (pair for finder in finders.get_finders() for pair in finder.list(None))
    for name, storage in sorted(listed, key=itemgetter(0)):
        digest.update(name.encode() + Path(storage.path(name)).read_bytes())
    return digest.hexdigest()[:12]


def path_of(address: str) -> str:
    """Return the path of a file below the folders of static files, by its address."""
    return _RELEASE.sub("", address.removeprefix(settings.STATIC_URL))


class ReleasedStorage(StaticFilesStorage):
    """Addresses of static files below a folder of the present release."""

    def url(self, name: str | None) -> str:
        """Return the address of a file, by its path below the folders of static files."""
        return super().url(f"{release()}/{name}")


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # whitenoise has no types
    """ASGI application that serves static files, compressed where browsers accept that.

    A file takes a fraction of a millisecond, so the sixty of a first page need neither a thread nor
    a place of their address. All other requests go to the application within. Compressed copies
    are in the data folder, since the package's folder may be read-only.
    """

    _has_warned = False  # that copies cannot be written

    def __init__(self, application: Application) -> None:
        """Find all static files and the built documentation."""
        super().__init__()
        self._application = application
        if settings.DOCS_FOLDER is not None:
            self.add_files(settings.DOCS_FOLDER, prefix=PREFIX)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Respond with a file; pages of an earlier release get the present one."""
        address = scope["path"]
        file = self.file_at(address)
        if file is None:
            await self._application(scope, receive, send)
            return
        answer = file.get_response(scope["method"], _environ(scope))
        content = b""
        if answer.file:
            with answer.file as opened:
                content = opened.read()
        headers = dict(answer.headers)
        if address.startswith(f"{settings.STATIC_URL}{release()}/") and not self.autorefresh:
            headers["Cache-Control"] = _KEPT
        encoded = [(name.lower().encode(), text.encode()) for name, text in headers.items()]
        await send({"type": "http.response.start", "status": answer.status, "headers": encoded})
        await send({"type": "http.response.body", "body": content})

    def file_at(self, address: str) -> Any:
        """Return whitenoise's file at an address, or None."""
        if address.startswith(settings.STATIC_URL):
            address = settings.STATIC_URL + path_of(address)
        return self.find_file(address) if self.autorefresh else self.files.get(address)

    def add_cache_headers(self, headers: Headers, path: str, url: str) -> None:
        """Add caching and security headers, and the headers of the documentation."""
        headers["X-Content-Type-Options"] = "nosniff"
        super().add_cache_headers(headers, path, url)
        if url.startswith(PREFIX):
            add_headers(headers, path)

    def get_static_file(self, path: str, url: str, stat_cache: Any = None) -> Any:
        """Return the file served at a URL, with a compressed copy for large texts."""
        file = Path(path)
        if not (path.endswith(_COMPRESSIBLE) and file.is_file() and file.stat().st_size >= _LEAST):
            return super().get_static_file(path, url, stat_cache)
        headers = Headers([])
        self.add_mime_headers(headers, path, url)
        self.add_cache_headers(headers, path, url)
        try:
            encodings = {"gzip": str(compressed(file))}
        except OSError as error:
            level = logging.DEBUG if self._has_warned else logging.WARNING
            logger.log(level, "static files served uncompressed error=%s", error)
            self._has_warned, encodings = True, {}
        return StaticFile(path, headers.items(), encodings=encodings)


def _environ(scope: Any) -> dict[str, str]:
    """Return the headers of a request by the names that WSGI gives them."""
    return {
        "HTTP_" + name.decode("latin-1").upper().replace("-", "_"): content.decode("latin-1")
        for name, content in scope["headers"]
    }


def compressed(file: Path) -> Path:
    """Return the minified and compressed copy of a file, named by a hash of its content."""
    content = file.read_bytes()
    if (minify := _MINIFIERS.get(file.suffix)) is not None and file.is_relative_to(_OURS):
        content = minify(content)
    folder = data_folder() / "compressed"
    folder.mkdir(exist_ok=True)
    copy = folder / f"{file.name}-{hashlib.sha256(content).hexdigest()[:16]}.gz"
    if not copy.exists():
        # Replaced atomically: another process may be reading.
        unfinished = copy.with_suffix(f".{os.getpid()}")
        try:
            unfinished.write_bytes(gzip.compress(content, mtime=0))
            unfinished.replace(copy)
        finally:
            unfinished.unlink(missing_ok=True)
    return copy
