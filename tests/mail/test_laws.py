"""Property tests of the mail parser."""

import quopri
from email.header import Header
from email.message import EmailMessage
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from antipodes.games.registry import game_ids
from antipodes.mail.commands import INFO, Shape, Verb
from antipodes.mail.incoming import Mail, read_mail
from antipodes.mail.quoting import own_text
from antipodes.mail.requests import Request, read_requests, write_request

NAMES = st.sampled_from(["ann", "bob-2", "c_d", "Erich", "a12", "ann-marie"])
TOKENS = st.just("") | st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=24, max_size=24).map(
    "mt-".__add__
)
BOARDS = st.integers(0, 999_999_999)
PLIES = st.none() | st.integers(0, 99_999)
GAMES = st.sampled_from(["", *game_ids()])
MOVES = st.lists(
    st.sampled_from(["d4", "D14", "B4*", "*b4", "b2-c3", "B2*-*B3", "aa26-z25", "e5+", "f4"]),
    min_size=1,
    max_size=5,
).map(tuple)
OPTIONS = st.dictionaries(
    st.sampled_from(["side", "totaltime", "phase_two_limit", "rated"]),
    st.sampled_from(["5", "on", "mail", "30d", "0.5"]),
    max_size=3,
)
WHICH = st.sampled_from([{}, {"which": "all"}, {"which": "next"}])
TEXTS = st.sampled_from(["", "hello", "Well played, all of you!", "d4", "resign"])

WORDS: dict[Verb, list[tuple[str, ...]]] = {
    Verb.VACATION: [(), ("off",), ("until", "2027-08-31"), ("14",)],
    Verb.REMINDERS: [(), ("24", "3"), ("off",), ("1d", "tenth")],
    Verb.DIGEST: [("daily", "8"), ("each",), ("never",)],
    Verb.VIEW: [("own",), ("first",), ()],
    Verb.NOTIFY: [(), ("on",), ("off", "hex")],
    Verb.SEEK: [(), ("off",)],
    Verb.LIMIT: [(), ("3",), ("off",)],
    Verb.SHOWAS: [(), ("101#5", "7")],
    Verb.CHALLENGE: [("bob",), ("bob", "cid")],
    Verb.MESSAGE: [("bob",), ("bob", "cid")],
    Verb.SIGNUP: [(), ("ann@home.example",)],
    Verb.ADD: [("ann@home.example", "a@b.example")],
    Verb.CHANGE_ADDRESS: [("ann@home.example",)],
    Verb.HELP: [(), ("move",), ("multiple",)],
    Verb.LIST: [(), ("hex",)],
    Verb.GAMES: [(), ("ann", "bob")],
    Verb.HISTORY: [(), ("ann",)],
    Verb.STANDINGS: [(), ("ann",)],
    Verb.PUZZLE: [(), ("hex",), ("7849cdf999",), ("7dbd9f028e", "c1", "d2")],
    Verb.TOURNAMENT: [(), ("list",), ("join", "12"), ("challenge", "12", "bea")],
    Verb.SIMUL: [(), ("list",), ("leave", "12")],
    Verb.ALL_SHOW: [("ann",)],
}
WITH_WHICH = (Verb.SHOW, Verb.SHOWAS, Verb.GAMES, Verb.ALL_SHOW)


@st.composite
def requests(draw):
    """Draw requests that a line can express."""
    verb = draw(st.sampled_from([verb for verb in Verb if verb is not Verb.MULTIPLE]))
    shape = INFO[verb].shape
    parts: dict[str, Any] = {"verb": verb, "game": draw(GAMES)}
    if shape in (Shape.USER, Shape.FOLLOW, Shape.MOVES, Shape.BOARD, Shape.TEXT, Shape.OFFER):
        parts |= {"user": draw(NAMES), "secret": draw(TOKENS)}
    if verb is Verb.CHANGE_PASSWORD:
        parts["secret"] = ""
    if shape in (Shape.MOVES, Shape.BOARD, Shape.TEXT, Shape.OFFER):
        parts |= {"board": draw(BOARDS), "ply": draw(PLIES)}
    if shape is Shape.MOVES:
        parts["words"] = draw(MOVES)
    if verb in (Verb.PROPOSE, Verb.ACCEPT, Verb.REJECT):
        parts["words"] = draw(st.sampled_from([(), ("draw",), ("pause",)]))
    if shape is Shape.FOLLOW:
        parts |= {"board": draw(BOARDS), "words": draw(st.sampled_from([(), ("7",)]))}
    if verb is Verb.SHOW:
        parts |= {"board": draw(BOARDS), "ply": draw(PLIES)}
        first = str(parts["board"]) + ("" if parts["ply"] is None else f"#{parts['ply']}")
        parts["words"] = (first, *draw(st.sampled_from([(), ("7#3",)])))
    if shape is Shape.PREVIEW:
        parts["words"] = draw(MOVES)
        new = {"new": draw(st.sampled_from(["", "2"])), **draw(OPTIONS)}
        where = {"board": draw(BOARDS), "ply": draw(PLIES)}
        parts |= draw(st.sampled_from([where, {"options": new}]))
    if verb in WORDS:
        parts["words"] = draw(st.sampled_from(WORDS[verb]))
    if verb in (Verb.CHALLENGE, Verb.SEEK):
        parts["options"] = draw(OPTIONS)
    if verb in WITH_WHICH:
        parts["options"] = draw(WHICH)
    has_text = shape is Shape.TEXT or verb in (Verb.MESSAGE, Verb.BROADCAST)
    # Without a token the first word of a text may be a password, and is refused.
    if has_text and parts["secret"]:
        parts["text"] = draw(TEXTS)
    if verb is Verb.MESSAGE and not parts["secret"]:
        parts["words"] = parts["words"][:1]
    return Request(**parts)


