"""Tests of the page "Adding a game": its game works everywhere."""

import random

import pytest
from click.testing import CliRunner

from antipodes.cli import cli
from antipodes.core import Color
from antipodes.engine import GtpEngine
from antipodes.games import registry
from antipodes.games.conformance import check_game
from antipodes.games.position_texts import read_position, write_position
from antipodes.mail.layout import game_help, write_help
from antipodes.records import Record, read_record, write_record
from antipodes.search.players import make_player
from antipodes.tui.glyphs import UNICODE
from antipodes.tui.panel import players_text
from antipodes.tui.session import Session
from antipodes.tui.texts import help_text
from tests.docs.pages import DOCS, module_of_docs, text_of


@pytest.fixture
def crater(monkeypatch):
    """Crater, registered by the line that the page shows."""
    assert '\n    "crater": "crater:Crater",\n' in text_of(DOCS / "adding-a-game.md")
    module = module_of_docs("examples/crater.py", "crater")
    monkeypatch.setitem(registry._GAMES, "crater", "crater:Crater")
    monkeypatch.setitem(__import__("sys").modules, "antipodes.games.crater", module)
    return module.Crater


@pytest.mark.parametrize("first", ["white", "black"])
@pytest.mark.parametrize("side", range(2, 9))
def test_the_new_game_passes_the_conformance_checks(crater, side, first):
    assert check_game(crater(side=side, first=first), games=2, positions=6).games == 2


def escapes(game, stones):
    """Return whether black stones join the centre to the rim, by a simple search."""
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


def test_the_winner_of_the_new_game_agrees_with_a_simple_search(crater):
    rng = random.Random(5)
    winners = set()
    for _ in range(40):
        position = crater(side=rng.randint(3, 7)).initial()
        while position.outcome is None:
            assert not escapes(position.game, position.stones())
            position = position.play(rng.choice(list(position.legal_moves)))
        black = position.outcome.winner is Color.BLACK
        assert black == escapes(position.game, position.stones())
        winners.add(position.outcome.winner)
    assert winners == {Color.BLACK, Color.WHITE}


def random_game(game, seed):
    """Return the moves of a random game as texts, and its last position."""
    rng = random.Random(seed)
    position, texts = game.initial(), []
    while position.outcome is None:
        move = rng.choice(list(position.legal_moves))
        texts.append(position.format_move(move))
        position = position.play(move)
    return texts, position


def test_a_line_in_the_registry_registers_the_new_game(crater):
    game = registry.make_game("crater", {"side": "3"})
    assert game == crater(side=3)
    assert "crater" in registry.game_ids()


def test_positions_and_moves_of_the_new_game_are_written_and_read_as_text(crater):
    texts, last = random_game(crater(side=4), seed=1)
    position = last.game.initial()
    for text in texts:
        position = position.play(position.parse_move(text))
        assert read_position(write_position(position)) == position
    assert position == last


def test_gtp_clients_play_the_new_game_to_its_end(crater):
    engine = GtpEngine(registry.make_game("crater"), lambda: make_player("random", seed=1))
    assert engine.handle_line("boardsize 3") == "= "
    assert engine.game == crater(side=3)
    while (color := (engine.handle_line("to_move") or "")[2:]) != "none":
        assert (engine.handle_line(f"genmove {color}") or "").startswith("= ")
    assert engine.position.outcome is not None
    assert engine.handle_line("winner") == f"= {engine.position.outcome.winner}"


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


def test_mail_help_of_a_game_without_an_example(crater):
    text = game_help("crater")
    assert text == write_help("crater")
    assert crater.summary in " ".join(text.split())
    assert "A finished game" not in text
    assert "crater seek ann TOKEN" in text


def test_the_new_game_is_played_in_line_mode(crater):
    texts, last = random_game(crater(side=3), seed=2)
    people = ["--black", "human", "--white", "human"]
    arguments = ["play", "crater", "--line", "--set", "side=3", *people]
    done = CliRunner().invoke(cli, arguments, input="\n".join(["rules", *texts, ""]))
    assert done.exit_code == 0, done.output
    assert crater.summary in done.output
    assert f"Crater: {last.outcome}." in done.output


def test_the_full_screen_has_help_and_players_for_the_new_game(crater):
    session = Session(crater(side=3))
    assert help_text(session, UNICODE).startswith("Crater. ")
    assert "White" in players_text(session, UNICODE, "c3")
