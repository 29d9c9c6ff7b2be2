"""Template filters that translate texts of the library, and the list of languages."""

from __future__ import annotations

from django import template
from django.conf import settings

from antipodes.errors import Phrase
from antipodes.web.platform.translations import phrase_text, result_text, translate, value_label

register = template.Library()
register.filter("translated", translate)
register.filter("value_label", value_label)
register.filter("result_text", result_text)


@register.filter
def phrase(text: Phrase | str) -> str:
    """Translate a phrase; other texts are unchanged."""
    return phrase_text(text) if isinstance(text, Phrase) else text


@register.simple_tag
def languages_of_site() -> list[tuple[str, str]]:
    """Return the languages of the pages, each with its name in itself."""
    return list(settings.LANGUAGES)
