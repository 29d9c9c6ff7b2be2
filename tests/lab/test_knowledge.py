"""The answers about balance say what the measurements say."""

import re
from pathlib import Path

import pytest

from antipodes.games.antipod import FAIR
from antipodes.games.registry import make_game
from antipodes.lab.knowledge import answers, fair_stones, settings_of, six_stones
from antipodes.lab.measured_balance import measured_balance

DOCS = Path(__file__).parents[2] / "docs"


def test_with_six_stones_black_wins_more_games_on_every_board():
    rows = six_stones()
    assert {one["options"]["side"] for one in rows} >= {4, 5, 6}
    assert all(one["share"] > 0.5 for one in rows)
    black = sum(one["black"] for one in rows)
    assert black > 0.75 * sum(one["games"] for one in rows)


def test_white_needs_no_fewer_stones_on_larger_boards():
    stones = [one["value"] for one in fair_stones()]
    assert stones == sorted(stones)
    assert stones[0] > 0


def test_the_fair_handicap_is_what_was_measured():
    found = [one for one in fair_stones() if len(one["players"]) > 1]
    assert {one["options"]["side"]: one["value"] for one in found} == FAIR
    plain = {(one["options"]["side"], one["player"]): one["share"] for one in six_stones()}
    for one in found:
        for line in one["players"]:
            with_six = plain[one["options"]["side"], line["player"]]
            assert abs(line["share"] - 0.5) < abs(with_six - 0.5)


def test_stronger_players_need_no_more_stones():
    for one in fair_stones():
        alone = {line["player"]: line["alone"] for line in one["players"]}
        assert alone.get("computer:5", 0) <= one["value"] <= alone["computer:3"]


def test_the_rulings_name_the_fair_stones():
    text = (DOCS / "rulings.md").read_text(encoding="utf-8")
    section = text.split("(ruling-antipod-fair)=")[1].split("\n(")[0]
    named = re.findall(r"(\d+)\s+on\s+side\s+(\d+)", section)
    assert {int(side): int(stones) for stones, side in named} == FAIR


@pytest.mark.parametrize("game_id", ["antipalos", "antipode"])
def test_no_advantage_is_shown_where_the_answer_says_so(game_id):
    assert settings_of(game_id)
    assert all(one["low"] < 0.5 < one["high"] for one in settings_of(game_id))


def test_black_wins_nearly_all_games_on_cylinders():
    rows = settings_of("cylindrical-hex")
    assert {one["options"]["first"] for one in rows} == {"black", "white"}
    assert all(one["share"] > 0.8 for one in rows)


def test_every_row_of_the_summary_is_a_setting_of_a_game():
    for one in measured_balance()["balance"]:
        game = make_game(one["game"], one["options"])
        assert sum(one[color.value] for color in game.colors) + one["draws"] == one["games"]


def test_the_page_of_the_docs_has_every_question():
    text = (DOCS / "knowledge.md").read_text(encoding="utf-8")
    for answer in answers():
        block = f"## {answer.question}\n\n```{{answer}} {answer.key}\n```"
        assert block in text
