"""Tests of the glossary: game terms have the same translation everywhere."""

import re
import tomllib
from functools import cache

import pytest

from tests.cases import for_each
from tools import messages
from tools.catalogues import LOCALE

GLOSSARY = tomllib.loads((LOCALE / "glossary.toml").read_text(encoding="utf-8"))


def test_every_term_has_forms_in_every_language():
    for term, forms in GLOSSARY.items():
        assert sorted(forms) == messages.languages(), term
        assert all(forms.values()), term


def english_of(message):
    """Return the English text of a message without values, tags and identifiers."""
    text = message.id if isinstance(message.id, str) else message.id[1]
    return re.sub(r"%\(\w+\)[a-z]|\{[^}]*\}|<[^>]+>|\b\w+=\w+|\w*_\w+", " ", text)


def has_term(term, text):
    return re.search(rf"\b{term}s?\b", text, re.IGNORECASE) is not None


@cache
def translations(language):
    """Return English texts with their translations."""
    return [
        (english_of(message), strings[-1].lower())
        for domain in messages.DOMAINS
        for message in messages.entries(messages.read_catalogue(domain, language))
        if (strings := messages.strings_of(message)) and strings[-1]
    ]


@pytest.mark.parametrize("language", messages.languages())
@for_each("term", GLOSSARY)
def test_a_term_is_translated_as_the_glossary_says(term, language):
    forms = [form.lower() for form in GLOSSARY[term][language]]
    assert not [
        (english, translated)
        for english, translated in translations(language)
        if has_term(term, english) and not any(form in translated for form in forms)
    ]
