"""``antipodes learn``."""

import json

import pytest

from antipodes.learn import progress
from antipodes.learn.store import courses, find_course
from tests.cli.tools import run


@pytest.fixture(autouse=True)
def saved(tmp_path, monkeypatch):
    """The file with the learner's progress."""
    path = tmp_path / "data" / "learn.json"
    monkeypatch.setattr(progress, "default_path", lambda: path)
    return path


def test_the_list_names_the_courses():
    output = run("learn").stdout
    for course in courses():
        assert f"0 of {len(course.steps)} steps" in output
        assert course.id in output
    assert f"antipodes learn {courses()[0].id}" in output


def test_the_list_as_json_has_a_row_for_each_step():
    rows = json.loads(run("learn", "list", "--json").stdout)
    assert len(rows) == sum(len(course.steps) for course in courses())
    assert {"game", "course", "step"} <= set(rows[0])


def test_a_lesson_judges_answers_and_remembers_solved_steps(saved):
    course = find_course("hex-rules")
    done = run("learn", "hex-rules", text="c3\nhint\nb4\nquit\n")
    assert "not empty" in done.stdout
    assert course.steps[0].hints[0] in done.stdout
    assert course.steps[0].done in done.stdout
    assert f"step 2 of {len(course.steps)}" in done.stdout
    assert json.loads(saved.read_text()) == {"hex-rules": ["place"]}
    assert "step 2 of" in run("learn", "hex-rules", text="quit\n").stdout


def test_a_wrong_answer_is_refuted_on_the_board():
    output = run("learn", "hex-strategy", "acute", text="d1\nquit\n").stdout
    assert "Not right." in output
    assert "The game would go on: " in output


def test_the_first_game_has_a_coach():
    output = run("learn", "first-game", "hex", text="c3\nc3\nhint\nboard\nquit\n").stdout
    assert "You are Black." in output
    assert output.count("Put a stone on ") == 3
    assert "White puts a stone on " in output
    assert "not empty" in output


def test_unknown_words_courses_and_steps_are_named():
    assert "(Words: hint" in run("learn", "hex-rules", text="what?\nquit\n").stdout
    assert "no-such" in run("learn", "no-such").stderr
    assert "it has place" in run("learn", "hex-rules", "99").stderr
    assert "no step 'hex'" in run("learn", "list", "hex").stderr
