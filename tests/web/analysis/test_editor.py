"""The position editor: pieces are judged by the rules, and become a line."""

import json
import random

import pytest

from antipodes.errors import InputError
from antipodes.games.registry import game_ids, make_game
from antipodes.web.analysis.editor_views import judge, kinds_of, read_edited
from antipodes.web.matches.presenters import pieces
from tests.cases import for_each

TEAM = {"game": "antipalos", "size": "12", "seats": "team"}


def judged(pieces_text="", **query):
    return judge(*read_edited({"pieces": pieces_text, **query}))


def text_of(position):
    return ",".join(f"{cell}:{piece}" for cell, piece in pieces(position).items())


def codes(faults):
    return sorted({fault.code for fault in faults})


def random_position(game, seed, count):
    chance, position = random.Random(seed), game.initial()
    while position.ply < count and position.outcome is None:
        position = position.play(chance.choice(list(position.legal_moves)))
    return position


@pytest.mark.parametrize("game_id", game_ids())
def test_positions_of_games_are_read_back_without_remarks(game_id):
    game = make_game(game_id)
    for seed in range(6):
        position = random_position(game, seed, 3 * seed)
        found = judged(text_of(position), game=game_id)
        assert found.line.position == position
        assert (found.faults, found.remarks) == ((), ())


@for_each(
    "game_id, text, query, wanted",
    [
        ("antipod", "0:black", {}, ["position/start-stone"]),
        ("antipode", "0:blue,4:red", {}, ["position/no-pawn", "position/start-token"]),
        ("hex", "0:red", {}, ["position/no-such-color"]),
        ("hex", "0:black", {"turn": "red"}, ["position/no-such-color"]),
        ("hex", "0:black", {"swapped": "yes", "swap": "off"}, ["position/no-swap"]),
        ("antipalos", ",".join(f"{cell}:white/" for cell in range(25)), {}, ["position/material"]),
    ],
)
def test_a_rule_that_a_position_breaks_is_named(game_id, text, query, wanted):
    assert codes(judged(text, game=game_id, **query).faults) == wanted


def test_a_position_that_no_game_leads_to_is_composed_and_says_why():
    found = judged("0:black,1:black,2:black", game="hex", size="4")
    assert codes(found.remarks) == ["position/material"]
    assert found.line.setup.composed
    assert found.line.position.outcome is None


def test_rods_of_composed_positions_run_out_together():
    found = judged("0:white/,1:white/,2:white/,5:black\\", game="antipalos", size="12")
    assert found.line.position.legal_moves
    assert set(found.line.position.rods_left().values()) == {15}


def test_phase_two_can_begin_with_any_rods():
    found = judged("0:white/,5:black\\", game="antipalos", size="12", phase="2")
    assert found.line.position.phase == 2
    assert found.line.position.legal_moves


def test_a_colour_without_a_rod_has_no_phase_two():
    found = judged("0:white/", game="antipalos", size="12", phase="2")
    assert codes(found.faults) == ["position/material"]


@pytest.mark.parametrize("game_id", game_ids())
def test_any_pieces_are_judged_without_a_crash_and_playable_if_accepted(game_id):
    chance = random.Random(game_id)
    game = make_game(game_id)
    for _ in range(30):
        count = chance.randrange(12)
        cells = chance.sample(range(game.topology.cell_count), count)
        kinds = [f"{one}/" for one in kinds_of(game)] if game.has_rods else kinds_of(game)
        text = ",".join(f"{cell}:{chance.choice(kinds)}" for cell in cells)
        if chance.random() < 0.5 and not game.has_rods:
            text = ",".join(filter(None, [text_of(game.initial()), text]))
        query = {"turn": chance.choice(["", *(color.value for color in game.colors)])}
        query["phase"] = chance.choice(["1", "2"]) if game.supply() else ""
        found = judged(text, game=game_id, **query)
        assert (found.line is None) == bool(found.faults)
        if found.line is not None:
            position = found.line.position
            assert (position.outcome is None) == bool(position.legal_moves)
            assert game.position(found.line.setup) == position


