"""Answers that are judged by search and not by the course's file."""

from antipodes.core import Color
from antipodes.games.antipalos import Antipalos, AntipalosPosition
from antipodes.learn.exercise import Exercise
from antipodes.learn.store import find_course
from antipodes.search.threats import null_move
from tests.thorough import sample


def line_exercise(*answers):
    exercise = Exercise(find_course("antipalos-strategy").step("block"))
    for answer in answers:
        assert exercise.answer(answer).right
    return exercise


def test_a_printed_line_accepts_moves_that_are_as_good():
    exercise = line_exercise("H2*", "D2*")
    printed = exercise.position.parse_move("B2*")
    found = exercise.answer("C2*")
    assert found.right
    assert found.instead == printed
    assert "The printed move is B2*" in found.message
    assert "the next post stands there" in found.message
    assert found.position.rods() == exercise.position.rods()
    assert exercise.position.game.topology.cell("B2") in found.position.rods()


def test_a_printed_line_refuses_moves_that_leave_no_time():
    exercise = line_exercise("H2*", "D2*")
    before = exercise.position
    found = exercise.answer("*A12")
    assert found.right is False
    assert "if you lose a turn" in found.message
    assert exercise.position == before


def test_a_printed_line_refutes_moves_that_let_the_opponent_through():
    exercise = line_exercise("H2*", "D2*", "B2*", "*E2")
    found = exercise.answer("C2*")
    assert found.right is False
    position = found.position
    for move in found.refutation:
        position = position.play(move)
    assert position.outcome is not None
    assert position.outcome.winner is Color.WHITE


def test_a_printed_move_is_explained():
    found = line_exercise().answer("H2*")
    assert found.instead is None
    assert "two squares to the right" in found.message


def test_every_answer_to_the_fork_of_antipod_is_decided():
    step = find_course("antipod-strategy").step("fork")
    position = step.position
    for move in sample(position.legal_moves, 40):
        assert Exercise(step).answer(position.format_move(move)).right is not None


def test_a_pass_in_phase_one_of_antipalos_costs_a_rod():
    position: AntipalosPosition = Antipalos(size=12).initial()
    for text in ("F6*", "*F7", "G7*"):
        position = position.play(position.parse_move(text))
    passed = null_move(position)
    assert isinstance(passed, AntipalosPosition)
    assert passed.to_move is Color.WHITE
    assert passed.rods() == position.rods()
    assert passed.rods_left()[Color.BLACK] == position.rods_left()[Color.BLACK] - 1


def test_the_rule_book_scores_of_antipalos_are_all_in_the_lessons():
    courses = [find_course(name) for name in ("antipalos-rules", "antipalos-match")]
    steps = [step for course in courses for step in course.steps]
    scores = set()
    for step in steps:
        exercise = Exercise(step)
        if "points" in step.task or step.id == "phase-two":
            outcome = exercise.position.play(exercise.position.parse_move(step.right[0])).outcome
            if outcome is not None:
                scores.add(outcome.points)
    assert scores == {1, 2, 3, 4, 5}


def test_a_cut_refutes_a_move_that_does_not_connect():
    exercise = Exercise(find_course("hex-strategy").step("bridge"))
    found = exercise.answer("c5")
    (cut,) = found.refutation
    assert found.position.game.topology.name(cut) == "b4"


def test_a_single_threat_is_stopped_on_the_board():
    found = Exercise(find_course("antipod-strategy").step("two-threats")).answer("b9")
    assert found.right is False
    assert len(found.refutation) == 1
    after = found.position.play(found.refutation[0])
    assert after.outcome is None


def test_a_wrong_answer_to_the_pairing_strategy_is_refuted_on_the_board():
    for course, step in (
        ("antipod-strategy", "pairing-game"),
        ("cylindrical-hex-strategy", "pairing"),
    ):
        exercise = Exercise(find_course(course).step(step))
        wanted = exercise.suggestion()
        moves = list(exercise.position.legal_moves)
        for move in moves[:: len(moves) // 4]:
            text = exercise.position.format_move(move)
            if text == wanted:
                continue
            found = exercise.answer(text)
            assert found.right is False
            assert found.message
            assert found.refutation
            after = found.position
            for reply in found.refutation:
                after = after.play(reply)
