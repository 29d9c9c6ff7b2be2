"""Every step of every course: its position, its answers, and what its text claims."""

import random

import pytest

from antipodes.errors import AntipodesError
from antipodes.games.registry import game_ids
from antipodes.learn.exercise import Exercise
from antipodes.learn.model import KINDS
from antipodes.learn.store import courses
from tests.cases import for_each
from tests.thorough import repetitions, sample

STEPS = [(course, step) for course in courses() for step in course.steps]

every_step = for_each("course, step", STEPS, ids=lambda case: f"{case[0].id}, {case[1].id}")


@every_step
def test_the_right_answers_solve_the_task(course, step):
    exercise = Exercise(step)
    for number in range(40):
        answer = step.right[number] if number < len(step.right) else exercise.suggestion()
        assert answer is not None
        found = exercise.answer(answer)
        assert found.right, (answer, found.message)
        if found.solved:
            assert number >= len(step.right) - 1
            return
    pytest.fail("the task is not solved")


@every_step
def test_the_wrong_answer_is_wrong_and_is_explained(course, step):
    exercise = Exercise(step)
    before = exercise.position
    found = exercise.answer(step.bad)
    assert found.right is False
    assert not found.solved
    assert found.message or found.refutation
    assert exercise.position == before


@every_step
def test_explained_answers_are_wrong(course, step):
    for answer in step.wrong.keys() - {"*"}:
        found = Exercise(step).answer(answer)
        assert found.right is False, answer
        assert step.wrong[answer] in found.message


@every_step
def test_only_the_named_moves_are_right(course, step):
    if not step.only:
        return
    position = Exercise(step).position
    only = {position.format_move(position.parse_move(name)) for name in step.only}
    moves = [position.format_move(move) for move in position.legal_moves]
    for text in only | set(sample(moves, 8)):
        assert (Exercise(step).answer(text).right is not False) == (text in only), text


@every_step
def test_any_first_move_is_decided_and_explained(course, step):
    exercise = Exercise(step)
    if exercise.selects:
        return
    position = exercise.position
    chance = random.Random(f"{course.id} {step.id}")
    moves = list(position.legal_moves)
    for move in chance.sample(moves, min(len(moves), repetitions(1, 40))):
        found = Exercise(step).answer(position.format_move(move))
        assert found.right is not None
        assert found.right or found.message or found.refutation


@every_step
def test_refutations_and_demonstrations_can_be_replayed(course, step):
    found = Exercise(step).answer(step.bad)
    position = found.position
    for move in found.refutation:
        position = position.play(move)
    position = step.position
    for text in step.demonstration:
        position = position.play(position.parse_move(text))


@every_step
def test_highlighted_points_are_on_the_board(course, step):
    for name in step.show:
        assert step.game.topology.cell(name) is not None


@every_step
def test_a_step_has_hints_and_a_short_text(course, step):
    assert step.hints
    assert step.title
    assert 0 < len(step.text) < 900


@every_step
def test_malformed_answers_are_refused(course, step):
    with pytest.raises(AntipodesError):
        Exercise(step).answer("nonsense")


def test_every_game_has_rules_and_a_strategy_course():
    found = {(course.game_id, course.kind) for course in courses()}
    assert found == {(game_id, kind) for game_id in game_ids() for kind in KINDS}


def test_rules_are_learnt_in_six_to_ten_steps():
    for course in courses():
        if course.kind == "rules":
            assert 6 <= len(course.steps) <= 10, course.id


def test_the_usual_courses_of_a_game_come_before_further_ones():
    found = [course.id for course in courses() if course.game_id == "antipalos"]
    assert found == ["antipalos-rules", "antipalos-strategy", "antipalos-match"]
