"""The sender's own text of a mail, without quotes, signature and forwarded mail.

Every expression matches one line of limited length, so the time is linear in the size of the mail.
"""

from __future__ import annotations

import re

# mail-parser-reply is no replacement: it keeps quotes above and between the lines of a reply, and
# misses the quote headers of ten languages in the tests.

# Limits on lines; mails of people are far below, even with quotes.
_MOST_LINES = 5_000
_LONGEST_LINE = 300
_ATTRIBUTION_LINES = 3

_QUOTED = re.compile(r"\s{0,3}(?:>|&gt;)")
_SIGNATURE = re.compile(r"(?:--|__|—)\s*")
# Lines such as "-----Original Message-----" in any language, and Outlook's rule.
_SEPARATOR = re.compile(r"\s*(?:[\-–—]{4,} ?[^\s\-–—][^\-–—]{1,80} ?[\-–—]{3,}|_{20,}|-{20,})\s*")
_CITATION = re.compile(r"\s*-{3,} ?\w.*\b(?:wrote|schrieb|writes) ?-{2,}\s*")

_PHONES = re.compile(
    r"(?:sent (?:from|via|with) |get outlook for |gesendet (?:von|mit|über) |von meinem .* gesendet"
    r"|envoyé (?:de|depuis|à partir|avec) |télécharger outlook |enviado (?:desde|do|de|via|con) "
    r"|obtener outlook |inviato (?:da|dal) |verzonden (?:vanaf|met|van) |skickat från |sendt fra "
    r"|hämta outlook |wysłano z |wysłane z |odesláno |lähetetty |отправлено (?:с|из) "
    r"|发自我的|從我的|iphoneから送信|나의 .*에서 보냄|outlook für .* beziehen)",
    re.IGNORECASE,
)

# "On <date>, <name> wrote:" in the languages of the usual programs.
_WROTE = (
    *("wrote", "writes", "schrieb", "schreibt", "a écrit", "escribió", "ha scritto", "schreef"),
    *("skrev", "napsal", "napísal", "napisał", "kirjoitti", "escreveu", "написал", "пише", "пишет"),
    *("написав", "写道", "寫道", "書きました", "작성", "yazdı", "έγραψε", "írta", "a scris"),
    *("va escriure", "kirjutas", "rašė", "rakstīja", "đã viết", "menulis", "כתב", "كتب"),
)
_ON = re.compile(
    r"(?:on|am|le|el|il|op|den|de|dne|dnia|w dniu|em|a|il giorno|on ?:|pe|kl|dana|στις|tarihinde"
    r"|ma|ti|ke|to|la|su|pá|so|ne|mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|lun|mar|mer|jeu"
    r"|ven|sam|dim|пн|вт|ср|чт|пт|сб|вс|在|於)\b.*\d|\d{1,4}[-./年 년].*\d",
    re.IGNORECASE,
)
_DATED = re.compile(r"\d{1,2}[:.h]\d{2}|[\w.+-]@[\w-]|\d{4}")

# The header that Outlook puts before a quoted mail.
_FROM = re.compile(
    r"\s*\**(?:from|von|de|da|van|från|fra|frå|od|lähettäjä|от|від|feladó|kimden|gönderen|από"
    r"|expéditeur|remitente|mittente|afzender|nadawca|saatja|发件人|寄件者|寄件人|差出人"
    r"|보낸 ?사람)\**\s?[:：]\**\s?\S",
    re.IGNORECASE,
)
_SENT = re.compile(
    r"\s*\**(?:sent|date|to|cc|subject|gesendet|datum|an|betreff|envoyé(?: le)?|à|objet|enviado"
    r"(?: el|a)?|para|asunto|assunto|fecha|data|inviato|a|oggetto|verzonden|aan|onderwerp|skickat"
    r"|till|ämne|sendt|dato|til|emne|odesláno|komu|předmět|wysłano|do|temat|lähetetty|päivämäärä"
    r"|vastaanottaja|aihe|отправлено|дата|кому|тема|发送时间|发送日期|日期|收件人|收件者|主题"
    r"|主旨|送信日時|宛先|件名|보낸 ?날짜|받는 ?사람|제목|gönderildi|tarih|kime|konu|küldve"
    r"|címzett|tárgy|trimis|către|subiect)\**\s?[:：]",
    re.IGNORECASE,
)


def own_text(text: str) -> str:
    """Return a text without quotes and their introductions, signature and forwarded mail.

    Lines between quotes are kept, since people write above, below and between quotes.
    """
    lines = text.split("\n", _MOST_LINES)[:_MOST_LINES]
    quoted = [_QUOTED.match(line) is not None for line in lines]
    following = _following(lines)
    kept: list[str] = []
    for index, line in enumerate(lines):
        short = line[:_LONGEST_LINE].strip()
        if quoted[index]:
            continue
        if _SIGNATURE.fullmatch(short) or _ends_here(lines, following, index):
            break
        if _PHONES.match(short):
            continue
        if short.endswith((":", "：")):
            after = following[index]
            before_quote = after is not None and quoted[after]
            count = _attribution(kept, short, before_quote=before_quote)
            if count:
                del kept[len(kept) - count + 1 :]
                if before_quote:
                    continue
                break
        kept.append(line.rstrip())
    return "\n".join(kept).strip("\n")


def _following(lines: list[str]) -> list[int | None]:
    """Return for each line the index of the next non-empty one."""
    found: list[int | None] = [None] * len(lines)
    after: int | None = None
    for index in range(len(lines) - 1, -1, -1):
        found[index] = after
        if lines[index].strip():
            after = index
    return found


def _ends_here(lines: list[str], following: list[int | None], index: int) -> bool:
    """Return whether a quoted or forwarded mail begins at this line."""
    line = lines[index][:_LONGEST_LINE]
    if _SEPARATOR.fullmatch(line) or _CITATION.fullmatch(line):
        return True
    if not _FROM.match(line):
        return False
    more, at = 0, following[index]
    for _ in range(3):
        if at is None:
            break
        more += _SENT.match(lines[at][:_LONGEST_LINE]) is not None
        at = following[at]
    return more >= 2


def _attribution(kept: list[str], line: str, *, before_quote: bool) -> int:
    """Return the number of lines up to this one that introduce a quote; 0 if they do not.

    Args:
        kept: the lines before it.
        line: one that ends with a colon.
        before_quote: whether a quote follows.
    """
    said = _says_wrote(line)
    if not said and not before_quote:
        return 0
    whole = line
    for count in range(1, _ATTRIBUTION_LINES + 1):
        if _ON.match(whole) and (said or _DATED.search(whole)):
            return count
        above = kept[-count].strip() if len(kept) >= count else ""
        if not above or len(above) > _LONGEST_LINE:
            break
        said = said or _says_wrote(above)
        whole = f"{above} {whole}"
    told = "@" in line or _says_wrote(line)
    return int(before_quote and told and _DATED.search(line) is not None)


def _says_wrote(line: str) -> bool:
    line = line.lower()
    return any(word in line for word in _WROTE)
