"""Viewpoints of players in Antipalos."""

import pytest

from antipodes.games.registry import make_game
from antipodes.match import Play, Terms
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.matches.snapshots import look_up
from antipodes.web.matches.viewpoints import choose_side, reads_own_side, side_of


@pytest.fixture
def row(people):
    users = people[:2]
    game = make_game("antipalos")
    return begin_match(Terms(game=game, players=tuple(str(one.pk) for one in users)), users)


def test_players_see_their_own_side_and_spectators_the_first_seats(people, row):
    snapshot = look_up(row.slug)
    assert [side_of(snapshot, user) for user in (*people[:3], None)] == [0, 1, 0, 0]
    choose_side(people[1], own=False)
    assert side_of(snapshot, people[1]) == 0


def test_a_player_of_several_seats_sees_the_first_of_them(people):
    users = [people[0], people[1], people[0], people[1]]
    game = make_game("antipalos", {"seats": "team"})
    row = begin_match(Terms(game=game, players=tuple(str(one.pk) for one in users)), users)
    assert [side_of(look_up(row.slug), user) for user in people[:2]] == [0, 1]


def test_other_games_have_one_view(people):
    users = people[:2]
    game = make_game("antipode")
    row = begin_match(Terms(game=game, players=tuple(str(one.pk) for one in users)), users)
    assert side_of(look_up(row.slug), people[1]) == 0


def test_pages_have_the_squares_names_of_each_seat(client, row):
    board = client.get(f"/m/{row.slug}/board.json").json()
    assert [names[0] for names in board["seen"]] == ["A1", "P16"]
    assert board["names"][0] == ["A1"]
    for names in board["seen"]:
        assert sorted(names) == sorted(name for [name] in board["names"])


def test_api_and_records_use_the_first_seats_names(client, people, row):
    carry_out(row.slug, Play(seat=0, ply=0, key="first", move=2 * 17))
    client.force_login(people[1])
    view = client.get(f"/m/{row.slug}/match.json").json()
    assert [move["text"] for move in view["moves"]] == ["B2*"]
    assert "B2*" in client.get(f"/m/{row.slug}/record.json").content.decode()


def test_a_written_move_is_read_as_the_seat_sees_the_board(client, db):
    query = {"game": "antipalos", "text": "*A1", "seat": "1"}
    told = client.get("/positions.json", query).json()
    assert [move["text"] for move in told["moves"]] == ["*P16"]
    query = {"game": "antipalos", "moves": "*A1", "text": "*A1", "seat": "1"}
    told = client.get("/positions.json", query).json()
    assert [move["text"] for move in told["moves"]] == ["*A1", "*P16"]
    for seat in ("2", "x", "-1", "99999999999"):
        refused = client.get("/positions.json", {**query, "seat": seat})
        assert (refused.status_code, refused.json()["code"]) == (400, "study/seat")


def test_an_account_chooses_its_view_on_its_page(client, people, row):
    client.force_login(people[1])
    assert 'side="own"' in client.get(f"/m/{row.slug}/").content.decode()
    assert reads_own_side(people[1])
    client.post("/accounts/profile/", {"about": "Hello"})  # a box that is not ticked is not sent
    assert not reads_own_side(people[1])
    assert 'side="first"' in client.get(f"/m/{row.slug}/").content.decode()
    users = [people[1], people[0]]
    game = make_game("antipode")
    other = begin_match(Terms(game=game, players=tuple(str(one.pk) for one in users)), users)
    assert 'side="' not in client.get(f"/m/{other.slug}/").content.decode()
    client.post("/accounts/profile/", {"own_side": "on"})
    assert reads_own_side(people[1])
