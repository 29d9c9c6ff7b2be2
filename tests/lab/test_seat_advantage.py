"""The advantages of colours, from the games that come with the program."""

import math

import pytest

from antipodes.games.registry import make_game
from antipodes.lab.measured_balance import measured_balance
from antipodes.lab.seat_advantage import _advantages, seat_advantages


def expected(advantage):
    return 1 / (1 + 10 ** (-advantage / 400))


@pytest.mark.parametrize("side", range(4, 11))
def test_the_advantage_of_black_with_six_stones_is_in_the_intervals_of_both_levels(side):
    white, black = seat_advantages(make_game("antipod", {"side": side}))
    assert white == -black
    rows = [
        one["shares"]["black"]
        for one in measured_balance()["balance"]
        if one["game"] == "antipod"
        and one["player"] in {"computer:3", "computer:5"}
        and one["options"]["side"] == side
        and one["options"]["extra_stones"] == 0
        and one["options"]["handicap"] == "six"
        and one["options"]["swap"] == "off"
    ]
    assert len(rows) == 2
    share = expected(black - white)
    assert share == pytest.approx(min(one["low"] for one in rows), abs=0.001)
    assert all(share <= one["share"] for one in rows)


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("antipod", {"handicap": "fair"}),
        ("antipod", {"swap": "on"}),
        ("antipod", {"side": 2}),
        ("antipalos", {}),
        ("antipalos", {"seats": "cutthroat3", "size": 16}),
        ("antipode", {}),
        ("hex", {}),
    ],
)
def test_settings_that_are_even_or_not_measured_have_no_advantage(game_id, options):
    game = make_game(game_id, options)
    assert seat_advantages(game) == (0.0,) * len(game.colors)


def shares(**intervals):
    return {name: {"low": low, "high": high} for name, (low, high) in intervals.items()}


def test_levels_that_contradict_each_other_show_no_advantage():
    game = make_game("antipod")
    weak = shares(white=(0.2, 0.3), black=(0.7, 0.8))
    strong = shares(white=(0.1, 0.2), black=(0.8, 0.9))
    other = shares(white=(0.6, 0.7), black=(0.3, 0.4))
    half = 200 * math.log10(7 / 3)
    assert _advantages(game, [strong, weak]) == pytest.approx((-half, half), abs=0.05)
    assert _advantages(game, [strong, other]) == (0, 0)


def test_of_three_colours_each_pair_has_the_odds_of_its_shares():
    game = make_game("antipalos", {"seats": "cutthroat3", "size": 16})
    one = shares(white=(0.5, 0.6), black=(0.2, 0.25), red=(0.1, 0.4))
    white, black, red = _advantages(game, [one])
    assert white + black + red == pytest.approx(0, abs=0.2)
    assert expected(white - black) == pytest.approx(0.5 / 0.75, abs=0.001)
    assert expected(white - red) == pytest.approx(0.5 / (0.5 + 1 / 3), abs=0.001)
