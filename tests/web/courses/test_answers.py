"""Answers to every step through the site: right and wrong examples, refutations, solutions."""

import pytest
from django.urls import reverse

from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.learn.exercise import Exercise
from antipodes.learn.store import find_course
from antipodes.web.courses import judging, presenters
from antipodes.web.courses.judging import read_state, write_state
from antipodes.web.courses.limits import count_answer
from antipodes.web.courses.models import SolvedStepRow
from antipodes.web.matches.presenters import pieces
from antipodes.web.platform.limits import BusyError, TooManyError
from tests.thorough import sample
from tests.web.courses.lessons import FAR, SAMPLE, goal

pytestmark = pytest.mark.django_db

every_step = pytest.mark.parametrize(
    ("course", "step"), sample(SAMPLE, 15), ids=lambda one: getattr(one, "id", "")
)


@every_step
def test_right_answers_solve_a_step_and_are_stored(learner, course, step):
    found = learner.solve(course, step)
    assert found["position"]["legal"] == []
    row = SolvedStepRow.objects.get()
    assert (row.course, row.step) == (course.id, step.id)
    assert row.user.is_guest


@every_step
def test_a_wrong_answer_is_explained_and_the_task_stays(learner, course, step):
    found = learner.answer(course, step, step.bad)
    assert found["right"] is False
    assert not found["solved"]
    assert found["message"] or len(found["moves"]) > 1
    assert found["position"]["legal"] or learner.client.get(
        reverse("lesson", args=[course.id, step.id])
    )
    assert not SolvedStepRow.objects.exists()


@pytest.mark.parametrize(
    ("course_id", "step_id", "wrong", "turns"),
    [
        ("hex-strategy", "ladder", "a1", None),
        ("antipod-strategy", "pairing", "a1+", None),
        ("antipode-strategy", "quiet", "a3-d7", 1),
    ],
)
def test_a_page_may_search_for_the_refutation_itself(learner, course_id, step_id, wrong, turns):
    course = find_course(course_id)
    step = course.step(step_id)
    told = learner.answer(course, step, wrong, refutes="1")
    assert told["search"] == {"turns": turns, "proves": True}
    assert len(told["moves"]) == 1
    told = learner.answer(course, step, wrong)
    assert "search" not in told
    assert len(told["moves"]) > 1


def test_a_refutation_is_sent_as_moves_with_their_changes(learner):
    course = find_course("antipod-rules")
    found = learner.answer(course, course.step("stop"), "c10")
    assert len(found["moves"]) > 1
    answer, refutation = found["moves"][:2]
    assert answer["text"] == "c10"
    assert list(refutation["changed"].values()) == [[None, "white"]]
    assert found["position"]["pieces"] == before(course, "stop")


def before(course, step_id):
    """Return the pieces of a step's position as JSON has them."""
    position = course.step(step_id).position
    return {str(cell): color.value for cell, color in position.stones().items()}


def test_the_opponent_replies_in_tasks_of_several_moves(learner):
    course = find_course("antipalos-strategy")
    step = course.step("block")
    found = learner.answer(course, step, "H2*")
    assert [move["text"] for move in found["moves"]] == ["H2*", "F6*"]
    assert found["right"]
    assert not found["solved"]
    found = learner.answer(course, step, "D2*")
    assert [move["text"] for move in found["moves"]] == ["D2*", "E5*"]


def test_marked_points_are_judged_in_any_order(learner):
    course = find_course("hex-rules")
    step = course.step("neighbours")
    found = learner.answer(course, step, "c2, d2")
    assert found["message"].startswith("Not yet. Still missing: 4.")
    assert learner.answer(course, step, "c4 b4 d3 b3 d2 c2 c2")["solved"]


def test_an_illegal_move_is_wrong_and_says_why(learner):
    course, step = goal()
    found = learner.answer(course, step, "c1")
    assert found["right"] is False
    assert found["moves"] == []
    assert found["message"] == "c1 is not legal: the point is not empty."


