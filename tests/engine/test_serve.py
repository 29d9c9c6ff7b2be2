"""The loop between engine and streams: text and bytes, ends of all kinds."""

import io

import pytest

from antipodes.engine import GtpEngine, serve
from antipodes.engine.wire import MAX_LINE

from .helpers import FirstMove, engine


def session(text, gtp=None):
    stdout = io.StringIO()
    serve(gtp or engine("hex", size=3), io.StringIO(text), stdout)
    return stdout.getvalue()


def session_of_bytes(data, encoding="utf-8"):
    stdin = io.TextIOWrapper(io.BytesIO(data), encoding=encoding)
    sent = io.BytesIO()
    stdout = io.TextIOWrapper(sent, encoding=encoding)
    serve(engine("hex", size=3), stdin, stdout)
    assert not stdout.closed
    return sent.getvalue()


def test_each_answer_ends_with_an_empty_line():
    assert session("1 name\n\n# note\n2 foo\n") == (
        "=1 Antipodes\n\n?2 unknown command 'foo'; see list_commands\n\n"
    )


def test_quit_is_answered_and_ends_the_loop():
    assert session("quit\nname\n") == "= \n\n"


def test_no_line_after_quit_is_read():
    stdin = io.StringIO("name\nquit\nfor another program\n")
    serve(engine("hex", size=3), stdin, io.StringIO())
    assert stdin.read() == "for another program\n"


@pytest.mark.parametrize("text", ["", "\n", "name", "name\n"])
def test_the_end_of_the_input_ends_the_loop(text):
    assert session(text) == ("= Antipodes\n\n" if "name" in text else "")


def test_carriage_returns_are_dropped():
    assert session_of_bytes(b"1 name\r\n2 pro\rtocol_version\r\n") == b"=1 Antipodes\n\n=2 2\n\n"


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_bytes_that_are_no_text_are_answered_like_any_wrong_word(encoding):
    answers = session_of_bytes(
        b"play black \xff\xfe\n\x00na\x00me\nplay \xe2\x98\x83 a1\n", encoding
    )
    first, second, third, rest = answers.split(b"\n\n")
    assert first.startswith(b"? ")
    assert b"is not a move of Hex" in first
    assert second == b"= Antipodes"
    assert third.startswith(b"? ")
    assert rest == b""


@pytest.mark.parametrize("extra", [-1, 0, 1, 2, MAX_LINE, 5 * MAX_LINE + 3])
def test_the_line_after_a_very_long_one_is_read_whole(extra):
    long_line = "known_command ".ljust(MAX_LINE + extra, "x")
    first, second, _ = session(long_line + "\nname\n").split("\n\n")
    assert first == ("= false" if extra < 0 else "? the line is too long")
    assert second == "= Antipodes"


def test_every_answer_is_flushed():
    class Watched(io.StringIO):
        unflushed = False

        def write(self, text):
            assert not self.unflushed
            self.unflushed = True
            return super().write(text)

        def flush(self):
            self.unflushed = False

    stdout = Watched()
    serve(engine(), io.StringIO("name\nversion\nname\n"), stdout)
    assert not stdout.unflushed


def test_ctrl_c_ends_the_loop_quietly():
    class Interrupted(FirstMove):
        def choose(self, position, progress=None):
            raise KeyboardInterrupt

    gtp = GtpEngine(engine().game, Interrupted)
    assert session("name\ngenmove black\nname\n", gtp) == "= Antipodes\n\n"
    assert gtp.position.ply == 0


def test_a_client_that_went_away_ends_the_loop_quietly():
    class Gone(io.StringIO):
        def flush(self):
            raise BrokenPipeError

    stdout = Gone()
    serve(engine(), io.StringIO("name\nname\n"), stdout)
    assert stdout.closed


@pytest.mark.parametrize("error", [OSError, ValueError])
def test_an_input_that_fails_ends_the_loop_like_its_end(error):
    class Closed(io.StringIO):
        def readline(self, size=-1):
            line = super().readline(size)
            if not line:
                raise error
            return line

    stdout = io.StringIO()
    serve(engine("hex", size=3), Closed("name\n"), stdout)
    assert stdout.getvalue() == "= Antipodes\n\n"
