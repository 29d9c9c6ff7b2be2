"""The puzzle of the day, the choice of the next one, and the ratings that it depends on."""

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

import pytest

from antipodes.games.registry import game_ids
from antipodes.puzzles import store
from antipodes.web.platform.clock import now
from antipodes.web.puzzles import catalogue, services
from antipodes.web.puzzles.daily import APART, dailies, day_of
from antipodes.web.puzzles.daily import daily as daily_or_none
from antipodes.web.puzzles.models import DailyRow, PuzzleRow, SolverRow, TryRow
from antipodes.web.puzzles.selectors import (
    latest_tries,
    outcome_counts,
    own_ratings,
    rating_points,
    solver_rating,
)
from antipodes.web.puzzles.selectors import next_puzzle as next_or_none
from antipodes.web.ratings.glicko import Rating

pytestmark = pytest.mark.django_db

DAY = date(2026, 11, 23)


def daily(day):
    """Return the puzzle of a day, of which there is one."""
    found = daily_or_none(day)
    assert found is not None
    return found


def next_puzzle(*args, **filters):
    """Return the next puzzle, of which there is one."""
    found = next_or_none(*args, **filters)
    assert found is not None
    return found


def test_the_puzzle_of_a_day_never_changes(ann):
    first = daily(DAY)
    catalogue.row_of(first)
    PuzzleRow.objects.update(retired_at=1)
    daily(DAY - timedelta(days=1))
    assert daily(DAY) == first
    assert DailyRow.objects.filter(day=DAY).count() == 1


def test_no_puzzle_of_the_day_is_repeated_within_half_a_year():
    found = [daily(DAY + timedelta(days=number)) for number in range(APART.days)]
    assert len({one.id for one in found}) == len(found)
    games = Counter(one.game_id for one in found)
    assert max(games.values()) - min(games.values()) <= 1
    assert all(3 <= one.difficulty <= 7 for one in found[:50])


def test_the_puzzle_of_the_day_is_of_the_boxed_antipalos_while_there_are_fresh_ones(monkeypatch):
    boxed, others = (
        [one for one in catalogue.offered(name) if 3 <= one.difficulty <= 7]
        for name in ("antipalos.boxed", "antipalos.mail")
    )
    monkeypatch.setattr(catalogue, "offered", lambda: [*boxed[:3], *others])
    chosen = [daily(DAY + timedelta(days=number)) for number in range(4)]
    assert [one in boxed for one in chosen] == [True, True, True, False]


def test_the_next_puzzle_is_one_not_tried_yet(ann):
    for _ in range(len(store.puzzles("cylindrical-hex"))):
        found = next_puzzle(ann, "cylindrical-hex")
        assert found.game_id == "cylindrical-hex"
        services.record(ann, found, services.Outcome.FAILED)
    assert next_or_none(ann, "cylindrical-hex") is None
    assert next_puzzle(None, "cylindrical-hex")


def test_the_next_puzzle_is_near_the_solvers_rating(ann):
    for value in (900, 2100):
        SolverRow.objects.update_or_create(
            user=ann, game_id="hex", defaults={"value": value, "deviation": 50}
        )
        found = [catalogue.initial_rating(next_puzzle(ann, "hex")).value for _ in range(8)]
        assert max(abs(one - value) for one in found) <= 450


def test_a_retired_puzzle_is_no_longer_offered(ann):
    first, *rest = catalogue.offered("cylindrical-hex", difficulty=3)
    catalogue.row_of(first)
    PuzzleRow.objects.update(retired_at=1)
    assert first not in catalogue.offered("cylindrical-hex")
    assert catalogue.get(first.id) == first
    tried = {one.id for one in rest}
    assert next_or_none(None, "cylindrical-hex", difficulty=3, tried=tried) is None


def test_without_puzzles_there_is_none_of_the_day(client, monkeypatch):
    monkeypatch.setattr(catalogue, "offered", list)
    assert daily_or_none(DAY) is None
    assert client.get("/puzzles/daily/").status_code == 404
    assert not DailyRow.objects.exists()


def test_a_day_gets_a_fresh_puzzle_of_the_game_that_waits_longest(monkeypatch):
    """Days farther away than half a year do not matter, nor do later ones for the turn."""
    chosen = [store.puzzles(name)[0] for name in ("hex", "antipod", "antipode")]
    first, second, third = (replace(one, difficulty=5) for one in chosen)
    monkeypatch.setattr(catalogue, "offered", lambda: [first, second, third])
    monkeypatch.setattr(catalogue, "get", {one.id: one for one in (first, second, third)}.get)

    def used(puzzle, day):
        DailyRow.objects.create(day=day, puzzle_id=puzzle.id, game_id=puzzle.game_id)

    used(first, DAY - timedelta(days=1))
    used(second, DAY + timedelta(days=1))
    used(third, DAY - APART)
    assert daily(DAY) == third
    row = DailyRow.objects.get(day=DAY)
    assert (row.puzzle_id, row.game_id) == (third.id, "antipode")
    # All have been used: the one that waits longest comes again.
    used(second, DAY - timedelta(days=9))
    DailyRow.objects.filter(day=DAY).delete()
    used(third, DAY - timedelta(days=3))
    assert daily(DAY) == second


@pytest.mark.parametrize(("difficulty", "is_taken"), [(2, False), (3, True), (7, True), (8, False)])
def test_the_puzzle_of_a_day_has_a_middling_difficulty_where_possible(
    monkeypatch, difficulty, is_taken
):
    one, other = store.puzzles("hex")[:2]
    found = [replace(one, difficulty=difficulty), replace(other, difficulty=1)]
    monkeypatch.setattr(catalogue, "offered", lambda: found)
    days = [DAY + timedelta(days=5 * number) for number in range(12)]
    chosen = set()
    for day in days:
        chosen.add(daily(day).id)
        DailyRow.objects.all().delete()
    assert (chosen == {one.id}) is is_taken


