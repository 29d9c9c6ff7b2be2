"""Laws of analyses: they hold for every game, finished or not."""

import random
import threading

import pytest

from antipodes.core import Color, Move
from antipodes.games.registry import make_game
from antipodes.search.analysis import Analyzer, analyze
from antipodes.search.analysis_result import line_texts
from antipodes.search.factory import make_search
from antipodes.search.interface import Limits, Proven
from antipodes.search.threats import null_move
from tests.cases import for_each
from tests.notation.scenes import after
from tests.raising import raising
from tests.search.antipalos.positions import composed, straight_chain
from tests.thorough import repetitions

GAMES = [
    ("antipod", {"side": 3}),
    ("antipod", {"side": 3, "swap": "on"}),
    ("antipalos", {"size": 12, "rods": 3}),
    ("antipalos", {"size": 14, "rods": 2, "seats": "team"}),
    ("antipalos", {"size": 12, "rods": 1, "seats": "cutthroat4"}),
    ("antipalos", {"ruleset": "mail", "size": 4}),
    ("antipode", {}),
    ("hex", {"size": 4}),
    ("hex", {"size": 4, "swap": "sides"}),
    ("cylindrical-hex", {"rows": 3, "columns": 4}),
]
FEW = Limits(visits=repetitions(120, 300))
PROOF = Limits(visits=20_000)
OPPOSITE: dict[Proven | None, Proven] = {
    Proven.WIN: Proven.LOSS,
    Proven.LOSS: Proven.WIN,
    Proven.DRAW: Proven.DRAW,
}
FINISHED = after("hex", {"size": 3, "swap": "off"}, "b2 b1 c1 a3 b3")


