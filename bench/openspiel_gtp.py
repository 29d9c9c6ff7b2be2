"""Run OpenSpiel's MCTSBot as a GTP engine for Hex, for contests with our players.

It needs ``pyspiel`` and nothing of ours, so that it can run in another environment. Time is CPU
time. MCTSBot counts simulations, so the rate of earlier moves gives the number of simulations for a
move; if one move takes too long, the next ones take less.
"""

from __future__ import annotations

import random
import sys
import time

import pyspiel  # type: ignore[import-not-found]  # an optional program to compare with

EXPLORATION = 2.0  # what OpenSpiel's own examples use
MEMORY = 1_000  # MiB


class Bot:
    """A board of OpenSpiel and a bot."""

    def __init__(self, seed: int) -> None:
        """Start with an empty board of 11 x 11."""
        self.chance = random.Random(seed)
        self.seconds = 1.0
        self.balance = 0.0
        self.rate = 0.0
        self.resize(11)

    def resize(self, size: int) -> None:
        """Set an empty board of another size."""
        self.size = size
        self.game = pyspiel.load_game(f"hex(board_size={size})")
        self.clear()

    def clear(self) -> None:
        """Empty the board."""
        self.state = self.game.new_initial_state()
        self.balance = 0.0

    def play(self, text: str) -> None:
        """Play a point such as c4: column c, row 4."""
        column, row = ord(text[0].lower()) - ord("a"), int(text[1:]) - 1
        self.state.apply_action(row * self.size + column)

    def choose(self) -> str:
        """Search, play and return a point."""
        if not self.rate:
            self.search(2_000)
        wanted = max(min(self.seconds + self.balance, 2 * self.seconds), self.seconds / 4)
        spent, action = self.search(max(int(self.rate * wanted), 2))
        self.balance += self.seconds - spent
        self.state.apply_action(action)
        return f"{chr(ord('a') + action % self.size)}{action // self.size + 1}"

    def search(self, simulations: int) -> tuple[float, int]:
        """Return the CPU seconds that a search took, and its move."""
        began = time.process_time()
        evaluator = pyspiel.RandomRolloutEvaluator(1, self.chance.getrandbits(30))
        bot = pyspiel.MCTSBot(
            self.game,
            evaluator,
            EXPLORATION,
            simulations,
            MEMORY,
            True,  # solve
            self.chance.getrandbits(30),
            False,  # verbose
        )
        action = bot.step(self.state)
        spent = time.process_time() - began
        # A bot that has proven a move stops early, so its rate would be wrong.
        if spent > self.seconds / 20 or not self.rate:
            self.rate = simulations / max(spent, 1e-6)
        return spent, action


def answer(bot: Bot, words: list[str]) -> str:
    """Execute a command and return the response; raise ValueError or IndexError if it fails."""
    name, *arguments = words
    if name == "boardsize":
        bot.resize(int(arguments[0]))
    elif name == "clear_board":
        bot.clear()
    elif name == "play":
        bot.play(arguments[1])
    elif name == "genmove":
        return bot.choose()
    elif name == "time_settings":
        main, period, stones = map(int, arguments)
        if main or not stones:
            raise ValueError("only a time per move is supported")
        bot.seconds = period / stones
    elif name == "name":
        return "OpenSpiel MCTSBot"
    elif name == "version":
        return getattr(pyspiel, "__version__", "")
    elif name == "known_command":
        return "true" if arguments[0] in ("time_settings", "genmove", "play") else "false"
    else:
        raise ValueError("unknown command")
    return ""


def main() -> None:
    """Answer commands until the end of the input or ``quit``."""
    bot = Bot(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "quit":
            break
        try:
            print(f"= {answer(bot, words)}\n", flush=True)
        except (ValueError, IndexError, pyspiel.SpielError) as error:
            print(f"? {error}\n", flush=True)


if __name__ == "__main__":
    main()
