"""Laws of leaderboards."""

import pytest

from antipodes.web.accounts.models import BOT, User
from antipodes.web.platform.clock import now
from antipodes.web.ratings.classes import BoardClass, Speed
from antipodes.web.ratings.glicko import Rating
from antipodes.web.ratings.models import PoolRow, RatingRow
from antipodes.web.ratings.selectors import ON_A_PAGE, Also, leaderboard

KIND = ("hex", Speed.RAPID, BoardClass.STANDARD)
DAY = 86_400_000


@pytest.fixture
def rate(db):
    """Give somebody a rating in the pool."""
    pool = PoolRow.objects.create(game_id="hex", speed="rapid", board_class="standard")

    def make(user, value, deviation=60.0, days=0):
        rating, latest = Rating(value, deviation), now() - days * DAY
        settled = rating.settled_for()
        return RatingRow.objects.create(
            user=user,
            pool=pool,
            value=value,
            deviation=deviation,
            games=12,
            latest=latest,
            settled_until=latest + settled if settled else 0,
        )

    return make


def names(**wanted):
    return [line.user.username for line in leaderboard(*KIND, **wanted).lines]


def test_the_strongest_are_first_and_equal_ones_share_a_rank(rate, people):
    for user, value in zip(people, (1500, 1700, 1600, 1600), strict=True):
        rate(user, value)
    found = leaderboard(*KIND, viewer=people[0])
    assert [(line.rank, line.user.username) for line in found.lines] == [
        (1, "bob"),
        (2, "cy"),
        (2, "dee"),
        (4, "ann"),
    ]
    assert found.own is not None
    assert found.own.rank == 4


def test_provisional_ratings_are_listed_only_where_that_is_wanted(rate, people):
    rate(people[0], 1900, deviation=200)
    rate(people[1], 1500)
    assert names() == ["bob"]
    assert names(also={Also.PROVISIONAL}) == ["ann", "bob"]


def test_a_rating_becomes_provisional_with_idle_time(rate, people):
    rate(people[0], 1900, deviation=100, days=200)
    rate(people[1], 1500, deviation=40, days=200)
    assert names() == ["bob"]


def test_whoever_has_not_played_for_a_year_is_not_listed(rate, people):
    rate(people[0], 1900, deviation=30, days=364)
    rate(people[1], 1500, deviation=30, days=366)
    assert names() == ["ann"]


def test_closed_accounts_and_programs_are_not_listed(rate, people):
    for user in people[:3]:
        rate(user, 1500)
    User.objects.filter(pk=people[0].pk).update(is_active=False)
    User.objects.filter(pk=people[1].pk).update(first_name=BOT)
    assert names() == ["cy"]
    assert names(also=[Also.BOTS]) == ["bob", "cy"]


def test_a_club_can_compare_its_members_alone(rate, people):
    for user in people:
        rate(user, 1500 + user.pk)
    members = User.objects.filter(username__in=("ann", "cy")).values("pk")
    found = leaderboard(*KIND, users=members, viewer=people[2])
    assert [(line.rank, line.user.username) for line in found.lines] == [(1, "cy"), (2, "ann")]
    assert leaderboard(*KIND, users=[], viewer=people[2]).count == 0


def test_pages_follow_one_another_and_tell_where_one_is(rate, db):
    users = [User.objects.create(username=f"player-{number:03}") for number in range(120)]
    for number, user in enumerate(users):
        rate(user, 2000 - number)
    pages = [leaderboard(*KIND, viewer=users[119], page=page) for page in (1, 2, 3)]
    listed = [line.user.pk for page in pages for line in page.lines]
    assert listed == [user.pk for user in users]
    assert [page.lines[0].rank for page in pages] == [1, ON_A_PAGE + 1, 2 * ON_A_PAGE + 1]
    assert pages[0].own_page == 3
    assert pages[2].own_page is None
    assert leaderboard(*KIND, page=99).page == 3


def test_nobody_is_listed_where_nothing_was_rated(db):
    found = leaderboard(*KIND)
    assert (found.lines, found.count, found.pages) == ([], 0, 1)
