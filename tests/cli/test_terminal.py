"""Tests of play at a real terminal: questions, progress, interruption."""

import os
import select
import subprocess
import sys
import time

import pytest

from tests.cli.tools import environment

pty = pytest.importorskip("pty", reason="terminals of POSIX")


# Makes the given terminal the controlling one, so that Ctrl-C reaches the program.
BOOT = """
import os, sys
terminal = os.open(sys.argv[1], os.O_RDWR)
for stream in range(3):
    os.dup2(terminal, stream)
os.execv(sys.executable, [sys.executable, "-m", "antipodes", *sys.argv[2:]])
"""


class TerminalProcess:
    """A process with a terminal as its standard streams."""

    def __init__(self, *arguments, **changes):
        self.terminal, self.far_end = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", BOOT, os.ttyname(self.far_end), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
            env=environment(**{"TERM": "xterm", **changes}),
        )
        self.seen = ""
        self.place = 0

    def until(self, words, seconds=60):
        """Read until ``words`` appear after the words of the previous call."""
        limit = time.monotonic() + seconds
        while words not in self.seen[self.place :]:
            assert time.monotonic() < limit, f"{words!r} did not come:\n{self.seen}"
            if not self._read():
                break
        assert words in self.seen[self.place :], self.seen
        self.place = self.seen.index(words, self.place) + len(words)

    def _read(self):
        """Read available output; return whether more may follow."""
        ended = self.process.poll() is not None
        if select.select([self.terminal], [], [], 0 if ended else 0.1)[0]:
            data = os.read(self.terminal, 65536)
            self.seen += data.decode("utf-8", "replace").replace("\r\n", "\n")
            return True
        return not ended

    def type(self, text):
        os.write(self.terminal, text.encode())

    def end(self, press=""):
        """Wait for the end, pressing a key from time to time; return the exit code.

        Python can miss a Ctrl-C just when it begins to wait for a key. A second one while it exits
        would kill it, so that there are some seconds between two of them.
        """
        limit = time.monotonic() + 60
        pressed = 0.0
        while self._read():
            now = time.monotonic()
            assert now < limit, f"it does not end:\n{self.seen}"
            if press and now - pressed > 8:
                pressed = now
                self.type(press)
        return self.process.wait()

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)
        os.close(self.far_end)


@pytest.fixture
def run():
    processes = []

    def start(*arguments, **changes):
        processes.append(TerminalProcess(*arguments, **changes))
        return processes[-1]

    yield start
    for process in processes:
        process.close()


def test_play_asks_for_the_game_and_the_opponent(run):
    person = run("play", "--line")
    person.until("Which game?")
    person.until("4  Hex")
    person.until("[1]: ")
    person.type("9\r")
    person.until("Type a number from 1 to 5, or quit.")
    person.until("[1]: ")
    person.type("hex\r")
    person.until("Whom do you play?")
    person.until("[1]: ")
    person.type("3\r")
    person.until("Black: a person, White: a person.")
    person.until("Black's move (help for help): ")
    person.type("quit\r")
    assert person.end() == 0


def test_the_default_is_a_person_against_the_computer(run):
    person = run("play", "--line")
    for _ in range(2):
        person.until("[1]: ")
        person.type("\r")
    person.until("White: a person, Black: computer.")
    person.until("Your move")
    person.type("\x04")
    assert person.end() == 0
    assert "The game is unfinished" in person.seen


@pytest.mark.parametrize("answer", ["quit\r", "\x04"])
def test_quitting_at_a_question_starts_no_game(run, answer):
    person = run("play")
    person.until("[1]: ")
    person.type(answer)
    assert person.end() == 0


def test_ctrl_c_at_a_question_exits(run):
    person = run("play")
    person.until("[1]: ")
    assert person.end(press="\x03") == 130
    assert "Traceback" not in person.seen


def test_progress_is_shown_in_one_line_and_can_be_interrupted(run):
    person = run("play", "antipod", "--line", "--white", "computer:8")
    person.until("White to move.")
    person.until("\rComputer thinks: ")
    person.until(" %, ")
    assert person.end(press="\x03") == 130
    assert "Traceback" not in person.seen
    assert person.seen.rstrip().endswith("The game is unfinished. Goodbye.")


def test_a_dumb_terminal_gets_no_progress_line(run):
    size = ("--set", "size=3")
    person = run("play", "hex", *size, "--level", "1", TERM="dumb")
    person.until("Your move")
    person.type("b1\r")
    person.until("Computer thinks...\n")
    person.until("Your move")
    person.type("quit\r")
    assert person.end() == 0
    assert "\rComputer thinks:" not in person.seen
    assert "\x1b" not in person.seen


def test_no_colour_is_used(run):
    person = run("play", "hex", "--line", "--white", "random", NO_COLOR="1")
    person.until("Your move")
    person.type("b1\r")
    person.until("Your move")
    person.type("quit\r")
    assert person.end() == 0
    # readline may enable bracketed paste, which is not a colour.
    assert "\x1b[3" not in person.seen.replace("\x1b[?2004", "")


def test_a_record_is_stepped_through(run, tmp_path):
    from antipodes.games.registry import make_game
    from antipodes.records import Record, save

    file = tmp_path / "game.json"
    save(file, Record.from_moves(make_game("hex", {"size": 3}), ["a1", "b2", "c3"]))
    person = run("replay", str(file))
    for answer, shown in [
        ("", "move 1: Black to move"),
        ("\r", "1. Black plays a1."),
        ("last\r", "3. Black plays c3."),
        ("\r", "There are no more moves."),
        ("back\r", "2. White plays b2."),
        ("0\r", "move 1: Black to move"),
        ("99\r", "'99' is no number from 0 to 3"),
    ]:
        person.type(answer)
        person.until(shown)
        person.until("quit): ")
    person.type("q\r")
    assert person.end() == 0
