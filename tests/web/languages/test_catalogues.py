"""Tests of the catalogues: they have all texts, and a translation of each."""

from collections import defaultdict
from gettext import GNUTranslations
from typing import Any

import pytest
from babel.messages.catalog import Catalog

from tools import messages
from tools.catalogues import typeset

LANGUAGES = messages.languages()


@pytest.fixture(scope="module")
def found():
    """All texts of the source by domain, which take seconds to find."""
    return {domain: list(messages.texts(domain)) for domain in messages.DOMAINS}


@pytest.fixture(scope="module")
def sources(found):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(messages, "texts", found.__getitem__)
        return {domain: messages.source_catalogue(domain) for domain in messages.DOMAINS}


def test_there_are_two_languages_besides_english():
    assert LANGUAGES == ["de", "fr"]


@pytest.mark.parametrize("domain", messages.DOMAINS)
def test_texts_with_the_same_singular_have_the_same_plural(found, domain):
    plurals = defaultdict(set)
    for one in found[domain]:
        if isinstance(one.text, tuple):  # catalogues have one entry for each singular
            singular, plural = one.text
            plurals[one.context, singular].add(plural)
    assert not [several for several in plurals.values() if len(several) > 1]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("domain", messages.DOMAINS)
def test_every_text_of_the_source_is_translated(sources, domain, language):
    catalogue = messages.read_catalogue(domain, language)
    assert not list(messages.faults_of(catalogue, sources[domain])), "run `make messages`"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("domain", messages.DOMAINS)
def test_compiled_catalogues_are_up_to_date(sources, domain, language):
    catalogue = messages.updated(domain, language, sources[domain])
    for path, content in messages.files_of(domain, language, catalogue).items():
        assert path.read_bytes() == content, f"{path.name}: run `make messages`"


def test_the_script_of_sentences_is_up_to_date():
    assert messages.SENTENCES_SCRIPT.read_bytes() == messages.sentences_script()


@pytest.mark.parametrize("language", LANGUAGES)
def test_django_reads_the_same_translations(language):
    catalogue = typeset(messages.read_catalogue(messages.PAGES, language))
    with messages.po_file(messages.PAGES, language).with_suffix(".mo").open("rb") as file:
        read = GNUTranslations(file)
    for one in messages.entries(catalogue):
        assert translations_of(read, one) == messages.strings_of(one)


def translations_of(read: Any, message: Any) -> tuple[str, ...]:
    """Return the translation of a message, for 1 and for 5 if it has plural forms."""
    if message.pluralizable:
        if message.context:
            return tuple(read.npgettext(message.context, *message.id, one) for one in (1, 5))
        return tuple(read.ngettext(*message.id, one) for one in (1, 5))
    if message.context:
        return (read.pgettext(message.context, message.id),)
    return (read.gettext(message.id),)


def test_texts_of_every_kind_are_found(sources):
    pages = {message.id for message in messages.entries(sources[messages.PAGES])}
    scripts = {message.id for message in messages.entries(sources[messages.JS])}
    assert "Connect one end of the world to the other" in pages  # a template
    assert "random" in pages  # Python of the site
    assert "there is no seat {seat}" in pages  # a refusal of the library
    assert "the point is not empty" in pages  # a reason of the rules
    assert ("to %(points)s point", "to %(points)s points") in pages
    assert "The computer is thinking …" in scripts
    assert "The refutation: {moves}" in scripts  # in a template literal
    assert ("{count} spectator", "{count} spectators") in scripts


@pytest.mark.parametrize(
    ("text", "translation", "fault"),
    [
        ("a %(name)s", "ein %(name)s", None),
        ("a %(name)s", "ein %(nahme)s", "other values"),
        ("a <b>bold</b> one", "ein fetter", "other values"),
        ("{one} of {two}", "{two}, davon {one}", None),
        ("a word", "", "not translated"),
        (("{count} move", "{count} moves"), ("ein Zug", "{count} Züge"), None),
        (("{count} move", "{count} moves"), ("ein Zug", "Züge"), "other values"),
        (("{count} move", "{count} moves"), ("", "{count} Züge"), "not translated"),
    ],
)
def test_incomplete_translations_are_reported(text, translation, fault):
    source = Catalog(fuzzy=False)
    source.add(text)
    catalogue = Catalog(locale="de", fuzzy=False)
    catalogue.add(text, translation)
    faults = list(messages.faults_of(catalogue, source))
    assert faults == [] if fault is None else [one for one in faults if fault in one] == faults


def test_missing_and_obsolete_texts_are_reported():
    source, catalogue = (Catalog(fuzzy=False) for _ in range(2))
    source.add("new")
    catalogue.add("old", "alt")
    assert [fault.split(":")[0] for fault in messages.faults_of(catalogue, source)] == [
        "not in the catalogue",
        "not in the source",
    ]


def test_a_script_gets_its_plural_forms_and_contexts():
    catalogue = Catalog(locale="fr", fuzzy=False)
    catalogue.add(("{count} move", "{count} moves"), ("{count} coup", "{count} coups"))
    catalogue.add("Enter", "Jouer", context="button")
    text = messages.js_text(catalogue).decode()
    assert "export const plural = (n) => Number((n > 1));" in text
    assert '"{count} move": ["{count} coup", "{count} coups"]' in text
    assert '"button\\u0004Enter": "Jouer"' in text
