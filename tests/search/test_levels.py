"""Laws of the levels: what they are called, and that they play every game by its rules."""

import itertools

import pytest

from antipodes.errors import InvalidOptionsError
from antipodes.games.registry import game_ids, make_game
from antipodes.lab.ratings import elo_of
from antipodes.search.factory import make_search
from antipodes.search.levels import DEFAULT_LEVEL, find_level, levels, measured
from antipodes.search.players import make_player, strong_search
from antipodes.search.tree import TreeSearch
from tests.thorough import sample

# The smallest boards with every family of rules, and what changes the course of a game.
VARIANTS = [
    ("antipod", {"side": 2}),
    ("antipod", {"side": 3, "handicap": "none"}),
    ("antipalos", {"size": 12, "rods": 2, "phase_two_limit": 2}),
    ("antipalos", {"size": 12, "rods": 1, "seats": "cutthroat3", "phase_two_limit": 2}),
    ("antipalos", {"size": 12, "rods": 1, "seats": "team", "phase_two_limit": 2}),
    ("antipalos", {"ruleset": "mail", "size": 4}),
    ("antipode", {}),
    ("hex", {"size": 4, "swap": "sides"}),
    ("hex", {"size": 3, "swap": "pieces"}),
    ("cylindrical-hex", {"rows": 3, "columns": 4, "first": "white"}),
]


def test_levels_are_numbered_from_1_and_have_names_of_their_own():
    found = levels()
    assert [level.number for level in found] == list(range(1, 10))
    assert len({level.name for level in found}) == len(found)
    assert DEFAULT_LEVEL in [level.number for level in found]


def test_a_level_is_found_by_number_and_by_name():
    for level in levels():
        assert find_level(str(level.number)) is level
        assert find_level(level.name.upper()) is level


@pytest.mark.parametrize("text", ["0", "10", "strongest", "", "-1", "3.0"])
def test_an_unknown_level_is_refused_with_all_levels_named(text):
    with pytest.raises(InvalidOptionsError, match=r"1 \(novice\).*9 \(master\)"):
        find_level(text)


@pytest.mark.parametrize("game_id", game_ids())
def test_no_level_knows_or_sees_less_than_the_one_below(game_id):
    skills = [level.skill(make_game(game_id)) for level in levels()]
    for weak, strong in itertools.pairwise(skills):
        assert (strong.knowledge, strong.visits or 0) >= (weak.knowledge, weak.visits or 0)
        assert strong.sight >= weak.sight
        assert strong.seconds is None


@pytest.mark.parametrize("game_id", game_ids())
def test_every_level_is_varied(game_id):
    assert all(level.skill(make_game(game_id)).varied for level in levels())


def test_levels_explore_as_when_they_were_rated_and_other_searches_do_not_need_to():
    position = make_game("antipod").initial()
    skill = find_level("8").skill(position.game)
    level, other = strong_search(position, 1, skill), make_search(position)
    assert isinstance(level, TreeSearch)
    assert isinstance(other, TreeSearch)
    assert level.settings.exploration == 0.02
    assert other.settings.exploration == 0.0


@pytest.mark.parametrize(
    ("game_id", "options", "limit"),
    [
        ("antipode", {}, "visits=900,latest=off"),
        ("antipalos", {}, "visits=28,latest=off"),
        ("hex", {"size": 7, "swap": "off"}, "visits=60"),
        ("antipod", {"side": 4}, "visits=60"),
    ],
)
def test_a_varied_player_does_not_always_answer_alike(game_id, options, limit):
    def moves(seed):
        player = make_player(f"search:{limit},varied=on", seed)
        position = make_game(game_id, options).initial()
        found = []
        for _ in range(8):
            found.append(player.choose(position))
            position = position.play(found[-1])
        return found

    games = [moves(seed) for seed in (1, 2, 3, 1)]
    assert games[0] == games[-1]
    assert len({tuple(game) for game in games}) > 1


@pytest.mark.parametrize(("game_id", "options"), VARIANTS)
def test_weak_levels_play_every_variant_to_its_end(game_id, options):
    game = make_game(game_id, options)
    players = [make_player(f"computer:{1 + seat % 2}", seat) for seat in range(game.seats)]
    position = game.initial()
    while position.outcome is None:
        position = position.play(players[position.seat_to_move].choose(position))
    assert position.outcome is not None


@pytest.mark.parametrize("level", sample(levels(), 3), ids=lambda level: level.name)
@pytest.mark.parametrize(("game_id", "options"), VARIANTS)
def test_every_level_chooses_a_legal_move_in_every_variant(game_id, options, level):
    position = make_game(game_id, options).initial()
    player = make_player(f"computer:{level.number}", 7)
    player.allot(0.02)
    for _ in range(2):
        if position.outcome is None:
            position = position.play(player.choose(position))


def test_what_was_measured_is_complete():
    for game_id, one in measured().items():
        assert game_id in game_ids()
        make_game(game_id, one["options"])
        assert len(one["ratings"]) == len(one["errors"]) == len(levels())
        assert one["games"] > 0
        assert "strength.py" in one["command"]
        assert one["ratings"][0] == 1000


def test_the_rating_of_a_game_that_was_not_measured_is_not_known():
    assert levels()[0].rating("no-such-game") is None
    for game_id in measured():
        assert [level.rating(game_id) for level in levels()] == measured()[game_id]["ratings"]


@pytest.mark.parametrize("game_id", sorted(measured()))
def test_ratings_are_of_levels_that_think_as_they_did_when_they_were_measured(game_id):
    kept = measured()[game_id]
    game = make_game(game_id, kept["options"])
    assert kept["skills"] == [repr(level.skill(game)) for level in levels()]
    assert sorted(kept["pairs"]) == [str(level.number) for level in levels()[1:]]
    assert kept["games"] == sum(pair["games"] for pair in kept["pairs"].values())


@pytest.mark.parametrize("game_id", sorted(measured()))
def test_each_level_is_100_to_250_elo_above_the_one_below(game_id):
    """The highest level has all the strength there is, and may be further above."""
    kept = measured()[game_id]
    for number, pair in kept["pairs"].items():
        assert pair["games"] >= 100, number
        above = elo_of(pair["points"] / pair["games"])
        assert above >= 100, number
        assert above <= 250 or int(number) == levels()[-1].number, number
    assert kept["ratings"] == sorted(set(kept["ratings"]))
