"""Laws of the pages of people and of ratings."""

import pytest
from django.urls import reverse

from antipodes.clocks import read_control
from antipodes.games.registry import game_class, game_ids, make_game
from antipodes.search.levels import find_level, measured
from antipodes.web.accounts.models import ProfileRow, User
from antipodes.web.accounts.services import computer
from antipodes.web.challenges.services import GameRequest, Opponent, request_game
from antipodes.web.matches.models import MatchRow
from antipodes.web.platform.clock import now
from antipodes.web.ratings import services
from antipodes.web.ratings.classes import BoardClass, Speed
from antipodes.web.ratings.models import RatingChange, RatingRow
from antipodes.web.ratings.selectors import rating_of

LONG_AGO = 1_700_000_000_000


def page(client, *parts, **query):
    answer = client.get("/" + "/".join(parts) + "/", query, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture
def played(play, people):
    """Three rated matches of ann."""
    rows = [play(loser, at=LONG_AGO + loser) for loser in (1, 0, 1)]
    services.rate_all()
    return rows


def test_a_page_tells_ratings_and_games(client, played, people):
    text = page(client, "people", "ann")
    assert "Won 2, drew 0, lost 1." in text
    assert "provisional" in text
    assert '<svg class="history"' in text
    assert f'href="{reverse("profile", args=["bob"])}"' in text
    assert text.count(reverse("match", args=[played[0].slug])) >= 2


def test_a_name_in_other_letters_leads_to_the_same_page(client, people):
    answer = client.get("/people/ANN/")
    assert answer.status_code == 302
    assert answer["Location"] == reverse("profile", args=["ann"])
    assert client.get("/people/zoe/").status_code == 404


def test_the_history_of_each_rating_can_be_chosen(client, play, people):
    play(at=LONG_AGO)
    play(at=LONG_AGO, control="1d/move", game_id="hex", options={"size": 13})
    services.rate_all()
    text = page(client, "people", "ann", of="hex-correspondence-large")
    assert "Hex, correspondence, large board: the rating" in text.replace("&#x27;", "'")
    assert "?of=hex-blitz-standard#history" in text
    assert page(client, "people", "ann", of="<nonsense>")


def test_private_matches_are_told_to_those_who_played_alone(client, played, people):
    MatchRow.objects.filter(pk=played[0].pk).update(is_private=True)
    address = reverse("match", args=[played[0].slug])
    assert address not in page(client, "people", "ann")
    client.force_login(people[2])
    assert address not in page(client, "people", "ann")
    client.force_login(people[1])
    assert address in page(client, "people", "ann")


def test_people_write_what_others_read_as_plain_text(client, people):
    client.force_login(people[0])
    told = {
        "about": "I like <b>rings</b>.\r\n\r\nAnd bridges.\x07",
        "availability": "looking",
        "country": "Iceland",
        "languages": "Icelandic,\u2028English",
    }
    answer = client.post("/accounts/profile/", told)
    assert answer.status_code == 302
    row = ProfileRow.objects.get(user=people[0])
    assert row.about == "I like <b>rings</b>.\n\nAnd bridges."
    text = page(client, "people", "ann")
    assert "&lt;b&gt;rings&lt;/b&gt;" in text
    assert "Looking for a game" in text
    assert "Iceland" in text


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"about": "x" * 1001}, "1000"),
        ({"about": "x\n" * 40 + "x"}, "not 41"),
        ({"availability": "asleep"}, "asleep"),
        ({"country": "x" * 61}, "60"),
    ],
)
def test_what_is_too_long_is_refused_and_nothing_is_lost(client, people, told, words):
    client.force_login(people[0])
    answer = client.post("/accounts/profile/", told)
    assert answer.status_code == 200
    assert words in answer.content.decode()
    assert not ProfileRow.objects.exists()


