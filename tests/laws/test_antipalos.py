"""Laws of Antipalos, details once wrong, and the worked examples of its rulebook."""

import random
from functools import cache
from itertools import pairwise

import pytest

from antipodes.boards.topology import letter
from antipodes.core import Color, Setup, Termination
from antipodes.errors import IllegalMoveError, InvalidPositionError
from antipodes.games.antipalos import Antipalos
from antipodes.games.kernels.antipalos import borders_of, chart_a
from antipodes.games.registry import make_game
from antipodes.notation.scene import Rod
from tests.thorough import sample

SHORT = {"size": 12, "rods": 2, "phase_two_limit": 3}


def after(position, *line):
    """Return the position after a line of moves, of which a text may hold several."""
    for text in " ".join(line).split():
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


BORDERS = 15  # the bits of all four borders; those of the corner points are higher


def played(game, line):
    """Return the position after a line of moves."""
    position = game.initial()
    for text in line.split():
        position = position.play(position.parse_move(text))
    return position


def test_a_win_with_the_very_last_rod_is_one_of_phase_one_after_a_setup_too():
    game = make_game("antipalos", {"size": 12, "rods": 12})
    black = [f"{'*' if row % 2 else ''}F{row}{'' if row % 2 else '*'}" for row in range(1, 13)]
    white = [f"{column}{row}*" for column in "BDHJ" for row in (2, 6, 10)]
    line = " ".join(f"{w} {b}" for w, b in zip(white, black, strict=True))
    position = played(game, line)
    assert position.outcome is not None
    assert position.outcome.winner is Color.BLACK
    assert position.outcome.points == 3
    assert position.phase == 1
    again = game.position(position.to_setup())
    assert again == position
    assert again.outcome == position.outcome


def test_a_rod_on_a_corner_square_touches_two_borders_on_either_diagonal():
    for size in range(12, 21, 2):
        for square in (0, size - 1, size * size - size, size * size - 1):
            for diagonal in range(2):
                assert (borders_of(size, square, diagonal) & BORDERS).bit_count() == 2


def test_only_one_lattice_has_corner_points_and_so_wins_of_five_points():
    for size in range(12, 21, 2):
        lattices = [0, 0]
        for square in range(size * size):
            column, row = square % size, square // size
            for diagonal in range(2):
                lattices[(column + row + diagonal) % 2] |= borders_of(size, square, diagonal)
        assert lattices[0] > BORDERS
        assert lattices[1] == BORDERS
    assert [chart_a(BORDERS, phase) for phase in range(2)] == [4, 2]


SIZES = sample((12, 14, 16, 18, 20), 1)


def position(size, white, black):
    """Return a position with these rods, White to move and rods enough left."""
    game = make_game("antipalos", {"size": size})
    stones = [(rod, "white") for rod in white.split()] + [(rod, "black") for rod in black.split()]
    left = size * 3 // 2 - max(len(white.split()), len(black.split()))
    return game.position(
        Setup(
            stones=tuple(stones),
            to_move="white",
            rods_left={"white": left, "black": left},
            composed=True,
        )
    )


def up_to_the_top(size):
    """Return White's chain from the point right of D3's and left of E3's top up to the border."""
    return " ".join(f"*E{row}" if row % 2 else f"E{row}*" for row in range(4, size + 1))


def diagram_8(size):
    return position(size, f"D3* *E3 {up_to_the_top(size)}", "*C2 *D1 *F1")


def diagram_9(size):
    return position(size, f"*E3 {up_to_the_top(size)}", "*D1 *F1")


def wins(origin, texts=None):
    """Return the moves, of those given or of all, that win at once."""
    found = set()
    for move in origin.legal_moves:
        if texts is None or origin.format_move(move) in texts:
            end = origin.play(move).outcome
            if end is not None and end.winner is origin.to_move:
                found.add(origin.format_move(move))
    return found


def replies(origin):
    """Return the positions after each legal reply."""
    return {origin.format_move(move): origin.play(move) for move in origin.legal_moves}


