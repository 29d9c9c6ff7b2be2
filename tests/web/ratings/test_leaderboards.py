"""Leaderboards: order, ranks, eligibility and pages."""

import re

from antipodes.clocks import DAY
from antipodes.games.registry import game_ids
from antipodes.web.accounts.models import BOT, User
from antipodes.web.platform.clock import now
from antipodes.web.ratings import selectors, services
from antipodes.web.ratings.classes import BoardClass, Speed
from antipodes.web.ratings.models import RatingRow
from antipodes.web.ratings.selectors import PAGE_SIZE, CurrentRating, Include, leaderboard

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


def test_a_rating_is_listed_for_a_year_and_until_it_is_provisional(rate, people, clocks):
    rate(people[0], 1900, deviation=30)
    rows = RatingRow.objects.all()
    at = now()
    for latest, until, is_listed in (
        (at - 365 * DAY, at + 1, True),
        (at - 365 * DAY - 1, at + 1, False),
        (at, at, False),
    ):
        rows.update(latest=latest, established_until=until)
        assert names() == ["ann"] * is_listed


def test_a_line_has_the_present_rating(rate, people, clocks):
    row = rate(people[0], 1612.6, deviation=60, days=30)
    [line] = leaderboard(*KIND).lines
    grown = row.rating.after_idling(30 * DAY)
    assert line.rating == CurrentRating(1612.6, grown.deviation, is_provisional=False, games=12)
    assert (line.rating.rounded, line.rating.text, line.latest) == (1613, "1613", row.latest)


def test_many_hidden_users_are_left_out_as_few_are(rate, people, monkeypatch):
    for user in people:
        rate(user, 1500)
    User.objects.filter(username__in=("ann", "bob")).update(is_active=False)
    for few in (1, 2, 3):
        monkeypatch.setattr(selectors, "_FEW", few)
        assert names() == ["cy", "dee"]


def test_pages_outside_are_the_first_and_the_last(rate, people, monkeypatch):
    monkeypatch.setattr(selectors, "PAGE_SIZE", 2)
    for user in people:
        rate(user, 1500 - user.pk)
    found = [leaderboard(*KIND, viewer=people[2], page=page) for page in (-1, 0, 1, 2, 3)]
    assert [one.page for one in found] == [1, 1, 1, 2, 2]
    assert {(one.count, one.pages) for one in found} == {(4, 2)}
    assert [one.own_page for one in found] == [2, 2, 2, None, None]
    own = found[0].own
    assert own is not None
    assert (own.rank, own.user, own.rating.games) == (3, people[2], 12)
    assert leaderboard(*KIND, viewer=people[1]).own_page is None
    assert leaderboard(*KIND).own is None


def test_equal_ratings_share_a_rank_across_pages(rate, people, monkeypatch):
    monkeypatch.setattr(selectors, "PAGE_SIZE", 2)
    for user, value in zip(people, (1600, 1500, 1500, 1400), strict=True):
        rate(user, value)
    ranks = [[line.rank for line in leaderboard(*KIND, page=page).lines] for page in (1, 2)]
    assert ranks == [[1, 2], [2, 4]]


def links(choices):
    return [(str(one.label), one.url, one.is_chosen) for one in choices]


