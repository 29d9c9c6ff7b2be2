"""Header and body of mails."""

from email.message import EmailMessage

import pytest

from antipodes.mail import bodies, deliveries, incoming
from antipodes.mail.bodies import read_body, unflow
from antipodes.mail.charsets import decode, decode_base64, decode_words, repair_bytes
from antipodes.mail.incoming import Mail, read_mail
from antipodes.mail.parts import take_apart
from antipodes.mail.quoting import own_text
from tests.raising import raising


def mail(*lines, **more):
    return read_mail("\r\n".join(lines).encode(), **more)


def test_from_and_envelope_sender_may_differ():
    found = mail("From: Ann <ann@HOME.example>", "", "x", sender="bounce@lists.example")
    assert (found.sender, found.envelope) == ("ann@home.example", "bounce@lists.example")
    assert mail("", "x", sender="Ann@HOME.example").sender == "Ann@home.example"
    assert mail("Return-Path: <a@b.example>", "From: c@d.example", "", "").envelope == "a@b.example"
    assert mail("From: c@d.example", "", "").envelope is None


@pytest.mark.parametrize(
    ("field", "sender", "name"),
    [
        ("ann@home.example", "ann@home.example", ""),
        ('"Möller, Ann" <ann@home.example>', "ann@home.example", "Möller, Ann"),
        ("=?utf-8?q?Ann_M=C3=B6ller?= <ann@home.example>", "ann@home.example", "Ann Möller"),
        ("ann@home.example (Ann)", "ann@home.example", "Ann"),
        ("<>", "", ""),
        ("ann", "", ""),
        ('"bob@evil.example" <ann@home.example>', "ann@home.example", "bob@evil.example"),
    ],
)
def test_sender_addresses(field, sender, name):
    found = mail(f"From: {field}", "", "x")
    assert (found.sender, found.sender_name) == (sender, name)


def test_addresses_cannot_contain_newlines():
    found = mail("From: ann@home.example\r\n Bcc: all@home.example", "", "x")
    assert found.sender in ("ann@home.example", "")
    assert "\n" not in found.sender + found.sender_name


def test_recipients_of_envelope_and_header():
    head = ("From: a@b.example", "To: X <x@games.example>, y@games.example", "Cc: x@games.example")
    assert mail(*head, "", "").recipients == ("x@games.example", "y@games.example")
    assert mail(*head, "", "", recipients=["z@games.example"]).recipients == ("z@games.example",)
    noted = ("Delivered-To: z@games.example", *head)
    assert mail(*noted, "", "").recipients[0] == "z@games.example"


def test_the_envelope_of_the_transport_precedes_the_noted_one():
    noted = ("Return-Path: <x@y.example>", "From: c@d.example", "", "")
    assert mail(*noted, sender="a@b.example").envelope == "a@b.example"
    assert mail(*noted).sender == "c@d.example"
    assert mail("Return-Path: <>", "From: c@d.example", "", "").envelope == ""
    assert mail("Return-Path: <X@Y.example>", "", "").sender == "X@y.example"


def test_the_first_author_is_the_sender():
    assert mail("From: a@b.example, c@d.example", "", "").sender == "a@b.example"
    assert mail("From: none", "Sender: Cy <c@d.example>", "", "").sender_name == "Cy"
    assert mail("Sender: c@d.example", "From: a@b.example", "", "").sender == "a@b.example"


def test_long_lists_and_texts_are_cut():
    many = ", ".join(f"a{number}@b.example" for number in range(120))
    fields = [f"To: t{number}@b.example" for number in range(12)]
    found = mail(f"Cc: {many}", "Subject: " + "x" * 3_000, "")
    assert found.recipients == tuple(f"a{number}@b.example" for number in range(100))
    assert len(found.subject) == 2_000
    assert len(mail(*fields, "").recipients) == 10
    ids = [f"<{number}@b>" for number in range(60)]
    assert mail(f"References: {' '.join(ids)}", "").references == tuple(ids[-50:])


