"""The rulebook's worked examples as positions: each said answer works, checked by search."""

from functools import cache

import pytest

from antipodes.boards.topology import letter
from antipodes.core import Color, Setup
from antipodes.games.registry import make_game
from tests.thorough import sample

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


def after(origin, *line):
    """Return the position after a line of moves."""
    for text in line:
        origin = origin.play(origin.parse_move(text))
    return origin


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
