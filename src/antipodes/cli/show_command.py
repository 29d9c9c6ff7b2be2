"""``antipodes show``: a position of a record, or a picture, in several forms."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from antipodes.cli.parameters import lenient_option, set_option
from antipodes.cli.sources import position_at, read_source, write_output

if TYPE_CHECKING:
    from antipodes.games.position import Position

Numbers = dict[int, int]

VIEWS = ("flat", "hemispheres", "sphere", "cylinder")
LINES = ("none", "neighbours", "graph")
_LONGEST_MARK = 3


@click.command("show")
@click.argument("source", metavar="FILE", type=click.Path())
@click.option("--ply", type=int, metavar="N", help="After N moves; negative: from the end.")
@click.option("--ascii", "form", flag_value="ascii", help="A picture in text; this is the default.")
@click.option("--svg", "form", flag_value="svg", help="A picture as SVG.")
@click.option("--words", "form", flag_value="words", help="The position in words.")
@click.option("--json", "form", flag_value="json", help="The position as JSON, for programs.")
@click.option("--view", type=click.Choice(VIEWS), default="flat", help="How to see the board.")
@click.option("--lines", type=click.Choice(LINES), default="none", help="Lines between points.")
@click.option(
    "--mark",
    "marks",
    metavar="LETTER=POINT",
    multiple=True,
    help="Write a letter on a point; may be repeated.",
)
@click.option("--numbers", is_flag=True, help="Number the moves in the picture.")
@click.option("-o", "--output", metavar="OUT", type=click.Path(), help="Write to a file.")
@set_option
@lenient_option
def show_command(
    source: str,
    *,
    ply: int | None,
    form: str | None,
    view: str,
    lines: str,
    marks: tuple[str, ...],
    numbers: bool,
    output: str | None,
    settings: tuple[str, ...],
    lenient: bool,
) -> None:
    """Show a position of a record, the last one if you do not say which.

    FILE is a record, or a picture of a board as text; - is standard input. Without a form the
    ending of OUT chooses it: .svg, .json, or a text. --set gives the options of a picture's game.

    --view, --lines and --mark draw on an SVG: Antipod as hemispheres or a sphere, Cylindrical Hex
    as a cylinder or pinched to a sphere; lines between neighbours, or the graph of what Black can
    still join.
    """
    position, numbered = position_at(read_source(source, settings, lenient=lenient), ply)
    chosen = form or {".svg": "svg", ".json": "json"}.get(Path(output or "").suffix.lower())
    is_drawn = view != "flat" or lines != "none" or bool(marks)
    if is_drawn and chosen not in (None, "svg"):
        raise click.UsageError(f"--view, --lines and --mark draw on an SVG; this is {chosen}")
    if is_drawn:
        chosen = "svg"
        text = _drawn(position, numbered if numbers else {}, view, lines, marks)
    else:
        text = _FORMS[chosen or "ascii"](position, numbered if numbers else {})
    if chosen == "svg" and output in (None, "-"):
        # A terminal or pipe of fewer characters still gets a whole picture.
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        text = text.encode(encoding, "xmlcharrefreplace").decode(encoding)
    write_output(output, text)


def _ascii(position: Position, numbers: Numbers) -> str:
    lines = [position.picture(), "", position.caption()]
    if numbers:
        name = position.game.topology.name
        order = sorted(numbers.items(), key=lambda item: item[1])
        lines.append(" ".join(f"{number}.{name(cell)}" for cell, number in order))
    return "\n".join(lines)


def _svg(position: Position, numbers: Numbers) -> str:
    return position.to_svg(numbers)


def _drawn(
    position: Position, numbers: Numbers, view: str, lines: str, marks: tuple[str, ...]
) -> str:
    """Return an SVG with what the options draw on it."""
    from antipodes.games.figures import drawn_overlay
    from antipodes.notation.svg import render_svg
    from antipodes.notation.svg.bodies import views_of

    board, scene = position.game.topology, position.scene()
    if view not in views_of(board):
        offered = ", ".join(views_of(board))
        raise click.UsageError(f"--view is {view}, but {position.game.title} has {offered}")
    if lines == "graph" and not scene.poles:
        raise click.UsageError(f"--lines graph needs poles, and {position.game.title} has none")
    overlay = drawn_overlay(position, "" if lines == "none" else lines, _points_by_letter(marks))
    return render_svg(scene.with_numbers(numbers).with_overlay(overlay), view=view)


def _points_by_letter(marks: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for mark in marks:
        letter, equals, point = mark.partition("=")
        if not equals or not letter or len(letter) > _LONGEST_MARK:
            raise click.UsageError(f"--mark is {mark}, but must be like a=e5")
        found[letter] = f"{found.get(letter, '')} {point}".strip()
    return found


def _words(position: Position, _numbers: Numbers) -> str:
    from antipodes.notation.words import describe

    return describe(position.scene())


def _json(position: Position, numbers: Numbers) -> str:
    return json.dumps(position_data(position, numbers), indent=2)


def position_data(position: Position, numbers: Numbers) -> dict[str, Any]:
    from antipodes.records.json_format import setup_data

    name = position.game.topology.name
    outcome = position.outcome
    ended = outcome and {
        "winner": outcome.winner and outcome.winner.value,
        "termination": outcome.termination.value,
        "points": outcome.points,
    }
    data: dict[str, Any] = {
        "game": position.game.id,
        "options": position.game.options.as_dict(),
        "ply": position.ply,
        "to_move": None if outcome else position.to_move.value,
        "outcome": ended,
        "winning_chain": [name(cell) for cell in position.winning_chain()],
        "setup": setup_data(position.to_setup()),
    }
    if numbers:
        data["numbers"] = {name(cell): number for cell, number in numbers.items()}
    return data


_FORMS: dict[str, Callable[[Position, Numbers], str]] = {
    "ascii": _ascii,
    "svg": _svg,
    "words": _words,
    "json": _json,
}
