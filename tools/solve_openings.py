"""Solve the openings of small boards and add them to the data that the program ships.

    python tools/solve_openings.py hex size=6
    python tools/solve_openings.py antipod side=3 handicap=two first=black

Facts that are there already are kept, so that an interrupted run can be continued. First moves near
the centre come first.
"""

from __future__ import annotations

import sys
from pathlib import Path

from antipodes.cli.parameters import chosen_game
from antipodes.games.placement import PlacementGame
from antipodes.games.registry import make_game
from antipodes.search.proof import openings

DATA = Path(openings.__file__).with_name("openings.jsonl")


def main(game_id: str, *settings: str) -> None:
    """Add the facts of one board."""
    game = chosen_game(game_id, settings)
    assert isinstance(game, PlacementGame)
    options = {name: value for name, value in game.options.as_dict().items() if name != "swap"}
    key = openings.board_key(game)
    known = {
        fact.move
        for fact in openings.all_facts()
        if openings.board_key(make_game(fact.game, fact.options)) == key  # type: ignore[arg-type]
    }
    start = game.initial()
    for cell in openings.first_moves(game):
        move = start.format_move(cell)
        if move not in known:
            fact = openings.solve_opening(game_id, options, move)
            with DATA.open("a", encoding="utf-8") as file:
                file.write(fact.text() + "\n")
            print(fact.text(), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