def test_a_mail_is_cut_after_a_mebibyte():
    lines = "x" * 63 + "\n"
    raw = ("\n" + lines * (incoming.KEPT // 64)).encode()[: incoming.KEPT - 3] + b"end"
    assert read_mail(raw).text.endswith("end")
    longer = read_mail(raw[:-1] + b"-d")
    assert longer.text.endswith("en-")
    assert longer.size == incoming.KEPT + 1


def test_thread_headers():
    found = mail(
        "Message-ID: <a@b> x", "In-Reply-To: mail of <c@d>", "References: <e@f>\r\n <c@d>", ""
    )
    assert (found.message_id, found.in_reply_to) == ("<a@b>", "<c@d>")
    assert found.references == ("<e@f>", "<c@d>")
    assert mail("Message-ID: none", "").message_id == ""


@pytest.mark.parametrize(
    "raw", [b"", b"\n", b"\xff\xfe\x00", b":", b"From", b"\r\n\r\n\r\n", b"a:b"]
)
def test_malformed_mails_are_read(raw):
    found = read_mail(raw)
    assert isinstance(found, Mail)
    assert found.size == len(raw)


@pytest.mark.parametrize(
    ("data", "charset", "text"),
    [
        ("Grüße".encode(), "", "Grüße"),
        ("Grüße".encode("latin-1"), "", "Grüße"),
        ("Grüße".encode("latin-1"), "utf-8", "Grüße"),
        ("\u201ca\u201d".encode("cp1252"), "iso-8859-1", "\u201ca\u201d"),
        ("Привет".encode("koi8-r"), "KOI8-R", "Привет"),
        ("囲碁".encode("iso-2022-jp"), "iso-2022-jp", "囲碁"),
        ("Grüße".encode(), "iso-2022-jp", "Grüße"),
        (b"a\0b\x1b\x7f", "ascii", "ab"),
        (b"\\x41", "unicode_escape", "\\x41"),
        (b"\\ud800", "raw_unicode_escape", "\\ud800"),
        (b"a", "x" * 500, "a"),
        (b"+2AA-", "utf-7", ""),
        ("囲碁".encode("iso-2022-jp"), "", "囲碁"),
        ("d4 囲碁".encode("iso-2022-jp"), "us-ascii", "d4 囲碁"),
        ("囲碁".encode("iso-2022-jp"), "utf-8", "囲碁"),
        ("囲碁".encode("iso-2022-jp"), "iso-8859-1", "囲碁"),
        ("바둑".encode("iso2022_kr"), "", "바둑"),
        ("Grüße".encode(), "iso-8859-1", "Grüße"),
        ("\u201cGrüße\u201d".encode(), "windows-1252", "\u201cGrüße\u201d"),
        ("Привет".encode(), "koi8-r", "Привет"),
        ("Привет".encode("cp1251"), "windows-1251", "Привет"),
        ("für Grüße, schön, täglich".encode("cp850"), "", "für Grüße, schön, täglich"),
        ("für schöne Züge".encode("cp850"), "iso-8859-1", "für schöne Züge"),
        ("le café, à bientôt, français".encode("cp850"), "", "le café, à bientôt, français"),
        ("Grüße".encode("cp850"), "cp850", "Grüße"),
        (
            "don\u2019t \u201esay\u201c \u2013 so\u2026".encode("cp1252"),
            "",
            "don\u2019t \u201esay\u201c \u2013 so\u2026",
        ),
        (
            "Ärger über Öl: 5 \u20ac, naïve façade".encode("cp1252"),
            "",
            "Ärger über Öl: 5 \u20ac, naïve façade",
        ),
    ],
)
def test_charsets(data, charset, text):
    assert decode(data, charset) == text


def test_truncated_base64():
    assert decode_base64(b"ZDQ=") == b"d4"
    assert decode_base64(b"ZDQ") == b"d4"
    assert decode_base64(b"Z D\nQ=!=") == b"d4"
    assert decode_base64(b"Z") == b""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("=?utf-8?q?a?= =?utf-8?q?b?=", "ab"),
        ("=?utf-8?q?a?= b =?utf-8?q?c?=", "a b c"),
        ("x =?utf-8?q?a_b?=", "x a b"),
        ("=?utf-8?q?=C3?= =?utf-8?q?=A4?=", "ä"),
        ("=?utf-8*de?q?=C3=A4?=", "ä"),
        ("=?utf-8?x?a?=", "=?utf-8?x?a?="),
        ("=?utf-8?b?!!!?=", ""),
        ("a\r\n b\n\tc", "a b c"),
        ("=?utf-8?q?a=0D=0ABcc:_x?=", "a Bcc: x"),
    ],
)
def test_encoded_words(value, text):
    assert decode_words(value) == text


