"""The pairing player never loses as second player, however well White searches."""

import pytest

from antipodes.core import Color
from antipodes.games.registry import make_game
from antipodes.search.players import make_player
from tests.thorough import repetitions, sample

BOARDS = [
    *(("antipod", {"side": side, "handicap": "none"}) for side in (2, 3, 4, 5, 6)),
    *(
        ("cylindrical-hex", {"rows": rows, "columns": columns, "first": "white"})
        for rows, columns in ((3, 4), (5, 6), (8, 4), (7, 8))
    ),
]


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize(
    "board", sample(BOARDS, 4), ids=lambda board: "-".join(map(str, board[1].values()))
)
def test_the_pairing_never_loses_to_the_tree_search(board, level):
    game = make_game(*board)
    black = make_player("pairing")
    games = max(1, repetitions(50, 200) // game.topology.cell_count)
    for seed in range(games):
        white = make_player(f"computer:{level}", seed=seed)
        position = game.initial()
        while position.outcome is None:
            player = white if position.to_move is Color.WHITE else black
            position = position.play(player.choose(position))
        assert position.outcome.winner is Color.BLACK, f"White has won\n{position}"


def test_the_pairing_does_not_lose_to_a_stronger_search():
    game = make_game("antipod", {"side": 4, "handicap": "none"})
    white, black = make_player("computer:4", seed=1), make_player("pairing")
    position = game.initial()
    while position.outcome is None:
        player = white if position.to_move is Color.WHITE else black
        position = position.play(player.choose(position))
    assert position.outcome.winner is Color.BLACK
