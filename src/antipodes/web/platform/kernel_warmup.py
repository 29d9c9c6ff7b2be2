"""Kernel warm-up: compile kernels in the background, so that the computer's first move is quick.

The first compilation on a machine takes a minute or more. A child process does it, so that it does
not block this one, and caches the result on disk. Then loading takes a second or two.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any

from antipodes.games.kernels import FAMILIES, are_rules_ready, compiled_rules, jit
from antipodes.games.position import Game
from antipodes.games.registry import game_class, game_ids
from antipodes.games.winning import winning_moves
from antipodes.search import compiling
from antipodes.search.analysis import analyze
from antipodes.search.factory import make_search
from antipodes.search.interface import Limits, SearchSettings
from antipodes.search.levels import DEFAULT_LEVEL, level_of, levels
from antipodes.web.platform import pubsub

logger = logging.getLogger(__name__)

_FEW = Limits(visits=4)


class Use(StrEnum):
    """Use of kernels: moves at the usual levels, or everything else."""

    PLAY = "play"
    STUDY = "study"


# Kernels that new players need come first.
_ORDER = [(use, family) for use in Use for family in FAMILIES]

Report = Callable[[Use | None, str], None]

KERNELS_READY = "warm"  # the kind of pub/sub messages about compiled kernels

_changed = threading.Condition()
_cold: set[tuple[Use, str]] = set()  # kernels that are not ready; guarded by _changed


def is_cold(game: Game, use: Use) -> bool:
    """Return whether kernels for a game are not ready yet."""
    with _changed:
        return (use, game.family) in _cold


def use_of(game: Game, computer: str) -> Use | None:
    """Return the use of the kernels that a player such as ``computer:3`` needs.

    A player that does not search, such as the pairing strategy, needs none: ``None``.
    """
    level = level_of(computer)
    if level is None:
        return None
    knows = level.skill(game).knowledge
    return Use.PLAY if knows in _knowledge_of_usual_levels(game) else Use.STUDY


def wait_for_all(timeout: float | None = None) -> bool:
    """Wait until all kernels are ready; return whether they are."""
    with _changed:
        return _changed.wait_for(lambda: not _cold, timeout)


def warm_up(report: Report | None = None) -> threading.Thread:
    """Start a thread that compiles and loads all kernels.

    Args:
        report: called after each part, and with ``None`` at the end.
    """
    _expect_all()
    thread = threading.Thread(target=_load_all, args=(report,), name="warm-up", daemon=True)
    thread.start()
    return thread


def report_to_server(use: Use | None, family: str) -> None:
    """Report ready kernels to the web process; ``None`` for the end."""
    pubsub.send_to_server(KERNELS_READY, {"use": use, "family": family})


def listen() -> None:
    """Subscribe to reports of the process that compiles, and load kernels of rules here.

    Those in the cache are loaded at once, since after a restart all players come back together.
    """
    _expect_all()
    pubsub.subscribe(KERNELS_READY, _on_report)
    if jit.enabled():
        threading.Thread(target=_load_cached_rules, name="warm-up", daemon=True).start()


def warm_up_rules(report: Report) -> None:
    """Compile the kernels of rules where this machine has no engine; wait until they are ready."""
    try:
        for use, family in _compiled("rules") if jit.enabled() else ():
            report(use, family)
    except Exception:
        logger.exception("warm-up of rules kernels failed")
    report(None, "")


def report_here(use: Use | None, family: str) -> None:
    """Deliver a report to this process itself."""
    pubsub.deliver_here(KERNELS_READY, {"use": use, "family": family})


def _load_cached_rules() -> None:
    for family in FAMILIES:
        if are_rules_ready(family):
            compiled_rules(family)


def _on_report(message: dict[str, Any]) -> None:
    use = message["use"]
    if use == Use.PLAY:
        compiled_rules(message["family"])
    with _changed:
        if use is None:
            _cold.clear()
        else:
            _cold.discard((Use(use), message["family"]))
        _changed.notify_all()


def _expect_all() -> None:
    # Until then no other thread compiles or loads them, above all not that of the event loop.
    jit.leave_to(lambda: bool(_cold))
    with _changed:
        _cold.update(_ORDER if jit.enabled() else ())


def _load_all(report: Report | None) -> None:
    """Load kernels as soon as the child process has compiled them."""
    try:
        for use, family in _compiled() if jit.enabled() else ():
            load(use, family)
            with _changed:
                _cold.discard((use, family))
                _changed.notify_all()
            if report is not None:
                report(use, family)
    except Exception:
        logger.exception("kernel warm-up failed")
    finally:
        # After a failure kernels are compiled when they are needed.
        with _changed:
            _cold.clear()
            _changed.notify_all()
        if report is not None:
            report(None, "")


def _compiled(*arguments: str) -> Iterator[tuple[Use, str]]:
    """Compile all kernels in a child process, and yield those that are cached on disk."""
    command = [sys.executable, "-m", __name__, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stdout is not None
        for line in process.stdout:
            use, family = line.split()
            yield Use(use), family


def load(use: Use, family: str) -> None:
    """Use each needed kernel once, which compiles or loads it."""
    compiled_rules(family)
    game = next(game_class(one)() for one in game_ids() if game_class(one).family == family)
    position = game.initial()
    if use is Use.STUDY:
        analyze(position, limits=_FEW, threats=True)
        return
    winning_moves(position)
    for knowledge in _knowledge_of_usual_levels(game):
        make_search(position, SearchSettings(knowledge=knowledge)).run(_FEW)


def _knowledge_of_usual_levels(game: Game) -> set[bool]:
    """Return whether levels up to the default one search with knowledge, without, or both."""
    skills = [level.skill(game) for level in levels()[:DEFAULT_LEVEL]]
    return {skill.knowledge for skill in skills} | {False for skill in skills if skill.haste}


def main() -> None:
    """Compile all kernels, or those of rules, and print a line after each part."""
    rules_alone = sys.argv[1:] == ["rules"]
    for use, family in _ORDER[: len(FAMILIES)] if rules_alone else _ORDER:
        if rules_alone:
            compiled_rules(family)
        else:
            load(use, family)
            if use is Use.STUDY:  # the rest of the modules
                compiling.compile_here(family)
        try:
            sys.stdout.write(f"{use} {family}\n")
            sys.stdout.flush()
        except BrokenPipeError:
            # The parent process has ended.
            os._exit(0)


if __name__ == "__main__":
    main()
