"""Helpers of the engine's tests."""

from antipodes.engine import GtpEngine
from antipodes.games.registry import make_game
from antipodes.search.players import Timekeeping


class FirstMove:
    """A player that is easy to foresee: it takes the first legal move."""

    name = "first"

    def allot(self, seconds, clock=Timekeeping.WALL):
        pass

    def choose(self, position, progress=None):
        return next(iter(position.legal_moves))


def engine(game_id="hex", **options):
    return GtpEngine(make_game(game_id, options), FirstMove)


def ask(gtp, line):
    """Send a command that must succeed and return the answer's text."""
    answer = gtp.handle_line(line)
    assert answer is not None
    assert answer.startswith("= "), answer
    return answer[2:]


def refusal(gtp, line):
    """Send a command that must fail without changing anything, and return the reason."""
    before = gtp.position
    answer = gtp.handle_line(line)
    assert answer is not None
    assert answer.startswith("? "), answer
    assert gtp.position is before
    return answer[2:]
