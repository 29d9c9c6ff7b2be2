"""Laws of counting matches: each once, in the order of their ends, whoever counts."""

import random
from itertools import pairwise

import pytest

from antipodes.match import Abort, Accept, Offer, OfferKind
from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.ratings import services
from antipodes.web.ratings.classes import BoardClass, Speed
from antipodes.web.ratings.glicko import Rating
from antipodes.web.ratings.models import PoolRow, RatedUntil, RatingChange, RatingRow, Unrated
from antipodes.web.ratings.outcomes import RatedGame, rated_game
from antipodes.web.ratings.selectors import rating_of, ratings_by_user, ratings_of

DAY = 86_400_000
LONG_AGO = 1_700_000_000_000
BLITZ = ("hex", Speed.BLITZ, BoardClass.STANDARD)


def table():
    """All that ratings are, to be compared."""
    return sorted(
        RatingRow.objects.values_list(
            "user", "pool", "value", "deviation", "volatility", "games", "latest", "settled_until"
        )
    ), list(
        RatingChange.objects.order_by("match", "user").values_list(
            "match", "user", "at", "value_before", "value", "deviation", "volatility", "games"
        )
    )


def test_a_finished_match_is_rated_by_the_next_round(play, people, monkeypatch):
    monkeypatch.setattr(services, "_SETTLING", 0)
    row = play(loser=1)
    services.rate_finished()
    winner, loser = (rating_of(user, *BLITZ) for user in people[:2])
    alone = Rating().after_games([(Rating(), 1)], idle=0)
    assert winner.value == pytest.approx(alone.value)
    assert winner.value - 1500 == pytest.approx(1500 - loser.value)
    assert winner.games == loser.games == 1
    assert winner.is_provisional
    changes = RatingChange.objects.filter(match=row).order_by("side")
    assert [change.outcome for change in changes] == ["won", "lost"]


def test_nobody_is_rated_twice_for_a_match(play):
    row = play(at=LONG_AGO)
    services.rate(row)
    first = table()
    services.rate(row)
    services.rate_finished()
    assert services.rate_all() == 0
    assert table() == first


def test_somebody_unrated_has_what_glicko_begins_with(people):
    standing = rating_of(people[0], *BLITZ)
    assert (standing.value, standing.deviation, standing.games) == (1500, 350, 0)
    assert standing.is_provisional
    assert standing.text == "1500?"
    assert ratings_of(people[0]) == []


def test_ratings_are_kept_apart_by_game_speed_and_board(play, people):
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
    assert all(one.standing.games == 1 for one in ratings_of(people[0]))


def test_friendly_matches_are_not_rated(play):
    play(rated=False, at=LONG_AGO)
    services.rate_all()
    assert not RatingChange.objects.exists()


def test_an_aborted_match_is_not_rated_and_the_reason_is_kept(play):
    row = play(loser=None, moves=False)
    carry_out(row.slug, Abort(seat=0, ply=0, key="abort"))
    MatchRow.objects.update(ended_at=LONG_AGO)
    services.rate_all()
    assert Unrated.objects.get().reason == Unrated.Reason.NO_RESULT
    assert not RatingChange.objects.exists()


def test_a_match_in_which_not_everybody_has_moved_is_not_rated(play):
    play(loser=1, moves=False, at=LONG_AGO)
    services.rate_all()
    assert Unrated.objects.get().reason == Unrated.Reason.NOT_BEGUN


def test_matches_with_the_computer_or_with_guests_are_not_rated(play, people):
    strangers = User(username="x", computer="computer:1"), User(username="y", is_guest=True)
    for other in strangers:
        other.save()
        services.rate(play(by=[people[0], other], at=LONG_AGO))
    assert [one.reason for one in Unrated.objects.all()] == [Unrated.Reason.NOT_ACCOUNTS] * 2


def test_whoever_plays_both_sides_is_not_rated(play, people):
    services.rate(play(by=[people[0], people[0]], at=LONG_AGO))
    assert Unrated.objects.get().reason == Unrated.Reason.SAME_PLAYER


def test_a_draw_brings_equal_players_no_points(play, people):
    row = play(loser=None, game_id="antipalos", options={"size": 16})
    for seat, command in ((0, Offer), (1, Accept)):
        carry_out(row.slug, command(seat=seat, ply=2, key=f"draw {seat}", kind=OfferKind.DRAW))
    row.refresh_from_db()
    services.rate(row)
    for user in people[:2]:
        standing = rating_of(user, "antipalos", *BLITZ[1:])
        assert standing.value == pytest.approx(1500)
        assert standing.deviation < 350


