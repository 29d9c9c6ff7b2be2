"""Rating matches: each once, and independently of the order and of the process."""

import random
from datetime import UTC, date, datetime
from io import StringIO
from itertools import pairwise

import pytest
from django.core.management import call_command
from django.urls import reverse

from antipodes.errors import InputError
from antipodes.match import Abort, Accept, Offer, OfferKind
from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.platform.clock import now
from antipodes.web.ratings import history as rating_history
from antipodes.web.ratings import pool_ratings, services
from antipodes.web.ratings.classes import BoardClass, Speed
from antipodes.web.ratings.glicko import Rating
from antipodes.web.ratings.history import Point, history, latest_changes, moment
from antipodes.web.ratings.models import (
    PoolRow,
    RatedMatch,
    RatedUntil,
    RatingChange,
    RatingRow,
    Unrated,
)
from antipodes.web.ratings.outcomes import RatedGame, rated_game
from antipodes.web.ratings.selectors import rating_of, ratings_by_user, ratings_of
from tests.raising import raising
from tests.thorough import repetitions

DAY = 86_400_000
LONG_AGO = 1_700_000_000_000
BLITZ = ("hex", Speed.BLITZ, BoardClass.STANDARD)


def table():
    """Return all ratings and changes, for comparison."""
    return sorted(
        RatingRow.objects.values_list(
            "user",
            "pool",
            "value",
            "deviation",
            "volatility",
            "games",
            "latest",
            "established_until",
        )
    ), list(
        RatingChange.objects.order_by("match", "user").values_list(
            "match", "user", "at", "value_before", "value", "deviation", "volatility", "games"
        )
    )


def test_the_periodic_task_rates_a_finished_match(play, people, monkeypatch):
    monkeypatch.setattr(services, "_DELAY", 0)
    monkeypatch.setattr(services, "_MAX_SECONDS", 60)
    row = play(loser=1)
    services.rate_finished()
    winner, loser = (rating_of(user, *BLITZ) for user in people[:2])
    expected = Rating().after_games([(Rating(), 1)], idle=0)
    assert winner.value == pytest.approx(expected.value)
    assert winner.value - 1500 == pytest.approx(1500 - loser.value)
    assert winner.games == loser.games == 1
    assert winner.is_provisional
    changes = RatingChange.objects.filter(match=row).order_by("side")
    assert [change.outcome for change in changes] == ["won", "lost"]


def test_a_match_is_rated_only_once(play):
    row = play(at=LONG_AGO)
    services.rate(row)
    first = table()
    services.rate(row)
    services.rate_finished()
    assert services.rate_all() == 0
    assert table() == first


def test_unrated_users_have_the_initial_rating(people):
    rating = rating_of(people[0], *BLITZ)
    assert (rating.value, rating.deviation, rating.games) == (1500, 350, 0)
    assert rating.is_provisional
    assert rating.text == "1500?"
    assert ratings_of(people[0]) == []


def test_each_game_speed_and_board_class_has_its_own_rating(play, people):
    play(at=LONG_AGO)
    play(at=LONG_AGO, control="1d/move")
    play(at=LONG_AGO, options={"size": 5})
    services.rate_all()
    kinds = {(one.game_id, one.speed, one.board_class) for one in ratings_of(people[0])}
    assert kinds == {
        BLITZ,
        ("hex", Speed.CORRESPONDENCE, BoardClass.STANDARD),
        ("hex", Speed.BLITZ, BoardClass.SMALL),
    }
    assert all(one.rating.games == 1 for one in ratings_of(people[0]))


def test_casual_matches_are_not_rated(play):
    play(rated=False, at=LONG_AGO)
    services.rate_all()
    assert not RatingChange.objects.exists()


def test_an_aborted_match_is_not_rated_for_lack_of_a_result(play):
    row = play(loser=None, moves=False)
    carry_out(row.slug, Abort(seat=0, ply=0, key="abort"))
    MatchRow.objects.update(ended_at=LONG_AGO)
    services.rate_all()
    assert Unrated.objects.get().reason == Unrated.Reason.NO_RESULT
    assert not RatingChange.objects.exists()


