"""Directives of the docs for atlases of first moves.

``{openings-map} GAME`` draws the values of first moves, ``{swap-map} GAME`` what should be swapped,
both with ``:set:`` for options; with ``:kept:``, points that others do not swap, it draws these,
and with ``:shares:``, points with per cent, how often others swap them.
``{atlases-table}`` lists all atlases that come with the program.
"""

from __future__ import annotations

from typing import Any, ClassVar

from antipodes_docs import depend, drawn_game, picture, table
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from antipodes.games.registry import game_class
from antipodes.lab.atlas import SHIPPED, Atlas, shipped_atlas, shipped_atlases
from antipodes.lab.atlas_maps import heat_map, share_map, swap_map
from antipodes.notation.scene import Scene
from antipodes.notation.svg import render_svg
from antipodes.notation.words import describe


class _Map(SphinxDirective):
    """A map of first moves."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "set": directives.unchanged,
        "kept": directives.unchanged,
        "shares": directives.unchanged,
    }

    def scene(self, atlas: Atlas) -> Scene:
        """Return what is drawn."""
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        """Draw it."""
        self.env.note_dependency(str(SHIPPED))
        depend(self, "antipodes.lab.atlas_maps")
        atlas = shipped_atlas(drawn_game(self.arguments[0], self.options.get("set", "")))
        if atlas is None:
            raise self.error("there is no atlas of this board")
        scene = self.scene(atlas)
        figure = nodes.figure("", picture(self, render_svg(scene), describe(scene)), align="center")
        caption, _ = self.parse_inline(" ".join(self.content))
        figure += nodes.caption("", "", *caption)
        return [figure]


class OpeningsMap(_Map):
    """The values of first moves on the board."""

    def scene(self, atlas: Atlas) -> Scene:
        """Return the map of values."""
        return heat_map(atlas)


class SwapMap(_Map):
    """The first moves that should be swapped."""

    def scene(self, atlas: Atlas) -> Scene:
        """Return the map of our atlas, or one of others."""
        if shares := self.options.get("shares"):
            pairs = (pair.split("=") for pair in shares.split())
            return share_map(atlas, {point: int(share) for point, share in pairs})
        kept = self.options.get("kept")
        return swap_map(atlas, None if kept is None else kept.split())


def atlas_rows() -> list[tuple[str, ...]]:
    """Return for each atlas board, visits, search, games, best and fair first moves."""
    return [
        (
            game_class(one.game).title,
            ", ".join(f"{key}={one.options[key]}" for key in game_class(one.game).size_options),
            f"{one.question.visits[-1]:,}",
            "network" if one.question.network else "classic",
            f"{one.question.games}",
            ", ".join(f"{best.move} ({best.value:.2f})" for best in one.best_first[:3]),
            ", ".join(fair.move for fair in one.fair[:6]) or "none",
        )
        for one in shipped_atlases()
    ]


class AtlasesTable(SphinxDirective):
    """The atlases that come with the program."""

    def run(self) -> list[nodes.Node]:
        """Build the table."""
        self.env.note_dependency(str(SHIPPED))
        head = (
            "game",
            "board",
            "visits",
            "search",
            "games",
            "best first moves",
            "most even first moves",
        )
        return [table(head, atlas_rows(), codes=0)]


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directives to Sphinx."""
    app.add_directive("openings-map", OpeningsMap)
    app.add_directive("swap-map", SwapMap)
    app.add_directive("atlases-table", AtlasesTable)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
