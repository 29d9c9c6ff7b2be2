"""Laws of the search for Antipalos, and of what it sees."""

import os
import random
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from antipodes.core import Color, Setup
from antipodes.errors import InvalidPositionError
from antipodes.games.antipalos import Antipalos
from antipodes.games.kernels import jit
from antipodes.games.kernels.antipalos import SIZE
from antipodes.games.registry import make_game
from antipodes.search.antipalos import AntipalosSearch
from antipodes.search.factory import make_search
from antipodes.search.kernels import antipalos_circuit as circuit
from antipodes.search.kernels import antipalos_threats as threats
from antipodes.search.thinking import Limits, Progress, Proven

VARIANTS = [
    {"size": 12},
    {"size": 12, "rods": 13, "phase_two_limit": 6},
    {"size": 12, "seats": "team", "rods": 14, "phase_two_limit": 4},
    {"size": 12, "seats": "cutthroat3", "rods": 4, "phase_two_limit": 3},
    {"size": 12, "seats": "cutthroat4", "rods": 3, "phase_two_limit": 3},
    {"ruleset": "mail", "size": 5},
    {"ruleset": "mail", "size": 8, "swap": "off"},
]
every_variant = pytest.mark.parametrize("options", VARIANTS, ids=str)


def a_position(options, plies, seed):
    """Return a position after random moves, not the swap; the game goes on."""
    game = Antipalos(**options)
    rng = random.Random(seed)
    position = game.initial()
    while position.ply < plies:
        legal = [move for move in position.legal_moves if move != game.swap_move]
        following = position.play(rng.choice(legal))
        if following.outcome is None:
            position = following
    return position


def composed(white, black, to_move="white", **options):
    """Return a boxed position with these rods."""
    stones = [(rod, "white") for rod in white.split()] + [(rod, "black") for rod in black.split()]
    options = {"size": 12, **options}
    left = options.pop("left", None)
    setup = Setup(
        stones=tuple(stones),
        to_move=to_move,
        composed=True,
        rods_left={} if left is None else {"white": left, "black": left},
    )
    return make_game("antipalos", options).position(setup)


def best(position, visits=400, seed=1):
    """Return the search's first candidate."""
    search = make_search(position, seed=seed, memory=16)
    search.run(Limits(visits=visits))
    return search.candidates()[0]


def wins_at_once(position):
    """Return the moves that win at once: the slow way, by playing all of them."""
    mover = position.to_move
    found = set()
    for move in position.legal_moves:
        outcome = position.play(move).outcome
        if outcome is not None and outcome.winner is mover:
            found.add(move)
    return found


# The circuits.


class Measured:
    """A colour's circuits as the kernel measures them."""

    def __init__(self, position, color=0):
        size = position.game.options.size
        points, rows = circuit.points_a_lattice(size), circuit.band_width(size) + 1
        colors = len(position.game.colors)
        self.drops = np.zeros((colors * size * size, circuit.LANES))
        self.ties = np.zeros_like(self.drops)
        self.currents = np.zeros((colors, circuit.LANES))
        jit.compiled(circuit.__name__)["measure"](
            position.game.tables,
            position.kernel_state.copy(),
            color,
            np.zeros((points * rows, circuit.LANES)),
            np.zeros((points, circuit.LANES)),
            np.zeros((points * rows, circuit.LANES)),
            self.drops,
            self.ties,
            self.currents,
        )


