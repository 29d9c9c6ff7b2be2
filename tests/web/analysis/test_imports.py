"""Import of games and positions: SGF, JSON, HexWorld links, and pictures of Antipod."""

import random
import re
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from antipodes.errors import InputError
from antipodes.games.registry import game_class, game_ids, make_game
from antipodes.records import KINDS, Record, from_json, write_record
from antipodes.web.analysis import imports
from antipodes.web.analysis.imports import IMPORT_SIZE, IMPORTS, read_import

PICTURE = Path("tests/data/antipod_picture_start.txt").read_text(encoding="utf-8")


def example(game_id):
    found = game_class(game_id).finished_game
    assert found is not None
    return Record.from_moves(make_game(game_id, found.options), found.moves.split())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game_id", game_ids())
def test_games_are_imported_in_every_format(game_id, kind):
    record = example(game_id)
    if kind == "hexworld" and game_id != "hex":
        return
    found = read_import(write_record(record, kind))
    assert found.line.moves == tuple(map(int, record.moves()))
    assert found.line.position == record.final_position()
    assert found.faults == ()


def test_a_picture_becomes_a_position():
    found = read_import(PICTURE)
    assert (found.game.id, found.record, found.line.moves) == ("antipod", None, ())
    assert (found.faults, found.left_out) == ((), 0)


def test_a_game_ends_before_its_first_illegal_move_and_says_where():
    found = read_import("(;GM[11]SZ[5];B[a1];W[b2];B[b2];W[c3])")
    assert len(found.line.moves) == 2
    assert found.faults


def test_variations_and_comments_are_counted():
    found = read_import("(;GM[11]SZ[5]C[About](;B[a1];W[b2]C[good])(;B[c3]))")
    assert (found.variations, found.comments) == (1, 2)


def test_a_picture_has_neither_variations_nor_comments():
    found = read_import(PICTURE)
    assert (found.variations, found.comments) == (0, 0)


def test_games_with_too_many_nodes_are_refused(monkeypatch):
    monkeypatch.setattr(imports, "_MOST_NODES", 3)
    assert read_import("(;GM[11]SZ[5];B[a1];W[b2])").line.moves == (0, 6)
    for text in ("(;GM[11]SZ[5];B[a1];W[b2];B[c3])", "(;GM[11]SZ[5];B[a1](;W[b2])(;W[c3]))"):
        with pytest.raises(InputError) as refused:
            read_import(text)
        assert refused.value.code == "study/too-long"
        assert str(refused.value) == "a game of more than 3 moves is too long"


def test_damaged_texts_are_read_or_refused():
    chance = random.Random(1)
    text = write_record(example("hex"), "sgf")
    for _ in range(60):
        begin = chance.randrange(len(text))
        damaged = chance.choice(["", ")", "[", "\x00", "é", "((("])
        with suppress(InputError):
            read_import(text[:begin] + damaged + text[begin + 2 :])


def test_large_files_are_refused():
    with pytest.raises(InputError, match="kB are allowed"):
        read_import("(;GM[11]" + " " * (IMPORT_SIZE.value * 1024))


@pytest.mark.django_db
def test_pasted_text_and_files_are_read_on_one_page(client):
    text = write_record(example("hex"), "sgf")
    page = client.post("/import/", {"text": text})
    assert page.context["found"].line.position.outcome is not None
    upload = SimpleUploadedFile("game.sgf", text.encode())
    assert client.post("/import/", {"file": upload}).context["found"].variations == 0
    refused = client.post("/import/", {"text": "hello"})
    assert refused.status_code == 400
    assert "hello" in refused.content.decode()
    assert client.post("/import/", {"text": ""}).status_code == 400


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("result", "kept"),
    [("B+R", "Black wins by resignation"), ("W+", "None")],
    ids=["possible", "impossible"],
)
def test_a_result_that_the_moves_do_not_bear_out_is_left_out(client, result, kept):
    text = f"(;GM[11]SZ[2]RE[{result}];B[a1];W[b1];B[a2])"
    page = client.post("/import/", {"text": text})
    assert page.status_code == 200
    assert str(from_json(page.context["record_text"]).result) == kept


@pytest.mark.django_db
def test_imports_are_limited(client):
    address = {"REMOTE_ADDR": "192.0.2.7"}
    for _ in range(int(IMPORTS.amount.split("/")[0])):
        assert client.post("/import/", {"text": "no"}, **address).status_code == 400
    refused = client.post("/import/", {"text": "no"}, **address)
    assert (refused.status_code, "Retry-After" in refused.headers) == (429, True)


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["de", "fr"])
def test_faults_of_an_import_are_in_the_language_of_the_page(client, language):
    client.cookies["language"] = language
    damaged = [
        "(;GM[11]SZ[5];B[a1];W[b2];B[b2];W[c3];B[a2])",
        "(;GM[11]SZ[5:7];B[a1];W[b2]RE[maybe",
        "(;GM[1]SZ[19];B[aa])",
        '{"format": "antipodes-record", "version": 1, "game": "hex", "moves": 3, "colour": 1}',
        "https://hexworld.org/board/#11x12nc1,a2",
        "hello",
        "   a b\n 1 . q 1\n  2 . . 2\n     a b",
    ]
    for text in damaged:
        shown = client.post("/import/", {"text": text}).context
        places = [*shown.get("faults", ()), *shown.get("warnings", ())]
        assert places, text
        english = [one for _, one in places if re.search(r"\b(is|are|the|but|this)\b", one)]
        assert not english, text


