"""Bodies of mails: parts, encodings, HTML, quotes."""

import base64

import pytest

from antipodes.mail import bodies, parts
from antipodes.mail.bodies import SEPARATOR, markup_text, unflow
from antipodes.mail.charsets import decode_words
from antipodes.mail.incoming import read_mail
from antipodes.mail.quoting import own_text
from tests.mail.corpus.builder import multipart, part

PLAIN, HTML = "text/plain; charset=utf-8", "text/html; charset=utf-8"


def text_of(kind, *inside):
    """Return the text of a mail with some parts."""
    fields, body = multipart(kind, *inside)
    head = b"".join(name.encode() + b": " + value + b"\n" for name, value in fields.items())
    return read_mail(head + b"\n" + body).text.strip()


def nested(kind, *inside):
    """Return several parts as one."""
    fields, body = multipart(kind, *inside, boundary="inner")
    return b"Content-Type: " + fields["Content-Type"] + b"\n\n" + body


@pytest.mark.parametrize(
    ("kind", "inside", "text"),
    [
        ("mixed", [part(PLAIN, "d4"), part(HTML, "<p>x</p>"), part(PLAIN, "Bye")], "d4\nBye"),
        ("mixed", [part(HTML, "<p>d4</p>"), part(PLAIN, "footer")], "d4"),
        ("mixed", [part(PLAIN, " "), part(HTML, "<p>d4</p>")], "d4"),
        ("mixed", [part(PLAIN, "d4"), nested("digest", part(PLAIN, "e5"))], "d4"),
        ("mixed", [part(PLAIN, "d4"), part("text/csv", "e5")], "d4"),
        ("alternative", [part(HTML, "<p>x</p>"), part(PLAIN, "d4")], "d4"),
        ("alternative", [part(HTML, "<p>d4</p>"), part(PLAIN, " ")], "d4"),
        ("alternative", [part(PLAIN, " "), part(HTML, " ")], ""),
        ("alternative", [nested("mixed", part(HTML, "x"), part(PLAIN, "y"))], "x"),
        ("alternative", [part(HTML, "x"), nested("mixed", part(PLAIN, "d4"))], "d4"),
        ("encrypted", [part(PLAIN, "d4")], ""),
    ],
)
def test_the_text_of_a_mail_is_in_parts_of_one_type(kind, inside, text):
    assert text_of(kind, *inside) == text


@pytest.mark.parametrize(
    ("disposition", "text"),
    [
        ("inline", "d4\ne5"),
        ("attachment", "d4"),
        (" ATTACHMENT ; x=y", "d4"),
        ('inline; filename="e5.txt"', "d4"),
    ],
)
def test_attached_texts_are_left_out(disposition, text):
    assert (
        text_of("mixed", part(PLAIN, "d4"), part(PLAIN, "e5", Content_Disposition=disposition))
        == text
    )


def test_base64_that_is_torn_is_decoded_if_it_is_longer_than_a_line():
    packed = base64.b64encode(b"d4 " * 40).decode()
    head = f"Content-Type: {PLAIN}\nContent-Transfer-Encoding: base64\n\n"
    for length in (80, 78, 77):
        assert read_mail(f"{head}{packed[:length]}".encode()).text.startswith("d4 d4 d4"), length
    for length in (75, 74):
        assert read_mail(f"{head}{packed[:length]}".encode()).text == packed[:length]
    assert read_mail(f"{head}{packed[:76]}".encode()).text.startswith("d4 d4")
    torn = f"{packed[:77]}\nScanned, all is well."
    assert read_mail(f"{head}{torn}".encode()).text == torn


def test_lines_of_other_quotes_are_not_joined():
    assert unflow("> a \n>> b\nc \n> d") == "> a\n>> b\nc\n> d"
    assert unflow("a \n-- ", joined=True) == "a\n--"
    assert unflow("a \nb \nc", joined=True) == "abc"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("=?utf-8?q?=C3=A4?= =?latin-1?q?=E4?=", "ää"),
        ("=?UTF-8?q?=C3?= =?utf-8?q?=A4?=", "ä"),
        ("=?utf-8?q?=C3?= x =?utf-8?q?=A4?=", "Ã x ¤"),
        ("a =?utf-8?q?b?= c", "a b c"),
        ("plain", "plain"),
    ],
)
def test_encoded_words_of_one_charset_are_decoded_together(value, text):
    assert decode_words(value) == text


# HTML.


