"""Laws of round robins and knockouts, and tables of standings known from elsewhere."""

import ast
import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import antipodes
from antipodes.errors import InputError
from antipodes.tournaments import FORMATS, EventState, Pairing, TieBreak, make_format, standings
from antipodes.tournaments.knockout import pair_knockout, rounds_of_knockout
from antipodes.tournaments.round_robin import groups, pair_round_robin, rounds_of_round_robin
from antipodes.tournaments.swiss import Swiss
from antipodes.web.tournaments.plans import PRESETS
from tests.cases import for_each
from tests.tournaments.simulation import decided

SOURCE = Path(antipodes.__file__).parent


def test_formats_are_made_by_name_and_read_rules_as_text():
    assert make_format("swiss", {"rounds": "5", "accelerated": "on"}) == Swiss(
        rounds=5, accelerated="on"
    )
    assert make_format("arena").rounds_for(100) is None
    with pytest.raises(InputError, match="there is no format 'chess'"):
        make_format("chess")
    with pytest.raises(InputError, match=r"rounds is 31, but must be 0\.\.30"):
        make_format("swiss", {"rounds": 31})


@for_each("name", list(FORMATS))
def test_an_event_of_too_few_players_has_a_table_or_is_refused(name):
    event_format = make_format(name)
    for players in ([], [1]):
        event = EventState(players, tie_breaks=event_format.usual_tie_breaks)
        for look in (event_format.table, event_format.parts):
            with suppress(InputError):
                look(event)


@for_each("name", list(FORMATS))
def test_every_format_is_played_to_its_end(name):
    rng = random.Random(name)
    kind = make_format(name)
    for count in (2, 3, 5, 8, 13):
        players = range(1, count + 1)
        event = EventState(players, (), kind.usual_tie_breaks, rounds=kind.rounds_for(count))
        for number in range(1, (event.rounds or 5) + 1):
            made = kind.pair(event, number)
            paired = [one for game in made for one in (game.first, game.second) if one]
            assert len(set(paired)) == len(paired)
            assert all(game.round == number for game in made)
            played = decided(made, rng)
            event = replace(event, pairings=[*event.pairings, *played])
            assert len(kind.table(event)) == count
            kind.parts(event)
        if not kind.is_continuous:
            assert kind.pair(event, (event.rounds or 0) + 1) == []
            assert kind.table(event)[0].rank == 1


@given(st.integers(2, 24), st.integers(1, 2))
def test_in_a_round_robin_all_meet_equally_often(count, cycles):
    met: Counter[frozenset[int]] = Counter()
    seats: Counter[int] = Counter()
    byes: Counter[int] = Counter()
    players = range(1, count + 1)
    for number in range(1, rounds_of_round_robin(count, cycles) + 1):
        pairings = pair_round_robin(players, number, cycles)
        assert sorted(one for pair in pairings for one in (pair.first, pair.second) if one) == list(
            players
        )
        for one in pairings:
            if one.second is None:
                byes[one.first] += 1
            else:
                met[frozenset((one.first, one.second))] += 1
                seats.update({one.first: 1})
                seats.subtract({one.second: 1})
    assert met == {frozenset(pair): cycles for pair in combinations(players, 2)}
    assert set(byes.values()) <= {cycles}
    assert all(abs(lead) <= (0 if cycles == 2 else 1) for lead in seats.values())


def test_the_first_rounds_are_those_of_the_published_table():
    # FIDE Handbook C.05, Annex 1, 5 or 6 players.
    rounds = [[(one.first, one.second) for one in pair_round_robin(range(1, 7), n)] for n in (1, 2)]
    assert rounds == [[(1, 6), (2, 5), (3, 4)], [(6, 4), (5, 3), (1, 2)]]


