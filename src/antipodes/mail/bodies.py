"""The body of a mail as plain text, from any of its parts."""

from __future__ import annotations

import html
import quopri
import re
from dataclasses import dataclass
from email.message import EmailMessage

from antipodes.mail.charsets import decode, decode_base64, tidy

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


_DEEPEST = 40
_SHORTEST_TORN = 76  # characters of truncated base64, one line, that are still decoded
# Parts that a mail program shows only after it has decoded them.
_ENCRYPTED = {"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"}
_OUTLOOK = {"application/ms-tnef", "application/vnd.ms-tnef"}
_PGP = re.compile(r"-----(BEGIN|END) PGP ([A-Z ]{3,40})-----\s*")
_CONTAINERS_LEFT_OUT = {"multipart/report", "multipart/digest", "multipart/encrypted"}
_BASE64_LINE = re.compile(rb"[A-Za-z0-9+/]*={0,2}[ \t]*")


@dataclass(frozen=True, slots=True)
class _Text:
    text: str
    is_markup: bool


def read_body(root: EmailMessage) -> tuple[str, str]:
    """Return the text of a mail, and if it has none, why it cannot be read; else an empty text.

    The text is the plain one if there is one, else that of its HTML.
    """
    kinds = [part.get_content_type() for part in root.walk()]
    texts = [one for one in _texts(root, 0) if one.text.strip()]
    # Programs that insert an attachment into a text split the text into parts. Parts of another
    # type were added by servers.
    whole = "\n".join(one.text for one in texts if one.is_markup == texts[0].is_markup)
    text, is_encrypted = without_armor(whole)
    if text.strip():
        return text, ""
    if is_encrypted or not _ENCRYPTED.isdisjoint(kinds):
        return text, "it is encrypted"
    if not _OUTLOOK.isdisjoint(kinds):
        return text, "it is in a format of Outlook (winmail.dat)"
    is_attached = any(not one.startswith(("text/", "multipart/")) for one in kinds)
    is_attached = is_attached or any(map(_is_attachment, root.walk()))
    return text, "it has only attachments" if is_attached else ""


def without_armor(text: str) -> tuple[str, bool]:
    """Return a text without the lines around one signed by PGP, and whether one is encrypted.

    The signature is not checked, since a mail token or a reply address proves the sender.
    """
    if "-----BEGIN PGP " not in text:
        return text, False
    unwrapped: list[str] = []
    block, is_encrypted, is_header = "", False, False
    for line in text.split("\n"):
        armor = _PGP.fullmatch(line)
        if armor:
            is_begin = armor[1] == "BEGIN"
            block = armor[2] if is_begin else ""
            is_header = is_begin
            is_encrypted = is_encrypted or block == "MESSAGE"
        elif is_header:
            is_header = bool(line.strip())  # "Hash: SHA256", up to an empty line
        elif block == "SIGNED MESSAGE":
            unwrapped.append(line.removeprefix("- "))
        elif not block:
            unwrapped.append(line)
    return "\n".join(unwrapped), is_encrypted


def _texts(part: EmailMessage, depth: int) -> list[_Text]:
    """Return the texts of a part that belong to the body."""
    if depth > _DEEPEST:
        return []
    kind = part.get_content_type()
    if part.is_multipart():
        if kind in _CONTAINERS_LEFT_OUT or kind.startswith("message/"):
            return []
        children = (one for one in part.iter_parts() if isinstance(one, EmailMessage))
        inside = [_texts(one, depth + 1) for one in children]
        if kind == "multipart/alternative":
            return _best(inside)
        return [one for texts in inside for one in texts]
    if kind not in ("text/plain", "text/html") or _is_attachment(part):
        return []
    text = decode(_content(part), _parameter(part, "charset"))
    if kind == "text/html":
        return [_Text(markup_text(text), is_markup=True)]
    if _parameter(part, "format").lower() == "flowed":
        text = unflow(text, joined=_parameter(part, "delsp").lower() == "yes")
    return [_Text(text, is_markup=False)]


def _best(inside: list[list[_Text]]) -> list[_Text]:
    """Return the plain text of several alternatives, unless it is empty."""
    filled = [texts for texts in inside if any(one.text.strip() for one in texts)]
    plain = [texts for texts in filled if not any(one.is_markup for one in texts)]
    return (plain or filled or [[]])[0]


def _is_attachment(part: EmailMessage) -> bool:
    disposition = str(part.get("content-disposition", "")).split(";", 1)[0].strip().lower()
    named = bool(_parameter(part, "filename", "content-disposition") or _parameter(part, "name"))
    return disposition == "attachment" or named


def _parameter(part: EmailMessage, name: str, header: str = "content-type") -> str:
    """Return a parameter of a MIME field; empty if it is missing or unreadable."""
    try:
        found = part.get_param(name, "", header)
    except (ValueError, LookupError, TypeError, AttributeError):
        return ""
    if isinstance(found, tuple):
        found = found[2]
    return str(found or "")


def _content(part: EmailMessage) -> bytes:
    """Return the bytes of a part, decoded from its transfer encoding if that is valid."""
    encoding = str(part.get("content-transfer-encoding", "")).strip().lower()
    # Without this field the library does not decode.
    del part["content-transfer-encoding"]
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    if encoding == "quoted-printable":
        return quopri.decodestring(data)
    if encoding == "base64":
        return _unpacked(data)
    return data


def _unpacked(data: bytes) -> bytes:
    """Decode base64 up to the first other line, since servers append plain text."""
    lines = data.split(b"\n")
    count = 0
    while count < len(lines) and _BASE64_LINE.fullmatch(lines[count]):
        count += 1
    packed = b"".join(b"".join(lines[:count]).split())
    # Base64 comes in groups of four; other lines are words.
    is_whole = len(packed) % 4 == 0 or (count == len(lines) and len(packed) > _SHORTEST_TORN)
    return decode_base64(packed) if packed and is_whole else data


def unflow(text: str, *, joined: bool = False) -> str:
    """Join the lines of flowed text (RFC 3676, format=flowed).

    Args:
        text: as it was sent.
        joined: whether the space at the end of a broken line is not part of the text (DelSp).
    """
    lines: list[list[str]] = []
    depth, is_open = 0, False
    for line in text.split("\n"):
        quotes = len(line) - len(line.lstrip(">"))
        content = line[quotes:].removeprefix(" ")
        is_signature = content.rstrip() == "--"
        if is_open and quotes == depth and not is_signature:
            lines[-1].append(content)
        else:
            lines.append([">" * quotes + " " if quotes else "", content])
        depth, is_open = quotes, content.endswith(" ") and not is_signature
        if is_open and joined:
            lines[-1][-1] = lines[-1][-1][:-1]
    return tidy("\n".join("".join(pieces).rstrip(" ") for pieces in lines))
