"""Players' pages: names in another letter case."""

import re
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from django.urls import reverse

from antipodes.games import pairing_strategy
from antipodes.games.registry import game_class, game_ids, make_game
from antipodes.match import Accept, Offer, OfferKind, Resign, Terms
from antipodes.search.levels import find_level
from antipodes.web.accounts.models import ProfileRow, User
from antipodes.web.accounts.services import computer
from antipodes.web.matches.following import follow_match
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.profiles import relation_views, views
from antipodes.web.ratings.classes import BoardClass, Speed
from antipodes.web.ratings.models import PoolRow, RatingChange, RatingRow
from antipodes.web.relations import services as relations

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["ANN", "Ann", "aNN"])
def test_a_name_in_another_letter_case_redirects_to_the_exact_name(client, people, name):
    answer = client.get(f"/people/{name}/")
    assert answer.status_code == 302
    assert answer.headers["Location"] == reverse("profile", args=["ann"])


def test_a_name_with_capital_letters_is_found_in_lower_case(client, db):
    User.objects.create(username="McCarthy")
    assert client.get("/people/McCarthy/").status_code == 200
    answer = client.get("/people/mccarthy/")
    assert answer.headers["Location"] == reverse("profile", args=["McCarthy"])


def test_an_exact_name_precedes_one_in_another_letter_case(client, db):
    first = User.objects.create(username="Zoe")
    User.objects.create(username="zoo")
    User.objects.filter(username="zoo").update(username="zoe")
    assert client.get("/people/zoe/").context["person"].username == "zoe"
    assert client.get("/people/Zoe/").context["person"] == first


def test_an_unknown_name_answers_404(client, people):
    assert client.get("/people/zoe/").status_code == 404


def finished_games(client, name):
    """Return the texts of the finished games on a player's page."""
    page = client.get(f"/people/{name}/").content.decode()
    lines = page.partition('aria-labelledby="finished"')[2].split("<li ")[1:]
    return [" ".join(re.sub("<[^>]*>", " ", one).split()) for one in lines]


def resign(row, seat):
    carry_out(row.slug, Resign(seat=seat, ply=row.match().ply, key=f"over {row.pk}"))


def test_a_profile_says_whether_its_player_has_won_or_lost(client, begin, work_off):
    resign(begin(), 0)
    (of_winner,), (of_loser,) = finished_games(client, "bob"), finished_games(client, "ann")
    assert "ann won · White wins by resignation" in of_winner
    assert "bob lost · White wins by resignation" in of_loser
    assert "bob" not in of_winner
    work_off()
    assert finished_games(client, "bob") == [of_winner]
    assert finished_games(client, "ann") == [of_loser]


def test_a_profile_names_draws_and_who_gave_up_at_a_table_of_three(client, begin, work_off):
    resign(begin("antipalos", seats="cutthroat3"), 1)
    drawn = begin("antipalos").slug
    carry_out(drawn, Offer(seat=0, ply=0, key="offer", kind=OfferKind.DRAW))
    carry_out(drawn, Accept(seat=1, ply=0, key="accept", kind=OfferKind.DRAW))
    work_off()
    assert "drew · Draw" in finished_games(client, "ann")[0]
    assert "lost · No winner" in finished_games(client, "bob")[1]
    assert "lost" not in finished_games(client, "ann")[1]


def test_a_crosstable_has_the_exact_names_in_its_address(client, people):
    User.objects.create(username="McCarthy")
    exact = reverse("crosstable", args=["ann", "McCarthy"])
    for first, second in (("Ann", "McCarthy"), ("ann", "mccarthy")):
        answer = client.get(reverse("crosstable", args=[first, second]))
        assert (answer.status_code, answer.headers["Location"]) == (302, exact)
    assert client.get(exact).status_code == 200
    alone = client.get(reverse("crosstable", args=["ANN", "ann"]))
    assert alone.headers["Location"] == reverse("profile", args=["ann"])


def test_without_a_pool_there_is_no_rating_history(people):
    pool = SimpleNamespace(game_id="hex", speed=Speed.BLITZ, board_class=BoardClass.STANDARD)
    line: Any = SimpleNamespace(pool=pool)
    assert views._history(people[0], None, line) is None