def test_a_match_in_which_a_player_has_not_moved_is_not_rated(play):
    play(loser=1, moves=False, at=LONG_AGO)
    services.rate_all()
    assert Unrated.objects.get().reason == Unrated.Reason.NOT_BEGUN


def test_matches_with_the_computer_or_with_guests_are_not_rated(play, people):
    others = User(username="x", computer="computer:1"), User(username="y", is_guest=True)
    for other in others:
        other.save()
        services.rate(play(by=[people[0], other], at=LONG_AGO))
    assert [one.reason for one in Unrated.objects.all()] == [Unrated.Reason.NOT_ACCOUNTS] * 2


def test_a_match_of_a_player_against_themselves_is_not_rated(play, people):
    services.rate(play(by=[people[0], people[0]], at=LONG_AGO))
    assert Unrated.objects.get().reason == Unrated.Reason.SAME_PLAYER


def test_a_draw_of_equal_players_changes_only_the_deviation(play, people):
    row = play(loser=None, game_id="antipalos", options={"size": 16})
    for seat, command in ((0, Offer), (1, Accept)):
        carry_out(row.slug, command(seat=seat, ply=2, key=f"draw {seat}", kind=OfferKind.DRAW))
    row.refresh_from_db()
    services.rate(row)
    for user in people[:2]:
        rating = rating_of(user, "antipalos", *BLITZ[1:])
        assert rating.value == pytest.approx(1500)
        assert rating.deviation < 350


def test_the_loser_after_a_swap_of_sides_is_rated_as_the_loser(play, people):
    row = play(loser=0, options={"swap": "sides"})
    services.rate(row)
    assert RatingChange.objects.get(match=row, user=people[0]).outcome == "lost"


def test_the_next_run_continues_after_a_run_out_of_time(play, monkeypatch):
    rows = [play(at=LONG_AGO + number) for number in range(3)]
    services.rate(rows[1])
    monkeypatch.setattr(services, "_MAX_SECONDS", -1)
    services.rate_finished()
    assert RatingChange.objects.count() == 2
    assert RatedUntil.objects.get().at == LONG_AGO
    monkeypatch.setattr(services, "_MAX_SECONDS", 60)
    services.rate_finished()
    assert RatingChange.objects.count() == 6
    assert RatedUntil.objects.get().at > LONG_AGO


def test_an_unreadable_match_does_not_block_others(play):
    broken, whole = play(at=LONG_AGO), play(at=LONG_AGO + 1)
    broken.events.filter(number=0).update(data={"kind": "moved", "at": 1, "seat": 0, "move": -7})
    services.rate_all()
    assert Unrated.objects.get().match == broken
    assert RatingChange.objects.filter(match=whole).count() == 2


