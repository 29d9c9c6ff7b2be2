"""Laws of the search for Antipalos."""

import os
import random
import subprocess
import sys
from typing import Any

import pytest

from antipodes.core import Color, Setup
from antipodes.games.registry import make_game
from antipodes.search.antipalos import AntipalosSearch
from antipodes.search.factory import make_search
from antipodes.search.interface import Limits, Proven, SearchProgress, SearchSettings
from tests.search.antipalos.positions import (
    a_position,
    composed,
    straight_chain,
    wins_at_once,
    wins_of_the_other,
)
from tests.thorough import repetitions

VARIANTS: list[dict[str, Any]] = [
    {"size": 12},
    {"size": 12, "rods": 13, "phase_two_limit": 6},
    {"size": 12, "seats": "team", "rods": 14, "phase_two_limit": 4},
    {"size": 12, "seats": "cutthroat3", "rods": 4, "phase_two_limit": 3},
    {"size": 12, "seats": "cutthroat4", "rods": 3, "phase_two_limit": 3},
    {"ruleset": "mail", "size": 5},
    {"ruleset": "mail", "size": 8, "swap": "off"},
]
every_variant = pytest.mark.parametrize("options", VARIANTS, ids=str)


def best(position, visits=400, seed=1):
    """Return the search's first candidate."""
    search = make_search(position, SearchSettings(memory=16), seed=seed)
    search.run(Limits(visits=visits))
    return search.candidates()[0]


def diagram_of_the_docs():
    """Return the position of the docs, where White wins by a double option."""
    white = "D3* *E3 E4* *E5 E6* *E7 E8* *E9 E10* *E11 E12*"
    return composed(white, "*C2 *D1 F1* G1* *C5 B4* *H4 H6* *I7 C8* *J9")


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


def test_in_phase_two_a_rod_that_can_be_spared_completes_the_chain():
    position = composed(straight_chain(*range(2, 13)) + " *K9", "*H4 H6* *I7", left=0)
    first = best(position, visits=5)
    assert first.proven is Proven.WIN
    assert position.format_move(first.move).startswith("*K9-")
    assert position.play(first.move).outcome.winner is Color.WHITE


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
        search = make_search(position, SearchSettings(memory=8), seed=plies)
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


@pytest.mark.parametrize(
    "options", [one for one in VARIANTS if one.get("rods", 12) >= one.get("size", 12)], ids=str
)
def test_it_beats_random_moves(options):
    """In the variants where there are rods enough for a chain, and turns enough to make it."""
    endless = {} if "ruleset" in options else {"phase_two_limit": 0}
    game = make_game("antipalos", {**options, **endless})
    rng = random.Random(3)
    for seat in range(2):
        position = game.initial()
        while position.outcome is None:
            if position.seat_to_move % 2 == seat:
                move = best(position, visits=repetitions(12, 20)).move
            else:
                move = rng.choice(position.legal_moves)
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
    whole, cut = (make_search(position, SearchSettings(memory=16), seed=3) for _ in range(2))
    whole.run(Limits(visits=300))
    for visits in (40, 170, 300):
        cut.run(Limits(visits=visits))
    assert whole.candidates() == cut.candidates()
    assert whole.visits == cut.visits


def test_a_search_reuses_its_tree():
    position = a_position({"size": 12}, 6, 2)
    search = make_search(position, SearchSettings(memory=16), seed=1)
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


def test_memory_is_bounded_and_a_full_tree_still_gets_visits():
    search = AntipalosSearch(a_position({"size": 12}, 4, 2), seed=1, memory=1)
    search.run(Limits(visits=1500))
    assert search.visits == 1500
    assert search.candidates()[0].visits > 1


def test_progress_is_reported_and_may_stop_the_search():
    search = AntipalosSearch(a_position({"size": 12}, 4, 2), seed=1, memory=16)
    told = []

    def on_progress(progress):
        told.append(progress)
        search.stop()

    search.run(Limits(visits=10**9), on_progress)
    assert len(told) == 1
    assert isinstance(told[0], SearchProgress)
    assert 0 <= told[0].share <= 1
    assert told[0].best == search.candidates()[0].move


def test_a_game_that_is_over_is_not_searched():
    position = composed(straight_chain(*range(1, 13)), "*H4", left=4)
    with pytest.raises(ValueError, match="over"):
        AntipalosSearch(position)


PROGRAM = """
from antipodes.games.registry import make_game
from antipodes.search.antipalos import AntipalosSearch
from antipodes.search.interface import Limits
for options in ({"ruleset": "mail", "size": 4}, {"size": 12, "seats": "cutthroat3", "rods": 2}):
    position = make_game("antipalos", options).initial()
    for ply in range(4):
        search = AntipalosSearch(position, seed=ply, memory=2)
        search.run(Limits(visits=6))
        first = search.candidates()[0]
        print(first.move, first.visits, round(first.value, 6))
        position = position.play(first.move)
"""


@pytest.mark.extreme
def test_the_plain_edition_searches_like_the_compiled_one():
    said = []
    for switch in ("0", "1"):
        environment = {**os.environ, "ANTIPODES_PLAIN": switch}
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


def test_all_other_moves_are_added_when_the_first_ones_lose():
    """Black is lost after the double option; that is proven only when no move was left out."""
    position = diagram_of_the_docs()
    position = position.play(position.parse_move("*E1"))
    search = AntipalosSearch(position, seed=1, memory=16)
    search.run(Limits(visits=100))
    assert search.proven is Proven.LOSS
    assert search.value() == 0
    assert all(candidate.proven is Proven.LOSS for candidate in search.candidates())


def test_there_is_a_candidate_after_every_move():
    position = diagram_of_the_docs()
    search = AntipalosSearch(position, seed=1, memory=16)
    search.run(Limits(visits=3000))
    while search.position.outcome is None:
        search.run(Limits(visits=1))
        search.play(search.candidates()[0].move)
    assert search.position.outcome.winner is Color.WHITE
    search.run(Limits(visits=1))
    assert search.candidates() == []