def moved(game_id, options, moves=1):
    """Return a position after some moves from the middle of the list."""
    position = make_game(game_id, options).initial()
    for _ in range(moves):
        legal = list(position.legal_moves)
        position = position.play(legal[len(legal) // 2])
    return position


def late(game_id, options, moves):
    """Return an unfinished position after so many random moves."""
    chance = random.Random(4)
    while True:
        position = make_game(game_id, options).initial()
        while position.outcome is None:
            if position.ply >= moves:
                return position
            position = position.play(chance.choice(list(position.legal_moves)))


def is_won_by(position, move):
    """Return whether a move wins at once."""
    outcome = position.play(move).outcome
    return outcome is not None and outcome.winner is position.to_move


@pytest.mark.parametrize(("game_id", "options"), GAMES)
@pytest.mark.parametrize("moves", [0, 1])
def test_the_estimates_of_all_colours_add_up_to_one(game_id, options, moves):
    position = moved(game_id, options, moves)
    found = analyze(position, limits=FEW)
    assert [one.color for one in found.estimates] == list(position.game.colors)
    assert sum(one.value or 0 for one in found.estimates) == pytest.approx(1)
    assert sorted(seat for one in found.estimates for seat in one.seats) == list(
        range(position.game.seats)
    )
    mine = [one.value for one in found.estimates if position.seat_to_move in one.seats]
    assert mine == [found.value]


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_lines_can_be_played_and_begin_with_their_move(game_id, options):
    position = moved(game_id, options)
    found = analyze(position, limits=FEW, threats=True)
    assert found.candidates
    assert found.best is found.candidates[0]
    for candidate in found.candidates:
        assert candidate.line[0] == candidate.move
        assert len(line_texts(position, candidate.line)) == len(candidate.line)
        assert 0 <= candidate.value <= 1
        assert candidate.error >= 0


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_the_same_seed_gives_the_same_analysis(game_id, options):
    position = moved(game_id, options)
    one, two = (analyze(position, limits=FEW, seed=5, threats=True).as_dict() for _ in "12")
    one["rootInfo"].pop("seconds")
    two["rootInfo"].pop("seconds")
    assert one == two


@for_each(
    "game, threads, visits",
    [
        (game, threads, visits)
        for game in [*GAMES, ("hex", {"size": 11})]
        for threads in (1, 3)
        for visits in (1, 2, 3, 50)
    ],
)
def test_there_are_never_more_visits_than_the_limit(game, threads, visits):
    position = moved(*game)
    found = analyze(position, limits=Limits(visits=visits), threads=threads, memory=8)
    assert found.visits == visits or (found.proven and found.visits < visits)
    assert found.candidates[0].move in position.legal_moves
    assert sum(one.visits for one in found.candidates) <= visits


@for_each("game", [*GAMES, ("hex", {"size": 11})])
def test_only_the_allowed_moves_are_searched(game):
    position = moved(*game)
    legal = list(position.legal_moves)
    allowed = legal[:: max(1, len(legal) // 5)]
    for threads in (1, 2):
        found = analyze(position, limits=FEW, threads=threads, memory=8, moves=allowed)
        assert {one.move for one in found.candidates} <= set(allowed)
    alone = analyze(position, limits=FEW, memory=8, moves=allowed[-1:])
    assert [one.move for one in alone.candidates] == allowed[-1:]


@for_each(
    "game_id, options, moves",
    [
        ("hex", {"size": 3, "swap": "off"}, 0),
        ("hex", {"size": 3, "swap": "pieces"}, 1),
        ("antipode", {}, 54),
    ],
)
def test_an_allowed_move_has_the_proven_result_of_the_position_after_it(game_id, options, moves):
    position = late(game_id, options, moves)
    seen = set()
    for move in position.legal_moves:
        found = analyze(position, limits=PROOF, memory=8, moves=[move])
        expected = (
            Proven.WIN
            if is_won_by(position, move)
            else OPPOSITE.get(analyze(position.play(move), limits=PROOF, memory=8).proven)
        )
        assert found.proven is found.candidates[0].proven is expected, position.format_move(move)
        seen.add(expected)
    assert len(seen) > 1


@for_each(
    "position",
    [
        composed(straight_chain(*range(2, 13)), "*H4 H6* *I7 C8* *J9", left=4),
        after("hex", {"size": 3, "swap": "off"}, "a1 c3 a2 c2"),
        late("antipode", {}, 50),
    ],
)
def test_a_win_at_once_is_found_only_where_it_is_allowed(position):
    legal = list(position.legal_moves)
    wins = [move for move in legal if is_won_by(position, move)]
    others = [move for move in legal if move not in wins]
    assert wins
    assert others
    for win in wins:
        found = analyze(position, limits=FEW, memory=8, moves=[*others[-20:], win])
        assert found.candidates[0].proven is Proven.WIN
    found = analyze(position, limits=FEW, memory=8, moves=others)
    assert {one.move for one in found.candidates} <= set(others)


def test_moves_that_are_not_legal_are_refused():
    position = make_game("hex", {"size": 3}).initial()
    for moves in ([], [Move(99)]):
        with pytest.raises(ValueError, match="needs legal moves"):
            analyze(position, moves=moves)


def test_a_search_of_some_moves_goes_on_from_any_move():
    position = make_game("hex", {"size": 3, "swap": "off"}).initial()
    for name in ("a1", "b2"):
        search = make_search(position, moves=[position.parse_move("a1")])
        search.run(Limits(visits=5_000))
        assert search.proven is Proven.LOSS
        search.play(position.parse_move(name))
        search.run(Limits(visits=5_000))
        assert search.proven is (Proven.WIN if name == "a1" else Proven.LOSS)


def test_a_finished_game_tells_its_outcome():
    found = analyze(FINISHED, limits=FEW, threats=True)
    assert found.position.outcome is not None
    assert (found.visits, found.candidates, found.best) == (0, (), None)
    assert found.estimate(Color.BLACK).value == 1
    assert found.estimate(Color.WHITE).value == 0
    assert found.proven is Proven.LOSS
    data = found.as_dict()
    assert data["outcome"] == {"winner": "black", "termination": "connection", "points": 1}
    assert data["rootInfo"]["currentPlayer"] is None


def test_a_draw_shares_the_point():
    game = make_game("antipode", {"full_board": "draw"})
    chance = random.Random(1)
    position = game.initial()
    while position.outcome is None or not position.outcome.is_draw:
        position = game.initial() if position.outcome else position
        position = position.play(chance.choice(position.legal_moves))
    found = analyze(position, limits=FEW)
    assert found.proven is Proven.DRAW
    assert [one.value for one in found.estimates] == [0.5, 0.5]


def test_an_unknown_colour_has_no_estimate():
    with pytest.raises(KeyError):
        analyze(FINISHED).estimate(Color.RED)


def test_after_a_swap_of_seats_the_best_colour_goes_with_the_seat():
    # The centre is far too good: the second player swaps, and is Black then.
    position = after("hex", {"size": 5, "swap": "sides"}, "c3")
    found = analyze(position, limits=Limits(visits=2000))
    best = found.best
    assert best is not None
    assert position.format_move(best.move) == "swap"
    black = found.estimate(Color.BLACK)
    assert black.seats == (position.seat_to_move,)
    assert black.value == found.value > 0.5


def test_an_analysis_can_be_stopped_from_another_thread_and_keeps_its_results():
    analyzer = Analyzer(moved("hex", {"size": 11}))
    begun = threading.Event()
    thread = threading.Thread(
        target=analyzer.run, args=(Limits(seconds=600), lambda _: begun.set())
    )
    thread.start()
    assert begun.wait(60)
    analyzer.stop()
    thread.join(60)
    assert not thread.is_alive()
    assert analyzer.is_ready
    assert analyzer.result().visits > 0


def test_an_analysis_stopped_before_its_run_ends_at_once():
    analyzer = Analyzer(moved("hex", {"size": 11}))
    analyzer.stop()
    analyzer.run(Limits(seconds=600))
    analyzer.find_threats(Limits(seconds=600))
    assert not analyzer.is_ready


def test_an_exception_in_the_progress_callback_ends_the_analysis():
    with pytest.raises(KeyboardInterrupt):
        analyze(
            moved("hex", {}), limits=Limits(seconds=600), on_progress=raising(KeyboardInterrupt)
        )


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_passing_a_turn_changes_only_the_turn(game_id, options):
    position = moved(game_id, options, 2)
    passed = null_move(position)
    if len(position.game.colors) > 2:
        assert passed is None
        return
    assert passed is not None
    assert passed.to_move is not position.to_move
    assert passed.to_setup().stones == position.to_setup().stones
    assert passed.outcome is None


def test_a_turn_cannot_be_passed_when_the_game_is_over():
    assert null_move(FINISHED) is None


def test_a_move_that_would_win_at_once_is_a_threat():
    position = after("hex", {"size": 4, "swap": "off"}, "b1 a1 b2 a2 b3")
    found = analyze(position, limits=FEW, threats=True)
    assert found.threats is not None
    assert {position.format_move(one.move) for one in found.threats} == {"a4", "b4"}
    assert all(one.at_once and one.proven is Proven.WIN for one in found.threats)


def test_at_the_start_of_a_game_nothing_is_threatened_by_a_far_stone():
    found = analyze(make_game("hex", {"size": 8}).initial(), limits=FEW, threats=True)
    assert found.threats == () or all(not one.at_once for one in found.threats or ())


def test_the_data_has_at_most_the_wanted_number_of_moves():
    found = analyze(moved("hex", {"size": 4}), limits=FEW)
    assert len(found.as_dict(moves=2)["moveInfos"]) == 2
    assert len(found.as_dict(moves=None)["moveInfos"]) == len(found.candidates)


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_criticality_has_a_weight_for_each_cell(game_id, options):
    position = moved(game_id, options)
    found = analyze(position, limits=FEW)
    if found.criticality is None:
        return
    assert set(found.criticality) == set(range(position.game.topology.cell_count))
    assert all(0 <= weight <= 1 for weight in found.criticality.values())
    assert max(found.criticality.values()) > 0
    if position.game.family == "placement":
        assert all(found.criticality[cell] == 0 for cell in position.scene().stones)


def test_no_move_outside_must_play_wins():
    position = after("hex", {"size": 4, "swap": "off"}, "b1 a1 b2 a2 b3")
    found = analyze(position, limits=FEW, threats=True)
    look = found.connections
    assert look is not None
    assert look.winner is Color.BLACK
    assert look.must_play == frozenset()
    name = position.game.topology.name
    assert {name(cell) for cell in look.carrier} == {"a4", "b4"}
    assert found.proven is Proven.LOSS


def test_games_without_connections_report_none():
    assert analyze(moved("antipode", {}), limits=FEW, threats=True).connections is None
