"""The answers about balance say what the measurements say."""

import re
from pathlib import Path

import pytest

from antipodes.games.antipod import FAIR
from antipodes.games.registry import make_game
from antipodes.lab.knowledge import (
    answers,
    antipalos,
    antipalos_by_mail,
    even_games,
    fair_stones,
    optimal_size,
    settings_of,
    six_stones,
)
from antipodes.lab.measured_balance import measured_balance, strength_of

DOCS = Path(__file__).parents[2] / "docs"


def test_with_six_stones_black_wins_more_games_on_every_board():
    rows = six_stones()
    assert {one["options"]["side"] for one in rows} >= {4, 5, 6}
    assert all(one["share"] > 0.5 for one in rows)
    black = sum(one["black"] for one in rows)
    assert black > 0.7 * sum(one["games"] for one in rows)


def test_with_six_stones_black_wins_a_little_less_on_large_boards():
    def share(one_side, levels):
        rows = [one for one in six_stones() if one_side(one["options"]["side"])]
        rows = [one for one in rows if bool(strength_of(one["player"])) is levels]
        return sum(one["black"] for one in rows) / sum(one["games"] for one in rows)

    def small(side):
        return side <= 6

    def large(side):
        return side >= 8

    assert share(large, levels=False) < share(small, levels=False) - 0.1
    assert 0.02 < share(small, levels=True) - share(large, levels=True) < 0.15


def test_the_claim_about_six_stones_names_the_levels_that_have_played():
    sides: dict[int, set[int]] = {}
    for one in six_stones():
        sides.setdefault(strength_of(one["player"]), set()).add(one["options"]["side"])
    everywhere = set(range(4, 11))
    assert {level for level, played in sides.items() if played == everywhere} == {0, 3, 5}
    assert all(played <= {4} for level, played in sides.items() if level > 5)


def test_every_side_has_four_hundred_random_games():
    random = {one["options"]["side"]: one for one in six_stones() if one["player"] == "random"}
    assert set(random) == set(range(4, 11))
    assert all(one["games"] >= 400 for one in random.values())
    shares = [random[side]["share"] for side in sorted(random)]
    assert shares == sorted(shares, reverse=True), "the share of random players falls with the side"


def test_the_optimal_size_is_the_measured_side_nearest_to_even():
    values = optimal_size().values
    shares = {
        (one["options"]["side"], one["player"]): one["share"]
        for one in six_stones()
        if one["player"] in ("computer:3", "computer:5")
    }
    means = {
        side: (shares[side, "computer:3"] + shares[side, "computer:5"]) / 2 for side in range(4, 11)
    }
    assert values["nearest"] == str(min(means, key=lambda side: means[side]))
    assert min(means.values()) > 0.5, "White wins most games on no side"


def test_stronger_players_are_advised_fewer_stones_on_one_side():
    advised = even_games()
    (_, casual), (side, club), (same_side, strong) = advised.values()
    assert side == same_side
    assert casual > club > strong > 6


def test_white_needs_no_fewer_stones_on_large_boards_than_on_small_ones():
    stones = {
        (one["options"]["side"], line["player"]): line["alone"]
        for one in fair_stones()
        for line in one["players"]
    }
    for player in ("computer:3", "computer:5"):
        assert 0 < stones[4, player] <= stones[8, player]


def test_the_fair_handicap_is_what_was_measured():
    found = [one for one in fair_stones() if len(one["players"]) > 1]
    assert {one["options"]["side"]: one["value"] for one in found} == FAIR
    plain = {(one["options"]["side"], one["player"]): one["share"] for one in six_stones()}
    for one in found:
        for line in (each for each in one["players"] if each["player"] in one["judges"]):
            with_six = plain.get((one["options"]["side"], line["player"]), 1.0)
            assert abs(line["share"] - 0.5) < abs(with_six - 0.5)


def test_good_players_need_fewer_stones_than_casual_ones():
    for one in fair_stones():
        alone = {line["player"]: line["alone"] for line in one["players"]}
        casual = alone.pop("computer:3")
        # With a few dozen games each, the largest boards do not tell the levels apart.
        is_clear = min(line["games"] for line in one["players"]) > 32
        assert all(stones <= casual - is_clear for stones in alone.values())


def test_the_rulings_name_the_fair_stones():
    text = (DOCS / "rulings.md").read_text(encoding="utf-8")
    section = text.split("(ruling-antipod-fair)=")[1].split("\n(")[0]
    named = re.findall(r"(\d+)\s+on\s+side\s+(\d+)", section)
    assert {int(side): int(stones) for stones, side in named} == FAIR


@pytest.mark.parametrize("seats", ["cutthroat3", "cutthroat4", "team"])
def test_no_seat_of_three_or_four_in_antipalos_is_shown_to_be_better(seats):
    for one in antipalos(seats):
        for share in one["shares"].values():
            assert share["low"] < 1 / len(one["shares"]) < share["high"]


def test_white_wins_most_games_of_two_good_players_of_antipalos_on_all_boards():
    for one in antipalos("two"):
        if one["player"] in ("computer:5", "computer:6"):
            assert one["high"] < 0.4
    others = [one for one in antipalos("two") if strength_of(one["player"]) < 5]
    assert min(one["share"] for one in others) < 0.5 < max(one["share"] for one in others)


def test_chances_are_about_even_in_antipalos_by_mail():
    assert antipalos_by_mail().keys() >= {"computer:3", "computer:5"}
    for one in settings_of("antipalos"):
        if one["options"]["ruleset"] == "mail" and one["options"]["swap"] == "off":
            assert one["low"] < 0.5 < one["high"]


