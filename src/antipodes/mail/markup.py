"""HTML of mails as plain text, with quotes marked by ``>``."""

from __future__ import annotations

import html
import re

from antipodes.mail.charsets import tidy

# The library takes quadratic time in the number of elements.
_MOST_LETTERS = 200_000
_MOST_TAGS = 4_000
_OPEN, _CLOSE, _REPLY = "\ue000", "\ue001", "\ue002"
_SPACE = "\ue003"  # a space that does not break, which the library would join with others
_MARKS = re.compile("[\ue000-\ue003]")
_UNBROKEN = re.compile("&nbsp;|&#160;|&#xa0;|\xa0", re.IGNORECASE)
_QUOTE_BEGINS = re.compile(r"<blockquote\b[^<>]*>", re.IGNORECASE)
_QUOTE_ENDS = re.compile(r"</blockquote\s*>", re.IGNORECASE)
# Marks of the beginning of a quoted mail that only the HTML has.
_REPLY_BEGINS = re.compile(
    r"<(?:div|hr|p)\b[^<>]{0,400}(?:divRplyFwdMsg|appendonsend|stopSpelling|yahoo_quoted|"
    r"mail-editor-reference-message-container|border-top:\s{0,3}solid\s{0,3}#(?:E1E1E1|B5C4DF))"
    r"[^<>]{0,400}>",
    re.IGNORECASE,
)
_DECLARATION = re.compile(r"^\s*<\?xml[^<>]*\?>", re.IGNORECASE)
_LEFT_OUT = re.compile(r"<(script|style|head|title)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_BREAK = re.compile(r"<(?:br|p|div|li|tr|h\d)\b[^<>]*>", re.IGNORECASE)
_PREFORMATTED = re.compile(r"<pre\b[^<>]*>.*?(?:</pre\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_INDENTATION = re.compile(r"(?:^|(?<=<pre>))[ \t]+", re.MULTILINE | re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>?")

SEPARATOR = "-----Original Message-----"
"""The line that replaces such a mark in the text."""


def markup_text(markup: str) -> str:
    """Return the visible text of HTML."""
    markup = _MARKS.sub("", _DECLARATION.sub("", markup[:_MOST_LETTERS]))
    if markup.count("<") > _MOST_TAGS:
        markup = "<".join(markup.split("<", _MOST_TAGS)[:_MOST_TAGS])
    markup = _QUOTE_BEGINS.sub(f"<blockquote><div>{_OPEN}</div>", markup)
    markup = _QUOTE_ENDS.sub(f"<div>{_CLOSE}</div></blockquote>", markup)
    markup = _REPLY_BEGINS.sub(lambda found: f"<div>{_REPLY}</div>{found[0]}", markup)
    markup = _UNBROKEN.sub(_SPACE, markup)
    markup = _PREFORMATTED.sub(_keep_indentation, markup)
    return _with_quotes(_shown(markup))


def _keep_indentation(found: re.Match[str]) -> str:
    """Return preformatted markup with each line indented by spaces that do not break."""
    return _INDENTATION.sub(lambda spaces: _SPACE * len(spaces[0].expandtabs(8)), found[0])


def _shown(markup: str) -> str:
    """Return the text as a browser shows it; if the library fails, the words."""
    # It imports lxml, which takes a tenth of a second.
    from inscriptis import get_text  # noqa: PLC0415
    from inscriptis.css_profiles import RELAXED_CSS_PROFILE  # noqa: PLC0415
    from inscriptis.model.config import ParserConfig  # noqa: PLC0415

    try:
        return str(get_text(markup, ParserConfig(css=RELAXED_CSS_PROFILE)))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, SyntaxError):
        text = _BREAK.sub("\n", _LEFT_OUT.sub("", markup))
        return html.unescape(_TAG.sub("", text))


def _with_quotes(text: str) -> str:
    """Put ``>`` before lines between the marks, one for each level."""
    lines = []
    depth = 0
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        mark = line.strip()
        if mark == _OPEN:
            depth += 1
        elif mark == _CLOSE:
            depth = max(0, depth - 1)
        elif mark == _REPLY:
            lines.append(SEPARATOR)
        else:
            # Blocks are indented by ordinary spaces, texts by those that do not break.
            shown = tidy(_MARKS.sub("", line.strip().replace(_SPACE, " "))).rstrip()
            lines.append(f"{'>' * min(depth, 20)} {shown}" if depth else shown)
    return "\n".join(lines).strip("\n")