@for_each("text", ["x", "5", "99999:black", "0:black/", "0:black*", "-1:black"])
def test_pieces_that_are_none_are_refused(text):
    with pytest.raises(InputError, match="pieces"):
        judged(text, game="hex")


def test_plies_that_are_no_number_are_refused():
    with pytest.raises(InputError, match="plies"):
        judged("", game="hex", plies="many")


def test_the_page_has_the_pieces_of_a_line(client):
    page = client.get("/editor/hex/", {"size": "4", "moves": "b2"})
    assert page.context["editor"]["pieces"] == {5: "black"}
    assert page.context["editor"]["turn"] == ""
    assert client.get("/editor/chess/").status_code == 400


@pytest.mark.parametrize(
    ("query", "changed"),
    [
        ({"size": "5", "swap": "sides", "moves": "b2"}, {"size": 5, "swap": "sides"}),
        ({"size": "99", "swap": "sides"}, {"swap": "sides"}),
    ],
)
@pytest.mark.parametrize("page", ["/editor/hex/", "/analysis/hex/"])
def test_a_form_gets_the_closest_board_without_moves(client, page, query, changed):
    found = client.get(page, query, headers={"hx-request": "true"})
    assert found.status_code == 200
    assert dict(found.context["game"].options.changed()) == changed
    if page == "/editor/hex/":
        assert found.context["editor"]["pieces"] == {}
    else:
        assert (found.context["setup"], found.context["moves"]) == ("", "")


def test_wrong_pieces_are_refused_with_a_code(client):
    found = client.get("/editor/hex/position.json", {"size": "4", "pieces": "99:black"})
    assert found.status_code == 400
    assert found.json()["code"] == "study/pieces"


def test_the_verdict_names_cells_and_the_next_step(client):
    found = client.get("/editor/hex/position.json", {"size": "4", "pieces": "5:black"}).json()
    assert (found["verdict"], found["toMove"], found["isOver"]) == ("regular", "white", False)
    assert json.loads(found["setup"])["stones"] == {"b2": "black"}
    found = client.get("/editor/antipod/position.json", {"side": "4", "pieces": ""}).json()
    assert found["verdict"] == "refused"
    assert len(found["cells"]) == len(found["faults"]) == 8


def test_faults_are_in_the_language_of_the_page(client):
    german = {"Accept-Language": "de"}
    found = client.get("/editor/antipode/position.json", {"pieces": ""}, headers=german).json()
    assert {one["message"] for one in found["faults"]} >= {
        "die Figur (blau) fehlt",
        "auf der Ecke a1 liegt kein Plättchen",
    }


def test_a_line_of_seats_keeps_its_turn():
    found = judged("", **TEAM)
    assert found.line.position == make_game("antipalos", {"size": 12, "seats": "team"}).initial()


def test_the_fields_of_the_editor_are_a_setup():
    game, setup = read_edited(
        {"game": "hex", "size": "4", "pieces": "0:black,15:white", "turn": "white", "plies": ""}
    )
    assert (game.id, game.options.changed()) == ("hex", {"size": 4})
    assert setup.stones == (("a1", "black"), ("d4", "white"))
    assert (setup.to_move, setup.pawns, setup.swapped) == ("white", {}, False)
    assert (setup.phase_two_plies, setup.rods_left) == (0, {})
    for swapped in ("yes", "no", ""):
        assert read_edited({"game": "hex", "swapped": swapped})[1].swapped is (swapped == "yes")
    assert read_edited({"game": "hex"})[1].to_move is None
    rods = read_edited({"game": "antipalos", "size": "12", "phase": "2", "plies": "100000"})[1]
    assert (rods.rods_left, rods.phase_two_plies) == ({"white": 0, "black": 0}, 100_000)
    assert read_edited({"game": "antipalos", "phase": "1"})[1].rods_left == {}
    _, setup = read_edited({"game": "antipode", "pieces": "0:blue*,4:red,5:red*"})
    names = make_game("antipode").topology.name
    assert setup.pawns == {"blue": names(0), "red": names(5)}
    assert setup.stones == ((names(0), "blue"), (names(4), "red"), (names(5), "red"))


