"""Your first game on the site: moves, replies, advice that fades, the end."""

import threading
from types import SimpleNamespace
from typing import Any

import pytest
from django.urls import reverse

from antipodes.core import Color
from antipodes.errors import InputError
from antipodes.games.registry import game_ids
from antipodes.learn.first_game import first_game_of
from antipodes.notation.svg import render_svg
from antipodes.notation.svg.themes import on_any_page
from antipodes.web.analysis.presenters import board_address
from antipodes.web.courses import coaching, judging
from antipodes.web.courses.first_game_views import _result
from antipodes.web.courses.judging import read_state, write_state
from antipodes.web.courses.models import SolvedStepRow
from tests.web.courses.lessons import within

pytestmark = pytest.mark.django_db


def send(client, game_id, **fields):
    """Send a move or a request for a hint, and return the game."""
    response = client.post(reverse("first-game-answer", args=[game_id]), fields)
    assert response.status_code == 200, response.content
    return response.json()


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_begins_with_advice(client, game_id):
    page = client.get(f"/learn/first-game/{game_id}/")
    told = page.context["told"]
    assert len(told["advice"]) == 1
    assert told["position"]["legal"]
    assert len(told["moves"]) == first_game_of(game_id).seat
    found = send(client, game_id, state=told["state"], answer=told["advice"][0])
    assert found["moves"][0]["text"] == told["advice"][0]


def test_following_the_coach_wins_and_is_stored(client):
    found = send(client, "hex", ask="hint")
    lengths = []
    while not found["isOver"]:
        lengths.append(len(found["advice"]))
        hint = send(client, "hex", state=found["state"], ask="hint")
        assert len(hint["advice"]) == 1
        assert hint["moves"] == []
        found = send(client, "hex", state=hint["state"], answer=hint["advice"][0])
    assert found["result"] == "You have won!"
    assert found["position"]["legal"] == []
    assert lengths == sorted(lengths[:3]) + lengths[3:]
    assert list(SolvedStepRow.objects.values_list("course", "step")) == [("first-game", "hex")]
    assert "played" in client.get("/learn/").content.decode()


def test_without_javascript_moves_are_posted_to_the_page(client):
    page = client.post("/learn/first-game/hex/", {"answer": "c3"})
    state = within(page, r'name="state" value="([^"]+)"')
    assert "Black puts a stone on c3." in page.content.decode()
    page = client.post("/learn/first-game/hex/", {"answer": "c3", "state": state})
    assert page.status_code == 400
    assert f'value="{state}"' in page.content.decode()


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"answer": ""}, 400),
        ({"answer": "z9"}, 400),
        ({"answer": "c3", "state": "nonsense"}, 400),
        ({"answer": "9" * 80}, 400),
    ],
)
def test_bad_input_is_refused(client, fields, status):
    response = client.post(reverse("first-game-answer", args=["hex"]), fields)
    assert response.status_code == status
    assert response.json()["code"]


@pytest.mark.parametrize("game_id", ["antipod", "hex"])
def test_the_page_waits_for_a_busy_computer_by_itself(client, monkeypatch, game_id):
    monkeypatch.setattr(judging, "_places", threading.Semaphore(0))
    page = client.get(f"/learn/first-game/{game_id}/")
    assert page.status_code == 503
    assert page["Retry-After"] == "5"
    assert '<meta http-equiv="refresh" content="5">' in page.content.decode()
    assert "The site is busy" in page.content.decode()


@pytest.mark.parametrize("game_id", ["antipod", "hex"])
def test_a_form_waits_for_a_busy_computer_without_being_lost(client, monkeypatch, game_id):
    monkeypatch.setattr(judging, "_places", threading.Semaphore(0))
    page = client.post(f"/learn/first-game/{game_id}/", {"answer": "c3"})
    assert page.status_code == 503
    assert "The site is busy" in page.content.decode()
    assert 'name="answer"' in page.content.decode()
    assert "http-equiv" not in page.content.decode()


def test_moves_are_counted_with_answers_to_lessons(client, people, monkeypatch):
    monkeypatch.setenv("LIMIT_LESSON_ANSWERS", "1/hour")
    client.force_login(people[0])
    send(client, "hex", answer="c3")
    response = client.post(reverse("first-game-answer", args=["hex"]), {"answer": "b3"})
    assert response.status_code == 429


@pytest.mark.parametrize("game_id", game_ids())
def test_a_game_continues_after_its_moves(game_id):
    begun = coaching.begin(game_id)
    assert coaching.resume(game_id, ()).position == begun.position
    move = begun.position.format_move(next(iter(begun.position.legal_moves)))
    played = coaching.play(game_id, begun.moves, move)
    assert len(played.moves) == len(begun.moves) + 2
    assert coaching.resume(game_id, played.moves).position == played.position