def test_levels_of_quotes_in_html_are_marked():
    inner = "<blockquote>c</blockquote>"
    text = markup_text(f"<p>a</p><blockquote>b{inner}d</blockquote>e")
    lines = [line for line in text.split("\n") if line]
    assert lines == ["a", "> b", ">> c", "> d", "e"]
    assert markup_text("a</blockquote>b<blockquote>c</blockquote>").split() == ["a", "b", ">", "c"]


def test_a_reply_in_html_begins_at_a_separator():
    text = markup_text('d4<div id="divRplyFwdMsg"><b>From:</b> x</div>')
    assert [line for line in text.split("\n") if line] == ["d4", SEPARATOR, "From: x"]


def test_marks_of_our_own_are_left_out_of_html():
    assert markup_text("a\ue000b\ue001<p>\ue002</p>c").split() == ["ab", "c"]


def test_html_is_read_up_to_a_number_of_tags_and_of_characters(monkeypatch):
    monkeypatch.setattr(bodies, "_MOST_TAGS", 6)
    assert markup_text("<p>a</p><p>b</p><p>c</p>").split() == ["a", "b", "c"]
    assert markup_text("<p>a</p><p>b</p><p>c</p>d<p>e</p>").split() == ["a", "b", "c"]
    monkeypatch.setattr(bodies, "_MOST_LETTERS", 12)
    assert markup_text("<p>a</p><p>bcdef</p>").split() == ["a", "b"]


# Limits.


def test_lines_of_a_mail_are_read_up_to_a_number(monkeypatch):
    monkeypatch.setattr(parts, "_MOST_LINES", 5)
    head = "From: a@b.example\nSubject: x\n\n"
    assert read_mail(f"{head}1\n2\n3".encode()).text == "1\n2\n3"
    assert read_mail(f"{head}1\n2\n3\n4".encode()).text == "1\n2"


def test_fields_are_read_up_to_a_number_of_characters():
    long = "x" * 9_000
    fields = parts.take_apart(f"X-Long: {long}\nContent-Long: {long}\n\n".encode())[1]
    assert [len(fields.raw(name)) for name in ("x-long", "content-long")] == [8_000, 1_000]
    assert fields.raw("x-missing") == ""


def test_empty_lines_before_a_header_are_left_out():
    assert read_mail(b"\n\nSubject: x\n\ny").subject == "x"
    found = read_mail(b"\n\nHello: you\nand you")
    assert (found.subject, found.text) == ("", "and you")
    assert read_mail(b"\nNo field: but words\n\ny").text.startswith("No field")


# Quotes.


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("d4\n\nOn 1 Jan 2026\nGames <a@b.example>\nwrote:\n> x", "d4"),
        (
            "d4\n\nOn 1 Jan 2026\nGames\n<a@b.example>\nwrote:\n> x",
            "d4\n\nOn 1 Jan 2026\nGames\n<a@b.example>\nwrote:",
        ),
        ("d4\nGames <a@b.example>, 12:30:\n> q", "d4"),
        ("d4\nGames <a@b.example>:\n> q", "d4"),
        ("d4\nGames, 12:30:\n> q", "d4\nGames, 12:30:"),
        ("d4\nGames <a@b.example>, 12:30:\nq", "d4\nGames <a@b.example>, 12:30:\nq"),
        ("d4\nOn 1 Jan 2026, Games wrote:\nq", "d4"),
        ("d4\nOn 1 Jan 2026, Games wrote:\n\n> q\nBye", "d4\n\nBye"),
        ("d4\nOn 1 Jan 2026, Games:\n> q\nBye", "d4\nBye"),
        ("d4\nOn 1 Jan 2026, Games:\nq\nBye", "d4\nOn 1 Jan 2026, Games:\nq\nBye"),
        ("d4\nFrom: x\na\nSent: now\nTo: y\nq", "d4"),
        ("d4\nFrom: x\na\nb\nSent: now\nTo: y\nq", "d4\nFrom: x\na\nb\nSent: now\nTo: y\nq"),
        ("d4\nSent from my phone\nBye\n--\nAnn", "d4\nBye"),
        ("    > code\nd4", "    > code\nd4"),
        ("   > quote\nd4  ", "d4"),
    ],
)
def test_introductions_of_quotes_are_left_out(text, own):
    assert own_text(text) == own


def test_a_text_is_read_up_to_five_thousand_lines():
    assert own_text("x\n" * 6_000).count("x") == 5_000
    assert own_text("x\n" * 4_999 + "x").count("x") == 5_000
