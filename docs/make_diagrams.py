"""Draw the diagrams of the docs: ``python docs/make_diagrams.py``.

The layers come from the import contracts in ``pyproject.toml``. The two flows name the modules that
do each step; a test checks that the modules exist and that the files are up to date. The chances
are those of :mod:`antipodes.search.chances`.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from antipodes.search.chances import ChanceMap, measured_maps

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "_static"
_TITLES = ("Packages of antipodes", "Apps of antipodes.web")

# Attributes instead of a style sheet, which the site's content security policy would not apply.
_TEXT = 'font-family="system-ui, sans-serif" font-size="14" fill="#1b1b1b"'
_HEAD = f'{_TEXT} font-weight="600"'
_MODULE = 'font-family="ui-monospace, monospace" font-size="12" fill="#3d4a5c"'
_PAPER = "#fdfdfb"
_BOX = 'fill="#e6edf5" stroke="#4a6583"'
_SITE = 'fill="#f3ead9" stroke="#86693a"'
_LINE = 'stroke="#7b8794" stroke-dasharray="3 4"'
_ARROW = 'stroke="#1f3a5f" stroke-width="1.6" fill="none"'
_TIP = 'fill="#1f3a5f"'
# A rim in the colour of the paper keeps texts readable where they cross lines.
_HALO = f'paint-order="stroke" stroke="{_PAPER}" stroke-width="5"'


class Step(NamedTuple):
    """An arrow between two columns of a flow."""

    start: int
    end: int
    text: str
    module: str = ""


class Flow(NamedTuple):
    """A sequence of steps between columns."""

    title: str
    columns: tuple[str, ...]
    steps: tuple[Step, ...]


MOVE = Flow(
    "A move, from the click to the opponent",
    ("Player's browser", "Socket consumer", "Match service", "Database", "Opponent's browser"),
    (
        Step(0, 1, "a move, by WebSocket", "antipodes.web.matches.consumers"),
        Step(1, 2, "a checked command", "antipodes.web.matches.messages"),
        Step(3, 2, "the locked match", "antipodes.web.matches.store"),
        Step(2, 2, "rules and clocks: events", "antipodes.match.handling"),
        Step(2, 3, "events, in one transaction", "antipodes.web.matches.store"),
        Step(2, 1, "new version, to all sockets", "antipodes.web.platform.pubsub"),
        Step(1, 0, "confirmation", "antipodes.web.matches.consumers"),
        Step(1, 4, "the match, as this viewer may see it", "antipodes.web.matches.snapshots"),
        Step(3, 4, "if not watching: notification", "antipodes.web.notifications.outbox"),
    ),
)
MAIL = Flow(
    "A mail, from a player to the response",
    ("Player's mail program", "Transport", "Database", "Worker", "Match service"),
    (
        Step(0, 1, "a mail, by LMTP, IMAP, ...", "antipodes.web.email_play.inbound"),
        Step(1, 2, "a row; then it is accepted", "antipodes.web.email_play.inbox"),
        Step(2, 3, "the next unprocessed mail", "antipodes.web.email_play.inbox_task"),
        Step(3, 3, "mail to requests", "antipodes.mail"),
        Step(3, 4, "commands of the sender", "antipodes.web.email_play.processing"),
        Step(4, 2, "events, in the same transaction", "antipodes.web.matches.services"),
        Step(3, 2, "the response, in the outbox", "antipodes.web.notifications.outbox"),
        Step(2, 3, "the next mail to send", "antipodes.web.notifications.outbox"),
        Step(3, 0, "the response, by SMTP"),
    ),
)


def _document(title: str, description: str, width: int, height: int, body: list[str]) -> str:
    box = f'viewBox="0 0 {width} {height}" role="img" aria-labelledby="title description"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box}>',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="description">{escape(description)}</desc>',
        f'<rect fill="{_PAPER}" width="{width}" height="{height}" rx="8"/>',
        *body,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _text(x: float, y: float, text: str, look: str = _TEXT, anchor: str = "middle") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" {look}>{escape(text)}</text>'


def _box(x: float, y: float, width: float, height: float, look: str = _BOX) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="5" {look}/>'


def contracts() -> list[list[list[str]]]:
    """Return the layers of each import contract, top first; a layer is a list of packages."""
    text = (HERE.parent / "pyproject.toml").read_text(encoding="utf-8")
    found = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    return [
        [[name.strip("() ") for name in layer.split("|")] for layer in contract["layers"]]
        for contract in found
        if contract["type"] == "layers"
    ]


def draw_layers() -> str:
    """Return the diagram of the packages: each imports only from the rows below it."""
    width, row, top, gap = 900, 44, 64, 8
    columns = contracts()
    height = top + row * max(map(len, columns)) + 40
    each = width / len(columns)
    body = []
    for number, (layers, title) in enumerate(zip(columns, _TITLES, strict=False)):
        left = each * number + 24
        body.append(_text(left + (each - 48) / 2, 34, title, _HEAD))
        for place, names in enumerate(layers):
            box = (each - 48 - gap * (len(names) - 1)) / len(names)
            for index, name in enumerate(names):
                x, y = left + index * (box + gap), top + row * place
                body.append(_box(x, y, box, row - 10, _SITE if number or name == "web" else _BOX))
                body.append(_text(x + box / 2, y + 22, name, _MODULE))
    body.append(_text(width / 2, height - 16, "Each package imports only from the rows below it."))
    said = "; ".join(
        f"{title}, from top to bottom: " + ", ".join(" and ".join(names) for names in layers)
        for layers, title in zip(columns, _TITLES, strict=False)
    )
    return _document("The layers", f"{said}.", width, height, body)


def draw_flow(flow: Flow) -> str:
    """Return the diagram of a flow: columns side by side, steps from top to bottom."""
    width, row, top = 1000, 62, 70
    each = width / len(flow.columns)
    centres = [each * (number + 0.5) for number in range(len(flow.columns))]
    height = top + row * len(flow.steps) + 24
    body = []
    for centre, name in zip(centres, flow.columns, strict=True):
        ends = f'x1="{centre:g}" y1="52" x2="{centre:g}" y2="{height - 12}"'
        body.append(f"<line {ends} {_LINE}/>")
        body.append(_box(centre - each / 2 + 10, 16, each - 20, 36))
        body.append(_text(centre, 39, name, _HEAD))
    for number, step in enumerate(flow.steps):
        body += _arrow(centres[step.start], centres[step.end], number + 1, step, top + row * number)
    return _document(flow.title, describe(flow), width, height, body)


def describe(flow: Flow) -> str:
    """Return the steps of a flow in words."""
    return " ".join(
        f"{number}. {flow.columns[step.start]} to {flow.columns[step.end]}: {step.text}."
        for number, step in enumerate(flow.steps, 1)
    )


def _arrow(start: float, end: float, number: int, step: Step, top: int) -> list[str]:
    y = top + 30
    label = f"{number}. {step.text}"
    module = step.module.removeprefix("antipodes.")
    if start == end:
        line = f'<path d="M{start:g} {y - 8} h26 v18 h-20" {_ARROW}/>'
        tip = f'<path d="M{start:g} {y + 10} l9 -5 v10 z" {_TIP}/>'
        x, above, below, anchor = start + 34, y, y + 16, "start"
    else:
        way = 1 if end > start else -1
        line = f'<line x1="{start:g}" y1="{y}" x2="{end - 8 * way:g}" y2="{y}" {_ARROW}/>'
        tip = f'<path d="M{end:g} {y} l{-9 * way} -5 v10 z" {_TIP}/>'
        x, above, below, anchor = (start + end) / 2, y - 8, y + 16, "middle"
    texts = [_text(x, above, label, f"{_TEXT} {_HALO}", anchor)]
    if module:
        texts.append(_text(x, below, module, f"{_MODULE} {_HALO}", anchor))
    return [line, tip, *texts]


_PANEL = 300  # pixels
_COLORS = {
    "hex": "#1f3a5f",
    "cylindrical-hex": "#2f7d5b",
    "antipod": "#b3541e",
    "antipode": "#7a3b8f",
}


def draw_chances() -> str:
    """Return what values of the search said and what was won, before and after their map."""
    titles = {"hex": "Hex", "cylindrical-hex": "Cylindrical Hex"}
    panels = (("What the search says", _said), ("Chances that are shown", _shown))
    body: list[str] = []
    for number, (title, of_bin) in enumerate(panels):
        left, top = 60 + number * (_PANEL + 60), 50
        body += [_text(left + _PANEL / 2, 30, title, _HEAD), _box(left, top, _PANEL, _PANEL)]
        body.append(_ray(left, top + _PANEL, _PANEL))
        for quarter in range(5):
            at, text = _PANEL * quarter / 4, f"{25 * quarter} %"
            body.append(_text(left + at, top + _PANEL + 20, text, _MODULE))
            body.append(_text(left - 6, top + _PANEL - at + 4, text, _MODULE, "end"))
        for group in measured_maps():
            for count, value, won in group["bins"]:
                place = left + _PANEL * of_bin(group, value), top + _PANEL * (1 - won)
                radius, color = 1.5 + count**0.5 / 2, _COLORS[group["game"]]
                body.append(
                    f'<circle cx="{place[0]:.1f}" cy="{place[1]:.1f}" r="{radius:.1f}"'
                    f' fill="{color}" fill-opacity="0.6"/>'
                )
    for number, game in enumerate(dict.fromkeys(group["game"] for group in measured_maps())):
        x, color = 90 + 180 * number, _COLORS[game]
        body.append(f'<circle cx="{x}" cy="{400}" r="6" fill="{color}" fill-opacity="0.6"/>')
        body.append(_text(x + 12, 405, titles.get(game, game.title()), anchor="start"))
    description = (
        "Left the values of the search across and the share of points that were won upwards, right"
        " the chances that are shown. A circle is a tenth of the values on one board; the larger it"
        " is, the more positions it has. On the line chances come true."
    )
    return _document("Values and chances", description, 2 * _PANEL + 180, 425, body)


def _said(_group: dict[str, Any], value: float) -> float:
    return value


def _shown(group: dict[str, Any], value: float) -> float:
    return ChanceMap(group["shift"], group["scale"]).chance(value, is_first=True)


def _ray(x: float, y: float, length: float) -> str:
    return f'<path d="M{x:g} {y:g}l{length:g} {-length:g}" {_LINE}/>'


DIAGRAMS = {
    "layers.svg": draw_layers,
    "move.svg": lambda: draw_flow(MOVE),
    "mail.svg": lambda: draw_flow(MAIL),
    "chances.svg": draw_chances,
}

if __name__ == "__main__":
    for name, draw in DIAGRAMS.items():
        (FOLDER / name).write_text(draw(), encoding="utf-8")
        sys.stdout.write(f"{FOLDER / name}\n")
