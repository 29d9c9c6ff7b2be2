"""Games of other packages: the package ``docs/examples/more_games`` brings Misere Hex and Y."""

import os
import random
import subprocess
import sys

import numpy as np
import pytest

import antipodes as ap
from antipodes.adapters.vector import VectorEnv
from antipodes.engine import GtpEngine
from antipodes.games import registry
from antipodes.games.conformance import check_game
from antipodes.games.placement import is_connection_game
from antipodes.games.texts import short_rules
from antipodes.search.connection.virtual import ConnectionSearch
from antipodes.search.factory import make_search
from antipodes.search.plain import PlainSearch
from tests.more_games import FOLDER, register_more_games


@pytest.fixture
def more_games(monkeypatch):
    """Return the classes of both games, registered until the test ends."""
    return register_more_games(monkeypatch)


@pytest.fixture
def misere(more_games):
    return more_games[0]


@pytest.fixture
def y(more_games):
    return more_games[1]


def test_both_games_keep_every_promise(misere, y):
    for size in (2, 3, 5):
        for swap in ("pieces", "sides", "off"):
            check_game(misere(size=size, swap=swap), games=1, moves=20, positions=4)
        for swap in ("on", "off"):
            check_game(y(size=size, swap=swap), games=1, moves=20, positions=4)


def test_the_colour_that_connects_loses(misere):
    position = misere(size=3, swap="off").initial()
    for text in ["b2", "b1", "c1", "a3", "b3"]:
        position = position.play(text)
    assert str(position.outcome) == "White wins because the opponent connected"
    assert [position.game.topology.name(cell) for cell in position.winning_chain()] == [
        "b3", "b2", "c1",
    ]  # fmt: skip
    assert position.game.position(position.to_setup()) == position
    assert not position.to_setup().composed


@pytest.mark.parametrize("seed", range(20))
def test_every_full_triangle_has_exactly_one_winner(y, seed):
    game = y(size=5, swap="off")
    cells = list(range(game.topology.cell_count))
    random.Random(seed).shuffle(cells)
    half = len(cells) // 2
    winners = []
    for own in (cells[:half], cells[half:]):
        chains = components(game.topology, set(own))
        rims = [set(rim) for rim in game.topology.rims.values()]
        winners.append(any(all(chain & rim for rim in rims) for chain in chains))
    assert sum(winners) == 1
    position = game.initial()
    color = position.to_move
    while position.outcome is None:
        color = position.to_move
        position = position.play(
            next(c for c in cells[:half] + cells[half:] if c in position.legal_moves)
        )
    assert position.outcome.winner is color


def components(board, cells):
    """Return the chains of some cells."""
    chains = []
    while cells:
        chain = edge = {cells.pop()}
        while edge:
            edge = {near for cell in edge for near in board.neighbours[cell]} & cells
            cells -= edge
            chain = chain | edge
        chains.append(chain)
    return chains


def test_they_are_games_like_ours(more_games):
    assert ap.game_ids()[-2:] == ("misere-hex", "y")
    for kind in more_games:
        assert ap.game_class(kind.id) is kind
        position = ap.read_position(ap.write_position(kind(size=4).initial().play("b2")))
        assert position["b2"] is ap.Color.BLACK
    assert short_rules("y").paragraphs[0].startswith("Black begins")


def test_solver_and_knowledge_do_not_believe_the_board(more_games):
    for kind in more_games:
        position = kind(size=4).initial()
        assert not is_connection_game(position.game)
        assert isinstance(make_search(position), PlainSearch)
        with pytest.raises(ValueError, match="cannot be solved"):
            ap.Solver(position)
        with pytest.raises(ValueError, match="does not apply"):
            ConnectionSearch(position.game)
    assert is_connection_game(ap.Hex())


def wins(position):
    """Return whether the colour to move wins, by trying all games."""
    if position.outcome is not None:
        return position.outcome.winner is position.to_move
    return any(not wins(position.play(move)) for move in position.legal_moves)


