"""GTP commands that analyse the position."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from antipodes.core import Color, Move
from antipodes.core.numbers import read_number
from antipodes.engine import dialect
from antipodes.engine.commands import command
from antipodes.engine.gtp_session import GtpSession, composed
from antipodes.engine.move_limits import MoveLimit, moves_left
from antipodes.engine.wire import GtpError
from antipodes.games.placement import is_connection_game
from antipodes.games.position import Position
from antipodes.notation.text import shorten
from antipodes.search.analysis import Analyzer
from antipodes.search.analysis_result import Analysis
from antipodes.search.interface import Candidate, Limits, SearchProgress
from antipodes.search.proof.solver import Solver

_DEFAULT_SECONDS = 1.0  # for one query
_SOLVING_SECONDS = 60.0
_MAX_SECONDS = 3600.0
_DEFAULT_INTERVAL = 100  # hundredths of a second between two reports
_NUMBERED_MOVES = 9  # on the board
_REPORTED_MOVES = 20
_MOST = 10**9
_LIMITS = ("avoid", "allow")
# Pairs that KataGo and Leela Zero know and that change nothing here.
_WITHOUT_EFFECT = ("minmoves", "ownership", "movesownership", "pvvisits", "rootinfo")


# Continuous analysis.


@command("analyze [COLOR] [INTERVAL] [KEY VALUE]...")
@command("kata-analyze [COLOR] [INTERVAL] [KEY VALUE]...")
def _analyze(session: GtpSession, arguments: tuple[str, ...]) -> str:
    return _stream(session, arguments, whole_numbers=False)


@command("lz-analyze [COLOR] [INTERVAL] [KEY VALUE]...")
def _lz_analyze(session: GtpSession, arguments: tuple[str, ...]) -> str:
    return _stream(session, arguments, whole_numbers=True)


class _InterruptedError(Exception):
    """Raised in the progress callback to end a search when the client has sent another line."""


def _stream(session: GtpSession, arguments: tuple[str, ...], *, whole_numbers: bool) -> str:
    """Send a report of the search at intervals until the client sends another line.

    Without a connected client the first report is the answer.
    """
    request = read_request(session, arguments)
    position = _position_to_search(session, request.color)
    analyzer = Analyzer(position, moves=moves_left(position, request.limits))
    reported = 0.0

    def report() -> str:
        candidates = analyzer.result(criticality=False).candidates
        return write_report(position, candidates, request.most, whole_numbers)

    def on_progress(progress: SearchProgress) -> None:
        nonlocal reported
        # The last report follows in any case: a client that pipes its commands wants an answer.
        if session.is_input_waiting():
            raise _InterruptedError
        if progress.seconds - reported >= request.interval / 100:
            reported = progress.seconds
            if not session.send_part(report()):
                raise _InterruptedError

    with contextlib.suppress(_InterruptedError):
        analyzer.run(Limits(seconds=_MAX_SECONDS), on_progress)
    return report()


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """Colour, interval, moves and limits of an analysis, as a client names them.

    Attributes:
        color: that is to move, or ``None`` if the client names none.
        interval: hundredths of a second between two reports.
        most: moves in a report.
        limits: of the next move.
    """

    color: Color | None
    interval: int
    most: int
    limits: tuple[MoveLimit, ...]


def read_request(session: GtpSession, arguments: tuple[str, ...]) -> AnalysisRequest:
    """Read colour, interval, and pairs such as ``interval 50`` or ``avoid b c3,d4 1``.

    Raises:
        GtpError: a word is none of these.
    """
    words = list(arguments)
    color = None
    if words and not _is_key(words[0]):
        color = dialect.read_color(session.game, words.pop(0))
    if words and words[0].isdecimal():
        words.insert(0, "interval")
    numbers = {"interval": _DEFAULT_INTERVAL, "maxmoves": _REPORTED_MOVES}
    limits = []
    while words:
        key = words.pop(0).lower()
        if key in _LIMITS:
            limits.append(_read_limit(session, key, words[:3]))
            del words[:3]
            continue
        value = words.pop(0) if words else ""
        if key in _WITHOUT_EFFECT:
            continue
        if key not in numbers:
            known = ", ".join((*numbers, *_LIMITS))
            raise GtpError(f"{shorten(key)} is not known; there are {known}")
        number = read_number(value, _MOST)
        if number is None:
            raise GtpError(f"{shorten(value)} is not a number for {key}")
        numbers[key] = number
    interval = min(numbers["interval"], 100 * int(_MAX_SECONDS))
    return AnalysisRequest(color, interval, min(numbers["maxmoves"], _REPORTED_MOVES), (*limits,))


def _read_limit(session: GtpSession, key: str, words: list[str]) -> MoveLimit:
    """Read the colour, the moves and the depth of ``avoid`` or ``allow``.

    Raises:
        GtpError: a word is missing or wrong, or the depth is not 1.
    """
    if len(words) < 3:
        raise GtpError(f"syntax error; write {key} COLOR MOVE,... 1")
    color, moves, depth = words
    if depth != "1":
        raise GtpError(
            f"{shorten(depth)} is not a depth for {key}: only the next move is limited; write 1"
        )
    return MoveLimit(dialect.read_color(session.game, color), (*moves.split(","),), key == "allow")


def _is_key(word: str) -> bool:
    return word.isdecimal() or word.lower() in {
        "interval",
        "maxmoves",
        *_LIMITS,
        *_WITHOUT_EFFECT,
    }


def _position_to_search(session: GtpSession, color: Color | None) -> Position:
    """Return the position on the board.

    Raises:
        GtpError: the game is over, or the colour named is not to move.
    """
    if session.position.outcome is not None:
        raise GtpError(f"game over: {session.position.outcome}")
    return session.position if color is None else session.with_turn(color)


def write_report(
    position: Position, candidates: Sequence[Candidate], most: int, whole_numbers: bool
) -> str:
    """Write the best moves in one line, as Leela Zero and KataGo do."""
    return " ".join(
        _info(position, candidate, order, whole_numbers)
        for order, candidate in enumerate(candidates[:most])
    )


def _info(position: Position, candidate: Candidate, order: int, whole_numbers: bool) -> str:
    lower_bound = max(0.0, candidate.value - 2 * candidate.error)
    values = {"winrate": candidate.value, "lcb": lower_bound}
    if not whole_numbers:
        values["error"] = candidate.error
    written = " ".join(
        f"{name} {round(10_000 * value) if whole_numbers else f'{value:.6f}'}"
        for name, value in values.items()
    )
    proven = f" proven {candidate.proven.value}" if candidate.proven is not None else ""
    move = dialect.write_move(position, candidate.move)
    line = " ".join(_line(position, candidate.line))
    return f"info move {move} visits {candidate.visits} {written}{proven} order {order} pv {line}"


def _line(position: Position, line: Sequence[Move]) -> Iterator[str]:
    for move in line:
        yield dialect.write_move(position, move)
        position = position.play(move)


# Single queries.


@command("candidates [SECONDS]")
def _candidates(session: GtpSession, arguments: tuple[str, ...]) -> str:
    found = _analyze_once(session, arguments)
    return "\n".join(
        f"{dialect.write_move(found.position, one.move)} {one.visits} {one.value:.4f} "
        f"{one.error:.4f} {one.proven or '-'} {' '.join(_line(found.position, one.line))}"
        for one in found.candidates[:_REPORTED_MOVES]
    )


@command("threats [SECONDS]")
def _threats(session: GtpSession, arguments: tuple[str, ...]) -> str:
    found = _analyze_once(session, arguments, threats=True)
    write = dialect.write_move
    return " ".join(write(found.position, threat.move) for threat in found.threats or ())


@command("criticality [SECONDS]")
def _criticality(session: GtpSession, arguments: tuple[str, ...]) -> str:
    """Return GoGui graphics: a square on each point, larger for a more critical point."""
    found = _analyze_once(session, arguments)
    if found.criticality is None:
        raise GtpError(f"criticality is not known in {session.game.title}")
    name = session.game.topology.name
    pairs = " ".join(f"{name(cell)} {w:.2f}" for cell, w in found.criticality.items() if w >= 0.005)
    return f"INFLUENCE {pairs}\nTEXT How much each point matters for winning, from 0 to 1"


@command("best_moves [SECONDS]")
def _best_moves(session: GtpSession, arguments: tuple[str, ...]) -> str:
    """Return GoGui graphics: the best moves, numbered."""
    found = _analyze_once(session, arguments)
    name = session.game.topology.name
    marks = found.scene(_NUMBERED_MOVES).overlay.marks
    labels = " ".join(f"{name(cell)} {mark}" for cell, mark in marks.items())
    best = found.candidates[0]
    move = dialect.write_move(found.position, best.move)
    text = f"{move} wins {best.value:.1%}, {best.visits} visits"
    return f"LABEL {labels}\nTEXT {text}" if labels else f"TEXT {text}"


@command("solve [COLOR] [SECONDS]")
def _solve(session: GtpSession, arguments: tuple[str, ...]) -> str:
    """Return the colour that is proven to win when a colour is to move; swaps are left out."""
    words = list(arguments)
    named = words.pop(0) if words and not words[0][0].isdecimal() else None
    position = _position_to_search(session, None)
    if not is_connection_game(position.game):
        raise GtpError(f"{session.game.title} cannot be solved")
    color = position.to_move if named is None else dialect.read_color(session.game, named)
    if color is not position.to_move:
        position = composed(position, color)
    seconds = _read_seconds((*words,), _SOLVING_SECONDS)
    solver = Solver(position)
    solver.run(seconds=seconds)
    if solver.winner is None:
        raise GtpError(f"not solved in {seconds:g} seconds")
    return str(solver.winner)


def _analyze_once(
    session: GtpSession, arguments: tuple[str, ...], *, threats: bool = False
) -> Analysis:
    position = _position_to_search(session, None)
    limits = Limits(seconds=_read_seconds(arguments))
    analyzer = Analyzer(position)
    analyzer.run(limits)
    if threats:
        analyzer.find_threats(limits)
    return analyzer.result()


def _read_seconds(arguments: tuple[str, ...], default: float = _DEFAULT_SECONDS) -> float:
    """Read how long to search.

    Raises:
        GtpError: it is not a time, or too long.
    """
    if not arguments:
        return default
    text = arguments[-1]
    digits = text.replace(".", "", 1)
    if digits.isascii() and digits.isdecimal() and float(text) <= _MAX_SECONDS:
        return float(text)
    raise GtpError(f"{shorten(text)} is not a time in seconds, up to {_MAX_SECONDS:.0f}")


MENU = (
    "gfx/Best moves/best_moves",
    "gfx/Criticality/criticality",
    "string/Candidates/candidates",
    "plist/Threats/threats",
)
