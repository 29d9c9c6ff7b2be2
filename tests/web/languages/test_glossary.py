"""Tests of the glossary: game terms have the same translation everywhere."""

import re
import tomllib

import pytest

from tools import messages

GLOSSARY = tomllib.loads((messages.LOCALE / "glossary.toml").read_text(encoding="utf-8"))


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


@pytest.mark.parametrize("language", messages.languages())
@pytest.mark.parametrize("term", GLOSSARY)
def test_a_term_is_translated_as_the_glossary_says(term, language):
    forms = [form.lower() for form in GLOSSARY[term][language]]
    wrong = []
    for domain in messages.DOMAINS:
        for message in messages.entries(messages.read_catalogue(domain, language)):
            strings = messages.strings_of(message)
            if not strings or not strings[-1] or not has_term(term, english_of(message)):
                continue
            if not any(form in strings[-1].lower() for form in forms):
                wrong.append((message.id, strings[-1]))
    assert not wrong