def current_by_fractions(position, color, lane):
    """Return a lane's current in exact arithmetic: an oracle that shares nothing with the kernel.

    Grid points that own rods join are one point; the equations are solved by Gauss' elimination.
    """
    size = position.game.options.size
    rods = position.rods()
    name = {(x, y): (x, y) for x in range(size + 1) for y in range(size + 1)}
    edges: list[Any] = []
    for square in range(size * size):
        y, x = divmod(square, size)
        ends = {"/": ((x, y), (x + 1, y + 1)), "\\": ((x, y + 1), (x + 1, y))}
        rod = rods.get(square)
        if rod is None:
            edges += ends.values()
        elif rod.color is position.game.colors[color]:
            low, high = (name[end] for end in ends[rod.diagonal])
            name = {point: high if group == low else group for point, group in name.items()}
    axis = 0 if lane >= circuit.ACROSS else 1
    fixed = {}
    for point, group in name.items():
        if point[axis] in (0, size) and sum(point) % 2 == lane % 2:
            fixed[group] = Fraction(point[axis] == size)
    wires = [(name[a], name[b]) for a, b in edges if sum(a) % 2 == lane % 2]
    wires = [(a, b) for a, b in wires if a != b]
    reached, last = set(fixed), 0
    while len(reached) != last:
        last = len(reached)
        reached |= {q for a, b in wires for p, q in ((a, b), (b, a)) if p in reached}
    unknown = sorted(reached - set(fixed))
    index = {group: i for i, group in enumerate(unknown)}
    matrix = [[Fraction(0)] * (len(unknown) + 1) for _ in unknown]
    for a, b in wires:
        for here, there in ((a, b), (b, a)):
            if here in index:
                row = matrix[index[here]]
                row[index[here]] += 1
                if there in index:
                    row[index[there]] -= 1
                else:
                    row[-1] += fixed[there]
    for i, pivot in enumerate(matrix):
        for j, row in enumerate(matrix):
            if j != i and row[i]:
                factor = row[i] / pivot[i]
                matrix[j] = [p - factor * q for p, q in zip(row, pivot, strict=True)]
    volts = {**fixed, **{g: matrix[i][-1] / matrix[i][i] for g, i in index.items()}}
    bottom = [g for g, v in fixed.items() if v == 0]
    return float(
        sum(volts[q] for a, b in wires for p, q in ((a, b), (b, a)) if p in bottom and q in volts)
    )


@pytest.mark.parametrize("seed", range(6))
def test_currents_are_those_of_exact_arithmetic(seed):
    position = a_position({"ruleset": "mail", "size": 3 + seed % 3}, 3 + seed, seed)
    measured = Measured(position)
    for lane in range(circuit.LANES):
        exact = current_by_fractions(position, 0, lane)
        assert measured.currents[0, lane] == pytest.approx(exact, rel=0.02, abs=1e-5)


