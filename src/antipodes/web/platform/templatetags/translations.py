"""Template filters that translate texts of the library, and the list of languages."""

from __future__ import annotations

from django import template
from django.conf import settings

from antipodes.web.platform.translations import level_name, result_words, said, value_words

register = template.Library()
register.filter("said", said)
register.filter("value_said", value_words)
register.filter("result_said", result_words)
register.filter("level_said", level_name)


@register.simple_tag
def languages_of_site() -> list[tuple[str, str]]:
    """Return the languages of the pages, each with its name in itself."""
    return list(settings.LANGUAGES)