def test_the_last_days_with_a_puzzle_come_latest_first(puzzle):
    for age in (0, 1, 3, 4):
        day = DAY - timedelta(days=age)
        DailyRow.objects.create(day=day, puzzle_id=puzzle.id, game_id="hex")
    DailyRow.objects.create(day=DAY - timedelta(days=2), puzzle_id="0000000000", game_id="hex")

    def ages(until, count):
        return [(DAY - day).days for day, _ in dailies(DAY - timedelta(days=until), count)]

    assert ages(0, 9) == [0, 1, 3, 4]
    assert ages(1, 3) == [1, 3]
    assert ages(0, 2) == [0, 1]


def test_a_day_begins_at_midnight_utc():
    at = 1_795_392_000_000  # 2026-11-23
    assert (day_of(at), day_of(at - 1)) == (DAY, DAY - timedelta(days=1))


def test_a_solver_is_rated_in_each_game_apart(ann, clocks):
    first, second = store.puzzles("hex")[:2]
    assert own_ratings(ann) == []
    services.record(ann, store.puzzles("antipode")[0], services.Outcome.FAILED)
    services.record(ann, store.puzzles("antipod")[0], services.Outcome.SOLVED)
    services.record(ann, first, services.Outcome.SOLVED)
    services.record(ann, second, services.Outcome.FAILED)
    SolverRow.objects.create(user=ann, game_id="antipalos")  # without a rated try
    rows = {row.game_id: row for row in SolverRow.objects.all()}
    clocks.advance(40 * 86_400_000)
    found = own_ratings(ann)
    assert [(one.game_id, one.tries, one.solved) for one in found] == [
        ("hex", 2, 1),
        ("antipod", 1, 1),
        ("antipode", 1, 0),
    ]
    for one in found:
        row = rows[one.game_id]
        assert one.rating == row.rating.after_idling(now() - (row.latest or 0))
        assert one.rating == solver_rating(ann, one.game_id)
        assert one.rating.deviation > row.deviation
    assert solver_rating(ann, "cylindrical-hex") == solver_rating(None, "hex") == Rating()


def test_the_next_puzzle_is_one_of_the_twelve_nearest_to_the_rating(ann, monkeypatch):
    puzzles = store.puzzles("hex")[:14]
    monkeypatch.setattr(catalogue, "offered", lambda *_: list(puzzles))
    for number, one in enumerate(puzzles):
        row = catalogue.row_of(one)
        row.value = 1500 + 10 * number * (-1) ** number
        row.save()
    found = {next_puzzle(ann).id for _ in range(200)}
    assert found == {one.id for one in puzzles[:12]}


def test_the_history_of_a_solver_lists_tries_of_one_game(ann, bob):
    puzzles = store.puzzles("hex")[:4]
    for number, one in enumerate(puzzles[:3]):
        outcome = ("solved", "hinted", "failed")[number]
        value = None if outcome == "hinted" else 1500 + number
        fields = {"outcome": outcome, "at": number // 2, "puzzle_value": 1, "game_id": "hex"}
        TryRow.objects.create(
            user=ann, puzzle_id=one.id, value=value, deviation=value and 90 + number, **fields
        )
    other = {"outcome": "solved", "at": 9, "puzzle_value": 1, "value": 1, "deviation": 1}
    TryRow.objects.create(user=ann, puzzle_id="ant", game_id="antipode", **other)
    TryRow.objects.create(user=bob, puzzle_id=puzzles[3].id, game_id="hex", **other)
    assert [row.puzzle_id for row in latest_tries(ann, "hex")] == [
        one.id for one in (puzzles[2], puzzles[1], puzzles[0])
    ]
    assert rating_points(ann, "hex") == [(0, 1500, 90, "solved"), (1, 1502, 92, "failed")]
    assert outcome_counts(ann) == {"solved": 2, "failed": 1, "hinted": 1}
    assert outcome_counts(bob) == {"solved": 1, "failed": 0, "hinted": 0}


def test_the_catalogue_counts_what_is_offered():
    found = catalogue.counts()
    games = [name.partition(".")[0] for name in found.categories]
    assert list(dict.fromkeys(games)) == list(game_ids())
    assert found.categories["hex"] == len(store.puzzles("hex"))
    ring = [one for one in store.all_puzzles() if "ring" in one.themes]
    assert found.themes["ring"] == len(ring)
    of_game = catalogue.counts("antipod")
    assert of_game.categories == found.categories
    assert of_game.themes["ring"] == sum(one.game_id == "antipod" for one in ring)
    assert "ring" not in catalogue.counts("hex").themes


@pytest.mark.parametrize(("difficulty", "value"), [(1, 900), (2, 1050), (9, 2100)])
def test_a_puzzle_begins_with_a_rating_by_its_difficulty(puzzle, difficulty, value):
    one = replace(puzzle, difficulty=difficulty)
    assert catalogue.initial_rating(one) == Rating(value, 150)
    assert catalogue.rating_of(one) == Rating(value, 150)
    row = catalogue.row_of(one)
    assert (row.rating, row.game_id) == (Rating(value, 150), "hex")
    PuzzleRow.objects.update(value=1234)
    assert catalogue.rating_of(one).value == catalogue.row_of(one).value == 1234
