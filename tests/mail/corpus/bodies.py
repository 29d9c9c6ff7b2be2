"""Bodies: charsets, transfer encodings, HTML, parts within parts."""

from __future__ import annotations

import base64
import quopri

from tests.mail.corpus.builder import Case, Expected, Setting, mail, multipart, part

_TEXT = "text/plain; charset=utf-8"
_HTML = "text/html; charset=utf-8"


def _typed(kind: str, encoding: str = "") -> dict[str, bytes | str]:
    fields: dict[str, bytes | str] = {"MIME-Version": "1.0", "Content-Type": kind}
    if encoding:
        fields["Content-Transfer-Encoding"] = encoding
    return fields


def cases(setting: Setting) -> list[Case]:
    return [*_plain(setting), *_markup(setting), *_in_parts(setting)]


def _plain(setting: Setting) -> list[Case]:
    move = setting.move
    data = f"{move}\n".encode()
    packed = base64.encodebytes(data)
    soft = f"{move[:1]}=\n{move[1:]}=20\n"
    return [
        mail(setting, "body plain", data),
        mail(setting, "body with bare newlines", data, newline=b"\n"),
        mail(setting, "body with carriage returns alone", data, newline=b"\r"),
        mail(setting, "body with a mark of byte order", b"\xef\xbb\xbf" + data),
        mail(setting, "body after empty lines", b"\n\n \n" + data),
        mail(setting, "body with non-breaking spaces", f"\u00a0{move}\u00a0\n"),
        mail(setting, "body in capitals", data.upper()),
        mail(setting, "body quoted-printable", soft, None, _typed(_TEXT, "quoted-printable")),
        mail(
            setting,
            "body quoted-printable with non-breaking spaces",
            f"=C2=A0{move}=C2=A0",
            None,
            _typed(_TEXT, "Quoted-Printable"),
        ),
        mail(
            setting,
            "body quoted-printable every letter",
            quopri.encodestring("".join(f"={ord(c):02X}" for c in move).encode()).replace(
                b"=3D", b"="
            ),
            None,
            _typed(_TEXT, "quoted-printable"),
        ),
        mail(setting, "body base64", packed, None, _typed(_TEXT, "base64")),
        mail(
            setting,
            "body base64 with a server's footer",
            packed + b"\n_______________________\nThis mail was scanned.\n",
            None,
            _typed(_TEXT, "base64"),
        ),
        mail(
            setting,
            "body says base64 and is plain",
            f"{move} \n\nAll the best, Ann!\n",
            None,
            _typed(_TEXT, "base64"),
            _said("All the best, Ann!"),
        ),
        mail(
            setting,
            "body in utf-16",
            base64.encodebytes(move.encode("utf-16")),
            None,
            _typed("text/plain; charset=utf-16", "base64"),
        ),
        mail(setting, "body in utf-7", data, None, _typed("text/plain; charset=utf-7")),
        mail(
            setting,
            "body in an unknown charset",
            data,
            None,
            _typed("text/plain; charset=x-klingon", "8bit"),
        ),
        mail(
            setting,
            "body says utf-8 and is latin-1",
            data + "Schöne Grüße".encode("latin-1"),
            None,
            _typed(_TEXT, "8bit"),
            _said("Schöne Grüße"),
        ),
        mail(
            setting,
            "body says ascii and is utf-8",
            data + "Schöne Grüße".encode(),
            None,
            _typed("text/plain; charset=us-ascii", "8bit"),
            _said("Schöne Grüße"),
        ),
        mail(
            setting,
            "body in a codec that is no charset",
            data,
            None,
            _typed("text/plain; charset=rot13"),
        ),
        mail(setting, "body with an unknown encoding", data, None, _typed(_TEXT, "x-uuencode")),
        mail(setting, "body of an unreadable type", data, None, _typed("text; charset")),
        mail(setting, "body flowed", f"{move} \n", None, _typed(f"{_TEXT}; format=flowed")),
        mail(
            setting,
            "body flowed with a broken line",
            f" {move}\nThis was a long \nline.\n",
            None,
            _typed(f"{_TEXT}; format=flowed; delsp=no"),
            _said("This was a long line."),
        ),
        mail(setting, "body with zeros", move.encode() + b"\n\0\0\n"),
        mail(setting, "body ends without newline", move),
    ]


