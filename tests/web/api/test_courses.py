"""Courses in the API: lists, steps, answers and progress, and practice from a position."""

import pytest

from antipodes.learn.store import courses, find_course
from antipodes.records.json_format import setup_data
from antipodes.web.courses.progress import store_solved_by
from antipodes.web.courses.texts import plain
from antipodes.web.matches.models import MatchRow

pytestmark = pytest.mark.django_db

STEP = "courses/hex-rules/steps/goal"


def test_courses_are_listed_with_their_steps(ask):
    found = ask("GET", "courses").data
    assert [one["id"] for one in found] == [course.id for course in courses()]
    steps = ask("GET", "courses/hex-rules").data["steps"]
    assert [one["id"] for one in steps] == [step.id for step in find_course("hex-rules").steps]
    assert not any(one["solved"] for one in steps)
    assert ask("GET", "courses/nowhere").status_code == 404
    assert ask("GET", "courses/hex-rules/steps/nowhere").status_code == 404


def test_a_course_and_a_step_have_all_their_fields(ask, people, token):
    course = find_course("hex-rules")
    told = {
        "id": "hex-rules",
        "game": "hex",
        "kind": course.kind,
        "title": course.title,
        "summary": plain(course.summary),
        "steps": [
            {"id": step.id, "title": plain(step.title), "solved": False} for step in course.steps
        ],
        "path": "/learn/hex-rules/",
    }
    assert ask("GET", "courses/hex-rules").data == told
    step = course.step("goal")
    found = ask("GET", STEP).data
    assert found == {
        "course": "hex-rules",
        "step": "goal",
        "title": plain(step.title),
        "text": plain(step.text),
        "kind": "win",
        "selects": False,
        "game": "hex",
        "options": dict(step.game.options.changed()),
        "setup": setup_data(step.position.to_setup()),
        "toMove": "black",
        "hints": [plain(hint) for hint in step.hints],
        "solved": False,
        "path": "/learn/hex-rules/goal/",
        "picture": "/learn/hex-rules/goal.svg",
    }
    store_solved_by(people[0], "hex-rules", "goal")
    text = token()
    assert ask("GET", STEP, text).data == {**found, "solved": True}
    steps = ask("GET", "courses/hex-rules", text).data["steps"]
    assert [one["id"] for one in steps if one["solved"]] == ["goal"]
    assert ask("GET", STEP, token(people[0], "play")).data == found
    assert ask("GET", "account/courses", text).data == [
        {
            "course": one.id,
            "solved": ["goal"] if one is course else [],
            "total": len(one.steps),
        }
        for one in courses()
    ]


def test_a_step_is_answered_and_progress_is_kept(ask, people, token):
    learner = token(people[0], "play", "read")
    step = ask("GET", STEP, learner).data
    right = find_course("hex-rules").step("goal")
    assert step["setup"]["stones"] == dict(right.position.to_setup().stones)
    assert not step["selects"]
    wrong = ask("POST", f"{STEP}/answers", learner, {"answer": right.bad}).data
    assert (wrong["right"], wrong["solved"]) == (False, False)
    assert not ask("GET", STEP, learner).data["solved"]
    found = ask("POST", f"{STEP}/answers", learner, {"answer": right.right[0]}).data
    assert found["solved"]
    assert found["moves"][0] == right.right[0]
    progress = {one["course"]: one["solved"] for one in ask("GET", "account/courses", learner).data}
    assert progress["hex-rules"] == ["goal"]
    assert ask("GET", STEP, learner).data["solved"]


def test_an_answer_goes_on_from_the_state_of_the_one_before(ask, people, token):
    learner = token(people[0], "play")
    course = next(
        (one, step) for one in courses() for step in one.steps if step.task["kind"] == "line"
    )
    address = f"courses/{course[0].id}/steps/{course[1].id}/answers"
    state = ""
    for text in course[1].right:
        found = ask("POST", address, learner, {"answer": text, "state": state}).data
        assert found["right"]
        assert found["solved"] == (text == course[1].right[-1])
        state = found["state"]
    other = ask("POST", f"{STEP}/answers", learner, {"answer": "a1", "state": state})
    assert other.data["code"] == "learn/state"


def test_practice_begins_from_a_position(ask, people, token):
    player = token(people[0], "challenge")
    position = {"game": "hex", "options": {"size": 5}, "moves": ["c3", "b2"], "level": 1}
    response = ask("POST", "practice", player, position)
    assert response.status_code == 201
    match = MatchRow.objects.get(slug=response.data["match"]["slug"]).match()
    assert match.ply == 2
    assert response.data["match"]["own"] == [0]
    other = ask("POST", "practice", token(), {**position, "seat": 1}).data["match"]
    assert [one["kind"] for one in other["seats"]] == ["computer", "account"]
    over = {"game": "hex", "options": {"size": 1}, "moves": ["a1"]}
    assert ask("POST", "practice", player, over).status_code in (409, 422)