def plain(request):
    """Return the fields of a request except the original line."""
    names = ("verb", "game", "board", "ply", "user", "secret", "words", "text")
    return {name: getattr(request, name) for name in names} | {"options": dict(request.options)}


def only(reading):
    assert reading.faults == ()
    (request,) = reading.requests
    return plain(request)


@given(requests())
def test_written_requests_read_back_as_the_same(request):
    line = write_request(request)
    assert only(read_requests(Mail(subject=line))) == plain(request)
    body = Mail(subject="Hello", own_text=f"multiple\n{line}\nend")
    assert only(read_requests(body)) == plain(request)


DECORATIONS = [
    str,
    lambda line: f"Re: {line}",
    lambda line: f"AW: [EXTERNAL] Fwd: {line} **",
    lambda line: line.replace(" ", "\u00a0"),
    lambda line: line.replace(" ", "  \t "),
    lambda line: f"\u200b{line} \u200b",
    lambda line: line.replace("-", "\u2010"),
]
CASES = [str, str.upper, str.lower]


def lowered(request):
    return repr(request).lower().replace("\u2010", "-")


@given(requests(), st.sampled_from(DECORATIONS), st.sampled_from(CASES))
def test_decoration_and_case_change_nothing(request, decorate, case):
    line = write_request(request)
    found = only(read_requests(Mail(subject=decorate(case(line)))))
    found["text"] = " ".join(found["text"].replace("\u200b", "").split())
    assert lowered(found) == lowered(plain(request))


@given(requests(), st.sampled_from(["utf-8", "iso-8859-1", "utf-16"]), st.booleans())
def test_encoded_subjects_give_the_same_request(request, charset, folded):
    line = write_request(request)
    value = Header(line, charset, maxlinelen=40 if folded else 900).encode()
    raw = f"From: ann@home.example\r\nSubject: {value}\r\n\r\n".encode()
    assert only(read_requests(read_mail(raw))) == plain(request)


@given(st.lists(requests(), min_size=1, max_size=8), st.sampled_from(["7bit", "quoted", "base64"]))
def test_commands_in_a_body_are_read_in_any_encoding(expected, encoding):
    body = "\n".join(["multiple", *map(write_request, expected), "end", "Schöne Grüße"])
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "ann@home.example", "Hello"
    names = {"7bit": "8bit", "quoted": "quoted-printable", "base64": "base64"}
    mail.set_content(body, cte=names[encoding])
    reading = read_requests(read_mail(bytes(mail)))
    assert reading.faults == ()
    assert reading.comment == "Schöne Grüße"
    found = [plain(one) | {"text": ""} for one in reading.requests]
    assert found == [plain(one) | {"text": ""} for one in expected]


LINES = st.lists(st.text(st.characters(exclude_characters="\n\r"), max_size=30), max_size=12)


@given(LINES, st.integers(1, 20))
def test_own_text_has_no_quotes(lines, levels):
    quote = "\n".join(">" * levels + " " + line for line in lines)
    assert own_text(f"d4\n{quote}") == "d4"
    assert own_text(f"{quote}\nd4") == "d4"
    assert own_text(f"{quote}\nd4\n{quote}") == "d4"


@given(st.text())
def test_own_text_is_idempotent(text):
    own = own_text(text)
    left = iter(line.rstrip() for line in text.split("\n"))
    assert all(line in left for line in own.strip("\n").split("\n") if line)
    assert own_text(own) == own


@given(st.binary(max_size=400))
def test_any_bytes_are_read(raw):
    mail = read_mail(raw, sender="a@b.example", recipients=["c@d.example"], trusted=["mx"])
    assert (mail.size, mail.recipients) == (len(raw), ("c@d.example",))
    assert mail.automatic != "it cannot be read"
    read_requests(mail)
    read_requests(mail, board=1, user="ann")


@given(st.binary(max_size=60))
def test_quoted_printable_decodes_to_the_original(data):
    body = quopri.encodestring(b"x" + data)
    head = b"Content-Type: text/plain; charset=latin-1\r\nContent-Transfer-Encoding: "
    one = read_mail(head + b"quoted-printable\r\n\r\n" + body)
    other = read_mail(head + b"8bit\r\n\r\n" + b"x" + data)
    assert one.text.split() == other.text.split()
