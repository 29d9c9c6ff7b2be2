"""Directives of the docs for the neural networks, each with the name of a network as argument.

``{training-picture}`` draws how its predictions improved while it was trained, ``{training-table}``
lists the games, and ``{training-plan}`` shows the plan.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from antipodes_docs import picture, table
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from antipodes.search.network.evaluator import FOLDER

# The picture, in pixels: two charts beside each other.
_WIDTH, _HEIGHT, _LEFT, _TOP, _GAP = 760, 220, 46, 34, 70
_PANEL = (_WIDTH - 2 * _LEFT - _GAP) / 2
_CURVES = (
    ("policy", "divergence of the policy, nats", 1.0),
    ("right", "results predicted, %", 100.0),
)


def card(name: str) -> dict[str, Any]:
    """Return the data card of a network that comes with the program."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def board_rows(name: str) -> list[tuple[str, ...]]:
    """Return for each board the games of self-play, their positions and the wins of Black."""
    rows = []
    for size, one in card(name)["boards"].items():
        share = f"{100 * one['black'] / one['games']:.0f} %"
        rows.append((size, f"{one['games']:,}", f"{one['positions']:,}", share))
    return rows


def curves_svg(name: str) -> str:
    """Draw the curves of the training."""
    curve = card(name)["curve"]
    begin = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    parts = [
        f'{begin} font-family="sans-serif" font-size="13">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="8" fill="#fbfaf7"/>',
    ]
    for number, (column, title, unit) in enumerate(_CURVES):
        left = _LEFT + number * (_PANEL + _GAP)
        points = [(one["positions"], unit * one[column]) for one in curve if one[column]]
        parts += _panel(points, title, left)
    return "\n".join([*parts, "</svg>\n"])


def _panel(points: Sequence[tuple[float, float]], title: str, left: float) -> Iterator[str]:
    most = max(x for x, _ in points)
    low, high = min(y for _, y in points), max(y for _, y in points)
    bottom = _HEIGHT - 30
    scale = (bottom - _TOP) / ((high - low) or 1.0)
    places = [(left + _PANEL * x / most, bottom - (y - low) * scale) for x, y in points]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    yield f'<text x="{left:.0f}" y="20" fill="#222" font-weight="bold">{title}</text>'
    for value in (low, high):
        y = bottom - (value - low) * scale
        yield f'<path d="M{left:.0f} {y:.1f}h{_PANEL:.0f}" stroke="#d5d2c8"/>'
        yield f'<text x="{left - 6:.0f}" y="{y + 4:.1f}" text-anchor="end">{value:.3g}</text>'
    yield f'<path d="M{path}" fill="none" stroke="#24405f" stroke-width="2"/>'
    end = f"{most / 1e6:.2f} million positions"
    yield f'<text x="{left + _PANEL:.0f}" y="{_HEIGHT - 10}" text-anchor="end">{end}</text>'


class _Directive(SphinxDirective):
    """A directive about a network."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Note the data card, and show it."""
        (name,) = self.arguments
        self.env.note_dependency(str(FOLDER / f"{name}.json"))
        return [self.node(name)]

    def node(self, name: str) -> nodes.Node:
        """Return what is shown."""
        raise NotImplementedError


class TrainingPicture(_Directive):
    """The curves of the training."""

    def node(self, name: str) -> nodes.Node:
        """Draw them."""
        said = "Divergence of the policy and share of the results predicted, by positions played"
        return nodes.figure("", picture(self, curves_svg(name), said), align="center")


class TrainingTable(_Directive):
    """The games of self-play by the size of the board."""

    def node(self, name: str) -> nodes.Node:
        """Build the table."""
        return table(("board", "games", "positions", "won by Black"), board_rows(name), codes=0)


class TrainingPlan(_Directive):
    """The plan of the training."""

    def node(self, name: str) -> nodes.Node:
        """Show it."""
        text = card(name)["plan"]
        return nodes.literal_block(text, text, language="toml")


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of the directives."""
    app.add_directive("training-picture", TrainingPicture)
    app.add_directive("training-table", TrainingTable)
    app.add_directive("training-plan", TrainingPlan)
    return {"parallel_read_safe": True}