def _said(text: str) -> Expected:
    return Expected(comment=text)


def _markup(setting: Setting) -> list[Case]:
    move = setting.move
    quote = f"<blockquote type=cite><pre>{setting.email}</pre></blockquote>"
    pages = {
        "html only": f"<html><body><p>{move}</p></body></html>",
        "html of gmail": f'<div dir="ltr">{move}</div><br><div class="gmail_quote">'
        f'<div class="gmail_attr">On Sat, Nov 21, 2026 at 12:00 PM Games &lt;'
        f'<a href="mailto:{setting.to}">{setting.to}</a>&gt; wrote:<br></div>{quote}</div>',
        "html of outlook": '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>'
        "p.MsoNormal {margin:0cm}</style></head><body><div class=WordSection1>"
        f"<p class=MsoNormal>{move}<o:p></o:p></p><div><div style='border:none;border-top:solid "
        "#E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p><b>From:</b> Games<br><b>Sent:</b> Saturday"
        f"<br><b>To:</b> Ann</p></div></div><p>{setting.email}</p></div></body></html>",
        "html of outlook on the web": f'<div>{move}</div><div id="appendonsend"></div><hr>'
        f'<div id="divRplyFwdMsg"><b>From:</b> x<br></div><div>{setting.email}</div>',
        "html that is broken": f"<p><b>{move}</p></b></div></div><table><tr>",
        "html with entities": f"&nbsp;&#{ord(move[0])};{move[1:]}&nbsp;",
        "html with scripts": f"<script>resign</script><style>a</style>{move}<!-- resign -->",
    }
    found = [mail(setting, name, page, None, _typed(_HTML)) for name, page in pages.items()]
    packed = base64.encodebytes(pages["html only"].encode())
    return [*found, mail(setting, "html in base64", packed, None, _typed(_HTML, "base64"))]


def _in_parts(setting: Setting) -> list[Case]:
    move = setting.move
    plain, markup = part(_TEXT, move), part(_HTML, f"<p>{move}</p>")
    picture = part("image/png", "AAAA", Content_Transfer_Encoding="base64")
    winmail = part(
        'application/ms-tnef; name="winmail.dat"',
        base64.encodebytes(b"\x78\x9f\x3e\x22" * 30),
        Content_Transfer_Encoding="base64",
        Content_Disposition='attachment; filename="winmail.dat"',
    )
    notes = part(_TEXT, "resign", Content_Disposition='attachment; filename="notes.txt"')
    inner = f"From: x@y.example\nSubject: {setting.subject} resign\n\nresign\n"
    forwarded = part("message/rfc822", inner)
    both_fields, both = multipart("alternative", plain, markup, boundary="inner")
    nested = f"Content-Type: {both_fields['Content-Type'].decode()}".encode() + b"\n\n" + both
    shapes: dict[str, tuple[dict[str, bytes], bytes]] = {
        "alternatives": multipart("alternative", plain, markup),
        "alternatives, the plain one empty": multipart("alternative", part(_TEXT, " \n"), markup),
        "alternatives, html first": multipart("alternative", markup, plain),
        "text with a picture": multipart("mixed", plain, picture),
        "alternatives within related within mixed": multipart("mixed", nested, picture),
        "text with winmail.dat": multipart("mixed", plain, winmail),
        "text with an attached text": multipart("mixed", notes, plain),
        "text with a forwarded mail": multipart("mixed", plain, forwarded),
        "text signed": multipart("signed", plain, part("application/pgp-signature", "x")),
        "parts without an end": (
            multipart("mixed", plain)[0],
            multipart("mixed", plain)[1].replace(b"--=_b--", b""),
        ),
        "parts of the wrong kind": multipart("x-unknown", plain),
    }
    return [mail(setting, name, body, None, fields) for name, (fields, body) in shapes.items()]