def idle(origin):
    """Return the position after a rod far away from everything."""
    corner = f"{letter(origin.game.options.size - 1).upper()}{origin.game.options.size}"
    legal = {origin.format_move(move): move for move in origin.legal_moves}
    return origin.play(legal.get(f"*{corner}", min(legal.values())))


def wins_against_every_reply(origin, expected):
    """Assert that after each reply one of the ``expected`` moves wins; return how many replies."""
    assert not wins(origin)
    all_replies = replies(origin)
    for text, replied in all_replies.items():
        assert replied.outcome is None, text
        left = {rod for rod in expected if rod.strip("*") != text.strip("*")}
        assert wins(replied, expected) == left, text
        assert left, text
    return len(all_replies)


@pytest.mark.parametrize("size", SIZES)
def test_diagram_8_is_not_won_at_once(size):
    assert wins(diagram_8(size)) == set()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("tried", "answer"), [("*F2", "G1*"), ("*D2", "E1*"), ("E2*", "E1*")])
def test_diagram_8_each_other_way_down_is_met_as_the_rulebook_says(size, tried, answer):
    threatening = after(diagram_8(size), tried)
    assert wins(after(threatening, answer)) == set()
    # The answer is needed: where Black plays elsewhere, White wins.
    assert wins(idle(threatening))


@pytest.mark.parametrize("size", SIZES)
def test_diagram_8_the_double_option_wins_against_every_reply(size):
    made = after(diagram_8(size), "*E1")
    assert wins_against_every_reply(made, {"*D2", "E2*"}) > size * size


def test_diagram_8_the_double_option_is_the_only_one():
    """Any other first move leaves at most one square where White wins at once."""
    tried = dict(sample(list(replies(diagram_8(12)).items()), 120))
    tried |= {"*E1": after(diagram_8(12), "*E1")}
    double = {
        text
        for text, moved in tried.items()
        if len({rod.strip("*") for rod in wins(idle(moved))}) > 1
    }
    assert double == {"*E1"}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("tried", "answer"), [("E2*", "E1*"), ("*F2", "G1*")])
def test_diagram_9_both_ways_down_can_be_blocked(size, tried, answer):
    assert wins(after(diagram_9(size), tried, answer)) == set()


@pytest.mark.parametrize("size", SIZES)
def test_diagram_9_the_line_of_the_rulebook_leads_to_diagram_8_and_wins(size):
    reached = after(diagram_9(size), "D3*", "*C2")
    assert reached.rods() == diagram_8(size).rods()
    assert wins_against_every_reply(after(reached, "*E1"), {"*D2", "E2*"})


@pytest.mark.parametrize("size", SIZES)
def test_diagram_9_the_v_threatens_a_double_option_at_c2(size):
    made = after(idle(after(diagram_9(size), "D3*")), "C2*")
    assert wins_against_every_reply(made, {"B1*", "*C1"})


def test_diagram_9_the_v_wins_against_every_reply():
    """After each reply White has a move that leaves two squares to win on: Black stops one."""
    tried = replies(after(diagram_9(12), "D3*"))
    for text, replied in sample(list(tried.items()), 16):
        assert not wins(replied)
        squares: list[set[str]] = []
        for follow_up, threats in (("*E1", {"*D2", "E2*"}), ("C2*", {"B1*", "*C1"})):
            if follow_up.strip("*") != text.strip("*"):
                made = after(replied, follow_up)
                squares.append({rod.strip("*") for rod in wins(idle(made), threats)})
        assert max(map(len, squares)) == 2, text


# Diagram 11: a wall begun six squares away holds.

WHITE = ("*F7", "F6*", "E5*", "*E4", "*F3")
TOP = (5, 7)  # the grid point where White's chain begins
BLACK = ("H2*", "D2*", "B2*", "*E2", "*G2")


