"""Leaderboards: order, ranks, eligibility and pages."""

from antipodes.web.accounts.models import BOT, User
from antipodes.web.ratings import selectors
from antipodes.web.ratings.classes import BoardClass, Speed
from antipodes.web.ratings.selectors import PAGE_SIZE, Include, leaderboard

KIND = ("hex", Speed.RAPID, BoardClass.STANDARD)


def names(**options):
    return [line.user.username for line in leaderboard(*KIND, **options).lines]


def test_players_are_sorted_by_rating_and_equal_ratings_share_a_rank(rate, people):
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


def test_provisional_ratings_are_listed_on_request_only(rate, people):
    rate(people[0], 1900, deviation=200)
    rate(people[1], 1500)
    assert names() == ["bob"]
    assert names(include={Include.PROVISIONAL}) == ["ann", "bob"]


def test_a_rating_becomes_provisional_with_idle_time(rate, people):
    rate(people[0], 1900, deviation=100, days=200)
    rate(people[1], 1500, deviation=40, days=200)
    assert names() == ["bob"]


def test_players_without_a_rated_game_in_the_last_year_are_not_listed(rate, people):
    rate(people[0], 1900, deviation=30, days=364)
    rate(people[1], 1500, deviation=30, days=366)
    assert names() == ["ann"]


def test_closed_accounts_and_bots_are_not_listed(rate, people):
    for user in people[:3]:
        rate(user, 1500)
    User.objects.filter(pk=people[0].pk).update(is_active=False)
    User.objects.filter(pk=people[1].pk).update(first_name=BOT)
    assert names() == ["cy"]
    assert names(include=[Include.BOTS]) == ["bob", "cy"]


def test_a_leaderboard_can_be_limited_to_some_users(rate, people):
    for user in people:
        rate(user, 1500 + user.pk)
    members = User.objects.filter(username__in=("ann", "cy")).values("pk")
    found = leaderboard(*KIND, users=members, viewer=people[2])
    assert [(line.rank, line.user.username) for line in found.lines] == [(1, "cy"), (2, "ann")]
    assert leaderboard(*KIND, users=[], viewer=people[2]).count == 0


def test_pages_continue_each_other_and_know_the_viewers_page(rate, db):
    users = [User.objects.create(username=f"player-{number:03}") for number in range(120)]
    for number, user in enumerate(users):
        rate(user, 2000 - number)
    pages = [leaderboard(*KIND, viewer=users[119], page=page) for page in (1, 2, 3)]
    listed = [line.user.pk for page in pages for line in page.lines]
    assert listed == [user.pk for user in users]
    assert [page.lines[0].rank for page in pages] == [1, PAGE_SIZE + 1, 2 * PAGE_SIZE + 1]
    assert pages[0].own_page == 3
    assert pages[2].own_page is None
    assert leaderboard(*KIND, page=99).page == 3


def test_a_pool_without_rated_games_is_empty(db):
    found = leaderboard(*KIND)
    assert (found.lines, found.count, found.pages) == ([], 0, 1)


def test_the_last_page_has_no_link_to_a_next_page(client, rate, people, monkeypatch):
    monkeypatch.setattr(selectors, "PAGE_SIZE", 2)
    for user in people:
        rate(user, 1500 + user.pk)
    first, last = (client.get("/ratings/hex/", {"page": page}) for page in (1, 2))
    assert (first.context["previous"], last.context["next"]) == ("", "")
    assert 'rel="next" href="?speed=rapid&amp;board=standard&amp;page=2"' in first.content.decode()
    assert 'rel="prev" href="?speed=rapid&amp;board=standard&amp;page=1"' in last.content.decode()
    assert b'rel="next"' not in last.content
    assert b'rel="prev"' not in first.content
