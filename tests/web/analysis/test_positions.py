"""Positions in query strings."""

import random

import pytest
from django.test import Client

from antipodes.core.array_cache import ArrayCache
from antipodes.errors import InputError, MoveError
from antipodes.games import base
from antipodes.games.position import BoardPosition
from antipodes.games.registry import game_ids, make_game
from antipodes.web.analysis import position_queries, views
from antipodes.web.analysis.position_queries import MAX_MOVES, read_line
from tests.raising import code_of


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


def test_moves_are_told_in_words(client):
    told = ask(client, game="hex", size=4, moves="a1,b2,c2", since="1", words="1").json()
    assert [move["text"] for move in told["shown"]] == ["b2", "c2"]
    assert len(told["words"]) == 2
    assert all(told["words"])


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


def test_a_position_is_told_completely(client):
    found = ask(client, game="hex", size="3", moves="b2", since="9").json()
    address = ask(client, game="hex", size="3").json()["board"]
    assert found == {
        "game": "hex",
        "title": "Hex",
        "options": {"size": 3},
        "board": address,
        "query": "game=hex&size=3&moves=4",
        "pieces": {"4": "black"},
        "legal": [[cell, cell] for cell in (0, 1, 2, 3, 5, 6, 7, 8)],
        "swap": 9,
        "last": 4,
        "seat": 1,
        "since": 1,
        "start": {"4": "black"},
        "moves": [],
        "caption": "Hex, move 2: White to move.",
        "result": None,
        "chain": [],
        "toMove": "white",
    }
    ended = ask(client, game="hex", size="2", swap="off", moves="a1,b1,a2", since="2").json()
    assert (ended["since"], [one["text"] for one in ended["moves"]]) == (2, ["a2"])
    assert ended["start"] == {"0": "black", "1": "white"}
    assert (ended["result"], sorted(ended["chain"])) == ("Black wins by connection", [0, 2])


SETUP = '{"stones":{"b2":"black"},"to_move":"white"}'


def test_a_line_is_written_as_a_query_and_read_again():
    line = read_line(
        {"game": "hex", "size": "4", "swap": "", "setup": f" {SETUP} ", "moves": "a1,"}
    )
    assert line.fields == {"game": "hex", "size": 4, "setup": SETUP, "moves": "0"}
    assert line.start.moves == (0,)
    assert line.setup is not None
    again = read_line({name: str(value) for name, value in line.fields.items()})
    assert (again.position, again.moves, again.setup) == (line.position, (0,), line.setup)
    start = read_line({"game": "hex"})
    assert (start.fields, start.setup, start.setup_text) == ({"game": "hex"}, None, "")
    made = position_queries.Line.of(line.game, line.setup, line.moves)
    assert (made.position, made.setup_text, made.played) == (line.position, SETUP, 0)


@pytest.mark.parametrize(
    ("setup", "code"),
    [
        ("{", "study/setup"),
        ("[1]", "study/setup"),
        ("[" * 9_000, "study/setup"),
        ("{}", "study/setup"),
        ("null", "study/setup"),
        ('"x"', "study/setup"),
        ('{"stones":[]}', "study/setup"),
        ('{"stones":{},"phase_two_plies":1e999}', "study/setup"),
        ('{"stones":{"a1":"red"}}', "position/no-such-color"),
        (" " * 20_000 + "{", "study/setup"),
        ("{" + " " * 20_000 + "}", "study/too-long"),
    ],
)
def test_what_is_no_setup_is_refused(setup, code):
    assert code_of(read_line, {"game": "hex", "setup": setup}) == code


def test_a_setup_has_at_most_twenty_thousand_characters():
    for length, is_read in ((20_000, True), (20_001, False)):
        text = SETUP[:-1] + " " * (length - len(SETUP)) + "}"
        if is_read:
            assert read_line({"game": "hex", "setup": text}).setup_text == SETUP
        else:
            with pytest.raises(InputError, match="20001 characters are too many"):
                read_line({"game": "hex", "setup": text})


@pytest.mark.parametrize(("count", "code"), [(20, "option/unknown"), (21, "study/too-long")])
def test_twenty_options_are_looked_at(count, code):
    options = {f"o{number}": "1" for number in range(count)}
    assert code_of(read_line, {"game": "hex", **options, "more": ""}) == code


