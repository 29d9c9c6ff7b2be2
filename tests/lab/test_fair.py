"""The search for a fair setting finds the truth where it is known: players who are coins."""

import json
import math
import random

import pytest

from antipodes.games.registry import make_game
from antipodes.lab.fair import FairVerdict, Family, Search
from tests.thorough import repetitions

from .lab_rows import row_of


def share_of_black(extra, centre, width):
    return 1 / (1 + math.exp((extra - centre) / width))


def searched(truth, games, seed=1, players=("random",), judges=()):
    """Return the search after games between coins that fall as a curve says."""
    family = Family(make_game("antipod", {"side": 5}), "extra_stones", players, judges)
    search = Search([family], games, seed)
    chance = random.Random(-1 - seed)  # not the numbers that choose the values
    for task in search.tasks():
        share = truth(json.loads(task.options)["extra_stones"], task.players[0])
        winner = "black" if chance.random() < share else "white"
        search.tallies.add([row_of(task, winner)])
    return search


@pytest.mark.parametrize(("centre", "width"), [(3.2, 1.5), (7.8, 3.0), (12.0, 1.0)])
def test_it_finds_the_value_where_coins_are_fair(centre, width):
    search = searched(lambda extra, _player: share_of_black(extra, centre, width), 300)
    (found,) = search.found()
    assert search.tallies.games == search.wanted == 300
    assert abs(found.value - centre) <= 1.0
    share = found.lines[0].curves.share(found.value)
    truth = share_of_black(found.value, centre, width)
    assert share.low - 0.02 <= truth <= share.high + 0.02
    assert share.high - share.low < 0.25


def test_games_gather_where_they_tell_most():
    search = searched(lambda extra, _player: share_of_black(extra, 9, 1), 200)
    played = {
        line.curves.values[place]: balance.games
        for line in search.found()[0].lines
        for place, balance in enumerate(line.balances)
    }
    assert sum(played[extra] for extra in range(7, 12)) > 120


def test_a_setting_must_be_fair_for_all_players():
    def truth(extra, player):
        return share_of_black(extra, 4 if player == "random" else 12, 2)

    (found,) = searched(truth, 400, players=("random", "computer:1")).found()
    assert 5 < found.value < 11
    assert found.verdict is FairVerdict.NONE
    assert found.chance < 0.01


def test_a_fair_value_is_hardly_ever_denied_whatever_the_shares_beside_it():
    def truth(extra, player):
        if 6 <= extra <= 7:
            return 0.5
        beside = 0.56 if player == "random" else 0.95
        return beside if extra < 6 else 1 - beside

    verdicts = [
        searched(truth, 150, players=("random", "computer:1"), seed=seed).found()[0].verdict
        for seed in range(repetitions(4, 100))
    ]
    assert verdicts.count(FairVerdict.NONE) <= len(verdicts) / 10


def test_a_value_that_is_fair_for_all_players_is_likely_once_there_are_games():
    def truth(extra, player):
        return share_of_black(extra, 6 if player == "random" else 6.4, 4)

    families = [searched(truth, games, players=("random", "computer:1")) for games in (40, 120)]
    few, many = (one.found()[0] for one in families)
    assert 0.05 < few.chance < many.chance
    assert many.chance > 0.3
    assert few.verdict is FairVerdict.OPEN
    assert many.verdict is not FairVerdict.NONE


def test_judges_alone_decide_which_setting_is_fair():
    def truth(extra, player):
        return share_of_black(extra, 4 if player == "random" else 12, 2)

    players = ("random", "computer:1")
    (found,) = searched(truth, 200, players=players, judges=("computer:1",)).found()
    assert abs(found.value - 12) <= 1
    assert found.as_dict()["judges"] == ["computer:1"]
    assert [one["player"] for one in found.as_dict()["players"]] == list(players)


def test_it_says_so_when_no_value_is_fair():
    (found,) = searched(lambda _extra, _player: 0.95, 120).found()
    assert found.verdict is FairVerdict.NONE
    assert found.as_dict()["players"][0]["share"] > 0.8


def test_games_that_are_known_are_not_taken_again():
    family = Family(make_game("antipod", {"side": 5}), "extra_stones", ("random",))
    first = Search([family], 40, 1)
    rows = []
    for task in first.tasks():
        rows.append(row_of(task, "black"))
        first.tallies.add(rows[-1:])
    more = Search([family], 50, 1)
    more.tallies.add(rows)
    known = {row.id for row in rows}
    taken = [task.id for task in more.tasks()]
    assert len(taken) == len(set(taken)) == 10
    assert not known & set(taken)


def test_gaps_that_an_interrupted_search_left_are_played():
    family = Family(make_game("antipod", {"side": 5}), "extra_stones", ("random",))
    search = Search([family], 40, 1)
    # Games 2 and 4 of each number of stones were played; those before them were not.
    settings = [family.setting("random", one) for one in family.values[:10]]
    rows = [row_of(one.task(1, number), "black") for one in settings for number in (2, 4)]
    search.tallies.add(rows)
    known = {row.id for row in rows}
    taken = []
    for task in search.tasks():
        taken.append(task.id)
        search.tallies.add([row_of(task, "white")])
    assert len(taken) == len(set(taken)) == 20
    assert not known & set(taken)
    assert search.done == search.wanted
