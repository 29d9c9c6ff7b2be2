"""Laws of the players."""

import pytest

from antipodes.core import Color, Setup
from antipodes.errors import InputError, InvalidOptionsError
from antipodes.games.registry import make_game
from antipodes.games.winning import winning_move, winning_moves
from antipodes.search.interface import Limits
from antipodes.search.plain import PlainSearch
from antipodes.search.players import (
    SearchPlayer,
    Timekeeping,
    make_player,
    move_between,
    plain_search,
)
from antipodes.search.skill import Skill
from tests.raising import raising


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


@pytest.mark.parametrize("spec", ["computer:1", "computer:3", "random"])
@pytest.mark.parametrize("game_id", ["antipod", "antipode", "hex"])
def test_a_seed_decides_every_choice(spec, game_id):
    position = make_game(game_id).initial()
    assert make_player(spec, 5).choose(position) == make_player(spec, 5).choose(position)


def test_a_win_in_one_move_is_found():
    game = make_game("hex", {"size": 3, "swap": "off"})
    position = game.initial()
    for text in ("b1", "a1", "b2", "a2"):
        position = position.play(position.parse_move(text))
    move = winning_move(position)
    assert move is not None
    won = position.play(move).outcome
    assert won is not None
    assert won.winner is Color.BLACK
    assert winning_move(game.initial()) is None


def test_the_computer_beats_random_moves_at_hex_with_either_colour():
    game = make_game("hex", {"size": 7, "swap": "off"})
    for color in game.colors:
        computer = lambda seed: make_player("computer:2", seed)  # noqa: E731
        chance = lambda seed: make_player("random", seed)  # noqa: E731
        assert wins_of(game, color, computer, chance, 6) == 6


def test_the_computer_beats_random_moves_at_antipalos():
    game = make_game("antipalos", {"size": 12})
    computer = lambda seed: make_player("computer:6", seed)  # noqa: E731
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


def test_a_player_keeps_its_search_from_move_to_move():
    made = []

    def make(position, seed, skill):
        made.append(position)
        return PlainSearch(position, seed=seed)

    position = make_game("hex", {"size": 5}).initial()
    player, other = SearchPlayer("kept", Skill(visits=30), 1, make), make_player("random", 2)
    for _ in range(3):
        position = position.play(player.choose(position))
        position = position.play(other.choose(position))
    assert len(made) == 1
    player.choose(make_game("hex", {"size": 4}).initial())
    assert len(made) == 2


def test_move_between_finds_the_one_move_and_nothing_else():
    for game_id in ("hex", "antipod", "antipode", "antipalos"):
        position = make_game(game_id).initial()
        for index in (5, 11):
            move = list(position.legal_moves)[index]
            after = position.play(move)
            assert move_between(position, after) == move
            assert move_between(after, position) is None
            assert move_between(position, position) is None
            position = after


def test_where_there_is_no_choice_nothing_is_searched():
    game = make_game("hex", {"size": 2, "swap": "off"})
    position = game.initial()
    for text in ("a1", "b1"):
        position = position.play(position.parse_move(text))
    player = SearchPlayer("quick", Skill(), 1, raising(AssertionError))
    assert player.choose(position) in position.legal_moves  # a win in one
    position = game.position(Setup(stones=(("a1", "black"), ("b2", "black"), ("b1", "white"))))
    assert len(position.legal_moves) == 1
    assert player.choose(position) in position.legal_moves


@pytest.mark.parametrize("clock", Timekeeping)
def test_an_allotted_time_takes_the_place_of_the_limits_in_seconds(clock):
    position = make_game("hex", {"size": 5}).initial()
    player = make_player("plain:seconds=3600", 1)
    player.allot(0.01, clock)
    assert player.choose(position) in position.legal_moves


def test_a_hasty_player_sometimes_searches_at_a_glance_and_sometimes_as_long_as_it_may():
    position = make_game("hex", {"size": 5}).initial()
    player = SearchPlayer("hasty", Skill(visits=90, haste=0.5, glance=3), 1, plain_search)
    visits = []
    for _ in range(20):
        player.choose(position)
        assert player._search is not None
        visits.append(player._search.visits)
    assert set(visits) == {3, 90}


def test_the_weakest_level_sometimes_misses_a_win_in_one_and_higher_ones_never():
    position = make_game("hex", {"size": 3, "swap": "off"}).initial()
    for text in ("b1", "a1", "b2", "a2"):
        position = position.play(position.parse_move(text))
    wins = winning_moves(position)
    for level, always in ((1, False), (4, True), (9, True)):
        seen = [
            make_player(f"computer:{level}", seed).choose(position) in wins for seed in range(30)
        ]
        assert any(seen)
        assert all(seen) is always


def test_time_that_one_choice_took_too_much_the_next_ones_take_less(monkeypatch):
    """The clock of the processor is ours here: a search takes twice what it is given at first."""
    now = 0.0
    given = []

    class Slow(PlainSearch):
        def run(self, limits, on_progress=None):
            nonlocal now
            given.append(limits.seconds)
            now += limits.seconds * (2 if len(given) == 1 else 1)
            super().run(Limits(visits=4))

    monkeypatch.setattr("time.process_time", lambda: now)
    player = SearchPlayer("slow", Skill(), 1, lambda position, seed, skill: Slow(position))
    player.allot(1.0, Timekeeping.CPU)
    position = make_game("hex", {"size": 5}).initial()
    for _ in range(3):
        player.choose(position)
    assert given == pytest.approx([1.0, 0.1, 0.9])


def test_a_choice_by_cpu_time_is_one_run_that_ends_by_the_clock_of_the_processor(monkeypatch):
    """The clock of the processor goes on by a tenth of a second a look; the other one stands."""
    now = 0.0

    def looked():
        nonlocal now
        now += 0.1
        return now

    monkeypatch.setattr("time.process_time", looked)
    monkeypatch.setattr("time.perf_counter", lambda: 0.0)
    runs = []

    class Counted(PlainSearch):
        def run(self, limits, on_progress=None):
            runs.append(limits)
            super().run(limits, on_progress)

    player = SearchPlayer("counted", Skill(), 1, lambda position, seed, skill: Counted(position))
    player.allot(2.0, Timekeeping.CPU)
    position = make_game("hex", {"size": 5}).initial()
    assert player.choose(position) in position.legal_moves
    assert [limits.clock for limits in runs] == [Timekeeping.CPU]
    assert 2.0 <= now < 4.0
