"""`antipodes gtp` as other programs meet it: a process with pipes."""

import contextlib
import os
import signal
import subprocess
import sys

import pytest

from tests.thorough import sample


class Client:
    """A process that speaks GTP, and the other end of its pipes."""

    def __init__(self, game_id, *arguments, **changes):
        command = [sys.executable, "-m", "antipodes", "gtp", game_id, *arguments]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **changes},
        )

    def send(self, data):
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def answer(self):
        assert self.process.stdout is not None
        lines = []
        while (line := self.process.stdout.readline()) not in (b"\n", b""):
            lines.append(line)
        return b"".join(lines).decode("ascii").removesuffix("\n")

    def ask(self, command):
        self.send(f"{command}\n".encode())
        answer = self.answer()
        assert answer.startswith("= "), answer
        return answer[2:]

    def end(self, data=b""):
        """Close the input and return what is left: exit status, output, errors."""
        out, err = self.process.communicate(data, timeout=60)
        return self.process.returncode, out, err


@contextlib.contextmanager
def client(game_id, *arguments, **changes):
    started = Client(game_id, *arguments, **changes)
    try:
        yield started
    finally:
        started.process.kill()
        started.process.communicate()


@pytest.mark.parametrize(
    ("game_id", "settings"),
    sample(
        [
            ("hex", ["size=4"]),
            ("antipod", ["side=3"]),
            ("antipalos", ["size=5", "ruleset=mail", "swap=off"]),
            ("antipode", []),
        ],
        1,
    ),
)
def test_two_engines_play_each_other(game_id, settings):
    options = [part for setting in settings for part in ("--set", setting)]
    options += ["--level", "1", "--seed", "7"]
    # One without kernels: loading them takes longer than the game.
    with client(game_id, *options) as one, client(game_id, *options, ANTIPODES_PLAIN="1") as two:
        players = [one, two]
        while (winner := one.ask("winner")) == "none":
            color = one.ask("to_move")
            mover, other = players
            other.ask(f"play {color} {mover.ask(f'genmove {color}')}")
            players.reverse()
        assert two.ask("winner") == winner
        assert one.ask("showboard") == two.ask("showboard")
        one.ask("quit")
        assert one.process.wait(timeout=60) == 0
        assert two.end() == (0, b"", b"")


def test_bytes_of_any_kind_are_survived():
    data = bytes(range(256)) + b"\n" + b"\xff" * 10_000 + b"\n1 name\r\n2 quit"
    with client("hex") as gtp:
        status, out, err = gtp.end(data)
    assert status == 0
    assert out.endswith(b"\n\n=1 Antipodes\n\n=2 \n\n")
    assert err == b""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_ctrl_c_ends_the_process_without_a_word():
    with client("hex") as gtp:
        gtp.ask("name")
        gtp.process.send_signal(signal.SIGINT)
        status, out, err = gtp.end()
    assert status in (0, 130)
    assert out == b""
    assert b"Traceback" not in err


def test_a_client_that_stops_listening_ends_the_process_without_a_word():
    with client("hex") as gtp:
        gtp.ask("name")
        assert gtp.process.stdout is not None
        gtp.process.stdout.close()
        gtp.send(b"name\n" * 3)
        gtp.process.wait(timeout=60)
        assert gtp.process.stderr is not None
        assert gtp.process.stderr.read() == b""