@given(st.integers(2, 100), st.randoms(use_true_random=False))
def test_a_knockout_leaves_one_player_and_each_loser_plays_no_more(count, rng):
    players = range(1, count + 1)
    history: list[Pairing] = []
    out: set[int] = set()
    for number in range(1, rounds_of_knockout(count) + 1):
        pairings = pair_knockout(players, history, number)
        for one in pairings:
            assert not out & {one.first, one.second}
            if one.second is None:
                assert number == 1
                history.append(one)
                continue
            first_wins = rng.random() < 0.5
            out.add(one.second if first_wins else one.first)
            points = (1.0, 0.0) if first_wins else (0.0, 1.0)
            history.append(Pairing(number, one.first, one.second, points))
    assert len(out) == count - 1


@given(st.integers(2, 64))
def test_the_two_strongest_meet_in_the_last_round_if_favourites_win(count):
    players = range(1, count + 1)
    history: list[Pairing] = []
    last: list[Pairing] = []
    for number in range(1, rounds_of_knockout(count) + 1):
        last = pair_knockout(players, history, number)
        for one in last:
            wins = one.second is None or one.first < one.second
            history.append(Pairing(number, one.first, one.second, (1.0, 0.0) if wins else (0, 1)))
    assert [{one.first, one.second} for one in last] == [{1, 2}]


