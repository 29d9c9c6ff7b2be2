"""Directives of the docs for the measured strength of the computer's levels.

``{ratings-picture}`` draws the ratings of all games, ``{ratings-table}`` lists them,
``{steps-table}`` tells the games between neighbouring levels that they come from, and
``{measured-list}`` how these were played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape

from antipodes_docs import depend, picture, table
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from antipodes.games.registry import game_class
from antipodes.lab.ratings import elo_of, share_interval
from antipodes.search.levels import RATINGS, levels, measured

# The picture, in pixels.
_WIDTH, _LEFT, _RIGHT, _TOP, _ROW = 760, 120, 30, 46, 52
_RADIUS = 11
_TICK = 200  # Elo


def rating_rows() -> list[tuple[str, ...]]:
    """Return the rating of each level with its standard error, a column for each game measured."""
    known = measured()
    rows = []
    for level in levels():
        cells = (
            f"{one['ratings'][level.number - 1]} ± {one['errors'][level.number - 1]}"
            for one in known.values()
        )
        rows.append((f"{level.number} {level.name}", *cells))
    return rows


def step_rows() -> list[tuple[str, ...]]:
    """Return how each level did against the next lower one, a column for each game measured."""
    rows = []
    for level in levels()[1:]:
        cells = (_step(one["pairs"][str(level.number)]) for one in measured().values())
        rows.append((f"{level.number} against {level.number - 1}", *cells))
    return rows


def _step(pair: Mapping[str, Any]) -> str:
    share = pair["points"] / pair["games"]
    low, high = (elo_of(end) for end in share_interval(share, pair["games"]))
    points = f"{pair['points']:g} of {pair['games']}"
    return f"{elo_of(share):+.0f} ({low:+.0f} to {high:+.0f}), {points}"


def measured_lines() -> list[str]:
    """Return for each game measured on which board, in how many games, by which command."""
    lines = []
    for game_id, one in measured().items():
        options = " ".join(f"{key}={value}" for key, value in one["options"].items())
        board = f"{game_class(game_id).title} {options}".strip()
        opening = f"{one['opening_plies']} random moves open each pair"
        lines.append(
            f"{board}: {one['games']} games, {opening}; the last of them by {one['command']}"
        )
    return lines


def ratings_svg() -> str:
    """Draw the levels of each game in a row, at their ratings, with the standard errors."""
    known = measured()
    highest = max(max(one["ratings"]) + max(one["errors"]) for one in known.values())
    scale = (_WIDTH - _LEFT - _RIGHT) / (highest - 1000)
    height = _TOP + _ROW * len(known)
    begin = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}"'
    parts = [
        f'{begin} font-family="sans-serif" font-size="13">',
        f'<rect width="{_WIDTH}" height="{height}" rx="8" fill="#fbfaf7"/>',
        *_ticks(highest, scale, height),
    ]
    for row, (game_id, one) in enumerate(known.items()):
        y = _TOP + _ROW * row + _ROW // 2 - 6
        title = escape(game_class(game_id).title)
        parts.append(f'<text x="14" y="{y + 5}" fill="#222" font-weight="bold">{title}</text>')
        parts += _dots(one, scale, y)
    return "\n".join([*parts, "</svg>\n"])


def _ticks(highest: int, scale: float, height: int) -> Iterator[str]:
    for elo in range(1000, highest + 1, _TICK):
        x = _LEFT + (elo - 1000) * scale
        yield f'<path d="M{x:.1f} {_TOP - 14}V{height - 12}" stroke="#d5d2c8"/>'
        yield f'<text x="{x:.1f}" y="{_TOP - 22}" fill="#555" text-anchor="middle">{elo}</text>'


def _dots(one: Mapping[str, Any], scale: float, y: int) -> Iterator[str]:
    for level, rating, error in zip(levels(), one["ratings"], one["errors"], strict=True):
        x = _LEFT + (rating - 1000) * scale
        low, high = x - error * scale, x + error * scale
        yield f'<path d="M{low:.1f} {y}H{high:.1f}" stroke="#7a8ca3" stroke-width="3"/>'
        yield f'<circle cx="{x:.1f}" cy="{y}" r="{_RADIUS}" fill="#24405f"/>'
        yield (
            f'<text x="{x:.1f}" y="{y + 4.5}" fill="#fff" text-anchor="middle">'
            f"{level.number}</text>"
        )


class RatingsPicture(SphinxDirective):
    """The ratings of the levels as a picture; the table beside it says the same in words."""

    def run(self) -> list[nodes.Node]:
        """Draw it."""
        self.env.note_dependency(str(RATINGS))
        games = ", ".join(game_class(game_id).title for game_id in measured())
        said = f"Ratings of the levels in {games}, with their standard errors"
        return [nodes.figure("", picture(self, ratings_svg(), said), align="center")]


class RatingsTable(SphinxDirective):
    """The ratings of the levels in all games in which they were measured."""

    def run(self) -> list[nodes.Node]:
        """Build the table."""
        depend(self, "antipodes.search.levels")
        self.env.note_dependency(str(RATINGS))
        head = ("level", *(game_class(game_id).title for game_id in measured()))
        return [table(head, rating_rows(), codes=0)]


class StepsTable(SphinxDirective):
    """How far levels are apart, in all games in which they were measured."""

    def run(self) -> list[nodes.Node]:
        """Build the table."""
        self.env.note_dependency(str(RATINGS))
        head = ("levels", *(game_class(game_id).title for game_id in measured()))
        return [table(head, step_rows(), codes=0)]


class MeasuredList(SphinxDirective):
    """How the ratings were measured."""

    def run(self) -> list[nodes.Node]:
        """Build the list."""
        self.env.note_dependency(str(RATINGS))
        items = (nodes.list_item("", nodes.paragraph("", text)) for text in measured_lines())
        return [nodes.bullet_list("", *items)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of the directives."""
    app.add_directive("ratings-picture", RatingsPicture)
    app.add_directive("ratings-table", RatingsTable)
    app.add_directive("steps-table", StepsTable)
    app.add_directive("measured-list", MeasuredList)
    return {"parallel_read_safe": True}
