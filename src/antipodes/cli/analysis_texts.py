"""Analyses as lines of text and as plots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from antipodes.core import Color, Move
    from antipodes.lab.opinions import Opinion
    from antipodes.search.analysis_result import Analysis
    from antipodes.search.game_analysis import TurningPoint
    from antipodes.search.interface import Proven

_LINE = 8  # moves of an expected line of play
_THREATS = 8


def analysis_lines(
    analysis: Analysis, moves: int, opinions: Sequence[Opinion] = ()
) -> Iterator[str]:
    """Yield the text of an analysis: chances, moves, others' choices, threats, pictures."""
    from antipodes.notation.ascii_pictures import draw, legend

    position = analysis.position
    yield position.caption()
    yield chances(analysis)
    if analysis.candidates:
        yield ""
        yield from _table(analysis, moves)
        yield from (_opinion_text(analysis, opinion) for opinion in opinions)
        yield from _threats(analysis)
        yield from _connections(analysis)
    scene = analysis.scene(moves)
    yield ""
    yield draw(scene)
    yield legend(scene)
    yield from _heat(analysis)


def chances(analysis: Analysis) -> str:
    """Say how likely each colour is to win, and what is certain."""
    from antipodes.search.chances import chance_text

    if analysis.position.outcome is not None:
        return "The game is over; there is nothing to think about."
    game = analysis.position.game
    parts = [
        f"{estimate.color.title} wins {chance_text(game, estimate.color, estimate.value)}"
        for estimate in analysis.estimates
    ]
    visits = "1 visit" if analysis.visits == 1 else f"{analysis.visits:,} visits"
    text = ", ".join(parts) + f" ({visits}, {analysis.seconds:.1f} s)."
    if analysis.proven is not None:
        mover = analysis.position.to_move.title
        text += f" Proven: {mover}, to move, {_CERTAIN[analysis.proven.value]}."
    return text


_CERTAIN = {"win": "wins", "draw": "draws", "loss": "loses"}


def _worth(analysis: Analysis, color: Color, value: float, proven: Proven | None) -> str:
    from antipodes.search.chances import chance_text

    if proven is not None:
        return f"proven {proven.value}"
    return chance_text(analysis.position.game, color, value)


def _opinion_text(analysis: Analysis, opinion: Opinion) -> str:
    """Say what another player would do, and how good the search holds that for."""
    if opinion.move is None:
        return f"{opinion.name} resigns."
    told = f"{opinion.name} plays {analysis.position.format_move(opinion.move)}"
    mover = analysis.position.to_move
    for place, candidate in enumerate(analysis.candidates, start=1):
        if candidate.move == opinion.move:
            worth = _worth(analysis, mover, candidate.value, candidate.proven)
            return f"{told}: number {place} here, {worth}."
    return f"{told}, which the search has not tried."


def _table(analysis: Analysis, moves: int) -> Iterator[str]:
    from antipodes.search.analysis_result import line_texts

    mover = analysis.position.to_move
    rows = [("", "move", "visits", "win", "line")]
    for order, candidate in enumerate(analysis.candidates[:moves], start=1):
        line = line_texts(analysis.position, candidate.line[:_LINE])
        worth = _worth(analysis, mover, candidate.value, candidate.proven)
        rows.append((str(order), line[0], f"{candidate.visits:,}", worth, " ".join(line)))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for number, move, visits, worth, line_text in rows:
        yield (
            f"{number:>{widths[0]}}  {move:<{widths[1]}}  {visits:>{widths[2]}}"
            f"  {worth:<{widths[3]}}  {line_text}"
        ).rstrip()
    more = len(analysis.candidates) - moves
    if more > 0:
        yield f"... and {more:,} more"


def _threats(analysis: Analysis) -> Iterator[str]:
    if not analysis.threats:
        return
    name = analysis.position.format_move
    colors = analysis.position.game.colors
    opponent = next(color for color in colors if color is not analysis.position.to_move)
    kinds: dict[str, list[str]] = {}
    for threat in analysis.threats:
        worth = _worth(analysis, opponent, threat.value, threat.proven)
        kind = "win at once" if threat.at_once else worth
        kinds.setdefault(kind, []).append(name(threat.move))
    listed = []
    for kind, texts in list(kinds.items())[:_THREATS]:
        more = len(texts) - _THREATS
        shown = ", ".join(texts[:_THREATS]) + (f" and {more} more" if more > 0 else "")
        listed.append(f"{shown} ({kind})")
    yield ""
    yield f"Threats, if the turn were passed: {'; '.join(listed)}."


