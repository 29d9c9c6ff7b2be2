"""GTP commands that ask what the computer thinks of the position."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from antipodes.core import Move
from antipodes.engine import dialect
from antipodes.engine.commands import command
from antipodes.engine.dialect import AnyPosition
from antipodes.engine.wire import GtpError
from antipodes.notation.text import shorten
from antipodes.search.analysis import Analysis, Analyzer
from antipodes.search.thinking import Candidate, Limits, Progress

if TYPE_CHECKING:
    from antipodes.engine.gtp import GtpEngine

_LOOK = 1.0  # seconds for a question, if the client does not say
_LONGEST = 3600.0
_HOUR = Limits(seconds=_LONGEST)
_SOON = 100  # hundredths of a second between two reports, if the client does not say
_MOVES = 9
_REPORTED = 20  # moves in a report
_HUES = 9


# The stream of analysis.


@command("analyze [COLOR] [INTERVAL]", 0, 2)
def _analyze(engine: GtpEngine, arguments: tuple[str, ...]) -> str:
    return _stream(engine, arguments, whole_numbers=False)


@command("kata-analyze [COLOR] [INTERVAL]", 0, 2)
def _kata_analyze(engine: GtpEngine, arguments: tuple[str, ...]) -> str:
    return _stream(engine, arguments, whole_numbers=False)


@command("lz-analyze [COLOR] [INTERVAL]", 0, 2)
def _lz_analyze(engine: GtpEngine, arguments: tuple[str, ...]) -> str:
    return _stream(engine, arguments, whole_numbers=True)


class _NextLineError(Exception):
    """Raised through the progress call when the client has said something else."""


def _stream(engine: GtpEngine, arguments: tuple[str, ...], *, whole_numbers: bool) -> str:
    """Report what a search finds, again and again, until the client says something else.

    Where nobody takes a stream, the first report is the answer.
    """
    interval = _SOON
    if arguments and arguments[-1].isascii() and arguments[-1].isdecimal():
        interval = min(int(arguments[-1][:9]), 100 * int(_LONGEST))
        arguments = arguments[:-1]
    if len(arguments) > 1:
        raise GtpError(f"{shorten(arguments[1])} is not a number of hundredths of a second")
    position = _position_to_search(engine, arguments)
    analyzer = Analyzer(position)
    reported = 0.0

    def look(progress: Progress) -> None:
        nonlocal reported
        # The first report comes in any case: a client that pipes its commands wants an answer.
        if engine.wants_to_speak():
            raise _NextLineError
        if progress.seconds - reported >= interval / 100:
            reported = progress.seconds
            if not engine.tell(_report(analyzer.result(criticality=False), whole_numbers)):
                raise _NextLineError

    with contextlib.suppress(_NextLineError):
        analyzer.run(_HOUR, look)
    return _report(analyzer.result(criticality=False), whole_numbers)


def _position_to_search(engine: GtpEngine, arguments: Sequence[str]) -> AnyPosition:
    """Return the position on the board.

    Raises:
        GtpError: the game is over, or another colour than the one that is named is to move.
    """
    if engine.position.outcome is not None:
        raise GtpError(f"game over: {engine.position.outcome}")
    if not arguments:
        return engine.position
    return engine.with_turn(dialect.read_color(engine.game, arguments[0]))


def _report(found: Analysis, whole_numbers: bool) -> str:
    """Write the best moves in one line, as Leela Zero and KataGo do."""
    return " ".join(
        _info(found.position, candidate, order, whole_numbers)
        for order, candidate in enumerate(found.candidates[:_REPORTED])
    )


def _info(position: AnyPosition, one: Candidate, order: int, whole_numbers: bool) -> str:
    worst = max(0.0, one.value - 2 * one.error)
    values = {"winrate": one.value, "lcb": worst}
    if not whole_numbers:
        values["error"] = one.error
    written = " ".join(
        f"{name} {round(10_000 * value) if whole_numbers else f'{value:.6f}'}"
        for name, value in values.items()
    )
    proven = f" proven {one.proven.value}" if one.proven is not None else ""
    move = dialect.write_move(position, one.move)
    line = " ".join(_line(position, one.line))
    return f"info move {move} visits {one.visits} {written}{proven} order {order} pv {line}"


def _line(position: AnyPosition, line: Sequence[Move]) -> Iterator[str]:
    for move in line:
        yield dialect.write_move(position, move)
        position = position.play(move)


# Single questions.


@command("candidates [SECONDS]", 0, 1)
def _candidates(engine: GtpEngine, arguments: tuple[str, ...]) -> str:
    found = _answer(engine, arguments)
    return "\n".join(
        f"{dialect.write_move(found.position, one.move)} {one.visits} {one.value:.4f} "
        f"{one.error:.4f} {one.proven or '-'} {' '.join(_line(found.position, one.line))}"
        for one in found.candidates[:_REPORTED]
    )


@command("threats [SECONDS]", 0, 1)
def _threats(engine: GtpEngine, arguments: tuple[str, ...]) -> str:
    found = _answer(engine, arguments, threats=True)
    write = dialect.write_move
    return " ".join(write(found.position, threat.move) for threat in found.threats or ())


@command("criticality [SECONDS]", 0, 1)
def _criticality(engine: GtpEngine, arguments: tuple[str, ...]) -> str:
    """Write what GoGui draws: a square for each point, larger where more hangs on it."""
    found = _answer(engine, arguments)
    if found.criticality is None:
        raise GtpError(f"nothing is known of that in {engine.game.title}")
    name = engine.game.topology.name
    pairs = " ".join(f"{name(cell)} {w:.2f}" for cell, w in found.criticality.items() if w >= 0.005)
    return f"INFLUENCE {pairs}\nTEXT How much the game hangs on each point, from 0 to 1"


@command("best_moves [SECONDS]", 0, 1)
def _best_moves(engine: GtpEngine, arguments: tuple[str, ...]) -> str:
    """Write what GoGui draws: the best moves numbered."""
    found = _answer(engine, arguments)
    name = engine.game.topology.name
    marks = found.scene(_MOVES).overlay.marks
    labels = " ".join(f"{name(cell)} {mark}" for cell, mark in marks.items())
    best = found.candidates[0]
    move = dialect.write_move(found.position, best.move)
    text = f"{move} wins {best.value:.1%}, {best.visits} visits"
    return f"LABEL {labels}\nTEXT {text}" if labels else f"TEXT {text}"


def _answer(engine: GtpEngine, arguments: tuple[str, ...], *, threats: bool = False) -> Analysis:
    position = _position_to_search(engine, ())
    limits = Limits(seconds=_read_seconds(arguments))
    analyzer = Analyzer(position)
    analyzer.run(limits)
    if threats:
        analyzer.find_threats(limits)
    return analyzer.result()


def _read_seconds(arguments: tuple[str, ...]) -> float:
    """Read how long to think.

    Raises:
        GtpError: it is no time, or too long.
    """
    if not arguments:
        return _LOOK
    (text,) = arguments
    digits = text.replace(".", "", 1)
    if digits.isascii() and digits.isdecimal() and float(text) <= _LONGEST:
        return float(text)
    raise GtpError(f"{shorten(text)} is not a time in seconds, up to {_LONGEST:.0f}")


MENU = (
    "gfx/Best moves/best_moves",
    "gfx/Criticality/criticality",
    "string/Candidates/candidates",
    "plist/Threats/threats",
)