def test_a_line_may_have_as_many_moves_as_the_limit(monkeypatch):
    monkeypatch.setattr(position_queries, "MAX_MOVES", 3)
    query = {"game": "hex", "size": "5", "swap": "off"}
    assert len(read_line({**query, "moves": "0,1,2"}).moves) == 3
    for more in ({"moves": "0,1,2,3"}, {"moves": "0,1,2", "text": "d1"}):
        with pytest.raises(InputError, match="4 moves are too many; 3 are allowed"):
            read_line({**query, **more})


def test_a_typed_move_is_in_the_notation_of_its_seat():
    game = make_game("antipalos", {"size": 12})
    origin = game.initial()
    text = origin.format_move(origin.legal_moves[3], 1)
    assert text != origin.format_move(origin.legal_moves[3])
    query = {"game": "antipalos", "size": "12"}
    assert read_line({**query, "text": text, "seat": "1"}).moves == (origin.legal_moves[3],)
    assert read_line({**query, "text": text}).moves != (origin.legal_moves[3],)
    assert read_line({**query, "moves": text, "seat": "1"}).moves != (origin.legal_moves[3],)
    for seat in ("2", "-1", "x"):
        with pytest.raises(InputError) as refused:
            read_line({**query, "text": text, "seat": seat})
        assert refused.value.code == "study/seat"
        assert str(refused.value) == f"seat is {seat!r}, but must be 0 to 1"


def test_steps_and_known_moves_are_numbers():
    assert position_queries.read_steps({"steps": "1,2,,3,4"}) == [1, 2, 3, 4]
    assert position_queries.read_steps({}) == []
    assert position_queries.read_since({}) == 0
    assert position_queries.read_since({"since": "7"}) == 7
    with pytest.raises(InputError, match="steps is '1,2,3,4,5', but must be numbers of cells"):
        position_queries.read_steps({"steps": "1,2,3,4,5"})
    with pytest.raises(InputError, match="since is 'x', but must be a number of moves"):
        position_queries.read_since({"since": "x"})


def test_each_fault_of_a_move_says_which_one_it_is():
    query = {"game": "hex", "size": "5", "swap": "off"}
    for more, where in (
        ({"moves": "a1,b1,zz"}, "move 3"),
        ({"moves": "a1", "text": "zz"}, "move 2"),
    ):
        with pytest.raises(MoveError) as refused:
            read_line({**query, **more})
        assert [fault.where for fault in refused.value.faults] == [where]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("moves", "more", "cost"),
    [
        (25, {}, 1),  # 25 played, and 25 told
        (26, {}, 2),
        (49, {"preview": "1"}, 1),
        (50, {"preview": "1"}, 2),
        (40, {"since": "30"}, 1),
        (40, {"since": "29"}, 2),
        (90, {"since": "90"}, 2),
        (90, {"since": "99"}, 2),
        (50, {}, 3),
    ],
)
def test_fifty_moves_count_as_one_more_position(client, monkeypatch, moves, more, cost):
    monkeypatch.setenv("LIMIT_POSITIONS", "4/hour")
    query = {**line_of(moves), **more}

    def status():
        return client.get("/positions.json", {"game": "hex"}, REMOTE_ADDR=FAR).status_code

    position_queries._known = position_queries._KnownPositions()
    assert client.get("/positions.json", query, REMOTE_ADDR=FAR).status_code == 200
    assert [status() for _ in range(5 - cost)] == [200] * (4 - cost) + [429]


class Turns:
    """A lock that counts."""

    count = 0

    def __enter__(self):
        self.count += 1

    def __exit__(self, *_):
        pass


@pytest.mark.parametrize(("moves", "waits"), [(25, 0), (26, 1)])
def test_long_lines_are_played_one_after_another(client, monkeypatch, moves, waits):
    turns = Turns()
    monkeypatch.setattr(views, "_long_line", turns)
    position_queries._known = position_queries._KnownPositions()
    assert client.get("/positions.json", line_of(moves)).status_code == 200
    assert turns.count == waits


def test_boards_have_the_limit_of_positions_and_their_tables_a_bound(client, monkeypatch):
    monkeypatch.setattr(base, "_TABLES", ArrayCache(100_000))
    monkeypatch.setenv("LIMIT_POSITIONS", "20/minute")
    address = {"REMOTE_ADDR": "198.51.100.77"}
    for limit in range(2, 22):
        path = f"/boards.json?game=antipalos&phase_two_limit={limit}"
        assert client.get(path, **address).status_code == 200
        assert base._TABLES.nbytes <= 100_000
    refused = client.get("/boards.json?game=antipalos&phase_two_limit=22", **address)
    assert refused.status_code == 429
