"""Texts of lessons in the reader's language.

In the files of courses, ``_word_`` is emphasised, and moves can stand between backquotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from antipodes.errors import Phrase
from antipodes.learn.model import Step
from antipodes.web.platform.translations import phrase_text, translate

_EMPHASIS = re.compile(r"\b_(\w[^_]*)_\b")
_MOVES = re.compile(r"`([^`]+)`")
_END = re.compile(r"(?<=[.?!…])\s+(?=\S)")
_ADDRESS = "You are "  # begins a sentence that belongs to the task after it


def marked_up(text: str) -> SafeString:
    """Return one paragraph as HTML."""
    html = _MOVES.sub(r"<code>\1</code>", _EMPHASIS.sub(r"<em>\1</em>", escape(text)))
    return mark_safe(html)  # noqa: S308 - escaped above


def plain(text: str) -> str:
    """Return a text without its markup."""
    return _EMPHASIS.sub(r"\1", text).replace("`", "")


def message(phrases: Iterable[Phrase]) -> str:
    """Return what a learner is told, translated and without markup."""
    return plain(" ".join(map(phrase_text, phrases)))


def parts(step: Step) -> tuple[list[str], str]:
    """Return the paragraphs of a step's text, and the task at their end, translated.

    The task is the last sentence, with the sentence before it that says whose turn it is.
    """
    count = _sentences_of_task(step.text)
    *paragraphs, last = translate(step.text).split("\n\n")
    sentences = _END.split(last)
    before = " ".join(sentences[:-count])
    return [*paragraphs, *([before] if before else [])], " ".join(sentences[-count:])


def _sentences_of_task(text: str) -> int:
    sentences = _END.split(text.rsplit("\n\n", maxsplit=1)[-1])
    return 2 if len(sentences) > 1 and sentences[-2].startswith(_ADDRESS) else 1