def test_blue_has_an_advantage_in_antipode_between_good_players_only():
    for one in settings_of("antipode"):
        if strength_of(one["player"]) >= 6:
            assert 0.65 < one["share"] < 0.75
        elif one["options"]["full_board"] == "draw":
            assert 0.4 < one["share"] < 0.6
        else:
            assert one["low"] > 0.5


def test_black_wins_nearly_all_games_on_wide_cylinders_and_fewer_on_narrow_ones():
    rows = settings_of("cylindrical-hex")
    assert {one["options"]["first"] for one in rows} == {"black", "white"}
    narrow = {}
    for one in rows:
        height, columns = one["options"]["rows"], one["options"]["columns"]
        if columns >= height:
            assert one["share"] > 0.9
        is_casual = one["player"] == "computer:3"
        if columns == 3 and one["options"]["first"] == "white" and is_casual:
            narrow[height] = one["share"]
    assert narrow[3] > narrow[6] > narrow[max(narrow)]
    assert 0.4 < narrow[9] < 0.6


def test_every_row_of_the_summary_is_a_setting_of_a_game():
    for one in measured_balance()["balance"]:
        game = make_game(one["game"], one["options"])
        assert sum(one[color.value] for color in game.colors) + one["draws"] == one["games"]


def _wins_most(rows):
    return bool(rows) and all(one["share"] > 0.5 for one in rows)


def _of_good_players(game):
    return [one for one in settings_of(game) if strength_of(one["player"]) >= 6]


def _side_to_move_first(one):
    return make_game(one["game"], one["options"]).initial().to_move.value


def _six_stones_are_not_fair():
    return _wins_most([one for one in six_stones() if one["options"]["extra_stones"] == 0])


def _large_boards_favour_white_more():
    rows = [one for one in six_stones() if one["player"] in ("random", "computer:3", "computer:5")]
    shares: dict[int, list[float]] = {side: [] for side in range(4, 11)}
    for one in rows:
        shares[one["options"]["side"]].append(one["share"])
    means = {side: sum(some) / len(some) for side, some in shares.items()}
    return max(means[8], means[9], means[10]) < min(means[4], means[5], means[6]) and _wins_most(
        rows
    )


def _a_few_more_stones_are_fair():
    advised = [stones for _side, stones in even_games().values()]
    return all(one["value"] > 0 for one in fair_stones()) and advised == sorted(
        advised, reverse=True
    )


def _searches_have_favourites_and_no_proof():
    rows = measured_balance()["first_moves"]
    return bool(rows) and all(0 < move["value"] < 1 for one in rows for move in one["moves"])


def _white_begins_and_wins_at_two_levels():
    highest: dict[int, float] = {}
    for one in antipalos("two"):
        assert _side_to_move_first(one) == "white"
        level = strength_of(one["player"])
        highest[level] = max(one["high"], highest.get(level, 0))
    return {level for level, high in highest.items() if high < 0.5} == {5, 6}


def _no_seat_is_better_and_only_teams_win():
    alone = [*antipalos("cutthroat3"), *antipalos("cutthroat4")]
    return all(one["draws"] > 0.5 * one["games"] for one in alone) and all(
        one["draws"] == 0 for one in antipalos("team")
    )


def _blue_moves_first_and_wins_seven_of_ten_games():
    good = _of_good_players("antipode")
    assert {_side_to_move_first(one) for one in good} == {"blue"}
    return bool(good) and all(0.65 < one["share"] < 0.75 for one in good)


def _black_wins_but_on_high_and_narrow_cylinders():
    rows = settings_of("cylindrical-hex")
    others = [one for one in rows if one["share"] < 0.9]
    return bool(others) and all(
        one["options"]["columns"] < one["options"]["rows"] for one in others
    )


def _all_shares_have_a_margin():
    return all(one["low"] < one["high"] for one in measured_balance()["balance"] if "low" in one)


# Each short answer, and the law that the measurements have to keep for it.
_SHORT_ANSWERS = {
    "Not with the six white stones of its inventor: Black wins most games.": (
        _six_stones_are_not_fair
    ),
    "Large boards favour White more, yet Black wins most games on all of them.": (
        _large_boards_favour_white_more
    ),
    "With a few more white stones; good players need fewer than casual ones.": (
        _a_few_more_stones_are_fair
    ),
    "None is known to be the best one; a search names its favourites.": (
        _searches_have_favourites_and_no_proof
    ),
    "That depends on the players: White, who begins, wins most games at levels 5 and 6.": (
        _white_begins_and_wins_at_two_levels
    ),
    "No seat is shown to be better, but without teams most games are drawn.": (
        _no_seat_is_better_and_only_teams_win
    ),
    "Not between good players: Blue, who moves first, wins about seven of ten games.": (
        _blue_moves_first_and_wins_seven_of_ten_games
    ),
    "No: Black wins nearly all games, except on high and narrow cylinders.": (
        _black_wins_but_on_high_and_narrow_cylinders
    ),
    "Proven is only what the solver has searched to the end; all shares are estimates.": (
        _all_shares_have_a_margin
    ),
}


def test_every_short_answer_is_what_the_games_have_shown():
    assert [str(answer.brief) for answer in answers()] == list(_SHORT_ANSWERS)
    assert [brief for brief, is_shown in _SHORT_ANSWERS.items() if not is_shown()] == []


def test_the_page_of_the_docs_has_every_question():
    text = (DOCS / "knowledge.md").read_text(encoding="utf-8")
    for answer in answers():
        block = f"## {answer.title}\n\n```{{answer}} {answer.key}\n```"
        assert block in text
