"""Laws of Antipalos: symmetry of the seats, phases, supplies, draws."""

import random
from itertools import pairwise

import pytest

from antipodes.core import Color, Setup, Termination
from antipodes.errors import IllegalMoveError, InvalidPositionError
from antipodes.games.antipalos import Antipalos
from antipodes.notation.scene import Rod

SHORT = {"size": 12, "rods": 2, "phase_two_limit": 3}


def after(position, line):
    for text in line.split():
        position = position.play(position.parse_move(text))
    return position


def random_move(position, rng):
    legal = position.legal_moves.array()
    return int(legal[rng.randrange(len(legal))])


# The seats' views.


def test_the_second_of_two_players_sees_the_board_from_the_other_side():
    game = Antipalos(size=16)
    position = after(game.initial(), "B4*")
    assert position.format_move(position.parse_move("A1*", seat=1)) == "P16*"
    assert position.format_move(position.parse_move("*A1", seat=1)) == "*P16"
    assert position.format_move(position.parse_move("*D2", seat=1)) == "*M15"


@pytest.mark.parametrize(("seat", "seen"), [(0, "A1*"), (1, "*A16"), (2, "P16*"), (3, "*P1")])
def test_four_seats_read_their_own_lower_left_corner_clockwise(seat, seen):
    position = Antipalos(size=16, seats="team").initial()
    assert position.format_move(position.parse_move("A1*", seat=seat)) == seen


@pytest.mark.parametrize("seats", ["two", "team", "cutthroat3", "cutthroat4"])
def test_each_seat_writes_what_it_reads(seats):
    game = Antipalos(size=12, rods=2, seats=seats, phase_two_limit=3)
    rng = random.Random(1)
    for _ in range(5):
        position = game.initial()
        while position.outcome is None:
            move = random_move(position, rng)
            for seat in range(game.seats):
                text = position.format_move(move, seat=seat)
                assert position.parse_move(text, seat=seat) == move
            position = position.play(move)


@pytest.mark.parametrize("seats", ["two", "team", "cutthroat4"])
def test_games_read_from_every_seat_agree_up_to_a_turn_of_the_board(seats):
    """One game dictated from two chairs: the boards are turned, all else is the same."""
    game = Antipalos(size=12, seats=seats, phase_two_limit=2)
    rng = random.Random(2)
    for seat in range(game.seats):
        position, image = game.initial(), game.initial()
        while position.outcome is None:
            move = random_move(position, rng)
            twin = image.parse_move(position.format_move(move), seat=seat)
            assert twin == game.transform(move, game.view(seat))
            position, image = position.play(move), image.play(twin)
            assert position.outcome == image.outcome
            assert (position.to_move, position.phase) == (image.to_move, image.phase)
        rods = {game.topology.symmetries[game.view(seat)][square] for square in position.rods()}
        assert rods == set(image.rods())


def test_four_quarter_turns_are_none():
    game = Antipalos(size=14, rods=3)
    rng = random.Random(3)
    for _ in range(500):
        move = rng.randrange(game.move_count)
        turned = move
        for _ in range(4):
            turned = game.transform(turned, 1)
        assert turned == move
        for mirror in range(4, 8):
            assert game.transform(game.transform(move, mirror), mirror) == move


def test_a_quarter_turn_lays_a_rod_on_the_other_diagonal():
    game = Antipalos(size=12)
    for move in range(game.placements):
        assert game.transform(move, 1) % 2 != move % 2
        assert game.transform(move, 2) % 2 == move % 2
        assert game.transform(move, 4) % 2 != move % 2


# Turns and supplies.


@pytest.mark.parametrize(
    ("seats", "order"),
    [
        ("two", [Color.WHITE, Color.BLACK]),
        ("team", [Color.WHITE, Color.BLACK]),
        ("cutthroat3", [Color.WHITE, Color.BLACK, Color.RED]),
        ("cutthroat4", [Color.WHITE, Color.BLACK, Color.RED, Color.BLUE]),
    ],
)
def test_turns_go_round_in_both_phases(seats, order):
    game = Antipalos(size=12, rods=2, seats=seats, phase_two_limit=3)
    rng = random.Random(4)
    position = game.initial()
    while position.outcome is None:
        assert position.to_move is order[position.ply % len(order)]
        assert position.seat_to_move == position.ply % game.seats
        position = position.play(random_move(position, rng))
    assert position.phase == 2


