"""Analysis pages."""

import pytest

from antipodes.games.registry import game_ids

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_has_its_page(client, game_id):
    answer = client.get(f"/analysis/{game_id}/")
    assert answer.status_code == 200
    assert b"<antipodes-analysis-board" in answer.content


def test_the_page_keeps_what_its_address_says(client):
    answer = client.get("/analysis/hex/?size=5&moves=c3,12")
    assert answer.status_code == 400
    answer = client.get("/analysis/hex/?size=5&moves=c3,0")
    assert b'options="size=5" moves="12,0"' in answer.content


@pytest.mark.parametrize("game_id", game_ids())
def test_the_form_of_another_board_leads_back_to_the_same_board(client, game_id):
    fields = client.get(f"/analysis/{game_id}/").context["option_fields"]
    query = {info.name: value for _label, info, value, _choices in fields}
    answer = client.get(f"/analysis/{game_id}/", query)
    assert answer.context["options"] == ""


@pytest.mark.parametrize("address", ["/analysis/chess/", "/analysis/hex/?moves=<script>"])
def test_an_address_that_makes_no_sense_is_refused_in_words(client, address):
    answer = client.get(address)
    assert answer.status_code == 400
    assert b"<script>" not in answer.content
    assert b'role="alert"' in answer.content


def test_the_page_offers_efforts_options_and_games(client):
    found = client.get("/analysis/hex/?size=5&moves=c3").context
    assert (found["game"].options.changed(), found["options"]) == ({"size": 5}, "size=5")
    assert (found["setup"], found["moves"]) == ("", "12")
    assert [one.name for one in found["efforts"]] == ["glance", "look", "study"]
    assert found["usual_effort"].name == "glance"
    assert [game.id for game in found["games"]] == list(game_ids())
    fields = {
        info.name: (value, len(choices)) for _, info, value, choices in found["option_fields"]
    }
    assert (fields["size"][0], fields["swap"][0]) == (5, "pieces")
    assert all(count > 1 for _, count in fields.values())
    setup = '{"stones":{"b2":"black"},"to_move":"white"}'
    assert client.get("/analysis/hex/", {"setup": setup}).context["setup"] == setup


def test_a_board_is_cached_under_its_version(client):
    address = client.get("/positions.json?game=hex&size=4").json()["board"]
    immutable = "public, max-age=31536000, immutable"
    assert client.get(address).headers["Cache-Control"] == immutable
    for other in (address + "0", "/boards.json?game=hex&size=4"):
        assert client.get(other).headers["Cache-Control"] == "public, max-age=60"