def test_a_swap_does_not_confuse_winner_and_loser(play, people):
    """In Hex with swapped seats White's player began as Black."""
    row = play(loser=0, options={"swap": "sides"})
    services.rate(row)
    assert RatingChange.objects.get(match=row, user=people[0]).outcome == "lost"


def test_what_is_waiting_for_is_found_again_after_a_stop(play, monkeypatch):
    rows = [play(at=LONG_AGO + number) for number in range(3)]
    services.rate(rows[1])
    monkeypatch.setattr(services, "_SHORT", -1)
    services.rate_finished()
    assert RatingChange.objects.count() == 2
    monkeypatch.setattr(services, "_SHORT", 60)
    services.rate_finished()
    assert RatingChange.objects.count() == 6
    assert RatedUntil.objects.get().at > LONG_AGO


def test_a_match_that_cannot_be_read_keeps_no_others_waiting(play):
    broken, whole = play(at=LONG_AGO), play(at=LONG_AGO + 1)
    broken.events.filter(number=0).update(data={"kind": "moved", "at": 1, "seat": 0, "move": -7})
    services.rate_all()
    assert Unrated.objects.get().match == broken
    assert RatingChange.objects.filter(match=whole).count() == 2


@pytest.fixture
def season(play, people):
    """Forty matches between four people in two pools, some of which ended at the same time."""
    chance = random.Random(5)
    rows = []
    for number in range(40):
        pair = chance.sample(people, 2)
        at = LONG_AGO + (number // 2) * DAY
        control = chance.choice(["5m+5s", "1d/move"])
        rows.append(play(chance.randrange(2), by=pair, at=at, control=control))
    return rows


def test_in_whatever_order_matches_are_counted_the_ratings_are_the_same(season):
    services.rate_all()
    expected = table()
    for seed in range(3):
        RatingChange.objects.all().delete()
        RatingRow.objects.all().delete()
        shuffled = random.Random(seed).sample(season, len(season))
        for row in shuffled:
            services.rate(row)
        assert table() == expected


def test_ratings_calculated_anew_are_identical(season):
    services.rate_all()
    before = table()
    RatingRow.objects.update(value=1, deviation=2, games=99)
    assert services.recalculate() == len(season)
    assert table() == before


def test_each_change_goes_on_from_the_one_before(season):
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


def test_in_teams_everybody_counts_one_game_against_the_other_side(play, people):
    row = play(loser=1, **TEAM)
    services.rate(row)
    changes = {change.user_id: change for change in RatingChange.objects.filter(match=row)}
    outcomes = [changes[user.pk].outcome for user in people]
    assert outcomes == ["won", "lost", "won", "lost"]
    assert [changes[user.pk].side for user in people] == [0, 1, 0, 1]
    alone = Rating().after_games([(Rating(), 1)], idle=0)
    assert changes[people[0].pk].value == pytest.approx(alone.value)


def test_a_strong_player_is_not_blamed_for_a_weak_partner(play, people):
    """Partners of different strength change by the same points when they were equally sure."""
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


def test_where_one_of_three_is_out_the_others_have_each_won_a_game_against_it(play, people):
    row = play(loser=1, game_id="antipalos", options={"seats": "cutthroat3", "size": 12})
    game = rated_game(row)
    assert isinstance(game, RatedGame)
    assert [side.outcome.value for side in game.sides] == ["won", "lost", "won"]
    services.rate(row)
    kind = ("antipalos", Speed.BLITZ, BoardClass.SMALL)
    values = ratings_by_user([user.pk for user in people[:3]], *kind)
    first, out, last = (values[user.pk].value for user in people[:3])
    assert first == last == pytest.approx(Rating().after_games([(Rating(), 1)], idle=0).value)
    assert 1500 - out == pytest.approx(
        1500 - Rating().after_games([(Rating(), 0), (Rating(), 0)], idle=0).value
    )


def test_doubt_grows_with_idle_time(play, people):
    services.rate(play(at=LONG_AGO))
    known = RatingChange.objects.get(user=people[0])
    assert rating_of(people[0], *BLITZ).deviation > known.deviation