@pytest.mark.parametrize(("depth", "text"), [(39, "d4"), (40, "d4"), (41, "")])
def test_parts_inside_each_other_are_read_to_a_depth(depth, text):
    found = EmailMessage()
    found.set_content("d4")
    for _ in range(depth):
        outer = EmailMessage()
        outer["Content-Type"] = "multipart/mixed"
        outer.attach(found)
        found = outer
    assert read_body(found)[0].strip() == text


@pytest.mark.parametrize(("count", "read"), [(99, 99), (100, 99)])
def test_at_most_a_hundred_parts_of_a_mail_are_read(count, read):
    mail = EmailMessage()
    for number in range(count):
        mail.add_attachment(str(number))
    root, _ = take_apart(mail.as_bytes())
    assert sum(not one.is_multipart() for one in root.walk()) == read


def test_flowed_text():
    assert unflow("a \nb\nc") == "a b\nc"
    assert unflow("a \nb", joined=True) == "ab"
    assert unflow("> a \n> b\n>> c\n") == "> a b\n>> c\n"
    assert unflow(" >x\n-- \nAnn") == ">x\n--\nAnn"
    assert unflow("a \n-- \nAnn") == "a\n--\nAnn"


def test_text_that_looks_like_a_quote_header_is_kept():
    text = "My plan:\nd4 at 10:30:\nFrom: here on I lose\n- one\n- two\nBob wrote:\nhello"
    assert own_text(text) == text
    assert own_text("a\n\n\nb\n\n") == "a\n\n\nb"


def test_a_forwarded_header_at_the_end_has_two_fields_after_its_first():
    assert own_text("d4\n\nFrom: ann\nSent: now") == "d4\n\nFrom: ann\nSent: now"
    assert own_text("d4\n\nFrom: ann") == "d4\n\nFrom: ann"
    assert own_text("d4\n\nFrom: ann\nSent: now\n\nTo: bob\n") == "d4"


def test_parameters_may_be_encoded():
    head = ("From: a@b.example", "Content-Transfer-Encoding: quoted-printable")
    koi8 = "Content-Type: text/plain; charset*=us-ascii''koi8-r; format*=us-ascii'en'flowed"
    assert mail(*head, koi8, "", "=C8=CF=C4 ", "d4").text == "ход d4"
    named = "Content-Type: text/plain; name*=utf-8''the%20game.txt"
    assert mail(*head, named, "", "d4").text == ""


def test_eight_bit_text_may_have_an_encoded_charset():
    kind = "Content-Type: text/plain; charset*=utf-8''utf-8"
    raw = f"From: a@b.example\n{kind}\nContent-Transfer-Encoding: 8bit\n\nGrüße\n"
    assert read_mail(raw.encode()).text.strip() == "Grüße"


@pytest.mark.parametrize("error", [ValueError, LookupError, TypeError, AttributeError])
def test_parameters_that_the_library_cannot_read_are_empty(monkeypatch, error):
    monkeypatch.setattr(EmailMessage, "get_param", raising(error))
    found = mail(
        "From: a@b.example", "Content-Type: text/plain; name=x; format=flowed", "", "d ", "4"
    )
    assert (found.text, found.automatic) == ("d \n4", "")