@pytest.mark.parametrize(
    ("winner", "words"),
    [
        (None, "A draw."),
        (Color.RED, "You have won!"),
        (Color.BLUE, "The computer has won."),
    ],
)
def test_the_result_of_a_first_game_in_words(winner, words):
    position: Any = SimpleNamespace(
        game=SimpleNamespace(id="antipode"),
        color_of={0: Color.RED, 1: Color.BLUE}.__getitem__,
        outcome=SimpleNamespace(winner=winner),
    )
    assert _result(position) == words


def test_a_game_whose_settings_have_changed_is_outdated():
    with pytest.raises(InputError) as refused:
        coaching.resume("hex", ("z99",))
    assert refused.value.code == "learn/state"


def test_a_move_is_answered_with_the_game_after_the_reply(client):
    begun = client.get("/learn/first-game/hex/").context
    assert (begun["game"].id, begun["side"], begun["side_name"]) == ("hex", "black", "Black")
    assert begun["goal"] == "join the top and the bottom edge"
    assert begun["caption"] == "Hex, move 1: Black to move."
    told = begun["told"]
    assert (told["moves"], told["isOver"], told["result"]) == ([], False, "")
    assert begun["state"] == told["state"]
    found = send(client, "hex", answer=" c3 ")
    played = [move["text"] for move in found["moves"]]
    assert (len(played), played[0]) == (2, "c3")
    position = coaching.start_of("hex")
    for text in played:
        position = position.play(position.parse_move(text))
    assert sorted(found) == [
        "advice", "adviceWords", "board", "cells", "isOver", "moves", "position", "result",
        "state", "words",
    ]  # fmt: skip
    assert found["board"] == board_address(position.game)
    assert len(found["position"]["legal"]) == len(position.legal_moves)
    assert found["position"]["toMove"] == "black"
    advised = [position.parse_move(text) for text in found["advice"]]
    assert found["cells"] == [[int(move)] for move in advised]
    assert read_state(found["state"], ("first-game", "hex")) == tuple(played)
    assert not SolvedStepRow.objects.exists()


def test_the_learner_may_be_the_second_to_move(client):
    found = client.get("/learn/first-game/antipod/").context
    assert (found["side"], found["side_name"]) == ("black", "Black")
    [first] = found["told"]["moves"]
    [words] = found["told"]["words"]
    assert words.startswith(f"White puts a stone on {first['text']}")
    assert read_state(found["state"], ("first-game", "antipod")) == (first["text"],)
    assert found["told"]["position"]["toMove"] == "black"
    empty, begun = (
        on_any_page(render_svg(position.scene(), bare=True), "sand")
        for position in (coaching.start_of("antipod"), coaching.begin("antipod").position)
    )
    picture = client.get("/learn/first-game/antipod.svg")
    assert (picture.text, picture.headers["Cache-Control"]) == (empty, "public, max-age=86400")
    moved = client.get("/learn/first-game/antipod.svg", {"state": found["state"]})
    assert moved.text == begun != empty


def test_bad_moves_are_refused_with_their_code(client):
    for fields, code in (
        ({"answer": "  "}, "learn/no-answer"),
        ({"answer": "z9"}, "move/unreadable"),
        ({"answer": "c3", "state": "nonsense"}, "learn/state"),
        ({"ask": "hint", "state": "nonsense"}, "learn/state"),
    ):
        response = client.post(reverse("first-game-answer", args=["hex"]), fields)
        assert (response.status_code, response.json()["code"]) == (400, code)
    page = client.post("/learn/first-game/hex/", {"answer": "z9"})
    assert page.status_code == 400
    assert page.context["refused"]
    assert page.context["told"] is None


def test_a_finished_game_has_no_advice(client):
    game_id, moves = "hex", list[str]()
    position = coaching.start_of(game_id)
    for text in ("c1", "a1", "c2", "a2", "c3", "a3", "c4", "a4", "c5"):
        moves.append(text)
        position = position.play(position.parse_move(text))
    assert position.outcome is not None
    before = write_state(("first-game", game_id), moves[:-1])
    found = send(client, game_id, state=before, answer="c5")
    assert (found["advice"], found["cells"], found["isOver"]) == ([], [], True)
    assert (found["result"], found["position"]["legal"]) == ("You have won!", [])
    assert [move["text"] for move in found["moves"]] == ["c5"]
    again = client.post("/learn/first-game/hex/", {"state": before, "answer": "c5"})
    assert again.context["caption"] == "Hex: Black wins by connection."
    assert SolvedStepRow.objects.count() == 1


def test_a_page_with_a_state_that_cannot_be_read_shows_the_start(client):
    page = client.post("/learn/first-game/hex/", {"answer": "c3", "state": "nonsense"})
    assert page.status_code == 400
    assert "the lesson has changed" in page.context["refused"]
    assert page.context["caption"] == "Hex, move 1: Black to move."
