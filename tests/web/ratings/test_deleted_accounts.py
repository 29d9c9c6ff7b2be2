"""Ratings after the deletion of accounts: those of others never change by it."""

import random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from antipodes.web.accounts.account_deletion import delete_account
from antipodes.web.ratings import services, voiding
from antipodes.web.ratings.models import PoolRow, RatedMatch, RatingChange, RatingRow
from antipodes.web.ratings.selectors import band_at
from tests.thorough import repetitions

LONG_AGO = 1_700_000_000_000
DAY = 86_400_000
KINDS: list[tuple[dict[str, Any], int]] = [
    *2 * [({}, 2)],
    ({"game_id": "antipalos", "options": {"seats": "team", "size": 12}}, 4),
    ({"game_id": "antipalos", "options": {"seats": "cutthroat3", "size": 12}}, 3),
]


def ratings(*without):
    """Return all ratings with games, and all changes, except those of some users."""
    rows = RatingRow.objects.filter(games__gt=0).exclude(user__in=without)
    changes = RatingChange.objects.exclude(user__in=without)
    state = ("value", "deviation", "volatility", "games")
    return (
        sorted(rows.values_list("user", "pool", "latest", "established_until", *state)),
        sorted(changes.values_list("match", "user", "at", "side", "outcome", *state)),
    )


def rows_of(user):
    return [*RatingRow.objects.filter(user=user), *RatingChange.objects.filter(user=user)]


@pytest.fixture
def season(play, people):
    """Rate games of four people, of two, three and four of them."""
    rng = random.Random(7)
    rows: list[Any] = []
    for number in range(repetitions(14, 40)):
        kind, players = rng.choice(KINDS)
        users = rng.sample(people, players)
        rows.append(play(rng.randrange(2), by=users, at=LONG_AGO + number // 2 * DAY, **kind))
    services.rate_all()
    return rows


def test_a_deletion_changes_no_rating_of_others_and_leaves_no_row(season, people):
    before = ratings(people[0].pk)
    delete_account(people[0])
    assert rows_of(people[0]) == []
    assert ratings() == before
    services.rate_all()
    assert ratings() == before
    assert services.recalculate() == len(season)
    assert rows_of(people[0]) == []
    assert ratings() == before


def test_undoing_another_game_after_a_deletion_is_as_without_the_deletion(season, people):
    gone = people[0]
    others = [row for row in season if not row.seats.filter(user=gone).exists()]
    expected = []
    for row in others:
        voiding.void(row)
        voiding.apply_marks()
        expected.append(ratings(gone.pk))
        voiding.restore(row)
        voiding.apply_marks()
    before = ratings(gone.pk)
    delete_account(gone)
    assert others
    for row, found in zip(others, expected, strict=True):
        voiding.void(row)
        voiding.apply_marks()
        assert ratings() == found
        voiding.restore(row)
        voiding.apply_marks()
        assert ratings() == before
    services.recalculate()
    assert ratings() == before


def test_a_game_that_the_deletion_resigns_is_rated_with_the_rating_of_the_account(play, ann, bob):
    for number in range(3):
        services.rate(play(1, at=LONG_AGO + number * DAY))
    stood = RatingRow.objects.get(user=ann)
    left = [play(None) for _ in range(2)]
    delete_account(ann)
    for row in left:
        row.refresh_from_db()
        services.rate(row)
    first, second = (RatedMatch.objects.get(match=row) for row in left)
    sides = [one.sides[0] for one in (first, second)]
    assert [one["outcome"] for one in sides] == ["lost", "lost"]
    assert (sides[0]["players"][0]["value"], sides[0]["players"][0]["games"]) == (stood.value, 3)
    assert sides[1]["players"][0]["games"] == 4
    assert sides[1]["players"][0]["value"] < stood.value
    assert rows_of(ann) == []
    assert RatingRow.objects.get(user=bob).games == 5
    before = ratings()
    services.recalculate()
    assert ratings() == before


def test_a_first_game_of_a_deleted_account_is_rated_from_the_initial_rating(play, people):
    row = play(0, at=LONG_AGO)
    delete_account(people[0])
    services.rate(row)
    assert rows_of(people[0]) == []
    (player,) = RatedMatch.objects.get().sides[0]["players"]
    assert (player["user"], player["value"], player["latest"]) == (people[0].pk, 1500, None)


def test_a_match_of_deleted_accounts_stays_rated(play, people, client):
    row = play(0, at=LONG_AGO)
    services.rate(row)
    for user in people[:2]:
        delete_account(user)
    assert services.rate_all() == 0
    view = client.get(reverse("match-ratings", args=[row.slug])).json()
    assert (view["isDone"], view["why"]) == (True, None)
    assert not any("rating" in seat for seat in view["seats"])
    voiding.void(row)
    voiding.apply_marks()
    assert not RatedMatch.objects.exists()
    voiding.restore(row)
    voiding.apply_marks()
    assert RatedMatch.objects.count() == 1
    assert not RatingRow.objects.exists()


def test_the_band_of_a_game_does_not_change_by_a_deletion(play, people, rate):
    for user in people[:2]:
        rate(user, 1650)
    row = play(0, at=LONG_AGO, control="10m+10s")
    services.rate(row)
    before = band_at(row)
    assert before is not None
    delete_account(people[0])
    assert band_at(row) == before


def test_a_deletion_locks_all_pools_before_it_deletes_rows(play, people):
    services.rate(play(0, at=LONG_AGO))
    with CaptureQueriesContext(connection) as queries:
        delete_account(people[0])
    statements = [one["sql"] for one in queries]
    table = PoolRow._meta.db_table
    locks = [n for n, sql in enumerate(statements) if sql.startswith("SELECT") and table in sql]
    deletions = [n for n, sql in enumerate(statements) if sql.startswith("DELETE")]
    assert min(locks) < min(deletions)
    if connection.features.has_select_for_update:
        assert "FOR UPDATE" in statements[min(locks)]
