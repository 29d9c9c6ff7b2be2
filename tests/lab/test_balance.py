"""Balance: rows are counted as they are, once, and only those that were asked for."""

import pytest

from antipodes.cli.balance_commands import balance_table
from antipodes.errors import InvalidOptionsError
from antipodes.lab.balance import Tallies, grid, tasks_of
from antipodes.lab.balance_summary import joined, summarised

from .lab_rows import row_of


def one_setting(game_id="antipod", player="computer:3", **options):
    (setting,) = grid(game_id, {name: [str(v)] for name, v in options.items()}, [player])
    return setting


def test_a_grid_has_every_combination_for_every_player():
    found = grid("antipod", {"side": ["4", "5"], "extra_stones": ["0", "1", "2"]}, ["random", "x"])
    assert len({setting.key for setting in found}) == 12
    with pytest.raises(InvalidOptionsError):
        grid("antipod", {"side": ["4"], "extra_stones": ["0", "12"]}, ["random"])


def test_settings_advance_together_and_each_game_has_a_seed_of_its_own():
    settings = grid("hex", {"size": ["4", "5"], "swap": ["off"]}, ["random"])
    tasks = list(tasks_of(settings, 3, seed=2))
    assert len({task.id for task in tasks}) == 6
    assert [task.seed for task in tasks] == [2_000_000] * 2 + [2_000_001] * 2 + [2_000_002] * 2
    assert tasks[0].options == tasks[2].options


def test_shares_are_counted_with_their_interval():
    setting = one_setting(side=4)
    tallies = Tallies([setting], seed=1)
    tallies.add(
        row_of(setting.task(1, number), "black" if number > 6 else "white", moves="d3 d4")
        for number in range(1, 26)
    )
    (balance,) = tallies.balances.values()
    found = balance.as_dict()
    assert (found["games"], found["black"], found["white"], found["draws"]) == (25, 19, 6, 0)
    assert (found["of"], found["share"], found["first"]) == ("black", 0.76, 6)
    assert 0.56 < found["low"] < 0.57
    assert 0.88 < found["high"] < 0.89
    assert found["shares"]["white"]["share"] == 0.24
    assert found["scores"] == {"1": 25}
    assert found["cpu"] == 18.75


def test_draws_are_shared_and_failed_games_are_told_apart():
    setting = one_setting("antipode")
    colors = ("blue", "red")
    results = ["blue", "blue", None, "red", None, None]
    tallies = Tallies([setting])
    tallies.add(row_of(setting.task(1, n), one, colors=colors) for n, one in enumerate(results, 1))
    tallies.add([row_of(setting.task(1, 9), "red", colors=colors, reason="forfeit")])
    (balance,) = tallies.balances.values()
    found = balance.as_dict()
    assert (found["games"], found["failed"], found["draws"]) == (6, 1, 3)
    assert found["share"] == pytest.approx((2 + 1.5) / 6, abs=1e-4)


def test_a_row_counts_once_and_other_games_do_not_count():
    setting, other = one_setting(side=4), one_setting(side=5)
    tallies = Tallies([setting], seed=1)
    row = row_of(setting.task(1, 1), "black")
    tallies.add([row, row, row_of(setting.task(2, 1), "black"), row_of(other.task(1, 1), "black")])
    tallies.add([row])
    assert tallies.games == 1


def test_first_moves_that_are_images_of_each_other_are_one():
    setting = one_setting(side=4)
    start = setting.game.initial()
    move = start.parse_move("d3")
    images = {setting.game.transform(move, one) for one in setting.game.symmetries}
    assert len(images) > 1
    tallies = Tallies([setting])
    tallies.add(
        row_of(setting.task(1, number), "black", moves=start.format_move(image))
        for number, image in enumerate(sorted(images), 1)
    )
    (balance,) = tallies.balances.values()
    (only,) = balance.as_dict()["first_moves"]
    assert (only["games"], only["share"]) == (len(images), 1.0)


def test_the_player_who_moved_first_is_followed_through_a_swap():
    setting = one_setting(side=4, swap="on")
    tallies = Tallies([setting])
    swapped = row_of(setting.task(1, 1), "white", colors=("black", "white"), swapped=True)
    tallies.add([swapped, row_of(setting.task(1, 2), "white")])
    (balance,) = tallies.balances.values()
    found = balance.as_dict()
    assert (found["white"], found["first"], found["swaps"]["games"]) == (2, 1, 1)


def test_repeated_games_are_told():
    setting = one_setting(side=4)
    start = setting.game.initial()
    tallies = Tallies([setting])
    moves = [start.format_move(start.legal_moves[place]) for place in (0, 1, 1, 1)]
    tallies.add(
        row_of(setting.task(1, number), "black", moves=text) for number, text in enumerate(moves, 1)
    )
    found = list(tallies.balances.values())
    assert (found[0].as_dict()["games"], found[0].as_dict()["distinct"]) == (4, 2)
    assert "different" in balance_table(found).splitlines()[0]


def summary(**games):
    levels = {name: one_setting(side=4, player=f"computer:{name[1]}") for name in games}
    return summarised(
        row_of(levels[name].task(1, number), "black")
        for name, count in games.items()
        for number in range(1, count + 1)
    )


def test_a_joined_summary_has_the_figures_of_more_games_of_each_setting():
    found = joined(summary(l3=40, l5=3), summary(l3=2, l5=50))
    sizes = {one["player"]: one["games"] for one in found["balance"]}
    assert sizes == {"computer:3": 40, "computer:5": 50}
    assert found["games"] == 90
    [fair] = found["fair"]
    assert {one["player"]: one["games"] for one in fair["players"]} == sizes


def test_stones_are_recommended_for_levels_3_and_5():
    found = joined(summary(l3=40, l7=40), summary(l5=40))
    [fair] = found["fair"]
    assert [one["player"] for one in fair["players"]] == ["computer:3", "computer:5", "computer:7"]
    assert fair["judges"] == ["computer:3", "computer:5"]
