"""Simuls in the API."""

import pytest

pytestmark = pytest.mark.django_db


def test_programs_make_join_and_begin_simuls(people, ask, token):
    host, bob, cy = (token(user, "challenge") for user in people[:3])
    made = ask("POST", "simuls", host, {"game": "hex", "board": "small"}).data
    for player in (bob, cy):
        assert ask("POST", f"simuls/{made['slug']}/join", player).status_code == 204
    assert ask("GET", "simuls").data[0]["players"] == 2
    assert ask("POST", f"simuls/{made['slug']}/begin", host).status_code == 204
    found = ask("GET", f"simuls/{made['slug']}").data
    assert [board["player"]["name"] for board in found["boards"]] == ["bob", "cy"]
    assert [board["hostsTurn"] for board in found["boards"]] == [True, False]
    assert found["score"] == {"won": 0, "drawn": 0, "lost": 0}
