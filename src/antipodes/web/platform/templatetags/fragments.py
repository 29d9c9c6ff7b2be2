"""Template tag that renders a part of a page once and keeps its HTML."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from django import template
from django.conf import settings
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.context import Context
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from antipodes.core.array_cache import ArrayCache

register = template.Library()

# Placeholder for CSRF tokens in kept HTML: random, so that no name on a page can be the same.
_PLACEHOLDER = secrets.token_urlsafe(32)
_KEY_BYTES = 1_000  # of a key and the cache's own bookkeeping, roughly


@dataclass(frozen=True, slots=True)
class _Fragment:
    """HTML of a part of a page, with a placeholder for CSRF tokens."""

    html: SafeString

    @property
    def nbytes(self) -> int:
        return sys.getsizeof(self.html) + _KEY_BYTES


_fragments: ArrayCache[tuple[Hashable, ...], _Fragment] = ArrayCache(16 * 1024 * 1024)


class FragmentNode(template.Node):
    """A part of a template whose HTML depends on the language and on some values only."""

    child_nodelists = ("nodelist",)

    def __init__(
        self, name: tuple[Hashable, ...], keys: list[FilterExpression], nodelist: NodeList
    ) -> None:
        """Keep the nodes, the place of the part in its template, and what it depends on."""
        self._name = name
        self._keys = keys
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        """Return the HTML, rendered unless that of equal values is known."""
        if settings.DEBUG:  # templates change
            return self.nodelist.render(context)

        def rendered() -> _Fragment:
            with context.push(csrf_token=_PLACEHOLDER):
                return _Fragment(self.nodelist.render(context))

        values = (each.resolve(context, ignore_failures=True) for each in self._keys)
        html = _fragments.get((*self._name, get_language(), *values), rendered).html
        if _PLACEHOLDER not in html:
            return html
        return mark_safe(html.replace(_PLACEHOLDER, str(context.get("csrf_token", ""))))  # noqa: S308


@register.tag
def fragment(parser: Parser, token: Token) -> FragmentNode:
    """Render what is inside once for each language and each combination of values.

    ``{% fragment match.slug match.version %}...{% endfragment %}``: whatever differs between two
    visitors must follow from the values, which are hashable. CSRF tokens are put in for each
    visitor.
    """
    origin: Any = parser.origin
    keys = [parser.compile_filter(word) for word in token.split_contents()[1:]]
    nodelist = parser.parse(("endfragment",))
    parser.delete_first_token()
    return FragmentNode((origin.name, token.lineno), keys, nodelist)


def forget() -> None:
    """Forget all fragments."""
    _fragments.clear()
