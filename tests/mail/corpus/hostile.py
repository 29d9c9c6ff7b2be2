"""Mails made to crash programs, or to keep them busy."""

from __future__ import annotations

import base64

from tests.mail.corpus.builder import Case, Expected, Setting, What, mail, multipart, part

_MANY = 20_000
_ANY = Expected(what=What.REFUSED, comment=None)


def cases(setting: Setting) -> list[Case]:
    return [*_heads(setting), *_parts(setting)]


def _heads(setting: Setting) -> list[Case]:
    move = setting.move
    whole = f"{setting.subject} {move}"
    bare = f"To: {setting.to}\r\n".encode()
    return [
        mail(setting, "no from", move, without=("From",)),
        mail(setting, "no message-id", move, without=("Message-ID",)),
        mail(setting, "no date, no reply", move, without=("Date", "In-Reply-To")),
        Case("almost no head", bare + b"\r\n" + move.encode(), Expected()),
        mail(setting, "fields by the thousand", move, None, {f"X-{n}": "a" for n in range(9_000)}),
        mail(setting, "field of half a megabyte", move, None, {"X-Long": "a" * 500_000}),
        mail(setting, "brackets in from", move, None, {"From": "(" * 50_000}, without=("From",)),
        mail(setting, "recipients by the thousand", move, None, {"Cc": "a@b.example, " * _MANY}),
        mail(setting, "references by the thousand", move, None, {"References": "<a@b> " * _MANY}),
        mail(setting, "encoded words by the thousand", move, None, {"X": "=?a?q?b?= " * _MANY}),
        mail(setting, "prefixes by the thousand", "", "Re: " * 200 + whole),
        mail(
            setting,
            "subject of 60 kilobytes",
            move,
            "A" * 60_000,
            expected=Expected(what=What.REFUSED, comment=None, code="mail/too-long"),
        ),
        mail(setting, "subject of brackets", move, "[" * 900),
        mail(
            setting,
            "quotes in the type",
            move,
            None,
            {"Content-Type": 'a/b; "' + '";' * 9_000},
            Expected(what=What.REFUSED, comment=None),
        ),
        mail(
            setting,
            "charset of a kilobyte",
            move,
            None,
            {"Content-Type": "text/plain; charset=" + "x" * 900},
        ),
        mail(setting, "line breaks in a value", move, None, {"X-A": "b\r\n\tc"}),
    ]


def _parts(setting: Setting) -> list[Case]:
    move = setting.move
    many_fields, many = multipart("mixed", part("text/plain", move), *[b"\n"] * 3_000)
    nest = "".join(
        f"--b{n}\nContent-Type: multipart/mixed; boundary=b{n + 1}\n\n" for n in range(2_000)
    )
    deep = {"Content-Type": "multipart/mixed; boundary=b0"}
    mails = f"From: a@b\nContent-Type: message/rfc822\n\n" * 2_000  # noqa: F541
    said = f"{setting.subject} {move}"
    return [
        mail(setting, "parts by the thousand", many, None, many_fields),
        mail(setting, "parts within parts", nest + move, said, deep),
        mail(setting, "mails within mails", mails + move, said, {"Content-Type": "message/rfc822"}),
        mail(setting, "no boundary", move, said, {"Content-Type": "multipart/mixed"}),
        mail(
            setting,
            "a boundary that never comes",
            move,
            said,
            {"Content-Type": "multipart/mixed; boundary=never"},
        ),
        mail(
            setting,
            "a boundary of nothing",
            move,
            said,
            {"Content-Type": 'multipart/mixed; boundary=""'},
        ),
        mail(setting, "empty lines by the thousand", "\n" * 300_000, said),
        mail(setting, "colons by the thousand", f"{move}\n" + "a:\n" * _MANY)._replace(
            expected=Expected(comment=None)
        ),
        mail(
            setting, "attributions by the thousand", f"{move}\n" + "On 1 1:\n>\n" * _MANY
        )._replace(expected=Expected(comment=None)),
        mail(setting, "separators by the thousand", f"{move}\n" + "---- x ----\n" * _MANY),
        mail(
            setting, "html of brackets", "<" * 300_000, said, {"Content-Type": "text/html"}
        )._replace(expected=Expected(comment=None)),
        mail(
            setting,
            "html of tables",
            "<table><tr><td>" * _MANY + "x",
            said,
            {"Content-Type": "text/html"},
        ),
        mail(
            setting,
            "html of quotes",
            "<blockquote>" * _MANY + "x",
            said,
            {"Content-Type": "text/html"},
        )._replace(expected=Expected(comment=None)),
        mail(
            setting, "html of paragraphs", "<p>x" * _MANY, said, {"Content-Type": "text/html"}
        )._replace(expected=Expected(comment=None)),
        mail(
            setting, "commands by the thousand", "multiple\n" + "help\n" * 2_000, "multiple"
        )._replace(expected=Expected(what=What.REFUSED, comment=None, code="mail/too-many")),
        mail(setting, "multiple and nothing", "", "multiple")._replace(
            expected=Expected(what=What.REFUSED, comment=None, code="mail/empty")
        ),
    ]


def large_cases(setting: Setting) -> list[Case]:
    """Return mails of many megabytes."""
    data = base64.encodebytes(b"\0" * 57) * 386_000  # lines, which take long to encode
    fields, body = multipart(
        "mixed",
        part("text/plain", setting.move),
        part("application/zip; name=a.zip", data, Content_Transfer_Encoding="base64"),
    )
    return [
        mail(setting, "30 megabytes attached", body, None, fields),
        mail(setting, "30 megabytes of text", setting.move + "\n" + "word \n" * 5_000_000)._replace(
            expected=Expected(comment=None)
        ),
    ]
