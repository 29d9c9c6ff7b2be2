"""The game of "Adding a game" is added as the page says, and everything takes it."""

import random

import pytest

from antipodes.core import Color
from antipodes.engine import GtpEngine
from antipodes.games import registry
from antipodes.games.conformance import check_game
from antipodes.records import Record, read_record, write_record
from antipodes.search.players import make_player
from tests.docs.pages import DOCS, module_of_docs, text_of


@pytest.fixture
def crater(monkeypatch):
    """Crater, registered by the one line that the page shows."""
    assert '\n    "crater": "crater:Crater",\n' in text_of(DOCS / "adding-a-game.md")
    module = module_of_docs("examples/crater.py", "crater")
    monkeypatch.setitem(registry._GAMES, "crater", "crater:Crater")
    monkeypatch.setitem(__import__("sys").modules, "antipodes.games.crater", module)
    return module.Crater


@pytest.mark.parametrize("first", ["white", "black"])
@pytest.mark.parametrize("side", range(2, 9))
def test_the_new_game_keeps_every_promise(crater, side, first):
    assert check_game(crater(side=side, first=first), games=2, positions=6).games == 2


def escapes(game, stones):
    """Tell whether black stones join the centre to the rim: a plain search, for comparison."""
    board = game.topology
    seen, todo = {game.centre}, [game.centre]
    while todo:
        cell = todo.pop()
        if len(board.neighbours[cell]) < 6:
            return True
        near = {n for n in board.neighbours[cell] if stones.get(n) is Color.BLACK} - seen
        seen |= near
        todo += near
    return False


def test_the_new_game_ends_as_a_plain_search_says(crater):
    lots = random.Random(5)
    winners = set()
    for _ in range(40):
        position = crater(side=lots.randint(3, 7)).initial()
        while position.outcome is None:
            assert not escapes(position.game, position.stones())
            position = position.play(lots.choice(list(position.legal_moves)))
        black = position.outcome.winner is Color.BLACK
        assert black == escapes(position.game, position.stones())
        winners.add(position.outcome.winner)
    assert winners == {Color.BLACK, Color.WHITE}


def test_one_line_in_the_registry_makes_the_new_game_known(crater):
    game = registry.make_game("crater", {"side": "3"})
    assert game == crater(side=3)
    assert "crater" in registry.game_ids()


def test_other_programs_can_play_the_new_game(crater):
    engine = GtpEngine(registry.make_game("crater", {"side": 3}))
    for line in ("play white c1", "genmove black", "showboard"):
        assert (engine.handle_line(line) or "").startswith("=")


def test_the_computer_plays_the_new_game_and_its_records_are_kept(crater):
    game = registry.make_game("crater", {"side": 3})
    player = make_player("computer:1", seed=3)
    position, moves = game.initial(), []
    while position.outcome is None:
        moves.append(player.choose(position))
        position = position.play(moves[-1])
    record = Record.from_moves(game, moves)
    for kind in ("json", "sgf"):
        assert read_record(write_record(record, kind)) == record