def test_a_mail_that_makes_the_library_fail_is_automatic(monkeypatch):
    monkeypatch.setattr(incoming, "_read", raising(ZeroDivisionError))
    found = read_mail(
        b"From: a@b.example\n\nx", sender="Ann@HOME.example", recipients=["play@h.org"]
    )
    assert found == Mail(
        size=len(b"From: a@b.example\n\nx"),
        envelope="Ann@HOME.example",
        sender="Ann@home.example",
        recipients=("play@h.org",),
        automatic="it cannot be read",
    )
    assert read_mail(b"").sender == ""


def test_a_report_that_makes_the_library_fail_is_none(monkeypatch):
    monkeypatch.setattr(deliveries, "_read", lambda _raw: 1 / 0)
    assert deliveries.read_report(b"x") is None


@pytest.mark.parametrize(
    ("value", "text"),
    [("Möller", "Möller"), ("M\udcc3\udcb6ller", "Möller"), ("caf\udce9", "café"), ("ann", "ann")],
)
def test_undecoded_bytes_of_a_header_are_decoded(value, text):
    assert repair_bytes(value) == text


def test_markup_that_makes_the_library_fail_is_read_as_words(monkeypatch):
    monkeypatch.setattr("inscriptis.get_text", raising(ValueError("broken")))
    text = bodies.markup_text("<style>p {}</style><p>a1<br>R&amp;D <b>x</b></p>")
    assert text.split() == ["a1", "R&D", "x"]


SIGNED = """-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA256

d4

- -- a dash
-----BEGIN PGP SIGNATURE-----

iQEzBAEBCAAdFiEE
-----END PGP SIGNATURE-----
"""
ENCRYPTED = "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n"


def test_a_text_signed_by_pgp_is_read_without_its_armor():
    found = read_mail(f"From: a@b.example\n\n{SIGNED}".encode())
    assert (found.text.strip("\n"), found.unreadable) == ("d4\n\n-- a dash", "")
    assert read_mail(f"From: a@b.example\n\nd4\n{ENCRYPTED}".encode()).own_text == "d4"


def typed(kind, body="", **more):
    """Return a mail of some type."""
    fields = "".join(f"{name}: {value}\n" for name, value in more.items())
    return f"From: a@b.example\nMIME-Version: 1.0\nContent-Type: {kind}\n{fields}\n{body}".encode()


PARTS = 'multipart/{}; boundary="x"'


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (typed("text/plain", ENCRYPTED), "it is encrypted"),
        (
            typed(
                PARTS.format("encrypted"),
                "--x\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n"
                "--x\nContent-Type: application/octet-stream\n\nhQEMA\n--x--\n",
            ),
            "it is encrypted",
        ),
        (typed("application/pkcs7-mime; smime-type=enveloped-data", "MIAG"), "it is encrypted"),
        (typed("application/ms-tnef", "eJ8+"), "it is in a format of Outlook (winmail.dat)"),
        (
            typed(
                PARTS.format("mixed"),
                "--x\nContent-Type: text/plain\n\n\n"
                "--x\nContent-Type: application/ms-tnef; name=winmail.dat\n\neJ8+\n--x--\n",
            ),
            "it is in a format of Outlook (winmail.dat)",
        ),
        (typed("application/pdf", "%PDF"), "it has only attachments"),
        (
            typed("text/plain", "d4", **{"Content-Disposition": "attachment; filename=move.txt"}),
            "it has only attachments",
        ),
        (typed("text/plain", ""), ""),
        (typed("text/plain", "d4"), ""),
    ],
)
def test_a_mail_without_a_readable_text_says_why(raw, reason):
    found = read_mail(raw)
    assert found.unreadable == reason
    assert (bool(found.own_text) is raw.endswith(b"\n\nd4") and not reason) or not found.own_text
