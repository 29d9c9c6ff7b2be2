"""Removal of the site's own text from replies that quote it without marks.

The site has what it sent, so it needs no list of what mail programs write around a quote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from antipodes.mail.quoting import QUOTED

_MOST_LINES = 5_000
_MOST_WORDS = 20_000
_LONGEST_LINE = 1_000
_RUN = 3  # words in a row by which a part of a line is recognised
_LEAST = 3  # lines of the site of which a quote has at least so many
_WINDOW = 6  # lines in which they stand
_ENOUGH = 8  # lines of a quote; three commands that the site suggested are none
_MOST_INTRODUCING = 8

_WORD = re.compile(r"[^\s>|*_]+")
# What introduces a quote in any language: fields, addresses, and the date of a mail.
_FIELD = re.compile(r"\W{0,3}[^:：\d<>@]{1,25}[:：].*")
_TIME = re.compile(r"\d{1,2}[:.h]\d{2}")
_RULE = re.compile(r"[\s\-–—_=*]{5,}|[\-–—_=*]{2,}.{1,80}?[\-–—_=*]{2,}")


def without_sent(text: str, sent: Sequence[str]) -> str:
    """Return a reply without a quote of what the site sent.

    Lines with quote marks stay, and so does a reply with nothing but lines of the site, which may
    be commands that it suggested.

    Args:
        text: the text of the reply.
        sent: texts of the site's e-mails in the thread.
    """
    for one in sent:
        text = _without(text, one)
    return text


def _without(text: str, sent: str) -> str:
    known = set(_runs(_words(sent)[:_MOST_WORDS]))
    short = {" ".join(_words(line)) for line in sent.split("\n")} - {""}
    lines = text.split("\n", _MOST_LINES)[:_MOST_LINES]
    ours = [
        not QUOTED.match(line) and _is_ours(_words(line[:_LONGEST_LINE]), known, short)
        for line in lines
    ]
    filled = [at for at, line in enumerate(lines) if line.strip() and not QUOTED.match(line)]
    first = _beginning(filled, ours)
    if first is None or sum(ours) < min(_ENOUGH, len(short) // 2):
        return text
    above = _without_introduction(lines[:first])
    # Without words above it the reply stands below the quote.
    last = max(at for at in filled if ours[at])
    rest = above if any(line.strip() for line in above) else lines[last + 1 :]
    return "\n".join(rest).strip("\n") or text


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _runs(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for index in range(len(words) - _RUN + 1):
        yield tuple(words[index : index + _RUN])


def _is_ours(words: list[str], known: set[tuple[str, ...]], short: set[str]) -> bool:
    """Return whether a line is one of the site, or a part of its lines that were wrapped again."""
    if " ".join(words) in short:
        return True
    return len(words) > _RUN and all(run in known for run in _runs(words))


def _beginning(filled: Sequence[int], ours: Sequence[bool]) -> int | None:
    """Return the index of the first line of a quote, or ``None``."""
    for place, index in enumerate(filled):
        if ours[index] and sum(ours[one] for one in filled[place : place + _WINDOW]) >= _LEAST:
            return index
    return None


def _without_introduction(lines: list[str]) -> list[str]:
    """Return the lines above a quote without those that a mail program put before it."""
    kept = list(lines)
    count = 0
    while kept and count < _MOST_INTRODUCING:
        line = kept[-1].strip()
        if line and not _introduces(line):
            # The date of a mail may stand above the name, and both above the word for "wrote".
            wrapped = count and len(kept) > 1 and _has_time(line)
            if not wrapped:
                break
        count += bool(line)
        kept.pop()
    return kept


def _introduces(line: str) -> bool:
    if _RULE.fullmatch(line) or _FIELD.fullmatch(line):
        return True
    return line.endswith((":", "：")) or "@" in line or _has_time(line)


def _has_time(line: str) -> bool:
    return bool(re.search(r"\d{4}", line) and _TIME.search(line))
