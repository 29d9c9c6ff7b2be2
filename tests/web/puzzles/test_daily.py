"""The puzzle of the day, and the choice of the next one."""

from collections import Counter
from datetime import date, timedelta

import pytest

from antipodes.puzzles import store
from antipodes.web.puzzles import attempts, catalogue
from antipodes.web.puzzles.daily import APART
from antipodes.web.puzzles.daily import daily as daily_or_none
from antipodes.web.puzzles.models import DailyRow, PuzzleRow, SolverRow
from antipodes.web.puzzles.selectors import next_puzzle as next_or_none

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


def test_the_next_puzzle_is_one_not_tried_yet(ann):
    for _ in range(len(store.puzzles("cylindrical-hex"))):
        found = next_puzzle(ann, "cylindrical-hex")
        assert found.game_id == "cylindrical-hex"
        attempts.record(ann, found, attempts.Outcome.FAILED)
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
