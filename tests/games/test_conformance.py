"""Every game keeps every promise, with every value of every option."""

from typing import Any

import pytest

from antipodes.core import Move
from antipodes.games.conformance import ConformanceError, check_game
from antipodes.games.hex import Hex, HexPosition
from antipodes.games.registry import game_class, game_ids, make_game
from tests.thorough import repetitions

from .cases import case_id, every_case, is_sparse, some_cases

LONG = 2_000  # plies; longer games than this are not played to their end


def effort(game):
    """Return how much to look at: much on small boards, little on large ones."""
    if game.max_plies > LONG:
        return {
            "games": 1,
            "positions": 4,
            "moves": repetitions(8, 40),
            "plies": repetitions(80, 300),
        }
    cells = game.topology.cell_count
    if cells <= 70:
        return {
            "games": repetitions(1, 10),
            "positions": repetitions(3, 6),
            "moves": repetitions(15, 50),
        }
    if cells <= 160:
        return {
            "games": repetitions(1, 2),
            "positions": repetitions(2, 6),
            "moves": repetitions(8, 50),
        }
    return {"games": 1, "positions": repetitions(2, 5), "moves": repetitions(8, 40)}


@pytest.mark.parametrize("case", some_cases(), ids=case_id)
def test_every_option_value_plays_by_the_book(case):
    game = make_game(*case)
    summary = check_game(game, **effort(game))
    # On the smallest sphere six corners are the whole rim, so White has won before the first move.
    assert summary.plies > 0 or game.initial().outcome is not None
    assert "unfinished" not in summary.outcomes or game.max_plies > LONG


def test_the_cases_cover_every_value_of_every_option():
    for game_id in game_ids():
        cases = [options for name, options in every_case() if name == game_id]
        games = [make_game(game_id, options) for options in cases]
        for info in game_class(game_id).option_table():
            # Some values stand for others: a fair handicap for six stones and extra ones.
            tried = {options.get(info.name) for options in cases}
            tried |= {getattr(game.options, info.name) for game in games}
            wanted = {info.low, info.high} if is_sparse(game_id, info) else every(info)
            assert wanted <= tried, info.name


def every(info):
    """Return all values of an option."""
    return set(info.values or range(info.low, info.high + 1))


# The kit notices broken games. Each of these breaks one promise of Hex.


def broken(position_parts=None, **game_parts):
    """Return Hex on a small board with some of its parts replaced."""
    name = f"BrokenHex{sum(known.startswith('BrokenHex') for known in globals())}"
    game_type: Any = type(name, (Hex,), {"__module__": __name__, **game_parts})
    game_type.position_type = type(
        "BrokenPosition", (HexPosition,), {"__slots__": (), **(position_parts or {})}
    )
    globals()[name] = game_type  # where pickle finds it
    return game_type(size=4)


def winding_down(self, move):
    """Play the move that comes next instead of the one given, where there is one."""
    moves = list(self.legal_moves)
    return HexPosition.play(self, moves[(moves.index(move) + 1) % len(moves)])


def forgetful(self, move):
    """Change the position that the move is played in."""
    following = HexPosition.play(self, move)
    self.kernel_state[2] += 1
    return following


def quiet(self, move):
    """Take illegal moves without a word."""
    return HexPosition.play(self, move) if move in self.legal_moves else self


def by_identity(self):
    """Hash equal positions differently."""
    return id(self)


def scattered(position):
    """Return the first and last piece of the winner."""
    if position.outcome is None:
        return ()
    cells = [c for c, color in position.stones().items() if color is position.outcome.winner]
    return (cells[0], cells[-1])


MUTANTS = {
    "max_plies": broken(max_plies=3),
    "symmetry": broken(transform=lambda self, move, symmetry: Move(move ^ (symmetry and 1))),
    "spaces": broken({"format_move": lambda self, move, *seat: f"move {int(move)}"}),
    "names one move": broken({"format_move": lambda self, move, *seat: "a1"}),
    "is read as": broken({"parse_move": lambda self, text, *seat: Move(0)}),
    "leaves the old position alone": broken({"play": forgetful}),
    "raises IllegalMoveError": broken({"play": quiet}),
    "agree on move": broken({"why_illegal": lambda self, move: None}),
    "hangs together": broken({"winning_chain": scattered}),
    "show a chain": broken({"winning_chain": lambda self: ()}),
    "picture gives a text": broken({"picture": lambda self: ""}),
    "hashes so": broken({"__hash__": by_identity}),
    "the state that kernels write": broken({"play": winding_down}),
    "a stable 64-bit number": broken({"key": property(lambda self: -1)}),
    "frozen": broken(__setattr__=lambda self, name, value: None),
}


@pytest.mark.parametrize("promise", MUTANTS)
def test_the_kit_notices_a_broken_promise(promise):
    with pytest.raises(ConformanceError, match=promise):
        check_game(MUTANTS[promise], games=20)


def test_the_message_tells_game_promise_and_moves():
    with pytest.raises(ConformanceError) as caught:
        check_game(broken(max_plies=3))
    message = str(caught.value)
    assert "(size=4): no game" in message
    assert len(message.rsplit("moves played: ", maxsplit=1)[1].split()) == 3