@given(st.sampled_from(["knockout", "double-elimination"]), st.integers(3, 40), st.randoms())
def test_also_during_a_round_who_is_through_is_above_who_plays_and_these_above_who_is_out(
    name, count, rng
):
    kind = make_format(name)
    lives = 1 if name == "knockout" else 2
    event = EventState(range(1, count + 1), (), rounds=kind.rounds_for(count))
    for number in range(1, rng.randint(1, event.rounds) + 1):
        event = replace(event, pairings=[*event.pairings, *decided(kind.pair(event, number), rng)])
    latest = [one for one in event.pairings if one.round == number and one.second]
    playing = rng.sample(latest, len(latest) // 2)
    pairings = [replace(one, points=None) if one in playing else one for one in event.pairings]
    lost = Counter(
        one.opponent_of(one.winner) for one in pairings if one.winner is not None and one.second
    )
    rank = {row.player: row.rank for row in kind.table(replace(event, pairings=pairings))}
    out = [rank[player] for player in rank if lost[player] >= lives]
    still_in = [rank[player] for player in rank if lost[player] < lives]
    assert max(still_in) < min(out, default=count + 1)
    winners = [one.winner for one in latest if one not in playing and one.winner is not None]
    for winner in winners:
        for player in (player for one in playing for player in one.players):
            if lost[player] == lost[winner]:
                assert rank[winner] < rank[player]


def test_during_a_playoff_who_plays_is_above_who_is_out():
    pairings = [
        Pairing(4, 1, 4, (1.0, 0.0), needs_winner=True, is_playoff=True),
        Pairing(4, 2, 3, needs_winner=True, is_playoff=True),
    ]
    rows = standings(range(1, 5), pairings, [TieBreak.PLAYOFF])
    assert [(row.rank, row.player) for row in rows] == [(1, 1), (2, 2), (2, 3), (4, 4)]


def test_an_undecided_pairing_is_named():
    history = [Pairing(1, 1, 4, (0.5, 0.5)), Pairing(1, 2, 3, (1.0, 0.0))]
    with pytest.raises(InputError, match="round 1: the pairing of 1 and 4 is not decided"):
        pair_knockout(range(1, 5), history, 2)


@given(st.integers(1, 8), st.integers(2, 40))
def test_groups_are_of_about_equal_size_and_strength(count, extra):
    players = list(range(1, 2 * count + extra))
    found = groups(players, count)
    assert sorted(one for group in found for one in group) == players
    sizes = {len(group) for group in found}
    assert max(sizes) - min(sizes) <= 1
    # Whole laps: each group has one player of each lap.
    for lap in range(min(sizes)):
        places = {group[lap] for group in found}
        assert places == set(range(lap * count + 1, (lap + 1) * count + 1))


def test_too_small_groups_are_refused():
    with pytest.raises(InputError, match="3 players are too few: at least 4"):
        groups([1, 2, 3], 2)


# --- standings ------------------------------------------------------------------------------------

# Three rounds of four players: 1 beats 2 and 4 and draws with 3, and so on.
ALL = [
    Pairing(1, 1, 4, (1.0, 0.0)),
    Pairing(1, 2, 3, (1.0, 0.0)),
    Pairing(2, 4, 3, (0.0, 1.0)),
    Pairing(2, 1, 2, (1.0, 0.0)),
    Pairing(3, 2, 4, (1.0, 0.0)),
    Pairing(3, 3, 1, (0.5, 0.5)),
]


def values(tie_break, pairings=ALL):
    rows = standings([1, 2, 3, 4], pairings, [tie_break])
    return {row.player: row.values[0] for row in rows}


def test_players_are_ordered_by_points():
    rows = standings([1, 2, 3, 4], ALL)
    assert [(row.rank, row.player, row.points) for row in rows] == [
        (1, 1, 2.5),
        (2, 2, 2.0),
        (3, 3, 1.5),
        (4, 4, 0.0),
    ]


def test_tie_breaks_are_those_of_their_definitions():
    assert values(TieBreak.BUCHHOLZ) == {1: 3.5, 2: 4.0, 3: 4.5, 4: 6.0}
    assert values(TieBreak.BUCHHOLZ_CUT) == {1: 3.5, 2: 4.0, 3: 4.5, 4: 4.5}
    assert values(TieBreak.MEDIAN_BUCHHOLZ) == {1: 1.5, 2: 1.5, 3: 2.0, 4: 2.0}
    assert values(TieBreak.SONNEBORN_BERGER) == {1: 2.75, 2: 1.5, 3: 1.25, 4: 0.0}
    assert values(TieBreak.WINS) == {1: 2.0, 2: 2.0, 3: 1.0, 4: 0.0}


def test_a_bye_counts_as_an_opponent_with_ones_own_points():
    pairings = [Pairing(1, 1, 2, (1.0, 0.0)), Pairing(1, 3, None, (1.0, 0.0))]
    rows = standings([1, 2, 3], pairings, [TieBreak.BUCHHOLZ])
    assert {row.player: row.values for row in rows} == {1: (0.0,), 2: (1.0,), 3: (1.0,)}


def test_the_direct_encounter_decides_only_if_all_who_are_equal_have_met():
    met = [Pairing(1, 1, 2, (0.0, 1.0)), Pairing(2, 1, 3, (1.0, 0.0)), Pairing(2, 2, 4, (0.0, 1.0))]
    assert values(TieBreak.DIRECT_ENCOUNTER, met) == {1: 0.0, 2: 0.0, 3: 0.0, 4: 0.0}
    met += [Pairing(3, 4, 3, (0.0, 1.0)), Pairing(3, 1, 4, (0.0, 0.0))]
    rows = standings([1, 2], [*met[:1], Pairing(2, 1, 3, (1.0, 0.0))], [TieBreak.DIRECT_ENCOUNTER])
    assert [row.player for row in rows] == [2, 1]


def test_who_is_equal_in_everything_shares_a_rank():
    rows = standings([1, 2, 3], [Pairing(1, 1, 2, (0.5, 0.5))], [TieBreak.WINS])
    assert [(row.rank, row.player) for row in rows] == [(1, 1), (1, 2), (3, 3)]


def named_formats(path):
    """Return the formats that a file of the program imports, or names in a text."""
    modules = {kind.__module__ for kind in FORMATS.values()}
    is_of_events = "tournament" in path.as_posix().removeprefix(SOURCE.as_posix())
    named = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module in modules:
            named.add(node.module)
        elif is_of_events and isinstance(node, ast.Constant) and node.value in FORMATS:
            named.add(str(node.value))
    return named


def test_only_its_module_and_the_registry_name_a_format():
    files = [one for one in SOURCE.rglob("*.py") if SOURCE / "tournaments" not in one.parents]
    known = {one.relative_to(SOURCE).as_posix(): named_formats(one) for one in files}
    assert {name: named for name, named in known.items() if named} == {
        "web/tournaments/plans.py": {one.format_name for one in PRESETS},  # usual events
        "web/tournaments/pages.py": {"tables"},  # a part of addresses, for pages of tables
    }
