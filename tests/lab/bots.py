"""Players in Python for the tests of contests: factories, as people write them."""

import os
import random
import signal
import time
from pathlib import Path


class LastMove:
    """Plays the last legal move, and answers with its text."""

    def choose(self, position):
        return position.format_move(position.legal_moves[-1])


class Slow:
    """Plays a random move, after some time."""

    def __init__(self, seed):
        self._random = random.Random(seed)

    def choose(self, position):
        time.sleep(0.02)
        return self._random.choice(position.legal_moves)


class Nonsense:
    """Answers with whatever it is given."""

    def __init__(self, answer):
        self._answer = answer

    def choose(self, position):
        return self._answer


def last_move(seed):
    return LastMove()


def nothing(seed):
    return Nonsense(None)


def word(seed):
    return Nonsense("tea")


def outside(seed):
    return Nonsense(10**6)


def no_player(seed):
    return object()


def broken(seed):
    raise RuntimeError("out of coffee")


NUMBER = 7


class Fatal(Slow):
    """Kills its process, once: it leaves a file whose name is in the environment."""

    def choose(self, position):
        mark = Path(os.environ["FATAL_MARK"])
        if position.ply > 2 and not mark.exists():
            mark.write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return super().choose(position)


def slow(seed):
    return Slow(seed)


def fatal(seed):
    return Fatal(seed)
