"""Update the catalogues of translations, as ``make messages`` does, without GNU gettext.

For each language of the site there are two catalogues in ``web/locale``: ``django.po`` for pages
and messages, which `tools.catalogues` compiles for Django, and ``djangojs.po`` for scripts, from
which a JavaScript module is written.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

from antipodes.learn.store import courses
from antipodes.match.sentences import SENTENCES
from tools.catalogues import LOCALE, compile_catalogues, typeset

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "antipodes"
WEB = PACKAGE / "web"
SCRIPTS = WEB / "static" / "antipodes"
SENTENCES_SCRIPT = SCRIPTS / "match" / "sentences.js"
PAGES, JS = "django", "djangojs"
DOMAINS = (PAGES, JS)

# The arguments of calls that are texts; "c" is a context that distinguishes equal texts.
_ONE, _PLURAL = (1,), (1, 2)
_IN_CONTEXT, _PLURAL_IN_CONTEXT = ((1, "c"), 2), ((1, "c"), 2, 3)
_PYTHON: dict[str, Any] = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop"), _ONE),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), _PLURAL),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), _IN_CONTEXT),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), _PLURAL_IN_CONTEXT),
}
# The library has English messages, which the site translates when it shows them.
_LIBRARY: dict[str, Any] = {
    "Fault": (2,),
    "of": (2,),
    "Phrase": _ONE,
    "_refused": (2,),
    "_invalid": _ONE,
    "_same": _ONE,
    "note_fault": _ONE,
}
_SCRIPT: dict[str, Any] = {"t": _ONE, "tn": _PLURAL, "tc": _IN_CONTEXT}
# What the site shows to players: their files and pictures are read there too.
_LAYERS = (
    "core",
    "notation",
    "games",
    "clocks",
    "records",
    "learn",
    "match",
    "search/levels.py",
    "lab/openings.py",
    "tournaments",
)

# Events that the page of a match describes.
_ON_PAGE = ("moved", "offered", "declined", "withdrawn", "taken-back")

# A string or a brace of a script.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}]')
# A placeholder in a text, or an HTML tag.
_PLACE = re.compile(r"%\(\w+\)[sd]|\{\w*[^{}]*\}|</?\w+[^>]*>")


@dataclass(frozen=True, slots=True)
class Found:
    """An English text in the source, with its context if it has one, and its file."""

    text: str | tuple[str, ...]
    context: str | None
    file: str


def texts(domain: str) -> Iterator[Found]:
    """Yield every text of the source that a catalogue must have."""
    if domain == JS:
        for path in sorted(SCRIPTS.rglob("*.js")):
            if path.parent.name != "languages":
                yield from _in_code("javascript", path, _SCRIPT)
                for code in _embedded(path.read_text(encoding="utf-8")):
                    yield from _extracted("javascript", code, path, _SCRIPT)
        return
    for path in sorted(WEB.rglob("*.py")):
        yield from _in_code("python", path, {**_PYTHON, **_LIBRARY})
    for part in _LAYERS:
        files = [PACKAGE / part] if part.endswith(".py") else sorted((PACKAGE / part).rglob("*.py"))
        for path in files:
            yield from _in_code("python", path, _LIBRARY)
    for path in sorted([*WEB.rglob("templates/**/*.html"), *WEB.rglob("templates/**/*.txt")]):
        source = templatize(path.read_text(encoding="utf-8"), origin=str(path))
        # The result is not Python, but on one line its calls can be extracted like Python's.
        yield from _extracted("python", " ".join(source.split("\n")), path, _PYTHON)
    yield from _of_library()


def _embedded(script: str) -> Iterator[str]:
    """Yield the code in template literals, which Babel skips where it has strings with braces."""
    for start in re.finditer(r"\$\{", script):
        depth = 1
        for token in _TOKEN.finditer(script, start.end()):
            depth += {"{": 1, "}": -1}.get(token[0], 0)
            if depth == 0:
                yield script[start.end() : token.start()]
                break


def _of_library() -> Iterator[Found]:
    """Yield the texts that are data of the library: titles, options, rules, levels, courses."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "antipodes.web.project.settings")
    django.setup()
    from antipodes.web.project.wiring import LIBRARY_TEXTS  # noqa: PLC0415 - needs Django

    for texts_of_part in LIBRARY_TEXTS:
        path = f"src/{texts_of_part.__module__.replace('.', '/')}.py"
        for context, text in texts_of_part():
            yield Found(text, context, path)
    for course in courses():
        for text in course.texts():
            yield Found(text, None, f"src/antipodes/learn/courses/{course.id}.toml")


def _in_code(method: str, path: Path, keywords: dict[str, Any]) -> Iterator[Found]:
    return _extracted(method, path.read_text(encoding="utf-8"), path, keywords)


def _extracted(method: str, source: str, path: Path, keywords: dict[str, Any]) -> Iterator[Found]:
    file = io.BytesIO(source.encode())
    options = {"encoding": "utf-8"}
    for _line, text, _comments, context in extract(method, file, keywords, (), options):
        if text and (isinstance(text, str) or all(text)):
            yield Found(text, context, str(path.relative_to(ROOT)))


def source_catalogue(domain: str) -> Catalog:
    """Return a catalogue of all texts of the source, untranslated."""
    catalogue = Catalog(project="Antipodes", fuzzy=False)
    for found in texts(domain):
        catalogue.add(found.text, locations=[(found.file, 1)], context=found.context)
    return catalogue


def po_file(domain: str, language: str) -> Path:
    """Return the path of a catalogue."""
    return LOCALE / language / "LC_MESSAGES" / f"{domain}.po"


