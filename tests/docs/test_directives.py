"""Tests of the directives of the docs, which read the code."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import antipodes.training
from antipodes.games.registry import game_class, game_ids
from antipodes.mail.commands import COMMANDS, Verb
from antipodes.search.levels import levels, measured
from antipodes.search.proof.openings import openings_of
from tests.docs.pages import module_of_docs

docs = module_of_docs("_ext/antipodes_docs.py", "antipodes_docs")
proofs = module_of_docs("_ext/proof_docs.py", "proof_docs")
strength = module_of_docs("_ext/strength_docs.py", "strength_docs")
network = module_of_docs("_ext/network_docs.py", "network_docs")


@pytest.mark.parametrize("game_id", game_ids())
def test_the_table_of_options_has_every_option_as_the_code_declares_it(game_id):
    rows = docs.option_rows(game_id)
    table = game_class(game_id).option_table()
    assert [row[0] for row in rows] == [info.name for info in table]
    assert [row[2:] for row in rows] == [(info.allowed, info.help) for info in table]
    assert all(
        row[1] == str(info.default) for row, info in zip(rows, table, strict=True) if info.default
    )


def test_tables_of_words_keys_and_levels_are_complete():
    assert ("quit", "leave") in docs.word_rows()
    assert dict(docs.key_rows())["q"] == "quit"
    assert all(len(row) == 2 and all(row) for row in docs.key_rows())
    assert [row[1] for row in docs.level_rows()] == [level.name for level in levels()]


def test_the_table_of_ratings_has_every_level_and_measured_game():
    rows = strength.rating_rows()
    assert [row[0] for row in rows] == [f"{level.number} {level.name}" for level in levels()]
    assert all(len(row) == 1 + len(measured()) for row in rows)
    assert len(strength.measured_lines()) == len(measured())


def test_the_table_of_steps_has_the_games_of_each_step():
    rows = strength.step_rows()
    assert [row[0] for row in rows] == [f"{n} against {n - 1}" for n in range(2, 10)]
    for row in rows:
        for cell, one in zip(row[1:], measured().values(), strict=True):
            pair = one["pairs"][row[0].partition(" ")[0]]
            assert cell.endswith(f"{pair['points']:g} of {pair['games']}")
            assert re.match(r"\+\d+ \([+-]\d+ to \+\d+\)", cell)


def test_the_training_of_the_network_is_drawn_and_counted():
    rows = network.board_rows("hex")
    boards = network.card("hex")["boards"]
    assert [row[0] for row in rows] == list(boards)
    assert all(0 <= one["black"] <= one["games"] <= one["positions"] for one in boards.values())
    picture = ET.fromstring(network.curves_svg("hex"))
    assert len(picture.findall("{*}text")) == 2 * (1 + 2 + 1)


def test_the_plan_of_the_network_is_the_one_that_comes_with_the_program():
    plan = Path(antipodes.training.__file__).parent / "plans" / "hex.toml"
    assert network.card("hex")["plan"] == plan.read_text(encoding="utf-8")


def test_a_board_knows_the_number_of_the_move_on_each_cell():
    game = docs.drawn_game("hex", "size=5 swap=off")
    position, numbers = docs.drawn_position(game, "c3 b4 b3")
    assert {game.topology.name(cell): number for cell, number in numbers.items()} == {
        "c3": 1,
        "b4": 2,
        "b3": 3,
    }
    assert position.ply == 3


def test_a_board_can_be_set_up():
    game = docs.drawn_game("hex", "size=3")
    position, numbers = docs.drawn_position(game, stones="black a1 b2 white c3", turn="white")
    assert len(position.stones()) == 3
    assert str(position.to_move) == "white"
    assert not numbers


def test_the_table_of_mail_commands_has_all_names():
    rows = [row for group in docs.mail_rows().values() for row in group]
    assert len(rows) == len(COMMANDS) == len(Verb)
    listed = {name for _, names, _ in rows for name in names.split(" | ")}
    assert listed == {name for info in COMMANDS for name in info.names}
    assert all(usage and use.endswith(".") for usage, _, use in rows)


def test_the_picture_of_the_ratings_has_every_level_of_every_game():
    svg = ET.fromstring(strength.ratings_svg())
    dots = svg.findall("{http://www.w3.org/2000/svg}circle")
    assert len(dots) == len(levels()) * len(measured())
    rows = [float(dot.attrib["cy"]) for dot in dots]
    assert len(set(rows)) == len(measured())
    places = [float(dot.attrib["cx"]) for dot in dots[: len(levels())]]
    assert places == sorted(places)
    texts = [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert texts.count("9") == len(measured())
    assert {"Hex", "Antipod"} <= set(texts)


def test_proven_openings_have_a_row_each_and_complete_boards_a_picture():
    games = proofs.proven_games()
    rows = [proofs.opening_row(game) for game in games]
    assert len({row[0] + row[1] for row in rows}) == len(rows)
    assert ("Hex: size 4", "Black", "Black", "d1, c2, b3, a4") in rows
    assert any(proofs.is_complete(game, openings_of(game)) for game in games)