def test_the_best_rating_is_shown_with_its_day(client, people, begin):
    row = begin()
    at = int(datetime(2024, 3, 5, 12, tzinfo=UTC).timestamp() * 1_000)
    pool = PoolRow.objects.create(game_id="hex", speed="blitz", board_class="standard")
    user = people[0]
    rating = {"value": 1_701.2, "deviation": 60.0, "games": 20}
    RatingRow.objects.create(user=user, pool=pool, latest=at, established_until=2 * at, **rating)
    RatingChange.objects.create(
        match=row, user=user, pool=pool, at=at, side=0, outcome="won", volatility=0.06,
        value_before=1_690.0, deviation_before=60.0, volatility_before=0.06, **rating,
    )  # fmt: skip
    assert "Best rating: 1701, on 5 March 2024." in client.get("/people/ann/").content.decode()


def buttons(client, person):
    """Return the buttons on a player's page that concern the reader and the player."""
    page = client.get(reverse("profile", args=[person.username])).content.decode()
    part = page.partition('class="buttons stand"')[2].partition("</div>")[0]
    found = re.findall(r'(?:action|href)="([^"]*)"', part)
    return [one.removeprefix(f"/people/{person.username}/") for one in found]


def test_the_buttons_of_a_page_are_those_that_apply_to_its_player(client, ann, bob, cy):
    guest = User.objects.create(username="Guest1", is_guest=True)
    report = "report/"
    assert buttons(client, bob) == ["follow", "block", report]
    client.force_login(ann)
    assert buttons(client, ann) == []
    assert buttons(client, computer("1")) == []
    score = reverse("crosstable", args=["ann", "bob"])
    assert buttons(client, bob) == ["follow", "block", score, report]
    relations.follow(ann, bob)
    relations.follow(cy, ann)
    assert buttons(client, bob) == ["unfollow", "block", score, report]
    relations.block(ann, bob)
    relations.block(cy, ann)
    assert buttons(client, bob) == ["unblock", score, report]
    assert buttons(client, cy)[:2] == ["follow", "block"]
    assert buttons(client, guest)[0] == "block"


ACTIONS = [
    ("follow", "info", "You now follow bob."),
    ("unfollow", "info", "You no longer follow bob."),
    ("block", "info", "You have blocked bob."),
    ("follow", "warning", "you cannot follow bob now"),
    ("unblock", "info", "You have unblocked bob."),
]


def shown(client):
    """Return the messages that the next page shows."""
    return [(one.level_tag, str(one)) for one in client.get("/following/").context["messages"]]


def test_each_action_on_a_player_tells_what_it_did(client, people):
    client.force_login(people[0])
    for action, level, text in ACTIONS:
        answer = client.post(reverse(action, args=["bob"]))
        assert answer.headers["Location"] == reverse("following")
        assert shown(client) == [(level, text)]
    assert client.post(reverse("block", args=["zoe"])).status_code == 404
    assert client.get(reverse("block", args=["bob"])).status_code == 405


def test_following_a_match_tells_what_its_reader_will_get(client, people, begin):
    row, cy = begin(), people[2]
    where = {name: reverse(f"{name}-match", args=[row.slug]) for name in ("follow", "unfollow")}
    client.force_login(cy)
    assert client.post(where["unfollow"]).status_code == 404
    for notify, text in (
        ("moves", "You will be notified of each move of this match."),
        ("end", "You will be notified of the result of this match."),
    ):
        client.post(where["follow"], {"notify": notify})
        assert shown(client) == [("info", text)]
    page = client.get("/following/").context["following"]
    assert [(watch.each_move, line.row) for watch, line in page.watched] == [(False, row)]
    client.post(where["unfollow"])
    assert shown(client) == [("info", "You no longer follow this match.")]
    client.force_login(people[0])
    client.post(where["follow"], {"notify": "moves"})
    message = "you play in this match, so you get its notifications anyway"
    assert shown(client) == [("warning", message)]


def match_page(client, row):
    """Return the parts of a match's page that follow or report it."""
    page = client.get(reverse("match", args=[row.slug])).content.decode()
    names = ("follow-match", "unfollow-match", "report-match")
    found = [name for name in names if f'"{reverse(name, args=[row.slug])}"' in page]
    values = re.findall(r'name="notify" value="(\w+)"', page)
    return found, values, reverse("crosstable", args=["ann", "bob"]) in page


