"""Template tag for links between the pages of a list."""

from __future__ import annotations

from typing import Any

from django import template
from django.core.paginator import Page
from django.template.context import Context
from django.utils.translation import gettext as _

register = template.Library()

# The version that a script has of a part of a page, see `tournament.js`; no link needs it.
_VERSION = "v"


@register.inclusion_tag("pager.html", takes_context=True)
def pager(
    context: Context,
    page: Page[Any],
    *,
    name: str = "page",
    anchor: str = "",
    label: str = "",
    before: str = "",
    after: str = "",
) -> dict[str, object]:
    """Show links to the pages before and after one, which keep the rest of the query.

    Args:
        context: of the template.
        page: the page of a list that is shown; there are no links if it is the only one.
        name: of the parameter with the page's number.
        anchor: of the list in the document.
        label: of the links for screen readers; "Pages" if empty.
        before: text of the link to the page before; "Back" if empty.
        after: text of the link to the page after; "Next" if empty.
    """
    query = context["request"].GET.copy()
    query.pop(_VERSION, None)

    def link(number: int) -> str:
        query[name] = str(number)
        return f"?{query.urlencode()}{anchor and f'#{anchor}'}"

    return {
        "page": page,
        "label": label or _("Pages"),
        "before": before or _("Back"),
        "after": after or _("Next"),
        "previous": link(page.previous_page_number()) if page.has_previous() else "",
        "next": link(page.next_page_number()) if page.has_next() else "",
    }