def test_a_record_is_read_up_to_its_limits(monkeypatch):
    monkeypatch.setattr(imports, "MAX_MOVES", 3)
    found = read_import("(;GM[11]SZ[5];B[a1];W[b2];B[c3];W[d4])")
    assert len(found.line.moves) == 3
    assert found.record is not None
    assert len(found.record.moves()) == 4


def test_a_file_may_have_as_many_kilobytes_as_the_limit(monkeypatch):
    monkeypatch.setenv(IMPORT_SIZE.setting, "1")
    text = "(;GM[11]SZ[5];B[a1])"
    assert read_import(text + " " * (1_024 - len(text))).line.moves == (0,)
    for source in (text + " " * (1_025 - len(text)), b" " * 1_025, "é" * 513, "\ud800" * 1_025):
        with pytest.raises(InputError) as refused:
            read_import(source)
        assert str(refused.value) == "the file has 2 kB; 1 kB are allowed"
        assert refused.value.code == "study/too-long"
    with pytest.raises(InputError, match="the file has 3 kB"):
        read_import(b" " * 2_049)


def test_an_upload_is_read_no_farther_than_its_limit(monkeypatch):
    monkeypatch.setenv(IMPORT_SIZE.setting, "1")
    file = SimpleUploadedFile("game.sgf", b"(;GM[11]SZ[5];B[a1])" + b" " * 9_000)
    with pytest.raises(InputError, match="the file has 2 kB"):
        read_import(imports.source_of("", file))
    with pytest.raises(InputError, match="paste a game or choose a file") as refused:
        imports.source_of("  ", None)
    assert refused.value.code == "study/nothing"


def test_twenty_faults_are_shown_and_the_rest_is_counted():
    for count, shown, left_out in ((20, 20, 0), (21, 20, 1)):
        text = "(;GM[11]SZ[9]" + "".join(f"(;B[z{chr(97 + n)}])" for n in range(count)) + ")"
        found = read_import(text)
        assert (len(found.faults), found.left_out) == (shown, left_out)


def test_comments_of_a_record_and_of_its_moves_are_counted():
    found = read_import("(;GM[11]SZ[5]GC[About it];B[a1]C[x](;W[b2](;B[c3])(;B[c4]))(;W[c5]))")
    assert (found.comments, found.variations) == (2, 2)


@pytest.mark.django_db
def test_the_page_tells_what_was_read(client):
    page = client.get("/import/")
    assert [game.id for game in page.context["games"]] == list(game_ids())
    moves = "B[a1];W[b2]C[good];B[b2];W[c3]"
    text = f"(;GM[11]SZ[5]RE[B+R]PB[Ann]DT[2026-01-02];{moves})"
    page = client.post("/import/", {"text": text})
    found = page.context
    assert found["text"] == text
    assert (found["label"], found["caption"]) == ("Hex · size 5", "Hex, move 3: Black to move.")
    assert (found["result"], found["players"]) == ("Black wins by resignation", ["Ann"])
    assert found["is_over"] is False
    message = "b2 is not legal: the point is not empty (and 1 after it not looked at)"
    assert found["warnings"] == [(f"line 1, column {text.index('B[b2]')}", message)]
    assert from_json(found["record_text"]).moves() == found["found"].record.moves()
    over = client.post("/import/", {"text": "(;GM[11]SZ[2];B[a1];W[b1];B[a2])"}).context
    assert (over["is_over"], over["players"], over["warnings"]) == (True, [], [])
    picture = client.post("/import/", {"text": PICTURE}).context
    assert (picture["record_text"], picture["result"], picture["players"]) == (None, None, [])
    refused = client.post("/import/", {"text": "(;GM[1]SZ[19];B[aa])"})
    assert refused.context["faults"]
    assert all(len(one) == 2 for one in refused.context["faults"])


def test_a_file_of_several_games_asks_which(client):
    data = "(;GM[11]SZ[3]PB[Ann]PW[Ben];B[a1])(;GM[11]SZ[4]PB[Zo\xeb];B[b2])".encode("utf-16-le")
    upload = SimpleUploadedFile("games.sgf", data)
    first = client.post("/import/", {"file": upload})
    assert (first.status_code, first.context["warnings"]) == (200, [])
    assert first.context["found"].titles == ("Ann – Ben", "Zoë")
    text = first.context["text"]
    second = client.post("/import/", {"text": text, "game": "2"})
    assert second.context["found"].game == make_game("hex", {"size": 4})
    assert '<option value="2" selected>' in second.content.decode()
    for number in ("3", "0", "-1", "x", "9" * 400):
        refused = client.post("/import/", {"text": text, "game": number})
        assert (refused.status_code, refused.context["text"]) == (400, text)
        assert "the file has 2" in str(refused.context["faults"])
