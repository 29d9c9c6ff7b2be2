"""Tests of the page "Adding a game": its game works everywhere."""

import ast
import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

import antipodes
from antipodes.cli import cli
from antipodes.core import Color
from antipodes.engine import AnalysisEngine, GtpEngine
from antipodes.errors import InvalidRecordError
from antipodes.games import registry
from antipodes.games.conformance import check_game
from antipodes.games.kernels import FAMILIES
from antipodes.games.position_texts import read_position, write_position
from antipodes.learn.first_game import CoachedGame
from antipodes.mail.layout import game_help, write_help
from antipodes.puzzles.mining import Order, mine_game
from antipodes.puzzles.verification import verify_puzzle
from antipodes.records import Record, read_record, write_record
from antipodes.search.interface import Limits
from antipodes.search.players import make_player
from antipodes.tui.glyphs import UNICODE
from antipodes.tui.panel import players_text
from antipodes.tui.session import Session
from antipodes.tui.texts import help_text
from tests.docs.pages import DOCS, ROOT, register_crater, text_of
from tests.thorough import sample
from tests.tui.helpers import table


@pytest.fixture
def crater(monkeypatch):
    """Crater, registered by the line that the page shows."""
    assert '\n    "crater": "crater:Crater",\n' in text_of(DOCS / "adding-a-game.md")
    return register_crater(monkeypatch)


@pytest.mark.parametrize("first", ["white", "black"])
@pytest.mark.parametrize("side", sample(range(2, 9), 3))
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


def test_puzzles_of_the_new_game_can_be_made(crater):
    harvest = mine_game(Order("crater", seed=1), number=0)
    assert sum(harvest.findings.values()) > 0
    for find in harvest.finds:
        verify_puzzle(find.puzzle, find.proof)


def test_a_first_game_of_the_new_game_is_coached(crater):
    game = CoachedGame("crater", seed=1)
    (best,) = game.advice()
    game.play(game.position.format_move(best))
    assert game.position.ply == 2


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
    with pytest.raises(InvalidRecordError, match="for Hex only"):
        write_record(record, "hexworld")


def test_sgf_of_a_game_with_a_registered_number(crater, monkeypatch):
    monkeypatch.setattr(crater, "sgf_number", "999")
    record = Record.from_moves(crater(side=3), [0])
    text = write_record(record, "sgf")
    assert "GM[999]" in text
    assert "SZ[3]" in text
    assert read_record(text) == record
    assert read_record("(;GM[999]SZ[3];W[a1])").game == crater(side=3)


@pytest.mark.parametrize("level", range(1, 10))
def test_every_level_plays_the_new_game(crater, level):
    player = make_player(f"computer:{level}", seed=1)
    player.allot(0.1)
    position = crater(side=3).initial()
    while position.outcome is None:
        position = position.play(player.choose(position))


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


async def test_the_new_game_is_played_on_the_full_screen(crater):
    async with table("crater", {"side": 3}, ("human", "random")) as seen:
        await seen.click("a1")
        await seen.until(lambda: len(seen.moves) == 2)
        assert seen.session.game == crater(side=3)
        assert seen.moves[0] == "a1"


def test_the_library_and_the_analysis_engine_analyse_the_new_game(crater):
    position = crater(side=3).initial()
    found = antipodes.analyze(position, limits=Limits(visits=50), threats=True)
    assert found.best is not None
    assert found.best.move in position.legal_moves
    answers = []
    engine = AnalysisEngine(lambda line: answers.append(json.loads(line)), memory=4)
    query = {"id": "a", "game": "crater", "options": {"side": 3}, "moves": ["a1"], "maxVisits": 50}
    engine.handle_line(json.dumps(query))
    engine.finish()
    assert answers[-1]["moveInfos"]


def test_the_command_line_lists_analyses_and_shows_the_new_game(crater, tmp_path):
    path = str(tmp_path / "crater.sgf")
    moves = list(crater(side=3).initial().legal_moves)[:2]
    Path(path).write_text(write_record(Record.from_moves(crater(side=3), moves), "sgf"))
    for arguments in (
        ["games", "crater"],
        ["analyze", "crater", "--set", "side=3", "--visits", "50"],
        ["show", path],
        ["convert", path, "-o", str(tmp_path / "crater.json")],
    ):
        done = CliRunner().invoke(cli, arguments)
        assert done.exit_code == 0, done.output
    assert read_record((tmp_path / "crater.json").read_text()).game == crater(side=3)


# Other code asks a game for what it needs to know of it, and compares no ids.

GAMES = ROOT / "src/antipodes/games"
MODULES = [
    path for path in sorted((ROOT / "src/antipodes").rglob("*.py")) if GAMES not in path.parents
]


def compared_ids(path):
    """Yield the lines of a module that compare something with the id of a game or family."""
    ids = {*registry._GAMES, *FAMILIES}
    text = path.read_text(encoding="utf-8")
    if not any(f'"{one}"' in text for one in ids):  # as ruff writes it
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Compare):
            parts = [part for side in (node.left, *node.comparators) for part in ast.walk(side)]
            if any(isinstance(one, ast.Constant) and one.value in ids for one in parts):
                yield f"{path.relative_to(ROOT)}:{node.lineno}"


def test_no_module_compares_with_the_id_of_a_game_or_family():
    assert [line for path in MODULES for line in compared_ids(path)] == []