JSON = {"accept": "application/json"}


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"answer": ""}, "learn/no-answer"),
        ({"answer": "b3" * 400}, "learn/too-long"),
        ({"answer": "nonsense"}, "move/unreadable"),
        ({"answer": "b3", "state": "nonsense"}, "learn/state"),
        ({"answer": "b3", "state": "x" * 20_000}, "learn/state"),
        ({"answer": "\x00"}, "site/character"),
    ],
)
def test_bad_input_is_refused_with_a_code(client, fields, code):
    course, step = goal()
    response = client.post(
        reverse("lesson-answer", args=[course.id, step.id]), fields, headers=JSON
    )
    assert response.status_code == 400
    assert response.json()["code"] == code


def test_a_state_of_another_step_is_refused(learner):
    course = find_course("antipalos-strategy")
    learner.answer(course, course.step("block"), "H2*")
    url = reverse("lesson-answer", args=[course.id, "v"])
    response = learner.client.post(url, {"state": learner.state, "answer": "*E1"})
    assert response.json()["code"] == "learn/state"


def test_answers_are_judged_once(learner, monkeypatch):
    course, step = goal()
    learner.answer(course, step, "d4")
    monkeypatch.setattr(Exercise, "answer", None)
    assert learner.answer(course, step, "d4")["right"] is False


def test_answers_of_an_address_are_limited(client, monkeypatch):
    monkeypatch.setenv("LIMIT_LESSON_ANSWERS_OF_ADDRESS", "2/hour")
    course, step = goal()
    url = reverse("lesson-answer", args=[course.id, step.id])
    codes = [client.post(url, {"answer": "d4"}, REMOTE_ADDR=FAR).status_code for _ in range(3)]
    assert codes == [200, 200, 429]


def test_answers_of_a_user_are_limited(client, people, monkeypatch):
    monkeypatch.setenv("LIMIT_LESSON_ANSWERS", "2/hour")
    client.force_login(people[0])
    course, step = goal()
    url = reverse("lesson-answer", args=[course.id, step.id])
    codes = [client.post(url, {"ask": "solution"}).status_code for _ in range(3)]
    assert codes == [200, 200, 429]
    page = client.post(reverse("lesson", args=[course.id, step.id]), {"answer": "b3"})
    assert (page.status_code, "Retry-After" in page.headers) == (429, True)


def test_moves_that_no_longer_fit_the_step_are_refused(learner):
    course, step = goal()
    learner.state = write_state((course.id, step.id), ["c1"])  # it is occupied
    address = reverse("lesson-answer", args=[course.id, step.id])
    response = learner.client.post(address, {"state": learner.state, "answer": "b3"})
    assert response.status_code == 400
    assert response.json()["code"] == "learn/state"
    assert "the lesson has changed" in response.json()["message"]


@pytest.mark.parametrize(
    ("course_id", "step_id", "answer", "cells"),
    [
        ("hex-rules", "neighbours", "c2 z9 d2", [7, 8]),
        ("hex-rules", "goal", "b3 nonsense", [11]),
        ("hex-strategy", "must-play", "a4 nonsense", [12]),
        ("antipalos-strategy", "block", "H2*", [19]),
        ("hex-rules", "neighbours", None, []),
    ],
)
def test_a_suggestion_shows_its_cells(course_id, step_id, answer, cells):
    course = find_course(course_id)
    view = presenters.suggestion_view(course, course.step(step_id), (), answer)
    assert (view["answer"], view["cells"]) == (answer, cells)


def test_a_swap_has_no_cells():
    position = make_game("hex", {"size": 3}).initial()
    assert presenters.marked_cells(position, 4) == [4]
    swap = position.game.swap_move
    assert swap is not None
    assert presenters.marked_cells(position.play(4), swap) == []


def test_answers_wait_for_a_turn_only_so_long(monkeypatch):
    monkeypatch.setattr(judging, "_PATIENCE", 0)
    running = [judging._running.acquire(blocking=False) for _ in range(2)]
    try:
        assert running == [True, True]
        with pytest.raises(BusyError) as refused, judging.turn():
            pass
        assert refused.value.code == "limits/busy"
    finally:
        for _ in running:
            judging._running.release()
    with judging.turn():  # the refused answer has given its place back
        assert (judging._running._value, judging._places._value) == (1, 3)
    assert (judging._running._value, judging._places._value) == (2, 4)


