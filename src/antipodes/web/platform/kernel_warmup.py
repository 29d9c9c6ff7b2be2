"""Compiled kernels made ready in the background, so that the computer's first answer is quick.

The first time that a machine runs this, compiling takes a minute or more. It is done in a process
of its own, since it would keep this one's pages waiting; the result is kept on disk. Then the
kernels are loaded here, in a second or two.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import partial
from typing import Any

from antipodes.games.base import BoardGame
from antipodes.games.kernels import FAMILIES, compiled_rules, jit
from antipodes.games.registry import game_class, game_ids
from antipodes.search import compiling
from antipodes.search.analysis import analyze
from antipodes.search.factory import make_search
from antipodes.search.interface import Limits
from antipodes.search.levels import DEFAULT_LEVEL, level_of, levels
from antipodes.search.players import winning_moves
from antipodes.web.platform import pubsub

logger = logging.getLogger(__name__)

_FEW = Limits(visits=4)


class Use(StrEnum):
    """What kernels are for: moves at the levels that most people choose, or all else."""

    PLAY = "play"
    STUDY = "study"


# What newcomers need comes first.
_ORDER = [(use, family) for use in Use for family in FAMILIES]

Told = Callable[[Use | None, str], None]

NEWS = "warm"  # the name under which processes tell each other what is made

_changed = threading.Condition()
_cold: set[tuple[Use, str]] = set()  # what is still being made; looked at with the lock held


def is_cold(game: BoardGame[Any, Any], use: Use) -> bool:
    """Return whether kernels for a game are still being made."""
    with _changed:
        return (use, game.family) in _cold


def use_of(game: BoardGame[Any, Any], computer: str) -> Use | None:
    """Return for what use the kernels are that a player such as ``computer:3`` needs.

    A player that does not search, such as the pairing strategy, needs none: ``None``.
    """
    level = level_of(computer)
    if level is None:
        return None
    knows = level.skill(game).knowledge
    return Use.PLAY if knows in _knowledge_of_usual_levels(game) else Use.STUDY


def wait_for_all(timeout: float | None = None) -> bool:
    """Wait until all kernels are there, at most so many seconds; tell whether they are."""
    with _changed:
        return _changed.wait_for(lambda: not _cold, timeout)


def warm_up(told: Told | None = None) -> threading.Thread:
    """Begin to make all kernels in a thread of its own, which ends when they are there.

    Args:
        told: called after each part, and at last without one.
    """
    _expect_all()
    thread = threading.Thread(target=_make_all, args=(told,), name="warming up", daemon=True)
    thread.start()
    return thread


def tell_others(use: Use | None, family: str) -> None:
    """Tell the process that serves what is there; ``None`` for that nothing more will come."""
    pubsub.tell_server(NEWS, {"use": use, "family": family})


def listen(told: Told | None = None) -> None:
    """Wait for another process to make the kernels, and load here those of the rules.

    Args:
        told: called instead of loading anything, in a process that has others do it.
    """
    _expect_all()
    pubsub.hear(NEWS, partial(_heard, told=told or _load_rules))


def warm_up_rules(told: Told) -> None:
    """Make the kernels of the rules, where no engine of this machine makes them; wait for it."""
    try:
        for use, family in _made("rules") if jit.enabled() else ():
            told(use, family)
    except Exception:
        logger.exception("kernels of the rules could not be made beforehand")
    told(None, "")


def tell_here(use: Use | None, family: str) -> None:
    """Let this process hear what it has found out itself."""
    pubsub.hear_here(NEWS, {"use": use, "family": family})


def _load_rules(use: Use | None, family: str) -> None:
    if use == Use.PLAY:
        compiled_rules(family)


def _heard(message: dict[str, Any], told: Told) -> None:
    use = message["use"]
    told(use, message["family"])
    with _changed:
        if use is None:
            _cold.clear()
        else:
            _cold.discard((Use(use), message["family"]))
        _changed.notify_all()


def _expect_all() -> None:
    with _changed:
        _cold.update(_ORDER if jit.enabled() else ())


def _make_all(told: Told | None) -> None:
    """Load kernels here as soon as the other process has made them."""
    try:
        for use, family in _made() if jit.enabled() else ():
            load(use, family)
            with _changed:
                _cold.discard((use, family))
                _changed.notify_all()
            if told is not None:
                told(use, family)
    except Exception:
        logger.exception("kernels could not be made beforehand")
    finally:
        # Whatever went wrong, nobody shall wait for ever: who needs a kernel compiles it then.
        with _changed:
            _cold.clear()
            _changed.notify_all()
        if told is not None:
            told(None, "")


def _made(*what: str) -> Iterator[tuple[Use, str]]:
    """Compile everything in a process of its own, and yield what is on the disk from now on."""
    command = [sys.executable, "-m", __name__, *what]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stdout is not None
        for line in process.stdout:
            use, family = line.split()
            yield Use(use), family


def load(use: Use, family: str) -> None:
    """Use every kernel that is needed, which compiles or loads it."""
    compiled_rules(family)
    game = next(game_class(one)() for one in game_ids() if game_class(one).family == family)
    position = game.initial()
    if use is Use.STUDY:
        analyze(position, limits=_FEW, threats=True)
        return
    winning_moves(position)
    for knowledge in _knowledge_of_usual_levels(game):
        make_search(position, knowledge=knowledge).run(_FEW)


def _knowledge_of_usual_levels(game: BoardGame[Any, Any]) -> set[bool]:
    """Return with and without which knowledge the levels up to the usual one search."""
    skills = [level.skill(game) for level in levels()[:DEFAULT_LEVEL]]
    return {skill.knowledge for skill in skills} | {False for skill in skills if skill.haste}


def main() -> None:
    """Make everything, or the rules alone, and write a line after each part."""
    rules_alone = sys.argv[1:] == ["rules"]
    for use, family in _ORDER[: len(FAMILIES)] if rules_alone else _ORDER:
        if rules_alone:
            compiled_rules(family)
        else:
            load(use, family)
            if use is Use.STUDY:  # what remains of the modules, so that nobody compiles again
                compiling.compile_here(family)
        try:
            sys.stdout.write(f"{use} {family}\n")
            sys.stdout.flush()
        except BrokenPipeError:
            # Whoever wanted to know is gone; the rest is made when somebody asks again.
            os._exit(0)


if __name__ == "__main__":
    main()