def test_guests_and_strangers_are_led_to_sign_up_or_in(client, db):
    assert client.get("/accounts/profile/")["Location"] == reverse("account_login")
    guest = User.objects.create(username="Guest 4821", is_guest=True)
    client.force_login(guest)
    assert client.get("/accounts/profile/")["Location"] == reverse("account_signup")
    assert "A guest" in page(client, "people", "Guest 4821")


def test_a_closed_account_tells_nothing_about_itself(client, people):
    ProfileRow.objects.create(user=people[0], about="here I am")
    User.objects.filter(pk=people[0].pk).update(is_active=False)
    text = page(client, "people", "ann")
    assert "here I am" not in text
    assert "closed" in text


def test_a_level_of_the_computer_tells_its_measured_strength(client, db):
    text = page(client, "people", computer("3").username)
    for game_id in measured():
        assert str(find_level("3").rating(game_id)) in text
        assert game_class(game_id).title in text
    assert "No rated games yet" not in text


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_has_a_leaderboard(client, db, game_id):
    assert "Nobody is listed here yet" in page(client, "ratings", game_id)
    assert game_id in page(client, "ratings")


def test_leaderboards_take_what_their_address_says_and_nothing_else(client, played, people):
    client.force_login(people[0])
    query = {"speed": "blitz", "board": "standard"}
    text = page(client, "ratings", "hex", **query)
    assert "It is provisional" in text
    RatingRow.objects.update(latest=now())
    text = page(client, "ratings", "hex", **query, provisional=1)
    assert 'href="/people/ann/"' in text
    for wrong in ({"speed": "x"}, {"board": "'"}, {"page": "-1"}, {"page": "9" * 30}):
        assert page(client, "ratings", "hex", **wrong)
    assert client.get("/ratings/chess/").status_code == 404


def test_a_match_tells_what_it_made_of_ratings(client, play, people):
    row = play(loser=1)
    address = reverse("match-ratings", args=[row.slug])
    before = client.get(address).json()
    assert before["rated"]
    assert not before["isDone"]
    assert "gain" not in before["seats"][0]
    services.rate(row)
    after = client.get(address).json()
    assert after["isDone"]
    first, second = after["seats"]
    assert first["gain"] == first["rating"] - 1500 > 0 > second["gain"]
    assert first["provisional"]
    assert first["profile"] == "/people/ann/"


def test_a_match_tells_why_it_was_not_rated(client, play):
    row = play(loser=1, moves=False)
    services.rate(row)
    told = client.get(reverse("match-ratings", args=[row.slug])).json()
    assert told["isDone"]
    assert told["why"] == "Not everybody had moved."


def test_ratings_of_private_matches_are_private(client, play, people):
    row = play(loser=1)
    MatchRow.objects.filter(pk=row.pk).update(is_private=True)
    address = reverse("match-ratings", args=[row.slug])
    assert client.get(address).status_code == 404
    client.force_login(people[0])
    assert client.get(address).status_code == 200


def test_a_page_asks_the_database_a_fixed_number_of_times(
    client, play, people, django_assert_max_num_queries
):
    for number in range(8):
        play(number % 2, at=LONG_AGO + number)
    services.rate_all()
    assert RatingChange.objects.count() == 16
    for address, most in (("/people/ann/", 24), ("/ratings/hex/?speed=blitz&provisional=1", 14)):
        client.get(address)
        with django_assert_max_num_queries(most):
            client.get(address)


def test_open_challenges_tell_how_strong_somebody_is(client, played, people):
    game = make_game("hex")
    clock = read_control("5m+5s")
    request_game(
        people[0], GameRequest(game=game, opponent=Opponent.ANYBODY, control=clock, rated=True)
    )
    request_game(
        people[3], GameRequest(game=game, opponent=Opponent.ANYBODY, control=clock, rated=True)
    )
    text = page(client, "lobby")
    known = rating_of(people[0], "hex", Speed.BLITZ, BoardClass.STANDARD)
    assert f'by <a href="/people/ann/">ann</a> <span class="faint">{known.text}</span>' in text
    assert 'by <a href="/people/dee/">dee</a></span>' in text