def test_a_match_is_followed_by_spectators_and_reported_by_players_too(client, people, begin):
    row = begin()
    both = ["follow-match", "report-match"]
    assert match_page(client, row) == (both, ["moves", "end"], True)
    client.force_login(people[0])
    assert match_page(client, row) == (["report-match"], [], True)
    client.force_login(people[2])
    three = ["follow-match", "unfollow-match", "report-match"]
    for each_move, other in ((True, ["end"]), (False, ["moves"])):
        follow_match(people[2], row, each_move=each_move)
        assert match_page(client, row) == (three, other, True)
    resign(row, 0)
    assert match_page(client, row) == (["unfollow-match", "report-match"], [], True)
    client.force_login(people[3])
    assert match_page(client, row) == (["report-match"], [], True)


def test_a_match_of_one_or_three_players_or_the_computer_has_other_buttons(client, people, begin):
    three = begin("antipalos", seats="cutthroat3")
    assert match_page(client, three) == (["follow-match", "report-match"], ["moves", "end"], False)
    ann = people[0]
    client.force_login(ann)
    for users in ([ann, ann], [ann, computer("1")]):
        terms = Terms(game=make_game("hex"), players=tuple(str(user.pk) for user in users))
        assert match_page(client, begin_match(terms, users))[0] == []


def test_followed_and_blocked_players_are_listed_by_name(client, ann, bob, cy, dee):
    for other in (dee, bob):
        relations.follow(ann, other)
    for other in (cy, User.objects.create(username="abe")):
        relations.block(ann, other)
    relations.follow(bob, ann)
    relations.block(dee, bob)
    client.force_login(ann)
    page = client.get("/following/").context["following"]
    assert [row.whom.username for row in page.people] == ["bob", "dee"]
    blocks = client.get("/blocked/").context["blocks"]
    assert [row.whom.username for row in blocks] == ["abe", "cy"]


def test_the_page_of_followed_matches_has_the_latest_first(people, begin, monkeypatch):
    monkeypatch.setattr(relation_views, "_MOST", 2)
    ann, _, cy, dee = people
    running, over = [begin() for _ in range(3)], [begin() for _ in range(3)]
    for number, row in enumerate(over):
        resign(row, 0)
        MatchRow.objects.filter(pk=row.pk).update(ended_at=1_000 - number)
    for number, row in enumerate(running):
        MatchRow.objects.filter(pk=row.pk).update(begun_at=1_000 - number)
        follow_match(dee, row, each_move=True)
    relations.follow(cy, ann)
    page = relation_views.followed_by(cy)
    assert [line.row for line in page.in_progress] == running[:2]
    assert [line.row for line in page.finished] == over[:2]
    assert page.watched == []
    assert page.in_progress[0].with_whom == "ann, bob"
    assert [line.row for _, line in relation_views.followed_by(dee).watched] == running[:0:-1]
    dee.watched_matches.filter(match=running[2]).update(is_done=True)
    watched = relation_views.followed_by(dee).watched
    assert [(watch.is_done, line.row) for watch, line in watched] == [
        (False, running[1]),
        (False, running[0]),
    ]


def rate_in(user, speed, *, games):
    """Give a user a rating for Hex."""
    pool, _ = PoolRow.objects.get_or_create(game_id="hex", speed=speed, board_class="standard")
    RatingRow.objects.create(
        user=user,
        pool=pool,
        value=1_600.0,
        deviation=60.0,
        games=games,
        latest=1,
        established_until=1,
    )


def test_a_page_shows_the_history_of_the_chosen_rating_or_the_one_with_most_games(client, people):
    for speed, games in (("blitz", 3), ("rapid", 9), ("correspondence", 5)):
        rate_in(people[0], speed, games=games)
    keys = [f"hex-{speed}-standard" for speed in ("rapid", "correspondence", "blitz")]
    for query, chosen in (("", 0), (f"?of={keys[2]}", 2), ("?of=hex-bullet-standard", 0)):
        page = client.get(f"/people/ann/{query}").context["page"]
        assert [line.key for line in page.ratings] == keys
        assert [line.is_shown for line in page.ratings] == [n == chosen for n in range(3)]
        assert page.history.line.key == keys[chosen]
        speed = page.ratings[chosen].pool.speed.label
        assert page.history.title == f"Hex, {speed}, standard board: rating history"
        assert page.history.chart == ""
    assert client.get("/people/bob/").context["page"].history is None


