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


@pytest.mark.parametrize(
    ("game_id", "opponent", "options", "error"),
    [
        ("antipalos", "computer", {"option-size": "13"}, "size is 13"),
        ("antipod", "anybody", {"option-side": "3"}, "side is 3, but must be 4..10"),
    ],
)
def test_the_form_shows_errors_of_options(client, game_id, opponent, options, error):
    answer = post(client, game_id, opponent=opponent, **options)
    assert answer.status_code == 200
    assert error in answer.content.decode()
    assert not MatchRow.objects.exists()
    assert not ChallengeRow.objects.exists()


def test_the_form_offers_the_sizes_of_the_chosen_rules(client):
    def sizes(**chosen):
        form = client.get("/new/antipalos/", chosen).context["form"]
        return [int(size) for size, _label in form.fields["option-size"].choices]

    assert sizes() == [12, 14, 16, 18, 20]
    assert sizes(**{"option-ruleset": "mail", "option-size": "16"}) == list(range(3, 27))
    assert sizes(**{"option-ruleset": "boxed", "option-size": "7"}) == [12, 14, 16, 18, 20]


def test_a_form_with_errors_offers_the_sizes_of_the_posted_rules(client):
    chosen = {"option-ruleset": "mail", "option-size": "16"}
    form = post(client, "antipalos", opponent="people", names="", **chosen).context["form"]
    assert list(form.errors) == ["names"]
    sizes = [int(size) for size, _label in form.fields["option-size"].choices]
    assert sizes == list(range(3, 27))


def test_the_form_shows_no_option_with_one_choice(client):
    def shown(**chosen):
        form = client.get("/new/antipalos/", chosen).context["form"]
        return [field.name for field in (*form.board_fields(), *form.more_fields())]

    assert "option-swap" not in shown()
    assert "option-rods" in shown()
    mail = shown(**{"option-ruleset": "mail"})
    assert "option-swap" in mail
    assert "option-rods" not in mail


def test_a_rated_game_against_the_computer_is_casual_and_does_not_expire(client, people):
    client.force_login(people[0], "django.contrib.auth.backends.ModelBackend")
    post(client, opponent="computer", rated="on", hours="24")
    assert not MatchRow.objects.get().rated


def test_the_address_of_the_form_chooses_opponent_and_options_only(client):
    query = {"opponent": "link", "names": "bob", "level": "3", "option-size": "5", "rated": "on"}
    form = client.get("/new/hex/", {**query, "uses": "5"}).context["form"]
    assert form.initial == {"opponent": "link", "names": "bob", "level": "3", "option-size": "5"}


def test_a_game_for_four_has_a_field_for_each_seat(client):
    fields = client.get("/new/antipalos/").context["form"].seat_fields()
    assert [(field.label, field.initial) for field in fields] == [
        ("Seat 1", "me"),
        ("Seat 2", "open"),
        ("Seat 3", "open"),
        ("Seat 4", "open"),
    ]
    assert client.get("/new/hex/").context["form"].seat_fields() == []


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"opponent": "link"}, (1, None, None, None, False)),
        ({"opponent": "link", "uses": "20", "lowest": "900"}, (20, None, None, None, False)),
        ({"opponent": "anybody", "uses": "20", "lowest": "0"}, (1, 0, None, None, False)),
        (
            {"opponent": "anybody", "lowest": "900", "highest": "4000", "accounts_only": "on"},
            (1, 900, 4000, None, True),
        ),
        ({"opponent": "anybody", "seat": "1"}, (1, None, None, 1, False)),
    ],
)
def test_the_form_posts_a_challenge_with_its_requirements(client, fields, expected):
    post(client, **fields)
    row = ChallengeRow.objects.get()
    assert (row.uses, row.lowest, row.highest, row.seat, row.accounts_only) == expected


@pytest.mark.parametrize("wrong", [{"lowest": "-1"}, {"highest": "4001"}, {"uses": "2"}])
def test_a_number_out_of_range_is_a_form_error(client, wrong):
    answer = post(client, opponent="anybody", **wrong)
    assert list(answer.context["form"].errors) == list(wrong)
    assert not ChallengeRow.objects.exists()


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