@pytest.fixture
def season(play, people):
    """Play many matches of four players in two pools, some of which end at the same time."""
    rng = random.Random(5)
    rows = []
    for number in range(repetitions(12, 40)):
        pair = rng.sample(people, 2)
        at = LONG_AGO + (number // 2) * DAY
        control = rng.choice(["5m+5s", "1d/move"])
        rows.append(play(rng.randrange(2), by=pair, at=at, control=control))
    return rows


def test_ratings_do_not_depend_on_the_order_of_rating(season):
    services.rate_all()
    expected = table()
    for seed in range(repetitions(1, 3)):
        for model in (RatedMatch, RatingChange, RatingRow):
            model.objects.all().delete()
        shuffled = random.Random(seed).sample(season, len(season))
        for row in shuffled:
            services.rate(row)
        assert table() == expected


def test_each_change_starts_from_the_previous_one(season):
    services.rate_all()
    for pool in PoolRow.objects.all():
        for user in {change.user_id for change in pool.changes.all()}:
            changes = list(pool.changes.filter(user=user).order_by("at", "match"))
            assert [change.games for change in changes] == list(range(1, len(changes) + 1))
            for one, other in pairwise(changes):
                assert (other.value_before, other.deviation_before) == (one.value, one.deviation)
                assert other.latest_before == one.at
            row = RatingRow.objects.get(pool=pool, user=user)
            assert (row.value, row.games) == (changes[-1].value, len(changes))


TEAM = {"game_id": "antipalos", "options": {"seats": "team", "size": 12}}


def test_each_member_of_a_team_is_rated_against_the_other_team(play, people):
    row = play(loser=1, **TEAM)
    services.rate(row)
    changes = {change.user_id: change for change in RatingChange.objects.filter(match=row)}
    outcomes = [changes[user.pk].outcome for user in people]
    assert outcomes == ["won", "lost", "won", "lost"]
    assert [changes[user.pk].side for user in people] == [0, 1, 0, 1]
    expected = Rating().after_games([(Rating(), 1)], idle=0)
    assert changes[people[0].pk].value == pytest.approx(expected.value)


def test_partners_of_equal_deviation_gain_the_same_points(play, people):
    first = play(loser=1, **TEAM)
    services.rate(first)
    pool = PoolRow.objects.get()
    for user, value in zip(people, (2000, 1500, 1000, 1500), strict=True):
        RatingRow.objects.filter(pool=pool, user=user).update(value=value, deviation=80)
    row = play(loser=1, **TEAM)
    services.rate(row)
    gains = [
        change.value - change.value_before
        for change in RatingChange.objects.filter(match=row, outcome="won")
    ]
    assert gains[0] == pytest.approx(gains[1])
    assert gains[0] > 0


def test_when_one_of_three_players_resigns_the_others_have_won_against_them(play, people):
    row = play(loser=1, game_id="antipalos", options={"seats": "cutthroat3", "size": 12})
    game = rated_game(row)
    assert isinstance(game, RatedGame)
    assert [side.outcome.value for side in game.sides] == ["won", "lost", "won"]
    services.rate(row)
    kind = ("antipalos", Speed.BLITZ, BoardClass.SMALL)
    values = ratings_by_user([user.pk for user in people[:3]], *kind)
    first, loser, last = (values[user.pk].value for user in people[:3])
    assert first == last == pytest.approx(Rating().after_games([(Rating(), 1)], idle=0).value)
    assert 1500 - loser == pytest.approx(
        1500 - Rating().after_games([(Rating(), 0), (Rating(), 0)], idle=0).value
    )


def test_the_deviation_grows_with_idle_time(play, people):
    services.rate(play(at=LONG_AGO))
    change = RatingChange.objects.get(user=people[0])
    assert rating_of(people[0], *BLITZ).deviation > change.deviation


def test_a_match_that_has_not_ended_has_no_rating(play):
    for row in (play(loser=None), play()):
        row.ended_at = None
        with pytest.raises(ValueError, match=f"{row} has not ended"):
            rated_game(row)


def test_the_command_recalculates_all_ratings(play):
    for number in range(2):
        play(at=LONG_AGO + number)
    output = StringIO()
    call_command("recalculate_ratings", stdout=output)
    assert output.getvalue() == "2 matches rated.\n"
    first = table()
    assert len(first[1]) == 4
    RatingRow.objects.update(value=1, games=0)
    call_command("recalculate_ratings", stdout=StringIO())
    assert table() == first


def test_changes_are_stored_in_batches_and_each_once(play, monkeypatch):
    for number in range(3):
        play(at=LONG_AGO + number * DAY)
    services.rate_all()
    expected = table()
    stored = []
    bulk_create = RatingChange.objects.bulk_create

    def store(changes):
        stored.append(len(changes))
        return bulk_create(changes)

    monkeypatch.setattr(pool_ratings, "_WRITE_BATCH", 4)
    monkeypatch.setattr(RatingChange.objects, "bulk_create", store)
    services.recalculate()
    assert stored == [4, 2]
    assert table() == expected


def is_rated(row):
    return RatingChange.objects.filter(match=row).exists()


def test_a_run_looks_for_matches_that_ended_within_a_margin(play, clocks):
    at = now()
    RatedUntil.objects.create(pk=1, at=at)
    early, first = play(at=at - 15 * 60_000 - 1), play(at=at - 15 * 60_000)
    last, late = play(at=at + 10_000), play(at=at + 10_001)
    clocks.advance(10_500)
    services.rate_finished()
    assert [is_rated(row) for row in (early, first, last, late)] == [False, True, True, False]
    assert services.rate_all() == 1
    assert is_rated(early)


@pytest.mark.parametrize(("passed", "is_saved"), [(59_999, False), (60_000, True)])
def test_the_time_up_to_which_all_is_rated_is_stored_once_a_minute(db, clocks, passed, is_saved):
    at = now()
    services.rate_all()
    assert RatedUntil.objects.get().at == at - 500
    clocks.advance(passed)
    services.rate_finished()
    assert RatedUntil.objects.get().at == at - 500 + (passed if is_saved else 0)


def test_matches_are_read_in_batches(play, monkeypatch):
    monkeypatch.setattr(services, "_BATCH", 2)
    for number in range(5):
        play(at=LONG_AGO + number)
    assert services.rate_all() == 5
    assert RatingChange.objects.count() == 10


def test_a_rating_is_established_until_it_would_become_provisional(play, people):
    row = play(at=LONG_AGO)
    services.rate(row)
    assert set(RatingRow.objects.values_list("established_until", flat=True)) == {0}
    RatingRow.objects.filter(user=people[0]).update(deviation=80)
    services.rate(play(at=LONG_AGO + DAY))
    found = RatingRow.objects.get(user=people[0])
    expected = LONG_AGO + DAY + found.rating.established_for()
    assert found.established_until == expected > LONG_AGO + DAY


def test_a_change_has_all_that_is_needed_to_undo_it(play, people):
    services.rate(play(at=LONG_AGO))
    row = play(loser=0, at=LONG_AGO + 30 * DAY)
    services.rate(row)
    first, second = RatingChange.objects.filter(user=people[1]).order_by("at")
    assert (first.latest_before, first.games, first.side, first.outcome) == (None, 1, 1, "lost")
    assert first.before == Rating()
    rating = Rating(first.value, first.deviation, first.volatility)
    assert (second.before, second.latest_before) == (rating, LONG_AGO)
    opponent = Rating().after_games([(Rating(), 1)], 0).after_idling(30 * DAY)
    after = rating.after_games([(opponent, 1)], 30 * DAY)
    assert (second.value, second.deviation, second.volatility) == pytest.approx(
        (after.value, after.deviation, after.volatility)
    )
    assert (second.games, second.outcome, second.at) == (2, "won", row.ended_at)


def test_an_opposing_team_has_the_mean_rating_and_variance_of_its_members(play, people):
    services.rate(play(loser=1, **TEAM))
    given = {0: (1600, 80), 1: (1500, 60), 2: (1400, 80), 3: (1700, 100)}
    for number, (value, deviation) in given.items():
        rows = RatingRow.objects.filter(user=people[number])
        rows.update(value=value, deviation=deviation, latest=None)
    row = play(loser=1, **TEAM)
    services.rate(row)
    found = RatingChange.objects.get(match=row, user=people[0])
    # The team is at 1500, so that its better member meets opponents 100 points above theirs.
    opponents = Rating(1700, ((60**2 + 100**2) / 2) ** 0.5)
    expected = found.before.after_games([(opponents, 1)], 0)
    assert (found.value, found.deviation) == pytest.approx((expected.value, expected.deviation))


def test_the_json_of_a_match_has_ratings_and_gains(client, play, people):
    row = play(at=LONG_AGO)

    def seat(number, name, **rating):
        return {"seat": number, "profile": f"/people/{name}/", **rating}

    path = reverse("match-ratings", args=[row.slug])
    MatchRow.objects.filter(pk=row.pk).update(ended_at=None)
    assert client.get(path).json() == {
        "rated": True,
        "isDone": False,
        "why": None,
        "seats": [
            seat(number, name, rating=1500, provisional=True)
            for number, name in enumerate(("ann", "bob"))
        ],
    }
    never = client.get(reverse("match-ratings", args=[play(rated=False).slug])).json()
    assert never["seats"] == [seat(0, "ann"), seat(1, "bob")]
    row.save()
    services.rate(row)
    won, lost = RatingChange.objects.order_by("side")
    gains = [round(one.value) - 1500 for one in (won, lost)]
    values = [{"rating": round(one.value), "provisional": True} for one in (won, lost)]
    RatingChange.objects.filter(pk=lost.pk).update(deviation=110)
    values[1]["provisional"] = False
    assert client.get(path).json() == {
        "rated": True,
        "isDone": True,
        "why": None,
        "seats": [
            seat(0, "ann", **values[0], gain=gains[0]),
            seat(1, "bob", **values[1], gain=gains[1]),
        ],
    }
    casual = play(rated=False, at=LONG_AGO)
    values[1]["provisional"] = True
    assert client.get(reverse("match-ratings", args=[casual.slug])).json() == {
        "rated": False,
        "isDone": True,
        "why": None,
        "seats": [seat(0, "ann", **values[0]), seat(1, "bob", **values[1])],
    }


def test_the_history_of_a_rating_has_months_counts_and_the_best(play, people):
    months = [datetime(2023, month, day, tzinfo=UTC) for month, day in ((1, 31), (2, 1), (2, 28))]
    ends = [int(one.timestamp()) * 1_000 for one in months]
    rows = [play(loser, at=at) for loser, at in zip((1, 0, 1), ends, strict=True)]
    services.rate_all()
    changes = list(RatingChange.objects.filter(user=people[0]).order_by("at"))
    for change, deviation in zip(changes, (110, 109, 111), strict=True):
        change.deviation = deviation
        change.save()
    pool = PoolRow.objects.get()
    found = history(people[0], pool)
    points = [Point(one.at, one.value, one.deviation, one.outcome) for one in changes]
    assert found.points == points
    assert found.counts == {"won": 2, "drew": 0, "lost": 1}
    assert found.best == points[0]
    assert [(one.first, one.games, one.last) for one in found.months] == [
        (date(2023, 2, 1), 2, points[2]),
        (date(2023, 1, 1), 1, points[0]),
    ]
    assert points[0].day == months[0]
    assert history(people[2], pool).best is None
    MatchRow.objects.filter(pk=rows[1].pk).update(is_private=True)
    lines = latest_changes(people[0], pool, None)
    assert [(one.slug, one.opponents) for one in lines] == [
        (rows[2].slug, (people[1],)),
        ("", ()),
        (rows[0].slug, (people[1],)),
    ]
    assert [(one.at, one.outcome, one.value) for one in lines] == [
        (moment(one.at), one.outcome, round(one.value)) for one in reversed(changes)
    ]
    assert [one.gain for one in lines] == [
        f"{round(one.value) - round(one.value_before):+d}" for one in reversed(changes)
    ]
    assert [one.is_provisional for one in lines] == [True, False, False]


def test_the_last_twenty_changes_are_listed(play, people, monkeypatch):
    monkeypatch.setattr(rating_history, "_LATEST", 2)
    rows = [play(at=LONG_AGO + number // 2) for number in range(3)]
    services.rate_all()
    lines = latest_changes(people[0], PoolRow.objects.get(), None)
    assert [one.slug for one in lines] == [rows[2].slug, rows[1].slug]


@pytest.mark.parametrize("error", [InputError, KeyError, TypeError, ValueError])
def test_a_match_is_unreadable_whatever_is_wrong_with_it(play, monkeypatch, error):
    row = play(at=LONG_AGO)
    monkeypatch.setattr(services, "rated_game", raising(error([])))
    services.rate(row)
    assert Unrated.objects.get().reason == Unrated.Reason.UNREADABLE
