"""Simuls in the API."""

import pytest

from antipodes.web.simuls.models import SimulRow
from tests.web.api.conftest import person

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


def test_a_simul_has_all_its_fields(people, ask, token):
    host, bob, cy = (token(user, "challenge", "read") for user in people[:3])
    wanted = {"game": "hex", "board": "small", "hostSeat": 1}
    made = ask("POST", "simuls", host, wanted)
    row = SimulRow.objects.get()
    line = {
        "slug": row.slug,
        "host": person("ann"),
        "game": "hex",
        "title": "Hex · size 8",
        "control": "10m+5s",
        "hostSeat": 1,
        "begun": None,
        "players": 0,
    }
    score = {"won": 0, "drawn": 0, "lost": 0}
    assert made.status_code == 201
    assert made.data == {**line, "joined": [], "boards": [], "score": score}
    path = f"simuls/{row.slug}"
    for player in (bob, cy):
        ask("POST", f"{path}/join", player)
    line["players"] = 2
    joined = [person("bob"), person("cy")]
    assert ask("GET", path).data == {**line, "joined": joined, "boards": [], "score": score}
    assert ask("GET", "simuls").data == [line]
    ask("POST", f"{path}/begin", host)
    row.refresh_from_db()
    found = ask("GET", path, bob).data
    matches = [board["match"] for board in found["boards"]]
    assert [match["own"] for match in matches] == [[0], []]
    boards = [
        {
            "number": number,
            "player": joined[number - 1],
            "match": match,
            "hostsTurn": False,
            "outcome": None,
        }
        for number, match in enumerate(matches, start=1)
    ]
    line["begun"] = row.begun_at
    assert found == {**line, "joined": [], "boards": boards, "score": score}
    ask("POST", f"matches/{matches[0]['slug']}/resign", token(people[1]), {})
    found = ask("GET", path).data
    assert [board["outcome"] for board in found["boards"]] == ["won", None]
    assert found["score"] == {"won": 1, "drawn": 0, "lost": 0}


def test_a_simul_is_left_and_cancelled_before_it_begins(people, ask, token):
    host, bob = (token(user, "challenge") for user in people[:2])
    slug = ask("POST", "simuls", host, {"game": "hex", "board": "small"}).data["slug"]
    for act in ("join", "leave", "leave"):
        assert ask("POST", f"simuls/{slug}/{act}", bob).status_code == 204
    assert ask("GET", f"simuls/{slug}").data["joined"] == []
    assert ask("DELETE", f"simuls/{slug}", bob).status_code == 403
    assert ask("DELETE", f"simuls/{slug}", host).status_code == 204
    missing = ask("GET", f"simuls/{slug}")
    assert (missing.status_code, missing.data["message"]) == (404, f"There is no simul '{slug}'.")


def test_simuls_that_wait_are_listed_before_those_in_progress_and_finished(people, ask, token):
    tokens = [token(user, "challenge", "play") for user in people]
    names = {}
    for name in ("finished", "running", "waiting"):
        slug = ask("POST", "simuls", tokens[0], {"game": "hex", "board": "small"}).data["slug"]
        names[slug] = name
        for player in tokens[1:3]:
            ask("POST", f"simuls/{slug}/join", player)
        if name != "waiting":
            ask("POST", f"simuls/{slug}/begin", tokens[0])
        if name == "finished":
            for board in ask("GET", f"simuls/{slug}").data["boards"]:
                ask("POST", f"matches/{board['match']['slug']}/resign", tokens[0], {})
    listed = ask("GET", "simuls").data
    assert [names[one["slug"]] for one in listed] == ["waiting", "running", "finished"]
    assert [one["players"] for one in listed] == [2, 2, 2]
