"""Pages of ratings, and ratings on players' and match pages."""

import json

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
    """Play three rated matches of ann."""
    rows = [play(loser, at=LONG_AGO + loser) for loser in (1, 0, 1)]
    services.rate_all()
    return rows


def test_a_profile_shows_ratings_and_games(client, played, people):
    text = page(client, "people", "ann")
    assert "Won 2, drew 0, lost 1." in text
    assert "provisional" in text
    assert '<svg class="history"' in text
    assert f'href="{reverse("profile", args=["bob"])}"' in text
    assert text.count(reverse("match", args=[played[0].slug])) >= 2


def test_a_profile_shows_the_history_of_the_chosen_rating(client, play, people):
    play(at=LONG_AGO)
    play(at=LONG_AGO, control="1d/move", game_id="hex", options={"size": 13})
    services.rate_all()
    text = page(client, "people", "ann", of="hex-correspondence-large")
    assert "Hex, correspondence or no clock, large board: rating history" in text
    assert "?of=hex-blitz-standard#history" in text
    assert page(client, "people", "ann", of="<nonsense>")


def test_a_profile_shows_private_matches_to_their_players_only(client, played, people):
    MatchRow.objects.filter(pk=played[0].pk).update(is_private=True)
    address = reverse("match", args=[played[0].slug])
    assert address not in page(client, "people", "ann")
    client.force_login(people[2])
    assert address not in page(client, "people", "ann")
    client.force_login(people[1])
    assert address in page(client, "people", "ann")


def test_profile_texts_are_normalised_and_escaped(client, people):
    client.force_login(people[0])
    fields = {
        "about": "I like <b>rings</b>.\r\n\r\nAnd bridges.\x07",
        "availability": "looking",
        "country": "Iceland",
        "languages": "Icelandic,\u2028English",
    }
    answer = client.post("/accounts/profile/", fields)
    assert answer.status_code == 302
    row = ProfileRow.objects.get(user=people[0])
    assert row.about == "I like <b>rings</b>.\n\nAnd bridges."
    text = page(client, "people", "ann")
    assert "&lt;b&gt;rings&lt;/b&gt;" in text
    assert "Looking for a game" in text
    assert "Iceland" in text


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"about": "x" * 1001}, "1000"),
        ({"about": "x\n" * 40 + "x"}, "not 41"),
        ({"availability": "asleep"}, "asleep"),
        ({"country": "x" * 61}, "60"),
    ],
)
def test_an_invalid_profile_shows_errors(client, people, fields, error):
    client.force_login(people[0])
    answer = client.post("/accounts/profile/", fields)
    assert answer.status_code == 200
    assert error in answer.content.decode()
    assert not ProfileRow.objects.exists()


def test_editing_a_profile_redirects_guests_to_sign_up_and_visitors_to_sign_in(client, db):
    signing_in = f"{reverse('account_login')}?next=/accounts/profile/"
    assert client.get("/accounts/profile/")["Location"] == signing_in
    guest = User.objects.create(username="Guest 4821", is_guest=True)
    client.force_login(guest)
    assert client.get("/accounts/profile/")["Location"] == reverse("account_signup")
    assert "A guest" in page(client, "people", "Guest 4821")


def test_the_profile_of_a_closed_account_hides_its_texts(client, people):
    ProfileRow.objects.create(user=people[0], about="here I am")
    User.objects.filter(pk=people[0].pk).update(is_active=False)
    text = page(client, "people", "ann")
    assert "here I am" not in text
    assert "closed" in text


def test_the_profile_of_a_level_shows_its_measured_strength(client, db):
    text = page(client, "people", computer("3").username)
    for game_id in measured():
        assert str(find_level("3").rating(game_id)) in text
        assert game_class(game_id).title in text
    assert "No rated games yet" not in text


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_has_a_leaderboard(client, db, game_id):
    assert "No rated players yet" in page(client, "ratings", game_id)
    assert game_id in page(client, "ratings")


def test_leaderboards_ignore_invalid_query_parameters(client, played, people):
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


def test_a_rated_match_shows_ratings_and_gains(client, play, people):
    row = play(loser=1)
    address = reverse("match-ratings", args=[row.slug])
    MatchRow.objects.filter(pk=row.pk).update(ended_at=None)
    before = client.get(address).json()
    assert before["rated"]
    assert not before["isDone"]
    assert "gain" not in before["seats"][0]
    row.save()
    after = client.get(address).json()
    assert after["isDone"]
    first, second = after["seats"]
    assert first["gain"] == first["rating"] - 1500 > 0 > second["gain"]
    assert first["provisional"]
    assert first["profile"] == "/people/ann/"


def test_the_page_of_a_match_has_the_ratings_at_once(client, play):
    row = play(loser=1)
    for is_rated in (False, True):
        if is_rated:
            services.rate(row)
        text = client.get(reverse("match", args=[row.slug])).content.decode()
        told = text.split('<script id="match-ratings" type="application/json">')[1]
        found = json.loads(told.partition("</script>")[0])
        assert [one["seat"] for one in found["seats"] if "rating" in one] == [0, 1]
        assert all(("gain" in one) is is_rated for one in found["seats"])


def test_the_first_look_at_a_match_after_its_end_rates_it_once(client, play):
    row = play(loser=1)
    address = reverse("match-ratings", args=[row.slug])
    first, second = (client.get(address).json() for _ in range(2))
    assert first == second
    assert first["isDone"]
    assert [one["gain"] > 0 for one in first["seats"]] == [True, False]
    services.rate_finished()
    assert RatingChange.objects.filter(match=row).count() == 2
    running = play(loser=None)
    assert not client.get(reverse("match-ratings", args=[running.slug])).json()["isDone"]


def test_an_unrated_match_shows_the_reason(client, play):
    row = play(loser=1, moves=False)
    services.rate(row)
    view = client.get(reverse("match-ratings", args=[row.slug])).json()
    assert view["isDone"]
    assert view["why"] == "Not all players had moved."


def test_ratings_of_private_matches_are_private(client, play, people):
    row = play(loser=1)
    MatchRow.objects.filter(pk=row.pk).update(is_private=True)
    address = reverse("match-ratings", args=[row.slug])
    assert client.get(address).status_code == 404
    client.force_login(people[0])
    assert client.get(address).status_code == 200


def test_the_number_of_queries_does_not_grow_with_games(
    client, play, people, django_assert_max_num_queries
):
    for number in range(8):
        play(number % 2, at=LONG_AGO + number)
    services.rate_all()
    assert RatingChange.objects.count() == 16
    for address, most in (("/people/ann/", 25), ("/ratings/hex/?speed=blitz&provisional=1", 14)):
        client.get(address)
        with django_assert_max_num_queries(most):
            client.get(address)


def test_open_challenges_show_the_challengers_rating(client, played, people):
    game = make_game("hex")
    clock = read_control("5m+5s")
    request_game(
        people[0], GameRequest(game=game, opponent=Opponent.ANYBODY, control=clock, rated=True)
    )
    request_game(
        people[3], GameRequest(game=game, opponent=Opponent.ANYBODY, control=clock, rated=True)
    )
    text = " ".join(page(client, "lobby").split())
    rating = rating_of(people[0], "hex", Speed.BLITZ, BoardClass.STANDARD)
    assert f'by <a href="/people/ann/">ann</a> <span class="faint">{rating.text}</span>' in text
    assert 'by <a href="/people/dee/">dee</a> </span>' in text
