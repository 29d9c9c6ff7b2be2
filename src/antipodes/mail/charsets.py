"""Decoding of bytes in mails, also with wrong or unknown charsets."""

from __future__ import annotations

import base64
import binascii
import codecs
import quopri
import re

# Codecs with superlinear time, or that are not charsets.
_REFUSED = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"}
# Text declared as Latin-1 is mostly Windows-1252; browsers decode it so too.
_WINDOWS = {"ascii": "cp1252", "iso8859-1": "cp1252"}
# Mails in Japanese and Korean with seven bits, which do not always say so.
_ESCAPES = (
    (re.compile(rb"\x1b\$\)C"), "iso2022_kr"),
    (re.compile(rb"\x1b\$[@B]|\x1b\$\(D|\x1b\([IJ]"), "iso2022_jp_ext"),
)
_ONE_BYTE = re.compile(r"iso8859-\d+|cp125\d|cp437|cp85\d|koi8-[ru]|mac-roman")
# Letters of DOS (code page 850) between two letters, which are signs or nothing in Windows-1252.
_DOS = re.compile(
    rb"[A-Za-z][\x81\x82\x84\x87-\x89\x8b\x8d\x90\x93-\x95\xa4][A-Za-z]|[\x81\x8d\x90][A-Za-z]"
)
_DOS_SIGNS = re.compile(rb"[\xb0-\xb4\xb9-\xbc\xbf-\xc2\xc4\xc8-\xce\xd9-\xdc\xdf]")
# Characters that databases cannot store or screens cannot show, except tabs and newlines.
_UNSHOWABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_ENCODED = re.compile(r"=\?([^?\s]{1,60})\?([bqBQ])\?([^?]*)\?=")
_FOLD = re.compile(r"\r?\n[ \t]?")


def decode(data: bytes, charset: str = "") -> str:
    """Decode bytes by their charset if possible, else as UTF-8, else as Windows-1252.

    A name is not believed where the bytes say otherwise: sequences that switch to Japanese or
    Korean, UTF-8 under the name of a charset with one byte a letter, and German or French words
    that have their letters in the charset of DOS only.

    Args:
        data: the bytes.
        charset: the name that the mail gives, which may be wrong or unknown.
    """
    named = _named(charset)
    for name in (*_guessed(data, named), *named, "utf-8", *_dos(data)):
        try:
            return tidy(data.decode(name))
        except (UnicodeError, LookupError):
            continue
    return tidy(data.decode("cp1252", "replace"))


def _named(charset: str) -> tuple[str, ...]:
    """Return the codecs to try for a name."""
    try:
        name = codecs.lookup(charset.strip().strip("\"'").split("*")[0][:40]).name
    except (LookupError, ValueError):
        return ()
    if name.replace("-", "_") in _REFUSED:
        return ()
    if name == "ascii":
        return ("utf-8", "cp1252")
    return (_WINDOWS.get(name, name),)


def _guessed(data: bytes, named: tuple[str, ...]) -> tuple[str, ...]:
    """Return the codecs that the bytes themselves show, to try before the named ones."""
    if data.isascii():
        return tuple(codec for escape, codec in _ESCAPES if escape.search(data))
    if not any(map(_ONE_BYTE.fullmatch, named)):
        return ()
    return ("utf-8", *(_dos(data) if named == ("cp1252",) else ()))


def _dos(data: bytes) -> tuple[str, ...]:
    return ("cp850",) if _DOS.search(data) and not _DOS_SIGNS.search(data) else ()


def tidy(text: str) -> str:
    """Return a text with normal spaces and newlines, without control characters."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    text = text.removeprefix("\ufeff")
    return _UNSHOWABLE.sub("", text)


def repair_bytes(value: str) -> str:
    """Return a header's value with undecoded bytes decoded."""
    try:
        return decode(value.encode("ascii", "surrogateescape"))
    except UnicodeEncodeError:
        return tidy(value)


def decode_words(value: str) -> str:
    """Return a header's value in one line, with its encoded words (RFC 2047) decoded.

    Some programs split a character between two encoded words.
    """
    value = _FOLD.sub(" ", value)
    pieces: list[str] = []
    waiting, charset, end = b"", "", 0
    for word in _ENCODED.finditer(value):
        between = value[end : word.start()]
        data = _encoded_bytes(word[2], word[3])
        if waiting and (between.strip() or charset != word[1].lower()):
            pieces.append(decode(waiting, charset))
            waiting = b""
        # Spaces between two encoded words are dropped.
        if between.strip() or not end:
            pieces.append(between)
        waiting, charset, end = waiting + data, word[1].lower(), word.end()
    if waiting:
        pieces.append(decode(waiting, charset))
    pieces.append(value[end:])
    return " ".join(tidy("".join(pieces)).split())


def _encoded_bytes(encoding: str, text: str) -> bytes:
    data = text.encode("utf-8", "replace")
    if encoding in "qQ":
        return quopri.decodestring(data, header=True)
    return decode_base64(data)


def decode_base64(data: bytes) -> bytes:
    """Decode base64 as far as it is valid."""
    kept = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
    try:
        return base64.b64decode(kept[: len(kept) // 4 * 4] + _last_group(kept))
    except binascii.Error:  # pragma: no cover - nothing else is left in it
        return b""


def _last_group(kept: bytes) -> bytes:
    rest = kept[len(kept) // 4 * 4 :]
    return rest + b"=" * (4 - len(rest)) if len(rest) > 1 else b""
