"""Challenges and the form for new games."""

import pytest
from django.test import Client

from antipodes.games.registry import game_ids
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.models import MatchRow

pytestmark = pytest.mark.django_db

PLAIN = {"level": "1", "control": "unlimited", "seat": "", "analysis": "on"}


@pytest.fixture
def others():
    """Three more browsers."""
    return [Client() for _ in range(3)]


def post(client, game_id="hex", **fields):
    return client.post(f"/new/{game_id}/", {**PLAIN, **fields})


@pytest.mark.parametrize("game_id", game_ids())
def test_the_form_offers_every_option_with_its_default(client, game_id):
    form = client.get(f"/new/{game_id}/").context["form"]
    for info in form.game_type.option_table():
        assert form.fields[f"option-{info.name}"].initial == info.default


def test_an_option_that_depends_on_others_can_be_left_empty(client):
    post(client, "antipalos", opponent="computer", **{"option-size": "12", "option-rods": ""})
    assert MatchRow.objects.get().options == {"size": 12}


def test_a_match_against_the_computer_starts_at_once(client):
    answer = post(client, opponent="computer", seat="1", **{"option-size": "7"})
    row = MatchRow.objects.get()
    assert answer.headers["Location"] == f"/m/{row.slug}/"
    assert row.options == {"size": 7}
    assert [seat.user.is_computer for seat in row.seats.all()] == [True, False]


def test_the_form_shows_errors_of_options(client):
    answer = post(client, "antipalos", opponent="computer", **{"option-size": "13"})
    assert answer.status_code == 200
    assert b"size is 13" in answer.content
    assert not MatchRow.objects.exists()


def test_the_form_refuses_solved_boards(client):
    answer = post(client, "antipod", opponent="anybody", **{"option-side": "3"})
    assert b"side is 3, but must be 4..10" in answer.content
    assert not ChallengeRow.objects.exists()


def test_the_form_offers_the_sizes_of_the_chosen_rules(client):
    def sizes(**chosen):
        form = client.get("/new/antipalos/", chosen).context["form"]
        return [int(size) for size, _label in form.fields["option-size"].choices]

    assert sizes() == [12, 14, 16, 18, 20]
    assert sizes(**{"option-ruleset": "mail", "option-size": "16"}) == list(range(3, 27))
    assert sizes(**{"option-ruleset": "boxed", "option-size": "7"}) == [12, 14, 16, 18, 20]


def test_the_form_shows_no_option_with_one_choice(client):
    def shown(**chosen):
        form = client.get("/new/antipalos/", chosen).context["form"]
        return [field.name for field in (*form.board_fields(), *form.more_fields())]

    assert "option-swap" not in shown()
    assert "option-rods" in shown()
    mail = shown(**{"option-ruleset": "mail"})
    assert "option-swap" in mail
    assert "option-rods" not in mail


def test_joining_a_challenge_from_the_lobby_starts_the_match(client, others):
    post(client, opponent="anybody", seat="0")
    row = ChallengeRow.objects.get()
    assert f"/c/{row.slug}/".encode() in others[0].get("/lobby/").content
    answer = others[0].post(f"/c/{row.slug}/join")
    match = MatchRow.objects.get()
    assert answer.headers["Location"] == f"/m/{match.slug}/"
    assert client.get(f"/c/{row.slug}/").headers["Location"] == f"/m/{match.slug}/"
    assert client.get(f"/m/{match.slug}/match.json").json()["own"] == [0]
    assert others[0].get(f"/m/{match.slug}/match.json").json()["own"] == [1]


def test_a_challenge_by_link_is_not_in_the_lobby(client, others):
    post(client, opponent="link")
    row = ChallengeRow.objects.get()
    assert row.slug.encode() not in others[0].get("/lobby/").content
    assert others[0].post(f"/c/{row.slug}/join").status_code == 302


def test_a_seat_of_thousands_of_digits_counts_as_none(client, others):
    post(client, opponent="link")
    others[0].post(f"/c/{ChallengeRow.objects.get().slug}/join", {"seat": "9" * 5000})
    assert MatchRow.objects.get().seats.count() == 2


def test_a_team_game_starts_when_the_fourth_player_joins(client, others):
    post(client, "antipalos", opponent="link", **{"option-seats": "team"})
    row = ChallengeRow.objects.get()
    for browser in others:
        assert not MatchRow.objects.exists()
        browser.post(f"/c/{row.slug}/join")
    assert MatchRow.objects.get().seats.count() == 4


def test_a_player_cannot_join_twice_or_too_late(client, others):
    post(client, opponent="link")
    row = ChallengeRow.objects.get()
    assert client.post(f"/c/{row.slug}/join").status_code == 409
    others[0].post(f"/c/{row.slug}/join")
    assert others[1].post(f"/c/{row.slug}/join").status_code == 409
    assert MatchRow.objects.count() == 1


def test_matches_with_the_user_to_move_come_first(client):
    post(client, opponent="computer", seat="0")
    post(client, opponent="computer", seat="1")
    own = client.get("/").context["own"]
    assert [row.is_my_turn for row in own] == [True, False]


@pytest.mark.parametrize("address", ["/new/chess/", "/c/nowhere/", "/m/nowhere/"])
def test_missing_pages_answer_404(client, address):
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("address", ["/accounts/login/", "/accounts/signup/"])
def test_accounts_have_pages(client, address):
    assert client.get(address).status_code == 200