@for_each(
    "query, message",
    [
        ({"pieces": "16:black"}, "'pieces' cannot be read: '16:black'"),
        ({"pieces": "0:"}, "'pieces' cannot be read: '0:'"),
        ({"plies": "100001"}, "'plies' cannot be read: '100001'"),
        ({"plies": "x"}, "'plies' cannot be read: 'x'"),
        ({"game": "antipalos", "size": "12", "pieces": "0:white"}, "'pieces' cannot be read"),
        ({"game": "antipode", "size": "", "pieces": "0:blue/"}, "'pieces' cannot be read"),
    ],
)
def test_a_field_that_cannot_be_read_is_named(query, message):
    with pytest.raises(InputError) as refused:
        read_edited({"game": "hex", "size": "4", **query})
    assert refused.value.code == "study/pieces"
    assert message.replace("'pieces'", "pieces").replace("'plies'", "plies") in str(refused.value)


def test_the_judgement_of_the_rules_is_told_completely(client):
    def told(pieces_text, **query):
        query = {"size": "3", "pieces": pieces_text, **query}
        return client.get("/editor/hex/position.json", query).json()

    message = "4 black and 0 white moves do not come from alternate turns with Black first"
    assert told("0:black,1:black,3:black,6:black", turn="white") == {
        "verdict": "composed",
        "faults": [{"code": "position/material", "message": message}],
        "cells": [],
        "setup": '{"stones":{"a1":"black","b1":"black","a2":"black","a3":"black"},'
        '"to_move":"white","composed":true}',
        "toMove": "white",
        "phase": 1,
        "caption": "Hex: Black wins by connection.",
        "isOver": True,
        "chain": [6, 3, 0],
    }
    regular = told("0:black")
    assert (regular["verdict"], regular["faults"], regular["cells"]) == ("regular", [], [])
    assert (regular["isOver"], regular["chain"]) == (False, [])
    message = "'red' is not a colour here (black, white are)"
    assert told("4:red") == {
        "verdict": "refused",
        "faults": [{"code": "position/no-such-color", "message": message}],
        "cells": [4],
    }


def test_the_page_has_what_can_be_set_on_each_board(client):
    def editor(game_id, **query):
        return client.get(f"/editor/{game_id}/", query).context

    for game_id, colors, more in (
        ("hex", ["black", "white"], []),
        ("antipode", ["blue", "red"], ["blue*", "red*"]),
        ("antipalos", ["white", "black"], []),
    ):
        found = editor(game_id)
        assert found["editor"]["kinds"] == [*colors, *more]
        assert found["color_names"] == colors
        assert found["has_phases"] is (game_id == "antipalos")
        assert found["editor"]["start"] == pieces(make_game(game_id).initial())
        assert [game.id for game in found["games"]] == list(game_ids())
    found = editor("hex", size="4", swap="pieces", moves="b2,16")
    assert found["options"] == "size=4"
    assert found["editor"]["swapped"] is True
    assert found["editor"]["start"] == {}
    assert found["editor"]["board"] == client.get("/positions.json?game=hex&size=4").json()["board"]
    assert found["line"].moves == (5, 16)
    setup = json.dumps({"stones": {"a1": "black"}, "to_move": "black", "composed": True})
    assert editor("hex", size="4", setup=setup)["editor"]["turn"] == "black"
    names = {info.name: (value, choices) for _, info, value, choices in found["option_fields"]}
    assert names["size"][0] == 4
    assert len(names["size"][1]) > 1


@pytest.mark.django_db
def test_edited_positions_are_limited_and_those_of_the_form_are_free(client, monkeypatch):
    monkeypatch.setenv("LIMIT_POSITIONS", "2/hour")
    far = {"REMOTE_ADDR": "192.0.2.7"}
    form = client.get("/editor/hex/", headers={"hx-request": "true"}, **far)
    assert form.status_code == 200
    for path in ("/editor/hex/", "/editor/hex/position.json"):
        assert client.get(path, **far).status_code == 200
    for path in ("/editor/hex/", "/editor/hex/position.json"):
        assert client.get(path, **far).status_code == 429