def test_the_computer_avoids_the_connection(misere):
    tried = 0
    for seed in range(20):
        position = misere(size=4, swap="off").initial()
        chance = random.Random(seed)
        for _ in range(chance.choice((10, 11))):
            if position.outcome is not None:
                break
            position = position.play(chance.choice(position.legal_moves))
        winning = {move for move in position.legal_moves if not wins(position.play(move))}
        if 0 < len(winning) < len(position.legal_moves):
            tried += 1
            analysis = ap.analyze(position, limits=ap.Limits(visits=1_000))
            assert analysis.best
            assert analysis.best.move in winning
    assert tried > 2
    start = misere(size=4).initial()
    assert ap.make_player("computer:2", seed=1).choose(start) in start.legal_moves


def test_records_keep_them(misere):
    record = ap.Record.from_moves(misere(size=3, swap="off"), ["b2", "b1", "c1", "a3", "b3"])
    for form in ("json", "sgf"):
        again = ap.read_record(ap.write_record(record, form))
        assert again == record
        assert again.result
        assert again.result.reason == "misere"


def test_gtp_plays_them(y):
    engine = GtpEngine(y(size=4))
    assert str(engine.handle_line("play black b2")).startswith("=")
    assert str(engine.handle_line("genmove white")).startswith("=")
    assert engine.handle_line("solve") == "? Y cannot be solved"


def test_many_games_are_stepped_at_once(more_games):
    for kind in more_games:
        env = VectorEnv(kind(size=3), 4, seed=1)
        for _ in range(30):
            actions = env.random_actions()
            before = [env.position(number) for number in range(4)]
            step = env.step(actions)
            for number, (position, action) in enumerate(zip(before, actions, strict=True)):
                after = position.play(action)
                assert step.terminated[number] == (after.outcome is not None)
                shown = env.position(number)
                assert shown == (env.game.initial() if after.outcome else after)
                legal = np.flatnonzero(env.legal[number]).tolist()
                assert legal == list(shown.legal_moves)


# Registering.


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": "hex"}, "already"),
        ({"id": "Y!"}, "small letters"),
        ({"id": "a" * 33}, "at most 32"),
    ],
)
def test_a_wrong_id_is_refused(y, changes, message):
    with pytest.raises(ValueError, match=message):
        ap.register_game(type("Other", (y,), changes))


def test_only_classes_of_games_are_registered(monkeypatch):
    monkeypatch.setattr(registry, "_registered", {})
    for other in (str, ap.Hex(), "hex"):
        with pytest.raises(TypeError, match="not a class derived from BoardGame"):
            ap.register_game(other)  # type: ignore[type-var]


def test_a_host_allows_games_by_their_ids(more_games, monkeypatch):
    monkeypatch.setattr(registry, "_allowed", None)
    registry.allow_games(["y"])
    assert "y" in ap.game_ids()
    assert "misere-hex" not in ap.game_ids()
    with pytest.raises(ap.errors.UnknownGameError, match="no game 'misere-hex'"):
        ap.make_game("misere-hex")


# As an installed package.


@pytest.fixture
def installed(tmp_path):
    """Return the environment of a process in which the package is installed."""
    info = tmp_path / "more_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: more-games\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[antipodes.games]\nmisere-hex = more_games.misere_hex:MisereHex\ny = more_games.y:Y\n"
        "broken = more_games.missing:Game\n"
    )
    path = os.pathsep.join([str(FOLDER), str(tmp_path)])
    return {**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "default"}


def run(installed, *arguments, text=""):
    command = [sys.executable, "-m", "antipodes", *arguments]
    return subprocess.run(
        command, input=text, capture_output=True, text=True, env=installed, timeout=120, check=False
    )


def test_the_command_line_knows_installed_games(installed):
    games = run(installed, "games")
    assert games.returncode == 0, games.stderr
    assert "misere-hex" in games.stdout
    assert "broken" in games.stderr
    gtp = run(installed, "gtp", "y", "--set", "size=4", text="play black b2\nshowboard\nquit\n")
    assert gtp.returncode == 0, gtp.stderr
    assert "x" in gtp.stdout


def test_a_contest_plays_installed_games(installed, tmp_path):
    done = run(
        installed, "match", "random", "random", "--game", "misere-hex", "--set", "size=3",
        "--games", "2", "--out", str(tmp_path / "contest"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