def test_partners_sit_opposite_and_share_one_supply():
    game = Antipalos(size=12, rods=3, seats="team")
    assert game.seats == 4
    position = game.initial()
    assert [position.seat_of(color) for color in game.colors] == [(0, 2), (1, 3)]
    rng = random.Random(5)
    for placed in range(6):
        left = {Color.WHITE: 3 - (placed + 1) // 2, Color.BLACK: 3 - placed // 2}
        assert position.rods_left() == left
        assert position.phase == 1
        position = position.play(random_move(position, rng))
    assert position.rods_left() == {Color.WHITE: 0, Color.BLACK: 0}
    assert position.phase == 2
    # The partner whose turn it is may move any rod of the team.
    assert position.seat_to_move == 2
    origins = {position.format_move(m).split("-")[0].strip("*") for m in position.legal_moves}
    mine = [s for s, rod in position.rods().items() if rod.color is Color.WHITE]
    assert origins == {game.topology.name(square) for square in mine}


@pytest.mark.parametrize("seats", ["two", "team", "cutthroat3", "cutthroat4"])
def test_phase_two_begins_when_every_color_has_laid_every_rod(seats):
    game = Antipalos(size=12, rods=2, seats=seats)
    rng = random.Random(6)
    position = game.initial()
    while position.phase == 1:
        assert sum(position.rods_left().values()) == 2 * len(game.colors) - position.ply
        assert sum(position.rods_left().values()) > 0
        position = position.play(random_move(position, rng))
    assert position.ply == 2 * len(game.colors)


def test_phase_two_moves_own_rods_anywhere_or_turns_them():
    position = after(Antipalos(size=12, rods=1).initial(), "B2* *F7")
    texts = {position.format_move(move) for move in position.legal_moves}
    assert len(texts) == 2 * (144 - 2) + 1
    assert {"B2*-*B2", "B2*-B3*", "B2*-*L12"} <= texts
    assert not {"B2*-B2*", "B2*-F7*", "*F7-F8*"} & texts
    turned = after(position, "B2*-*B2")
    assert turned.rods()[13] == Rod(Color.WHITE, "\\")
    for text, code in (
        ("B2*-B2*", "move/unchanged"),
        ("B2*-F7*", "move/occupied"),
        ("*F7-F8*", "move/not-your-piece"),
        ("A1*", "move/wrong-phase"),
    ):
        with pytest.raises(IllegalMoveError) as caught:
            position.parse_move(text)
        assert caught.value.code == code


def test_spaces_hyphens_and_escapes_are_read():
    position = after(Antipalos(size=12, rods=1).initial(), "B2* *F7")
    move = position.parse_move("B2*-B3*")
    for text in ("B2* - B3*", "b2* -b3*", "B2\\* \u2013 B3\\*", " B2*\u00a0-\u00a0B3* "):
        assert position.parse_move(text) == move


# Draws.


def shuffle(times):
    """Return a line in which both sides move a rod to and fro."""
    return " ".join(["A1*-A2* L12*-L11* A2*-A1* L11*-L12*"] * times)


@pytest.mark.parametrize("limit", [0, 100])
def test_the_third_occurrence_of_a_position_is_a_draw(limit):
    game = Antipalos(size=12, rods=1, phase_two_limit=limit)
    start = after(game.initial(), "A1* L12*")
    twice = after(start, shuffle(1))
    assert twice == start
    assert twice.outcome is None
    almost = after(twice, "A1*-A2* L12*-L11* A2*-A1*")
    assert almost.outcome is None
    drawn = after(almost, "L11*-L12*")
    assert drawn.outcome is not None
    assert drawn.outcome.termination is Termination.REPETITION
    assert drawn.outcome.is_draw
    assert drawn.outcome.points == 0


def test_the_same_rods_with_another_color_to_move_are_another_position():
    game = Antipalos(size=12, rods=1)
    start = after(game.initial(), "A1* L12*")
    other = after(start, "A1*-A2* L12*-L11* A2*-A3* L11*-L12* A3*-A1*")
    assert {square: rod.color for square, rod in other.rods().items()} == {
        square: rod.color for square, rod in start.rods().items()
    }
    assert other != start
    assert other.key != start.key


def test_equal_positions_may_differ_in_what_a_repetition_still_needs():
    game = Antipalos(size=12, rods=1)
    start = after(game.initial(), "A1* L12*")
    again = after(start, shuffle(1))
    assert (start.outcome, start.key) == (again.outcome, again.key)
    assert start == again
    assert after(start, shuffle(1)).outcome is None
    assert after(again, shuffle(1)).outcome is not None


@pytest.mark.parametrize("seats", ["two", "team", "cutthroat3", "cutthroat4"])
@pytest.mark.parametrize("limit", [1, 2, 7])
def test_the_limit_counts_the_turns_of_each_color_in_phase_two(seats, limit):
    game = Antipalos(size=12, rods=1, seats=seats, phase_two_limit=limit)
    rng = random.Random(7)
    position = game.initial()
    while position.outcome is None:
        position = position.play(random_move(position, rng))
    assert position.outcome.termination is Termination.MOVE_LIMIT
    assert position.ply == len(game.colors) * (1 + limit)


def test_without_a_limit_only_repetition_draws():
    game = Antipalos(size=12, rods=1, phase_two_limit=0)
    rng = random.Random(8)
    position = game.initial()
    while position.ply < 500:
        assert position.outcome is None
        position = position.play(random_move(position, rng))


def test_a_full_board_by_mail_is_drawn():
    game = Antipalos(ruleset="mail", size=3)
    rng = random.Random(9)
    draws = 0
    for _ in range(60):
        position = game.initial()
        while position.outcome is None:
            position = position.play(random_move(position, rng))
        if position.outcome.is_draw:
            draws += 1
            assert position.outcome.termination is Termination.FULL_BOARD
            assert len(position.rods()) == 9
    assert draws


# Chains.


@pytest.mark.parametrize("missing", range(12))
def test_chains_of_different_colors_cross_at_a_grid_point(missing):
    """Both long diagonals run through the middle, and completing either one wins."""
    game = Antipalos(size=12, rods=18)
    columns = "ABCDEFGHIJKL"
    white = [f"{column}{row}*" for row, column in enumerate(columns, start=1)]
    black = [f"*{column}{13 - row}" for row, column in enumerate(columns, start=1)]
    rods = [(rod, "white") for rod in white] + [(rod, "black") for rod in black]
    for gone, winner in ((black[missing], Color.WHITE), (white[missing], Color.BLACK)):
        stones = tuple(rod for rod in rods if rod[0] != gone)
        left = {"white": 5, "black": 5}
        setup = Setup(stones=stones, to_move="white", rods_left=left, composed=True)
        outcome = game.position(setup).outcome
        assert outcome is not None
        assert (outcome.winner, outcome.points) == (winner, 5)


def test_two_winners_at_once_are_refused():
    game = Antipalos(ruleset="mail", size=3)
    stones = (("a1-b2", "vert"), ("b2-c3", "vert"), ("c3-d4", "vert"))
    across = (("a4-b3", "horz"), ("b3-c2", "horz"), ("c2-d1", "horz"))
    with pytest.raises(InvalidPositionError, match="two rods"):
        game.position(Setup(stones=(*stones, *across), composed=True))
    game = Antipalos(ruleset="mail", size=4)
    diagonals = [(f"{x}{i}-{y}{i + 1}", "vert") for i, (x, y) in enumerate(pairwise("abcde"), 1)]
    diagonals += [
        (f"{x}{6 - i}-{y}{5 - i}", "horz") for i, (x, y) in enumerate(pairwise("abcde"), 1)
    ]
    with pytest.raises(InvalidPositionError) as caught:
        game.position(Setup(stones=tuple(diagonals), composed=True))
    assert caught.value.code == "position/two-winners"


def test_an_extra_own_rod_never_hurts_in_phase_one():
    game = Antipalos(ruleset="mail", size=5, swap="off")
    rng = random.Random(10)
    for _ in range(200):
        position = game.initial()
        while position.outcome is None:
            position = position.play(random_move(position, rng))
        winner = position.outcome.winner
        free = [s for s in range(25) if s not in position.rods()]
        if winner is None or not free:
            continue
        setup = position.to_setup()
        square = rng.choice(free)
        text = game.initial().format_move(2 * square + rng.randrange(2))
        more = Setup(
            stones=(*setup.stones, (text, winner.value)), to_move=setup.to_move, composed=True
        )
        assert game.position(more).outcome == position.outcome