def _connections(analysis: Analysis) -> Iterator[str]:
    """Say who is sure to win by virtual connections, or where one must play."""
    look = analysis.connections
    if look is None or look.must_play is None:
        return
    name = analysis.position.game.topology.name
    carrier = ", ".join(map(name, sorted(look.carrier)))
    yield ""
    if look.winner is not None:
        needs = f" with no more empty points than {carrier}" if carrier else ""
        yield f"Connected for certain: {look.winner.title} wins{needs}."
    else:
        points = ", ".join(map(name, sorted(look.must_play)))
        yield f"All other moves than these lose: {points}."


def _heat(analysis: Analysis) -> Iterator[str]:
    """Yield a second picture with tenths of the greatest criticality on the empty points."""
    from antipodes.notation.ascii_pictures import draw
    from antipodes.notation.scene import Overlay

    heaviest = max((analysis.criticality or {}).values(), default=0.0)
    if not analysis.criticality or heaviest <= 0:
        return
    tenths = {
        cell: str(min(9, int(10 * weight / heaviest)))
        for cell, weight in analysis.criticality.items()
    }
    yield ""
    yield "How much the game hangs on each point, from 0 to 9:"
    yield draw(analysis.position.scene().with_overlay(Overlay(marks=tenths)))


# Whole games.


def game_lines(
    analyses: Sequence[Analysis], moves: Sequence[Move], points: Sequence[TurningPoint]
) -> Iterator[str]:
    """Yield the course of a game, a line for each position, and its turning points."""
    from antipodes.notation.plots import bar
    from antipodes.search.chances import chance_of, chance_text

    game = analyses[0].position.game
    colors = game.colors
    texts = ["start", *_move_texts(analyses, moves)]
    turning = {point.turn: point for point in points}
    width = max(map(len, texts))
    first = colors[0]
    yield f"{game.title}: chances of {first.title}, from 0 to 100 %."
    for turn, (analysis, text) in enumerate(zip(analyses, texts, strict=True)):
        estimate = analysis.estimate(first)
        mark = "!" if turn in turning else " "
        shown = _certain_for(analysis, first) or chance_text(game, first, estimate.value)
        chance = None if estimate.value is None else chance_of(game, first, estimate.value)
        yield f"{turn:>4} {text:<{width}} {mark} {bar(chance)} {shown}"
    yield ""
    if not points:
        yield "No move turned the game."
    for point in points:
        position = analyses[point.turn - 1].position
        played, better = map(position.format_move, (point.move, point.better))
        fate = "gives a proven win away" if point.decides else f"costs {point.color.title}"
        change = " to ".join(
            chance_text(game, point.color, value) for value in (point.before, point.after)
        )
        yield f"! move {point.turn}, {played}: {fate}, {change}; {better} was better."


def _certain_for(found: Analysis, color: Color) -> str:
    """Return what is proven about a colour, or nothing."""
    estimate = found.estimate(color)
    if found.proven is None or found.error or estimate.value not in (0, 1):
        return ""
    return "proven win" if estimate.value else "proven loss"


def _move_texts(analyses: Sequence[Analysis], moves: Sequence[Move]) -> list[str]:
    return [found.position.format_move(move) for found, move in zip(analyses, moves, strict=False)]


def game_plot(
    analyses: Sequence[Analysis], moves: Sequence[Move], points: Sequence[TurningPoint]
) -> str:
    """Return the course of a game as SVG."""
    from antipodes.notation.svg.plot import render_plot
    from antipodes.search.chances import chance_of

    game = analyses[0].position.game
    courses = {
        color: [
            None
            if (estimate := analysis.estimate(color)).value is None
            else (chance_of(game, color, estimate.value), 0.0)
            for analysis in analyses
        ]
        # Where there are two colours, the one's chances are what the other's leave.
        for color in (game.colors[:1] if len(game.colors) == 2 else game.colors)
    }
    texts = _move_texts(analyses, moves)
    marks = {point.turn: f"{point.turn}. {texts[point.turn - 1]}" for point in points}
    names = " and ".join(color.title for color in courses)
    title = f"{game.title}: chances of {names}, move by move"
    return render_plot(title, courses, marks)
