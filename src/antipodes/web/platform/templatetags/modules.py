"""Template tags for JavaScript modules, with preloads of everything that they import."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from pathlib import Path

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

# Static imports only: dynamic ones load on demand.
_IMPORT = re.compile(r'^(?:import|export|\})[^;("]*"(\.{1,2}/[^"]+\.js)"', re.MULTILINE)


@register.simple_tag
def module(path: str) -> SafeString:
    """Load a module and preload all that it imports.

    A browser learns of a module's imports only when it has loaded the module; so five levels of
    imports would cost five round trips to the server.
    """
    return _elements(path, static(path))


@lru_cache(maxsize=64)
def _elements(path: str, address: str) -> SafeString:
    """Return the elements that load a module from an address."""
    links = ((static(imported),) for imported in imports_of(path))
    preloads = format_html_join("\n", '<link rel="modulepreload" href="{}">', links)
    script = format_html('<script type="module" src="{}"></script>', address)
    return format_html("{}\n{}", preloads, script)


@lru_cache(maxsize=64)
def imports_of(path: str) -> tuple[str, ...]:
    """Return the static paths of a module's direct and indirect imports, nearest first."""
    modules: dict[str, None] = {path: None}
    waiting = [path]
    while waiting:
        module_path = waiting.pop(0)
        for name in _IMPORT.findall(_source(module_path)):
            imported = posixpath.normpath(posixpath.join(posixpath.dirname(module_path), name))
            if imported not in modules:
                modules[imported] = None
                waiting.append(imported)
    return tuple(modules)[1:]


def _source(path: str) -> str:
    file = finders.find(path)
    if file is None:
        raise FileNotFoundError(f"there is no module {path}")
    return Path(str(file)).read_text(encoding="utf-8")
