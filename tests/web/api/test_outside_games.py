"""Games of another package on a site whose host allows them."""

import random

import pytest

from antipodes.games import registry
from antipodes.mail.layout import game_help
from antipodes.records import read_record

pytestmark = pytest.mark.django_db
PAGES = (
    "/", "/rules/", "/rules/{}/", "/rules/{}.svg", "/new/{}/", "/lobby/", "/analysis/{}/", "/tv/",
    "/editor/{}/", "/ratings/{}/", "/statistics/{}/", "/pair/", "/learn/", "/puzzles/", "/games/",
)  # fmt: skip


def test_their_pages_open(client, more_games):
    for game in more_games:
        for path in PAGES:
            response = client.get(path.format(game.id))
            assert response.status_code == 200, path.format(game.id)
        assert f"Help: {game.id}" in game_help(game.id)


def test_whole_matches_are_played_and_downloaded(client, ask, token, people, more_games):
    tokens = [token(user) for user in people[:2]]
    for game in more_games:
        wanted = {"game": game.id, "options": {"size": 3}, "seat": 0}
        slug = ask("POST", "challenges", tokens[0], wanted).data["challenge"]["slug"]
        match = ask("POST", f"challenges/{slug}/join", tokens[1], {}).data["match"]["slug"]
        rng, position = random.Random(2), game(size=3).initial()
        while position.outcome is None:
            move = rng.choice(position.legal_moves[:9])
            body = {"text": position.format_move(move), "ply": position.ply}
            answer = ask("POST", f"matches/{match}/moves", tokens[position.seat_to_move], body)
            assert answer.status_code == 200, answer.data
            position = position.play(move)
        page = client.get(f"/m/{match}/")
        assert page.status_code == 200
        assert str(position.outcome) in page.content.decode()
        for kind in ("json", "sgf"):
            record = read_record(client.get(f"/m/{match}/record.{kind}").content.decode())
            assert record.final_position() == position


def test_the_computer_answers(ask, token, work_off, more_games):
    for game in more_games:
        wanted = {"game": game.id, "options": {"size": 3}, "opponent": "computer", "seat": 0}
        match = ask("POST", "challenges", token(), wanted).data["match"]["slug"]
        assert ask("POST", f"matches/{match}/moves", token(), {"text": "a2"}).status_code == 200
        work_off()
        assert len(ask("GET", f"matches/{match}").data["moves"]) == 2


def test_a_site_offers_only_the_games_that_its_host_allows(client, ask, more_games):
    registry.allow_games(["y"])
    assert client.get("/rules/y/").status_code == 200
    assert client.get("/rules/misere-hex/").status_code == 404
    assert "misere-hex" not in [game["id"] for game in ask("GET", "games").data]