@pytest.mark.parametrize("options", [{"size": 12}, {"ruleset": "mail", "size": 5}], ids=str)
def test_the_current_after_a_change_is_that_of_the_changed_circuit(options):
    position = a_position(options, 12, 3)
    size, before = position.game.options.size, Measured(position)
    for move in list(position.legal_moves)[::7]:
        if move == position.game.swap_move:
            continue
        after = Measured(position.play(move))
        square, diagonal = divmod(move, 2)
        lattice = (square % size + square // size + diagonal) % 2
        for lane in range(circuit.LANES):
            change = -1.0
            if position.to_move is position.game.colors[0] and lane % 2 == lattice:
                change = circuit.WIRE - 1.0
            predicted = circuit.changed(
                before.currents[0, lane],
                before.drops[square, lane],
                before.ties[square, lane],
                change,
            )
            assert predicted == pytest.approx(after.currents[0, lane], abs=1e-5)


def test_a_quarter_turn_of_the_board_exchanges_the_pairs_of_borders():
    position = a_position({"size": 12}, 14, 5)
    game = position.game
    turned = game.initial()
    moves = []
    for square, rod in position.rods().items():
        moves.append((2 * square + (rod.diagonal == "\\"), rod.color))
    stones = tuple(
        (game.initial().format_move(game.transform(move, 1)), color.value) for move, color in moves
    )
    turned = game.position(Setup(stones=stones, to_move=position.to_move.value))
    one, other = Measured(position).currents[0], Measured(turned).currents[0]
    # With an even number of squares a turn keeps the lattices.
    assert one == pytest.approx(other[[2, 3, 0, 1]], abs=1e-6)


def test_an_own_rod_never_takes_current_from_its_lattice_and_others_never_give_any():
    position = a_position({"size": 12}, 13, 8)
    rng = random.Random(1)
    own = position.game.colors.index(position.to_move)
    before = [Measured(position, color).currents[color].copy() for color in (0, 1)]
    for move in rng.sample(list(position.legal_moves), 20):
        after = [Measured(position.play(move), color).currents[color] for color in (0, 1)]
        square, diagonal = divmod(move, 2)
        lattice = (square % 12 + square // 12 + diagonal) % 2
        assert (after[own][lattice::2] >= before[own][lattice::2] - 1e-6).all()
        assert (after[1 - own] <= before[1 - own] + 1e-6).all()


# What is seen at once.


def seen(position):
    """Return what the kernel sees in a position."""
    game = position.game
    size = int(game.tables[SIZE])
    sight = np.zeros(threats.SIGHT, np.int64)
    jit.compiled(threats.__name__)["look"](
        game.tables,
        position.kernel_state.copy(),
        game.work(),
        np.zeros(3 * (size + 1) ** 2, np.int64),
        np.zeros(2 * size * size, np.int64),
        sight,
    )
    return sight


def a_chain(rng, upright):
    """Return the rods of a random chain between two borders, as (column, row, diagonal)."""
    rods: list[tuple[int, int, str]] = []
    at = rng.randrange(3, 9)
    for i in range(12):
        more = at == 0 or (at < 12 and rng.random() < 0.5)
        beside = at if more else at - 1
        x, y = (beside, i) if upright else (i, beside)
        rods.append((x, y, "/" if more else "\\"))
        at += 1 if more else -1
    return rods


def nearly_won(seed, phase):
    """Return a position where chains of both colours lack a rod or two, or ``None``."""
    rng = random.Random(seed)
    rods: dict[tuple[int, int], tuple[str, str]] = {}
    for color, upright in (("white", True), ("black", False)):
        chain = a_chain(rng, upright)
        for _ in range(rng.choice((1, 2, 2) if upright else (1, 1, 2))):
            # At the end of a chain there are two ways to the border.
            chain.pop(rng.choice((0, rng.randrange(len(chain)))))
        for x, y, diagonal in [*chain, *(a_chain(rng, upright)[:2] if phase == 2 else [])]:
            rods.setdefault((x, y), (color, diagonal))
    stones: dict[str, list[str]] = {"white": [], "black": []}
    for (x, y), (color, diagonal) in rods.items():
        name = f"{'ABCDEFGHIJKL'[x]}{y + 1}"
        stones[color].append(f"{name}*" if diagonal == "/" else f"*{name}")
    try:
        left = 0 if phase == 2 else 4
        return composed(" ".join(stones["white"]), " ".join(stones["black"]), left=left)
    except InvalidPositionError:  # both have won
        return None


@pytest.mark.parametrize("phase", [1, 2])
def test_wins_and_threats_are_seen_exactly(phase):
    counts = {0: 0, 1: 0, 2: 0, "win": 0}
    for seed in range(50 if phase == 1 else 30):
        position = nearly_won(seed, phase)
        if position is None or position.outcome is not None:
            continue
        sight = seen(position)
        wins = wins_at_once(position)
        assert (sight[threats.WIN] >= 0) == bool(wins)
        if wins:
            counts["win"] += 1
            assert sight[threats.WIN] in wins
            continue
        stones = position.to_setup().stones
        setup = Setup(
            stones=stones,
            to_move="black",
            composed=True,
            rods_left={color.value: n for color, n in position.rods_left().items()},
        )
        placements = position.game.placements
        targets = {move % placements // 2 for move in wins_at_once(position.game.position(setup))}
        turns = any(square in position.rods() for square in targets)
        expected = 2 if turns else min(len(targets), 2)
        assert sight[threats.THREATS] == expected
        if expected == 1:
            assert targets == {sight[threats.BLOCK]}
        counts[expected] += 1
    assert all(counts.values()), counts


# What is searched.


def diagram_of_the_docs():
    """Return the position of the docs, where White wins by a double option."""
    white = "D3* *E3 E4* *E5 E6* *E7 E8* *E9 E10* *E11 E12*"
    return composed(white, "*C2 *D1 F1* G1* *C5 B4* *H4 H6* *I7 C8* *J9")


def straight_chain(*rows):
    """Return a column of white rods that zigzags between column E's borders, in these rows."""
    return " ".join(f"*E{row}" if row % 2 else f"E{row}*" for row in rows)


def test_a_win_in_one_is_proven_and_played():
    position = composed(straight_chain(*range(2, 13)), "*H4 H6* *I7 C8* *J9", left=4)
    first = best(position, visits=5)
    assert first.proven is Proven.WIN
    assert position.play(first.move).outcome.winner is Color.WHITE


def test_the_double_option_of_the_docs_is_proven():
    position = diagram_of_the_docs()
    search = AntipalosSearch(position, seed=1, memory=16)
    search.run(Limits(visits=3000))
    assert search.proven is Proven.WIN
    first = search.candidates()[0]
    assert first.proven is Proven.WIN
    assert first.value == 1
    assert first.error == 0
    # The proof holds against every answer, two turns on.
    after = position.play(first.move)
    assert all(wins_at_once(after.play(answer)) for answer in after.legal_moves)


def test_a_threat_is_stopped():
    """White threatens to win at E1 and at D1, which is one square each; F12 is far away."""
    position = composed(
        straight_chain(*range(2, 13)), "*H4 H6* *I7 C8* *J9 *D1", to_move="black", left=4
    )
    threatened = {move // 2 for move in wins_of_the_other(position)}
    assert len(threatened) == 1
    assert best(position).move // 2 in threatened


def wins_of_the_other(position):
    """Return the moves by which the other colour would win if it were to move."""
    other = next(color for color in position.game.colors if color is not position.to_move)
    setup = Setup(
        stones=position.to_setup().stones,
        to_move=other.value,
        composed=True,
        rods_left={color.value: n for color, n in position.rods_left().items()},
    )
    return wins_at_once(position.game.position(setup))


def test_in_phase_two_a_rod_that_can_be_spared_completes_the_chain():
    position = composed(straight_chain(*range(2, 13)) + " *K9", "*H4 H6* *I7", left=0)
    first = best(position, visits=5)
    assert first.proven is Proven.WIN
    assert position.format_move(first.move).startswith("*K9-")
    assert position.play(first.move).outcome.winner is Color.WHITE


def test_a_chain_of_which_no_rod_can_be_spared_wins_nothing():
    position = composed(straight_chain(*range(2, 13)), "*H4 H6* *I7", left=0)
    assert not wins_at_once(position)
    assert seen(position)[threats.WIN] < 0


def test_a_lost_position_is_left_by_a_repetition():
    """Black cannot stop White, who has two squares to win on, but may draw."""
    position = composed(straight_chain(*range(2, 13)) + " *A6 *A8", "*H4 H6* *J9", left=0)
    around = ["*A6-*A7", "*J9-*K9", "*A7-*A6", "*K9-*J9"]
    for text in (2 * around)[:-1]:
        position = position.play(position.parse_move(text))
    assert len({move % position.game.placements // 2 for move in wins_of_the_other(position)}) > 1
    first = best(position)
    assert first.proven is None
    outcome = position.play(first.move).outcome
    assert outcome is not None
    assert outcome.winner is None


@every_variant
def test_games_are_played_to_the_end_and_candidates_keep_the_law(options):
    game = make_game("antipalos", options)
    position = game.initial()
    plies = 0
    while position.outcome is None:
        search = make_search(position, seed=plies, memory=8)
        search.run(Limits(visits=12))
        candidates = search.candidates()
        assert len({candidate.move for candidate in candidates}) == len(candidates)
        for candidate in candidates:
            assert candidate.move in position.legal_moves
            assert candidate.line[0] == candidate.move
            assert 0 <= candidate.value <= 1
            assert candidate.error >= 0
        position = position.play(candidates[0].move)
        plies += 1
    assert plies <= game.max_plies


@every_variant
def test_it_beats_random_moves(options):
    game = make_game(
        "antipalos", {**options, "phase_two_limit": 0} if "rods" in options else options
    )
    if game.options.rods and game.options.rods < game.options.size:
        pytest.skip("nobody can win with so few rods")
    rng = random.Random(3)
    for seat in range(2):
        position = game.initial()
        while position.outcome is None:
            if position.seat_to_move % 2 == seat:
                move = best(position, visits=20).move
            else:
                move = rng.choice(list(position.legal_moves))
            position = position.play(move)
        assert position.outcome.winner in [
            color for color in game.colors if seat in position.seat_of(color)
        ]


def test_cutthroat_stops_the_next_player_and_takes_its_own_win():
    game = make_game("antipalos", {"size": 12, "seats": "cutthroat3"})
    stones = [(rod, "black") for rod in straight_chain(*range(2, 13)).split()]
    stones += [("*C2", "red"), ("*D1", "red")]
    left = {"white": 6, "black": 6, "red": 6}
    setup = Setup(stones=tuple(stones), to_move="white", composed=True, rods_left=left)
    position = game.position(setup)
    assert position.parse_move("*E1") // 2 == best(position).move // 2
    left = {"white": 5, "black": 6, "red": 6}
    setup = Setup(stones=tuple(stones), to_move="black", composed=True, rods_left=left)
    position = game.position(setup)
    assert best(position).proven is Proven.WIN


@every_variant
def test_the_same_seed_gives_the_same_search_however_it_is_cut(options):
    position = a_position(options, 4, 1)
    whole, cut = (make_search(position, seed=3, memory=16) for _ in range(2))
    whole.run(Limits(visits=300))
    for visits in (40, 170, 300):
        cut.run(Limits(visits=visits))
    assert whole.candidates() == cut.candidates()
    assert whole.visits == cut.visits


def test_a_search_goes_on_with_what_it_knows():
    position = a_position({"size": 12}, 6, 2)
    search = make_search(position, seed=1, memory=16)
    search.run(Limits(visits=500))
    first = search.candidates()[0]
    search.play(first.move)
    assert search.position == position.play(first.move)
    assert search.visits == first.visits
    known = {candidate.move: candidate for candidate in search.candidates()}
    assert known[first.line[1]].line == first.line[1:]
    search.run(Limits(visits=first.visits + 50))
    assert search.visits == first.visits + 50
    with pytest.raises(ValueError, match="not legal"):
        search.play(first.move)
    assert search.position == position.play(first.move)


def test_the_square_that_decides_is_the_most_critical():
    position = composed(straight_chain(*range(2, 13)), "*H4 H6* *I7 C8* *J9 *D1", left=4)
    search = AntipalosSearch(position, memory=4)
    criticality = search.criticality()
    assert criticality is not None
    assert len(criticality) == 144
    assert all(0 <= share <= 1 for share in criticality)
    assert {criticality.index(max(criticality))} == {m // 2 for m in wins_at_once(position)}
    assert all(criticality[square] == 0 for square in position.rods())
    three = make_game("antipalos", {"size": 12, "seats": "cutthroat3"}).initial()
    assert AntipalosSearch(three, memory=4).criticality() is None


def test_memory_is_bounded_and_a_full_tree_goes_on_judging():
    search = AntipalosSearch(a_position({"size": 12}, 4, 2), seed=1, memory=1)
    search.run(Limits(visits=1500))
    assert search.visits == 1500
    assert search.candidates()[0].visits > 1


def test_a_watcher_is_told_and_may_stop_the_search():
    search = AntipalosSearch(a_position({"size": 12}, 4, 2), seed=1, memory=16)
    told = []

    def watch(progress):
        told.append(progress)
        search.stop()

    search.run(Limits(visits=10**9), watch)
    assert len(told) == 1
    assert isinstance(told[0], Progress)
    assert 0 <= told[0].share <= 1
    assert told[0].best == search.candidates()[0].move


def test_a_game_that_is_over_is_not_searched():
    position = composed(straight_chain(*range(1, 13)), "*H4", left=4)
    with pytest.raises(ValueError, match="over"):
        AntipalosSearch(position)


PROGRAM = """
from antipodes.games.registry import make_game
from antipodes.search.antipalos import AntipalosSearch
from antipodes.search.thinking import Limits
for options in ({"ruleset": "mail", "size": 4}, {"size": 12, "seats": "cutthroat3", "rods": 2}):
    position = make_game("antipalos", options).initial()
    for ply in range(4):
        search = AntipalosSearch(position, seed=ply, memory=2)
        search.run(Limits(visits=6))
        first = search.candidates()[0]
        print(first.move, first.visits, round(first.value, 6))
        position = position.play(first.move)
"""


def test_the_plain_edition_searches_like_the_compiled_one():
    said = []
    for switch in ("0", "1"):
        environment = {**os.environ, "ANTIPODES_JIT": switch}
        said.append(
            subprocess.run(
                [sys.executable, "-c", PROGRAM],
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
    assert said[0] == said[1]
    assert said[0].count("\n") == 8
