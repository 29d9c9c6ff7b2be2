"""Positions in query strings."""

import random

import pytest
from django.test import Client

from antipodes.games.position import BoardPosition
from antipodes.games.registry import game_ids, make_game
from antipodes.web.analysis import position_queries
from antipodes.web.analysis.position_queries import MAX_MOVES, read_line


def ask(client: Client, **query):
    return client.get("/positions.json", query)


def replayed(view, start):
    pieces = dict(start)
    for move in view["moves"]:
        for cell, (_, after) in move["changed"].items():
            pieces.pop(cell, None)
            if after is not None:
                pieces[cell] = after
    return pieces


@pytest.mark.parametrize("game_id", game_ids())
def test_changes_lead_from_the_start_to_what_lies_on_the_board(client, game_id):
    position, chance, moves = make_game(game_id).initial(), random.Random(game_id), []
    for _ in range(12):
        move = chance.choice(list(position.legal_moves))
        position = position.play(move)
        moves.append(str(int(move)))
    whole = ask(client, game=game_id, moves=",".join(moves)).json()
    assert replayed(whole, whole["start"]) == whole["pieces"]
    assert len(whole["legal"]) + (whole["swap"] is not None) == len(position.legal_moves)
    part = ask(client, game=game_id, moves=",".join(moves), since="5").json()
    assert part["moves"] == whole["moves"][5:]
    assert replayed(part, part["start"]) == whole["pieces"]


def test_moves_as_text_are_the_same_moves(client):
    by_number = ask(client, game="hex", size="5", moves="12,0").json()
    by_text = ask(client, game="hex", size="5", moves="c3", text=" A1 ").json()
    assert by_text == by_number
    assert by_text["query"] == "game=hex&size=5&moves=12%2C0"
    assert [move["text"] for move in by_text["moves"]] == ["c3", "a1"]


def test_a_preview_tells_what_the_last_move_changes(client):
    start = ask(client, game="antipode").json()
    first = start["legal"][0][0]
    shown = ask(client, game="antipode", moves=str(first), preview="1").json()
    assert shown["moves"] == ask(client, game="antipode", moves=str(first)).json()["moves"]
    assert "legal" not in shown


def test_a_preview_of_a_first_step_tells_what_a_token_flips(client):
    e2 = make_game("antipode").topology.cell("e2")
    e1 = make_game("antipode").topology.cell("e1")
    a2, a1 = (make_game("antipode").topology.cell(name) for name in ("a2", "a1"))
    told = ask(client, game="antipode", preview="1", steps=str(a2)).json()
    assert told == {"changed": {str(a1): ["red", "blue"]}}
    shielded = ask(client, game="antipode", preview="1", steps=str(e2)).json()
    assert str(e1) not in shielded["changed"]
    assert ask(client, game="hex", preview="1", steps="3").json() == {"changed": {}}


@pytest.mark.parametrize("steps", ["x", "-1", "1,2,3,4,5", "9" * 20])
def test_steps_that_are_none_are_refused(client, steps):
    answer = ask(client, game="antipode", preview="1", steps=steps)
    assert answer.status_code == 400
    assert answer.json()["code"] == "study/steps"


def test_a_finished_game_tells_its_result_and_its_chain(client):
    view = ask(client, game="hex", size="2", moves="a1,b1,a2").json()
    assert view["result"]
    assert view["legal"] == []
    assert len(view["chain"]) == 2


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({}, "study/no-game"),
        ({"game": "chess"}, "game/unknown"),
        ({"game": "hex", "size": "99"}, "option/out-of-range"),
        ({"game": "hex", "colour": "red"}, "option/unknown"),
        ({"game": "hex", "moves": "a1,a1"}, "move/occupied"),
        ({"game": "hex", "moves": "999999999"}, "move/out-of-range"),
        ({"game": "hex", "moves": "9" * 5000}, "move/unreadable"),
        ({"game": "hex", "text": "<script>"}, "move/unreadable"),
        ({"game": "hex", "moves": "1," * (MAX_MOVES + 1)}, "study/too-long"),
        ({"game": "hex", "since": "-1"}, "study/since"),
        ({"game": "hex", **{f"o{i}": "1" for i in range(30)}}, "study/too-long"),
    ],
)
def test_what_is_no_position_is_refused_with_its_code(client, query, code):
    answer = ask(client, **query)
    assert answer.status_code == 400
    assert answer.json()["code"] == code
    assert answer.json()["message"]


def test_a_refusal_says_which_move_is_wrong(client):
    assert ask(client, game="hex", moves="a1,b1,a1").json()["message"].startswith("move 3: ")


def test_a_board_is_kept_for_ever_under_the_address_that_positions_tell(client):
    address = ask(client, game="hex", size="4").json()["board"]
    answer = client.get(address)
    assert "immutable" in answer.headers["Cache-Control"]
    assert len(answer.json()["places"]) == 16
    assert "immutable" not in client.get("/boards.json?game=hex&size=4").headers["Cache-Control"]
    assert client.get("/boards.json?game=chess").status_code == 400


FAR = "192.0.2.7"


def line_of(moves):
    return {"game": "hex", "size": 11, "swap": "off", "moves": ",".join(map(str, range(moves)))}


@pytest.mark.django_db
def test_the_next_position_of_a_line_is_played_from_the_one_before(client, monkeypatch):
    played = []
    play = BoardPosition.play

    def counted(position, move):
        played.append(move)
        return play(position, move)

    monkeypatch.setattr(BoardPosition, "play", counted)
    first = ask(client, **line_of(30)).json()
    played.clear()
    after = ask(client, **line_of(31), since=30).json()
    assert len(played) <= 2
    assert replayed(after, after["start"]) == {
        **replayed(first, first["start"]),
        "30": after["moves"][-1]["changed"]["30"][1],
    }


@pytest.mark.django_db
def test_a_long_line_counts_as_several_positions(client, monkeypatch):
    monkeypatch.setenv("LIMIT_POSITIONS", "6/hour")
    position_queries._known = position_queries._KnownPositions()
    assert client.get("/positions.json", line_of(100), REMOTE_ADDR=FAR).status_code == 200
    assert client.get("/positions.json", line_of(99), REMOTE_ADDR=FAR).status_code == 429
    assert client.get("/positions.json", line_of(1), REMOTE_ADDR="192.0.2.8").status_code == 200


def test_few_positions_are_kept():
    known = position_queries._KnownPositions()
    game = make_game("hex")
    for move in range(position_queries._KEPT + 5):
        known.keep(position_queries.Line(game, (move,), game.initial()))
    assert len(known._positions) == position_queries._KEPT


def test_moves_that_were_known_do_not_count_as_played():
    texts = ["0", "8", "16", "24", "32"]
    counts = [
        read_line(
            {"game": "hex", "size": "7", "swap": "off", "moves": ",".join(texts[:many])}
        ).played
        for many in (3, 3, 4, 5)
    ]
    assert counts == [3, 0, 1, 1]