def test_answers_do_not_wait_in_a_long_queue(client):
    course, step = goal()
    places = [judging._places.acquire(blocking=False) for _ in range(4)]
    assert all(places)
    try:
        url = reverse("lesson-answer", args=[course.id, step.id])
        response = client.post(url, {"answer": "b3"})
    finally:
        for _ in places:
            judging._places.release()
    assert response.status_code == 503
    assert response.json()["code"] == "limits/busy"
    assert response["Retry-After"]


def test_a_right_answer_is_told_completely(learner):
    course, step = goal()
    found = learner.answer(course, step, "b3")
    after = step.position.play(step.position.parse_move("b3"))
    [move] = found["moves"]
    assert (move["text"], move["changed"]) == ("b3", {"11": [None, "black"]})
    assert read_state(found["state"], (course.id, step.id)) == ("b3",)
    assert {**found, "moves": [], "state": "", "links": {}, "position": {}} == {
        "right": True,
        "solved": True,
        "message": "A chain from top to bottom: Black wins.",
        "moves": [],
        "words": ["Black puts a stone on b3: it joins c2 and b4; this wins the game."],
        "position": {},
        "links": {},
        "state": "",
    }
    assert found["position"] == {
        "pieces": {str(cell): piece for cell, piece in pieces(after).items()},
        "legal": [],
        "swap": None,
        "last": 11,
        "chain": list(after.winning_chain()),
        "result": "Black wins by connection",
        "toMove": "white",
        "caption": "Hex: Black wins by connection.",
    }


def test_after_a_wrong_answer_the_learner_goes_on_from_the_position_before(learner):
    course, step = goal()
    found = learner.answer(course, step, "d4")
    assert (found["right"], found["solved"], found["links"]) == (False, False, {})
    assert found["position"]["pieces"] == {
        str(cell): piece for cell, piece in pieces(step.position).items()
    }
    assert len(found["position"]["legal"]) == len(step.position.legal_moves)
    assert [one["text"] for one in found["moves"]] == ["d4"]
    assert read_state(found["state"], (course.id, step.id)) == ()


def test_a_suggestion_keeps_the_moves_so_far(learner):
    course = find_course("antipalos-strategy")
    step = course.step("block")
    learner.answer(course, step, "H2*")
    suggested = learner.answer(course, step, "", ask="solution")
    assert sorted(suggested) == ["answer", "cells", "state", "words"]
    assert suggested["answer"]
    assert read_state(learner.state, (course.id, step.id)) == ("H2*", "F6*")


def test_a_state_belongs_to_its_place():
    state = write_state(("hex-rules", "goal"), ["b3", "a1"])
    assert read_state(state, ("hex-rules", "goal")) == ("b3", "a1")
    assert read_state("", ("hex-rules", "goal")) == ()
    for place in (("hex-rules", "white"), ("hex-rules",), ("goal", "hex-rules")):
        with pytest.raises(InputError) as refused:
            read_state(state, place)
        assert refused.value.code == "learn/state"


@pytest.mark.parametrize(
    ("answer", "code", "message"),
    [
        ("  ", "learn/no-answer", "choose or type an answer first"),
        ("x" * 601, "learn/too-long", "this answer is too long"),
        ("x" * 600, "move/unreadable", ""),
    ],
)
def test_an_answer_that_cannot_be_judged_says_why(client, answer, code, message):
    course, step = goal()
    found = client.post(reverse("lesson-answer", args=[course.id, step.id]), {"answer": answer})
    assert found.status_code == 400
    told = found.json()
    assert (told["code"], message in told["message"]) == (code, True)


@pytest.mark.parametrize(
    ("step_id", "answer", "text"),
    [
        ("goal", "11", "b3"),
        ("goal", "2", "2"),  # it is occupied
        ("goal", "b3", "b3"),
        ("neighbours", "d2, c2,c2 b3", "b3 c2 d2"),
    ],
)
def test_answers_are_read_as_text(step_id, answer, text):
    exercise = judging.exercise_after(find_course("hex-rules").step(step_id), ())
    assert judging._as_text(exercise, answer) == text


def test_answers_count_for_the_address_and_the_learner(rf, people, monkeypatch):
    monkeypatch.setenv("LIMIT_LESSON_ANSWERS", "1/hour")
    request = rf.post("/", REMOTE_ADDR=FAR)
    request.user = people[0]
    count_answer(request, people[1])
    count_answer(request)
    for learner in (None, people[1]):
        with pytest.raises(TooManyError):
            count_answer(request, learner)