def diagram_11():
    """Return the position after the rulebook's five moves of each side."""
    game = make_game("antipalos", {"size": 16})
    setup = Setup(
        stones=(("F2*", "black"),),
        to_move="white",
        rods_left={"white": 23, "black": 23},
        composed=True,
    )
    line = [text for pair in zip(WHITE, BLACK, strict=True) for text in pair]
    return after(game.position(setup), *line)


def test_diagram_11_is_a_legal_line():
    reached = diagram_11()
    assert reached.ply == 11
    assert reached.outcome is None
    assert reached.to_move is Color.WHITE


@pytest.mark.parametrize("moves", range(1, 6))
def test_diagram_11_white_cannot_force_a_way_to_the_bottom(moves):
    """Search all of White's ways down with Black's answers: no win within so many rods."""
    rods = diagram_11().rods()
    taken = frozenset(square for square, rod in rods.items() if rod.color is Color.BLACK)
    own = frozenset(
        (square, rod.diagonal) for square, rod in rods.items() if rod.color is Color.WHITE
    )
    assert not reaches_bottom(own, taken, moves)


def test_diagram_11_without_the_last_rod_of_the_wall_white_gets_through():
    """The search does find a way where there is one."""
    rods = diagram_11().rods()
    hole = diagram_11().game.topology.cell("G2")
    taken = {square for square, rod in rods.items() if rod.color is Color.BLACK} - {hole}
    own = {(square, rod.diagonal) for square, rod in rods.items() if rod.color is Color.WHITE}
    assert reaches_bottom(frozenset(own), frozenset(taken), 3)


def ends(square, diagonal, size=16):
    """Return the two grid points of a rod as (across, up)."""
    across, up = square % size, square // size
    if diagonal == "/":
        return (across, up), (across + 1, up + 1)
    return (across, up + 1), (across + 1, up)


@cache
def rods_by_point(size=16):
    """Return grid point -> rods that end there, with their other end."""
    found: dict[tuple[int, int], list[tuple[int, str, tuple[int, int]]]] = {}
    for square in range(size * size):
        for diagonal in "/\\":
            one, other = ends(square, diagonal)
            found.setdefault(one, []).append((square, diagonal, other))
            found.setdefault(other, []).append((square, diagonal, one))
    return found


def distances(starts, own, taken, most):
    """Return grid point -> fewest new rods of White that connect it with ``starts``."""
    known = dict.fromkeys(starts, 0)
    level = list(known)
    occupied = {square for square, _ in own}
    for far in range(most + 1):
        queue, following = list(level), []
        while queue:
            point = queue.pop()
            for square, diagonal, other in rods_by_point()[point]:
                if (square, diagonal) in own and known.get(other, most + 1) > far:
                    known[other] = far
                    queue.append(other)
                elif square not in taken and square not in occupied and other not in known:
                    known[other] = far + 1
                    following.append(other)
        level = [point for point in following if known[point] == far + 1]
    return known


def useful(own, taken, most):
    """Return the rods that lie on a way down of at most ``most`` new rods."""
    above = distances([TOP], own, taken, most)
    below = distances([(across, 0) for across in range(17)], own, taken, most)
    occupied = {square for square, _ in own} | taken
    return {
        (square, diagonal)
        for square in range(256)
        if square not in occupied
        for diagonal in "/\\"
        for one, other in (ends(square, diagonal), ends(square, diagonal)[::-1])
        if above.get(one, 99) + 1 + below.get(other, 99) <= most
    }


@cache
def reaches_bottom(own, taken, moves):
    """Tell whether White, to move, reaches the bottom within ``moves`` rods against any defence.

    Only rods on a way that is short enough help White, and only a square on such a way, were White
    to move again, helps Black.
    """
    for rod in useful(own, taken, moves):
        mine = own | {rod}
        if any(up == 0 for _, up in distances([TOP], mine, taken, 0)):
            return True
        blocks = {square for square, _ in useful(mine, taken, moves - 1)}
        if blocks and all(reaches_bottom(mine, taken | {block}, moves - 1) for block in blocks):
            return True
    return False
