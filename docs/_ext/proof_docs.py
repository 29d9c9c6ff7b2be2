"""Directives of the docs for proven openings.

``{openings-table}`` lists the boards of the shipped facts with their winner, and
``{openings-boards} GAME`` draws those of a game on which every winning first move is known.
"""

from __future__ import annotations

from typing import Any

from antipodes_docs import depend, picture, table
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from antipodes.games.placement import PlacementGame
from antipodes.games.registry import make_game
from antipodes.notation.svg import render_svg
from antipodes.search.proof.openings import Openings, all_facts, openings_of

AnyGame = PlacementGame[Any, Any]


def proven_games() -> list[AnyGame]:
    """Return the games of the shipped facts, without swaps."""
    boards = dict.fromkeys((fact.game, tuple(fact.options.items())) for fact in all_facts())
    found = []
    for game_id, options in boards:
        off = {} if game_id == "cylindrical-hex" else {"swap": "off"}
        game = make_game(game_id, dict(options) | off)
        assert isinstance(game, PlacementGame)
        found.append(game)
    return sorted(found, key=lambda game: (game.id, game.topology.cell_count))


def opening_row(game: AnyGame) -> tuple[str, str, str, str]:
    """Return board, first colour, winner, and the winning first moves as far as they are known."""
    openings = openings_of(game)
    settings = {k: v for k, v in game.options.as_dict().items() if k not in ("first", "swap")}
    board = ", ".join(f"{name} {value}" for name, value in settings.items() if value != 0)
    wins = openings.winning_moves(game.first)
    moves = ", ".join(game.initial().format_move(move) for move in wins) or "none"
    if not is_complete(game, openings) and openings.start in (None, game.first):
        moves = f"{moves}; others are not known" if openings.winners else "not known"
    winner = "not known" if openings.start is None else openings.start.title
    return f"{game.title}: {board}", game.first.title, winner, moves


def is_complete(game: AnyGame, openings: Openings) -> bool:
    """Return whether the winner after each first move is known."""
    return len(openings.winners) == len(game.initial().legal_moves)


class OpeningsTable(SphinxDirective):
    """The boards whose openings are proven."""

    def run(self) -> list[nodes.Node]:
        """Build the table."""
        depend(self, "antipodes.search.proof.openings")
        head = ("board", "first", "who wins", "winning first moves")
        return [table(head, map(opening_row, proven_games()), codes=0)]


class OpeningsBoards(SphinxDirective):
    """Pictures of the boards with winning and losing first moves, the winning ones marked."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Draw each board of a game on which all first moves are solved and some win."""
        depend(self, "antipodes.search.proof.openings")
        found: list[nodes.Node] = []
        for game in proven_games():
            openings = openings_of(game)
            wins = openings.winning_moves(game.first)
            if game.id != self.arguments[0] or not wins or not is_complete(game, openings):
                continue
            start = game.initial()
            moves = ", ".join(map(start.format_move, wins))
            said = f"{game.title} on {game.topology!r}: {game.first.title} wins with {moves}."
            svg = render_svg(start.scene().with_hints(tuple(wins)))
            figure = nodes.figure("", picture(self, svg, said), classes=["board"], align="center")
            figure += nodes.caption("", said)
            found.append(figure)
        return found


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directives to Sphinx."""
    app.add_directive("openings-table", OpeningsTable)
    app.add_directive("openings-boards", OpeningsBoards)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
