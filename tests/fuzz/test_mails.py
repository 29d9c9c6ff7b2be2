"""Fuzz mails: each is read, and each of its lines is a request or has a fault."""

from hypothesis import given
from hypothesis import strategies as st

from antipodes.errors import InputError
from antipodes.mail.commands import VERBS
from antipodes.mail.incoming import Mail, read_mail
from antipodes.mail.lines import LineContext, read_line
from antipodes.mail.requests import read_requests, write_request
from tests.fuzz.tally import attempt
from tests.fuzz.texts import ANYTHING, damaged
from tests.mail.corpus import corpus

RAW = st.sampled_from([case.raw[:4_000] for case in corpus(large=False)])
PIECES = st.sampled_from(
    [
        b"\r\n",
        b"\n\n",
        b"=?utf-8?b?",
        b"?=",
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\n",
        b"Content-Transfer-Encoding: base64\n",
        b"charset=utf-7",
        b"--=_b\n",
        b"\xff\xfe\x00",
        b"<blockquote>",
        b"> ",
        b"\x00",
    ]
) | st.binary(max_size=6)


@st.composite
def damaged_mails(draw):
    """Return a mail of the corpus after some damage."""
    raw = draw(RAW)
    for _ in range(draw(st.integers(0, 4))):
        begin = draw(st.integers(0, len(raw)))
        end = min(len(raw), begin + draw(st.integers(0, 40)))
        raw = raw[:begin] + draw(PIECES | st.just(raw[begin:end] * 2)) + raw[end:]
    return raw


WORDS = st.sampled_from(
    [
        *VERBS,
        *(
            "antipod",
            "hex",
            "cylindrical",
            "101",
            "101#5",
            "#5",
            "ann",
            "d4",
            "*b4",
            "-",
            "*",
            "all",
        ),
        *("mt-abcdefghij234567abcdefgh", "c17", "-side=5", "--x", "=", "new", "2", "bob:", "a@b.c"),
        *("on", "off", "next", "hunter2", "<ann>", "multiple", "end", ",", "daily"),
    ]
)
LINES = st.lists(damaged(WORDS, most=1) | WORDS, max_size=8).map(" ".join) | ANYTHING
PLACES = st.sampled_from(
    [LineContext(), LineContext(board=101, user="ann"), LineContext(board=101)]
)


def request_of(line, place):
    """Return the request of a line; raise its fault, as other readers do."""
    found = read_line(line, place)
    assert found.request is None or found.fault is None
    if found.fault is not None:
        raise InputError([found.fault])
    return found.request


@given(LINES, PLACES)
def test_lines_are_read_or_refused(line, place):
    request = attempt("commands by mail", request_of, line, place)
    if request is None:
        return
    assert request.board is None or request.board >= 0
    assert all(word == word.strip() and word for word in request.words)
    assert "mt-abcdefghij234567abcdefgh" not in request.line
    again = read_line(write_request(request), place).request
    if again is not None:
        assert (again.verb, again.board, again.game) == (request.verb, request.board, request.game)


@given(damaged_mails(), st.booleans())
def test_damaged_mails_are_read(raw, is_reply):
    mail = read_mail(raw, sender="ann@home.example", trusted=["mx.games.example"])
    assert isinstance(mail, Mail)
    assert mail.automatic != "it cannot be read"
    reading = read_requests(mail, board=101, user="ann") if is_reply else read_requests(mail)
    assert bool(reading.requests or reading.faults) != bool(mail.automatic)
    assert "correcthorse" not in reading.blotted(" ".join(reading.secrets)) or not reading.secrets