def test_a_challenge_on_a_page_is_for_the_game_with_most_ratings_of_its_player(client, people):
    assert client.get("/people/ann/").context["first_game"] == game_ids()[0] != "hex"
    rate_in(people[0], "blitz", games=3)
    context = client.get("/people/ann/").context
    assert (context["first_game"], context["is_own"]) == ("hex", False)
    client.force_login(people[0])
    assert client.get("/people/ann/").context["is_own"]
    assert not client.get("/people/bob/").context["is_own"]


def test_a_page_counts_the_matches_and_lists_the_last_ones(client, people, begin, monkeypatch):
    monkeypatch.setattr(views, "_MOST_MATCHES", 2)
    running, over = [begin() for _ in range(3)], [begin() for _ in range(3)]
    for number, row in enumerate(running):
        MatchRow.objects.filter(pk=row.pk).update(changed_at=1_000 - number)
    for number, row in enumerate(over):
        resign(row, 0)
        MatchRow.objects.filter(pk=row.pk).update(ended_at=1_000 - number)
    begin("antipalos", seats="cutthroat4")
    MatchRow.objects.filter(game_id="antipalos").update(is_private=True, changed_at=2_000)
    page = client.get("/people/bob/").context["page"]
    assert [line.row for line in page.in_progress] == running[:2]
    assert [line.row for line in page.finished] == over[:2]
    assert page.in_progress[0].with_whom == "ann, bob"
    assert page.games == 6
    client.force_login(people[3])
    assert client.get("/people/bob/").context["page"].games == 7
    assert client.get("/people/dee/").context["page"].games == 1


def test_the_page_of_a_computer_player_has_its_measured_ratings(client, people):
    level = find_level("2")
    page = client.get(f"/people/{computer('2').username}/").context["page"]
    assert page.level == level
    measured = [(game_class(one), level.rating(one)) for one in game_ids()]
    assert page.level_ratings == [one for one in measured if one[1] is not None] != []
    assert (page.why, client.get("/people/ann/").context["page"].level_ratings) == ("", [])
    why = client.get(f"/people/{computer(pairing_strategy.PLAYER).username}/").context["page"].why
    assert why == str(pairing_strategy.WHY)


def test_a_closed_account_has_no_description(client, people):
    ProfileRow.objects.create(user=people[0], about="I play at night.")
    ProfileRow.objects.create(user=people[1], about="I play at noon.")
    assert "I play at night." in client.get("/people/ann/").text
    User.objects.filter(pk=people[0].pk).update(is_active=False)
    page = client.get("/people/ann/")
    assert page.context["page"].row is None
    assert "I play at" not in page.text


def test_players_without_a_common_game_may_challenge_each_other(client, people):
    bot = computer("1")
    pairs = {
        None: [("ann", "bob", None)],
        people[0]: [("ann", "bob", people[1]), ("bob", "ann", people[1]), ("bob", "cy", None),
                    ("ann", bot.username, None)],
    }  # fmt: skip
    for user, cases in pairs.items():
        if user is not None:
            client.force_login(user)
        for first, second, opponent in cases:
            context = client.get(reverse("crosstable", args=[first, second])).context
            assert context["opponent"] == opponent
            assert context["first_game"] == game_ids()[0]


def test_a_saved_profile_tells_so_and_when(client, people, clocks):
    client.force_login(people[0])
    fields = {"about": "Hello", "country": "Fiji"}
    answer = client.post(reverse("edit-profile"), fields)
    assert answer.headers["Location"] == reverse("profile", args=["ann"])
    row = ProfileRow.objects.get(user=people[0])
    assert (row.about, row.country, row.changed_at) == ("Hello", "Fiji", clocks.wall)
    assert shown(client) == [("success", "Your profile has been saved.")]
    wrong = client.post(reverse("edit-profile"), {"about": "x" * 1_001})
    assert (wrong.status_code, wrong.context["person"]) == (200, people[0])
    assert "Hello" in client.get(reverse("edit-profile")).text
    assert client.put(reverse("edit-profile")).status_code == 405