def read_catalogue(domain: str, language: str) -> Catalog:
    """Read a catalogue; return an empty one if it does not exist yet."""
    path = po_file(domain, language)
    if not path.exists():
        return Catalog(locale=language, project="Antipodes", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def updated(domain: str, language: str, source: Catalog) -> Catalog:
    """Return a catalogue with exactly the texts of the source, and their translations."""
    catalogue = read_catalogue(domain, language)
    catalogue.update(source, no_fuzzy_matching=True, update_creation_date=False)
    for key in list(catalogue.obsolete):
        del catalogue.obsolete[key]
    return catalogue


def po_text(catalogue: Catalog) -> bytes:
    """Return a catalogue as PO text, without dates and line numbers."""
    file = io.BytesIO()
    write_po(file, catalogue, width=100, sort_output=True, include_lineno=False)
    return file.getvalue()


def js_text(catalogue: Catalog) -> bytes:
    """Return a catalogue as a JavaScript module."""
    words = {}
    for message in entries(catalogue):
        if any(strings_of(message)):
            key = message.id if isinstance(message.id, str) else message.id[0]
            key = f"{message.context}\x04{key}" if message.context else key
            words[key] = message.string
    lines = (f"  {_json(key)}: {_json(words[key])},\n" for key in sorted(words))
    head = "// Made by `make messages` from djangojs.po: edit that.\n\n"
    plural = f"export const plural = (n) => Number({catalogue.plural_expr});\n"
    return (head + plural + "export const words = {\n" + "".join(lines) + "};\n").encode()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def sentences_script() -> bytes:
    """Return a JavaScript module with the library's sentences about events of a match."""
    lines = [
        "// Made by `make messages` from antipodes/match/sentences.py: edit that.",
        "",
        'import { t } from "../i18n.js";',
        "",
        '/** @import { Values } from "../i18n.js" */',
        "/** @typedef {(values: Values) => string} Sentence */",
        "",
        "/**",
        " * Sentences about events, by their keys: for others, and for the player who acted.",
        " * @type {Record<string, [other: Sentence, own: Sentence]>}",
        " */",
        "export const SENTENCES = {",
    ]
    for key, phrases in SENTENCES.items():
        if key.startswith(_ON_PAGE):
            calls = [f"(values) => t({_json(phrase.template)}, values)" for phrase in phrases]
            lines += [f"  {_json(key)}: [", *(f"    {call}," for call in calls), "  ],"]
    return "\n".join([*lines, "};", ""]).encode()


def entries(catalogue: Catalog) -> list[Message]:
    """Return the messages of a catalogue without its header."""
    return [message for message in catalogue if message.id]


def strings_of(message: Message) -> tuple[str, ...]:
    """Return the translations of a message: one, or one for each plural form."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def faults_of(catalogue: Catalog, source: Catalog) -> Iterator[str]:
    """Yield the faults of a catalogue: missing texts, translations and placeholders."""
    known = {(message.context, message.id) for message in entries(catalogue)}
    wanted = {(message.context, message.id) for message in entries(source)}
    yield from (f"not in the catalogue: {key!r}" for key in sorted(wanted - known, key=repr))
    yield from (f"not in the source: {key!r}" for key in sorted(known - wanted, key=repr))
    for message in entries(catalogue):
        strings = strings_of(message)
        if message.fuzzy or not strings or not all(strings):
            yield f"not translated: {message.id!r}"
        elif message.pluralizable:
            yield from _faults_of_plural(message, strings, catalogue.num_plurals)
        elif places(str(message.id)) != places(strings[0]):
            yield f"other values or tags: {message.id!r} as {strings[0]!r}"


def _faults_of_plural(message: Message, strings: tuple[str, ...], forms: int) -> Iterator[str]:
    if len(strings) != forms:
        yield f"{len(strings)} plural forms, not {forms}: {message.id!r}"
    wanted = places(message.id[1])
    # The singular form needs no number.
    if (
        any(not set(places(text)) <= set(wanted) for text in strings)
        or places(strings[-1]) != wanted
    ):
        yield f"other values or tags: {message.id!r} as {strings!r}"


def places(text: str) -> list[str]:
    """Return the placeholders and the tags in a text, sorted."""
    return sorted(_PLACE.findall(text))


def languages() -> list[str]:
    """Return the languages that have catalogues: all of the site except English."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "antipodes.web.project.settings")
    return [code for code, _name in settings.LANGUAGES if not code.startswith("en")]


def files_of(domain: str, language: str, catalogue: Catalog) -> dict[Path, bytes]:
    """Return the contents of all files made from a catalogue."""
    found = {po_file(domain, language): po_text(catalogue)}
    if domain == JS:
        found[SCRIPTS / "languages" / f"{language}.js"] = js_text(typeset(catalogue))
    return found


def main() -> int:
    """Update all catalogues; report what is not translated yet."""
    SENTENCES_SCRIPT.write_bytes(sentences_script())
    missing = 0
    for domain in DOMAINS:
        source = source_catalogue(domain)
        for language in languages():
            catalogue = updated(domain, language, source)
            for path, content in files_of(domain, language, catalogue).items():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            faults = list(faults_of(catalogue, source))
            missing += len(faults)
            print(f"{language} {domain}: {len(entries(catalogue))} texts, {len(faults)} to do")
            for fault in faults:
                print(f"    {fault}")
    compile_catalogues()
    return min(missing, 1)


if __name__ == "__main__":
    sys.exit(main())
