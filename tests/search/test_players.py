"""Laws of the players."""

import pytest

from antipodes.core import Color
from antipodes.errors import InputError, InvalidOptionsError
from antipodes.games.registry import make_game
from antipodes.search.players import levels, make_player, winning_move


def play_out(game, players):
    """Return the final position of a game between players by colour."""
    position = game.initial()
    while position.outcome is None:
        position = position.play(players[position.to_move].choose(position))
    return position


def wins_of(game, color, player, opponent, games):
    """Return how often ``player`` wins with ``color``; both are given as makers of players."""
    won = 0
    for seed in range(games):
        players = {other: opponent(seed) for other in game.colors}
        players[color] = player(seed)
        won += play_out(game, players).outcome.winner is color
    return won


@pytest.mark.parametrize(
    "text", ["computer:0", "computer:99", "computer:strong!", "robot", "", ":"]
)
def test_an_unknown_player_is_named_in_the_error(text):
    with pytest.raises(InvalidOptionsError, match="there are"):
        make_player(text)


def test_levels_are_numbered_named_and_rising():
    found = levels()
    assert [level.number for level in found] == list(range(1, len(found) + 1))
    assert len({level.name for level in found}) == len(found)
    assert [level.visits for level in found] == sorted({level.visits for level in found})
    assert [level.batches for level in found] == sorted({level.batches for level in found})
    for level in found:
        assert (
            make_player(f"computer:{level.name}").name
            == make_player(f"computer:{level.number}").name
        )


@pytest.mark.parametrize("spec", ["computer:1", "computer:3", "random"])
@pytest.mark.parametrize("game_id", ["antipod", "antipode", "hex"])
def test_a_seed_decides_every_choice(spec, game_id):
    position = make_game(game_id).initial()
    assert make_player(spec, 5).choose(position) == make_player(spec, 5).choose(position)


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("antipod", {"side": 3}),
        ("antipalos", {"size": 12, "rods": 2, "phase_two_limit": 2}),
        ("antipalos", {"size": 12, "rods": 1, "seats": "cutthroat3", "phase_two_limit": 2}),
        ("antipalos", {"size": 12, "rods": 1, "seats": "team", "phase_two_limit": 2}),
        ("antipalos", {"ruleset": "mail", "size": 4}),
        ("antipode", {}),
        ("hex", {"size": 4, "swap": "sides"}),
        ("cylindrical-hex", {"rows": 3, "columns": 4, "first": "white"}),
    ],
)
def test_the_computer_plays_every_game_to_its_end(game_id, options):
    game = make_game(game_id, options)
    players = {color: make_player("computer:1", index) for index, color in enumerate(game.colors)}
    assert play_out(game, players).outcome is not None


def test_a_win_in_one_move_is_found():
    game = make_game("hex", {"size": 3, "swap": "off"})
    position = game.initial()
    for text in ("b1", "a1", "b2", "a2"):
        position = position.play(position.parse_move(text))
    move = winning_move(position)
    assert move is not None
    assert position.play(move).outcome.winner is Color.BLACK
    assert winning_move(game.initial()) is None


def test_the_computer_beats_random_moves_at_hex_with_either_colour():
    game = make_game("hex", {"size": 7, "swap": "off"})
    for color in game.colors:
        computer = lambda seed: make_player("computer:2", seed)  # noqa: E731
        chance = lambda seed: make_player("random", seed)  # noqa: E731
        assert wins_of(game, color, computer, chance, 6) == 6


def test_the_computer_beats_random_moves_at_antipalos():
    game = make_game("antipalos", {"size": 12})
    computer = lambda seed: make_player("computer:3", seed)  # noqa: E731
    chance = lambda seed: make_player("random", seed)  # noqa: E731
    assert wins_of(game, Color.BLACK, computer, chance, 2) == 2


@pytest.mark.parametrize("side", [2, 3, 4])
def test_pairing_as_second_player_never_loses_to_the_tree_search_at_antipod(side):
    game = make_game("antipod", {"side": side, "handicap": "none"})
    pairing = lambda _: make_player("pairing")  # noqa: E731
    computer = lambda seed: make_player("computer:2", seed)  # noqa: E731
    assert wins_of(game, Color.BLACK, pairing, computer, 6) == 6


@pytest.mark.parametrize(("rows", "columns"), [(3, 4), (5, 6), (8, 4)])
def test_pairing_as_second_player_never_loses_to_the_tree_search_on_the_cylinder(rows, columns):
    game = make_game("cylindrical-hex", {"rows": rows, "columns": columns, "first": "white"})
    pairing = lambda _: make_player("pairing")  # noqa: E731
    computer = lambda seed: make_player("computer:2", seed)  # noqa: E731
    assert wins_of(game, Color.BLACK, pairing, computer, 6) == 6


def test_pairing_says_where_it_does_not_apply():
    with pytest.raises(InputError, match="Pairing does not apply"):
        make_player("pairing").choose(make_game("hex").initial())
