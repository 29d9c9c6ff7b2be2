"""Quotes in a mail, and the site's own text with or without marks, apart from the author's text.

The site has what it sent, so it needs no list of what mail programs write around a quote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

# mail-parser-reply is no replacement: it keeps quotes above and between the lines of a reply, and
# misses the quote headers of ten languages in the tests.

# Limits on lines; mails of people are far below, even with quotes.
_MOST_LINES = 5_000
_LONGEST_LINE = 300
_ATTRIBUTION_LINES = 3
_FIELDS = 4  # of the header of a quoted mail: author, date, recipient, subject
_LEAST_FIELDS = 3

# A line of a table ends with a bar, too.
QUOTED = re.compile(r"\s{0,3}(?:>|&gt;|\|(?=\s|$)(?!.*\|\s*$))")
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
    *(
        "geschreven",
        "napisao",
        "napisala",
        "napisao je",
        "napisala je",
        "je napisal",
        "написа",
        "skrifaði",
        "เขียนว่า",
        "idatzi",
    ),
    *("scris", "ha escrit", "נכתב", "parašė", "uzrakstīja", "kirjutas", "viết", "tulis"),
)
_ON = re.compile(
    r"(?:on|am|le|el|il|op|den|de|dne|dnia|w dniu|em|a|il giorno|on ?:|pe|kl|dana|στις|tarihinde"
    r"|ma|ti|ke|to|la|su|pá|so|ne|mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|lun|mar|mer|jeu"
    r"|ven|sam|dim|пн|вт|ср|чт|пт|сб|вс|在|於)\b.*\d|\d{1,4}[-./年 년].*\d",
    re.IGNORECASE,
)
_DATED = re.compile(r"\d{1,2}[:.h]\d{2}|[\w.+-]@[\w-]|\d{4}")
_TIME = re.compile(r"\d{1,2}[:.h]\d{2}")
_YEAR = re.compile(r"\d{4}")

# The header that Outlook puts before a quoted mail: its author, then its other fields.
_AUTHORS = (
    r"from|von|de|da|van|från|fra|frå|od|lähettäjä|от|від|feladó|kimden|gönderen|από"
    r"|expéditeur|remitente|mittente|afzender|nadawca|saatja|expeditor|šalje|pošiljatelj|nuo"
    r"|no|מאת|من|từ|dari|frá|nork|จาก|发件人|寄件者|寄件人|差出人|보낸사람|de la|보낸 사람"
)
_OTHER_FIELDS = (
    r"sent|date|to|cc|subject|gesendet|datum|an|betreff|envoyé|à|objet|enviado|para|asunto"
    r"|assunto|fecha|data|inviato|a|oggetto|verzonden|aan|onderwerp|skickat|till|ämne|sendt"
    r"|dato|til|emne|odesláno|komu|předmět|wysłano|do|temat|lähetetty|päivämäärä|vastaanottaja"
    r"|aihe|отправлено|дата|кому|тема|发送时间|发送日期|日期|收件人|收件者|主题|主旨|送信日時|宛先|件名|보낸날짜|받는사람|제목"
    r"|gönderildi|tarih|kime|konu|küldve|címzett|tárgy|trimis|către|subiect|odoslané|predmet"
    r"|στάλθηκε|ημερομηνία|προς|θέμα|изпратено|до|относно|poslano|prima|za|zadeva|saadetud"
    r"|adressaat|kellele|teema|nosūtīts|kam|tēma|išsiųsta|tema|נשלח|תאריך|אל|נושא|التاريخ|إلى"
    r"|الموضوع|ngày|đến|tới|dikirim|tanggal|kepada|subjek|perihal|enviat|assumpte|dagsetning"
    r"|efni|ส่ง|วันที่|ถึง|เรื่อง|bidalia|nori|gaia|envoyé le|enviado (?:el|a)|보낸 날짜|받는 사람"
    r"|تاريخ الإرسال|đã gửi|chủ đề|per a"
)
_FROM = re.compile(rf"\s*\**(?:{_AUTHORS})\**\s?[:：]\**\s?\S", re.IGNORECASE)
_SENT = re.compile(rf"\s*\**(?:{_OTHER_FIELDS})\**\s?[:：]", re.IGNORECASE)
# A field in any language.
_FIELD = re.compile(r"\s*\**[^:：\d<>@]{1,25}?\**\s?[:：]\**\s?\S")


def own_text(text: str) -> str:
    """Return a text without quotes and their introductions, signature and forwarded mail.

    Lines between quotes are kept, since people write above, below and between quotes.
    """
    lines = text.split("\n", _MOST_LINES)[:_MOST_LINES]
    quoted = [QUOTED.match(line) is not None for line in lines]
    following = _following(lines)
    own_lines: list[str] = []
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
            count = _attribution(own_lines, short, before_quote=before_quote)
            if count:
                # This line is the last of the introduction and not among the own ones yet.
                del own_lines[len(own_lines) - count + 1 :]
                # Without marks of a quote, all that follows is the quoted mail.
                if before_quote:
                    continue
                break
        own_lines.append(line.rstrip())
    return "\n".join(own_lines).strip("\n")


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
    block, at = [line], following[index]
    while at is not None and len(block) < _FIELDS:
        block.append(lines[at][:_LONGEST_LINE])
        at = following[at]
    return _is_listed_header(block) or _is_header(block)


def _is_listed_header(block: list[str]) -> bool:
    """Return whether lines begin with the author and two other fields in any order."""
    authors = [_FROM.match(one) is not None for one in block]
    others = [_SENT.match(one) is not None for one in block]
    fields = [one or other for one, other in zip(authors, others, strict=True)]
    return any(authors) and fields[0] and sum(fields) >= _LEAST_FIELDS


def _is_header(block: list[str]) -> bool:
    """Return whether lines are the header of a quoted mail in a language that is not listed.

    It has three fields or more in any order, of which one is the date with the time.
    """
    fields = [_FIELD.match(one) for one in block]
    count = next((at for at, one in enumerate(fields) if one is None), len(fields))
    dated = any(_YEAR.search(one) and _TIME.search(one) for one in block[:count])
    return count >= _LEAST_FIELDS and dated


def _attribution(own_lines: list[str], line: str, *, before_quote: bool) -> int:
    """Return the number of lines up to this one that introduce a quote; 0 if they do not.

    Args:
        own_lines: the lines before it.
        line: one that ends with a colon.
        before_quote: whether a quote follows.
    """
    last = f"{own_lines[-1].strip()} {line}" if own_lines else line
    # The words for "wrote" may stand in two lines.
    ends = last.rstrip(" :：").endswith(_WROTE)
    if not (ends or before_quote or "@" in line or _TIME.search(line) or _says_wrote(line)):
        return 0
    whole = line
    for count in range(1, _ATTRIBUTION_LINES + 1):
        above = own_lines[-count].strip() if len(own_lines) >= count else ""
        said, has_address = _says_wrote(whole), "@" in whole
        on_date = _ON.match(whole) and (said or (before_quote and _DATED.search(whole)))
        is_dated = _YEAR.search(whole) and _TIME.search(whole)
        if on_date or (is_dated and (said or has_address)):
            # The name may stand above the date or the address.
            is_split = whole.startswith("<") or above.endswith("<")
            return count + bool(above and (is_split or ("@" in above and not has_address)))
        if not above or len(above) > _LONGEST_LINE:
            break
        whole = f"{above} {whole}"
    told = "@" in line or _says_wrote(line)
    return int(before_quote and told and _DATED.search(line) is not None)


def _says_wrote(line: str) -> bool:
    line = line.lower()
    return any(word in line for word in _WROTE)


_MOST_WORDS = 20_000
_LONGEST_SENT = 1_000
_RUN = 3  # words in a row by which a part of a line is recognised
_LEAST = 3  # lines of the site of which a quote has at least so many
_WINDOW = 6  # lines in which they stand
_ENOUGH = 8  # lines of a quote; three commands that the site suggested are none
_MOST_INTRODUCING = 8

_WORD = re.compile(r"[^\s>|*_]+")
# What introduces a quote in any language: fields, addresses, and the date of a mail.
_QUOTED_FIELD = re.compile(r"\W{0,3}[^:：\d<>@]{1,25}[:：].*")
_RULE = re.compile(r"[\s\-–—_=*]{5,}|[\-–—_=*]{2,}.{1,80}?[\-–—_=*]{2,}")


def without_sent(text: str, sent: Sequence[str]) -> str:
    """Return a reply without a quote of what the site sent.

    Lines with quote marks stay, and so does a reply with nothing but lines of the site, which may
    be commands that it suggested.

    Args:
        text: the text of the reply.
        sent: texts of the site's e-mails in the thread.
    """
    for sent_text in sent:
        text = _without(text, sent_text)
    return text


def _without(text: str, sent: str) -> str:
    known = set(_runs(_words(sent)[:_MOST_WORDS]))
    short = {" ".join(_words(line)) for line in sent.split("\n")} - {""}
    lines = text.split("\n", _MOST_LINES)[:_MOST_LINES]
    ours = [
        not QUOTED.match(line) and _is_ours(_words(line[:_LONGEST_SENT]), known, short)
        for line in lines
    ]
    filled = [at for at, line in enumerate(lines) if line.strip() and not QUOTED.match(line)]
    first = _beginning(filled, ours)
    if first is None or sum(ours) < min(_ENOUGH, len(short) // 2):
        return text
    above = _without_introduction(lines[:first])
    # Without words above it the reply stands below the quote.
    last = max(at for at in filled if ours[at])
    unsent = above if any(line.strip() for line in above) else lines[last + 1 :]
    return "\n".join(unsent).strip("\n") or text


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
    before_quote = list(lines)
    count = 0
    while before_quote and count < _MOST_INTRODUCING:
        line = before_quote[-1].strip()
        if line and not _introduces(line):
            # The date of a mail may stand above the name, and both above the word for "wrote".
            wrapped = count and len(before_quote) > 1 and _has_time(line)
            if not wrapped:
                break
        count += bool(line)
        before_quote.pop()
    return before_quote


def _introduces(line: str) -> bool:
    if _RULE.fullmatch(line) or _QUOTED_FIELD.fullmatch(line):
        return True
    return line.endswith((":", "：")) or "@" in line or _has_time(line)


def _has_time(line: str) -> bool:
    return bool(re.search(r"\d{4}", line) and _TIME.search(line))


# The title of a board, and its next move; both are formats of ``docs/mail-format.md``.
_TITLE = re.compile(r"[\s>|*]*\w[\w ]{1,40} (?:Board (\d{1,9})|Preview\b.*)[\s*]*")
_TURN = re.compile(r"[\s>|*]*Turn:[\s*]+move (\d{1,5});.*")


def shown_ply(text: str, board: int) -> int | None:
    """Return the number of moves on a board that a mail shows, or ``None`` if it does not say.

    Args:
        text: an e-mail of the site, or a reply with a quote of it. The first board counts, which
            is the latest of several quotes.
        board: its number. A quote may begin below the title, so a board without one counts too.
    """
    is_meant = True
    for line in text.split("\n", _MOST_LINES)[:_MOST_LINES]:
        if title := _TITLE.fullmatch(line[:_LONGEST_LINE]):
            is_meant = title[1] is not None and int(title[1]) == board
        elif is_meant and (turn := _TURN.fullmatch(line[:_LONGEST_LINE])):
            return int(turn[1]) - 1
    return None