def test_a_page_links_to_all_other_leaderboards(client, rate, people):
    rate(people[0], 1500)
    found = client.get("/ratings/hex/?bots=1").context
    assert [game.id for game in found["games"]] == list(game_ids())
    assert links(found["speeds"]) == [
        ("blitz", "?speed=blitz&board=standard&bots=1", False),
        ("rapid", "?speed=rapid&board=standard&bots=1", True),
        ("correspondence or no clock", "?speed=correspondence&board=standard&bots=1", False),
    ]
    assert links(found["boards"]) == [
        ("small board", "?speed=rapid&board=small&bots=1", False),
        ("standard board", "?speed=rapid&board=standard&bots=1", True),
        ("large board", "?speed=rapid&board=large&bots=1", False),
    ]
    assert links(found["includes"]) == [
        ("provisional ratings", "?speed=rapid&board=standard&provisional=1&bots=1", False),
        ("bots", "?speed=rapid&board=standard", True),
    ]
    assert [line.user for line in found["leaderboard"].lines] == [people[0]]
    query = client.get("/ratings/hex/?speed=blitz&board=large&provisional=1&bots=2").context[
        "query"
    ]
    assert (query.speed, query.board_class) == (Speed.BLITZ, BoardClass.LARGE)
    assert query.include == {Include.PROVISIONAL}
    assert len(client.get("/ratings/antipode/?board=large").context["boards"]) == 1
    assert client.get("/ratings/antipode/?board=large").context["query"].board_class == "standard"


def test_viewers_see_their_own_rank_or_why_they_have_none(client, rate, people, monkeypatch):
    def told():
        text = " ".join(client.get("/ratings/hex/").text.split())
        return re.findall(r'<p class="note"> ?(.*?) ?</p>', text)

    monkeypatch.setattr(selectors, "PAGE_SIZE", 1)
    rate(people[0], 1600)
    rate(people[1], 1500)
    provisional = rate(people[2], 1555.4, deviation=200)
    assert told() == []
    client.force_login(User.objects.create(username="Guest 1", is_guest=True))
    assert told() == []
    client.force_login(people[3])
    assert told() == ["You have not played a rated game of this kind yet."]
    client.force_login(people[2])
    [words] = told()
    assert words.startswith("Your rating is 1555 after 12 games. It is provisional;")
    RatingRow.objects.filter(pk=provisional.pk).update(deviation=30, latest=now() - 400 * DAY)
    assert told() == ["Your rating is 1555. Play a rated game to be listed again."]
    client.force_login(people[1])
    assert told() == ["Your rank is 2 of 2, with a rating of 1500."]
    page = client.get("/ratings/hex/").context
    assert page["own_page"] == page["next"] == "?speed=rapid&board=standard&page=2"
    assert client.get("/ratings/hex/?page=2").context["own_page"] == ""


def test_the_overview_has_the_best_five_of_each_game(client, rate, people):
    more = [User.objects.create(username=name) for name in ("eve", "flo")]
    for user in [*people, *more]:
        rate(user, 1500 + user.pk)
    found = client.get("/ratings/?board=large").context
    tops = {game.id: [line.user for line in lines] for game, lines in found["tops"]}
    assert list(tops) == list(game_ids())
    assert tops["hex"] == [*people, *more][:0:-1]
    assert tops["antipod"] == []
    assert found["query"].board_class is BoardClass.STANDARD
    assert [one.is_chosen for one in found["speeds"]] == [False, True, False]
    assert not any(lines for _, lines in client.get("/ratings/?speed=blitz").context["tops"])


def test_ratings_of_a_user_come_by_games(play, people, clocks):
    for at, kinds in enumerate(({}, {"control": "1d/move"}, {"control": "1d/move"})):
        play(at=1_700_000_000_000 + at, **kinds)
    services.rate_all()
    found = selectors.ratings_of(people[0])
    assert [(one.speed, one.rating.games, one.latest) for one in found] == [
        (Speed.CORRESPONDENCE, 2, 1_700_000_000_002),
        (Speed.BLITZ, 1, 1_700_000_000_000),
    ]
    RatingRow.objects.filter(user=people[1]).update(games=0)
    assert selectors.ratings_of(people[1]) == []
    pools = selectors.ratings_in_pools([people[0].pk, people[1].pk])
    assert {key: one.games for key, one in pools.items()} == {
        (people[0].pk, "hex", "blitz", "standard"): 1,
        (people[0].pk, "hex", "correspondence", "standard"): 2,
    }
    assert pools[people[0].pk, "hex", "blitz", "standard"] == found[1].rating
