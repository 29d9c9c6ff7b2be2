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
