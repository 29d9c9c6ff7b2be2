"""Lessons as data for pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from antipodes.errors import InputError
from antipodes.games.position import Game, Position
from antipodes.games.registry import game_class, game_ids
from antipodes.learn.exercise import Exercise
from antipodes.learn.model import Course, Step
from antipodes.learn.move_words import move_in_words
from antipodes.learn.properties import MOVES
from antipodes.learn.store import courses
from antipodes.web.analysis.position_queries import Line
from antipodes.web.analysis.presenters import board_address, words_of
from antipodes.web.courses.coaching import PLACE, start_of
from antipodes.web.courses.judging import StepVerdict, exercise_after, write_state
from antipodes.web.courses.progress import CourseProgress
from antipodes.web.courses.schemas import (
    LessonOut,
    LineOut,
    Selected,
    StepLinksOut,
    StepVerdictOut,
    SuggestionOut,
)
from antipodes.web.courses.texts import message
from antipodes.web.matches.presenters import ShownMove, board_position, pieces, play_through
from antipodes.web.platform.translations import phrase_text


@dataclass(frozen=True)
class CourseLine:
    """A course in a list, with the learner's progress."""

    course: Course
    solved: int
    following: Step

    @property
    def total(self) -> int:
        """The number of steps."""
        return len(self.course.steps)

    @property
    def picture_step(self) -> Step:
        """The step whose board represents the course."""
        return picture_step(self.course)

    @property
    def is_done(self) -> bool:
        """Whether all steps are solved."""
        return self.solved == self.total


@dataclass(frozen=True)
class GameLines:
    """The courses of a game, and whether its first game was played."""

    game: type[Game]
    lines: Sequence[CourseLine]
    played: bool

    @property
    def first_board(self) -> Game:
        """The game with the options of its first game."""
        return start_of(self.game.id).game


def course_line(course: Course, progress: CourseProgress) -> CourseLine:
    """Return a course with the learner's progress."""
    following = progress.next_step(course) or course.steps[0]
    return CourseLine(course, progress.count(course), following)


def lines_by_game(progress: CourseProgress) -> list[GameLines]:
    """Return all courses by their games; games without courses are left out."""
    lines = [course_line(one, progress) for one in courses()]
    return [
        GameLines(
            game_class(game_id),
            [line for line in lines if line.course.game_id == game_id],
            progress.is_solved(PLACE, game_id),
        )
        for game_id in game_ids()
        if game_class(game_id).first_game is not None
    ]


def picture_step(course: Course) -> Step:
    """Return the step whose board represents a course: the one nearest to a third full."""

    def distance(step: Step) -> float:
        position = step.position
        return abs(len(pieces(position)) / position.game.topology.cell_count - 1 / 3)

    return min(course.steps, key=distance)


def lesson_view(step: Step, exercise: Exercise, moves: Sequence[str], state: str) -> LessonOut:
    """Return a step after some moves as data for its page."""
    game = step.game
    position = exercise.position
    demonstration = step.position
    shown = [] if not step.demonstration else _line_of(demonstration, step.demonstration)
    return {
        "board": board_address(game),
        "position": board_position(position),
        "selects": _selected_of(step, exercise),
        "show": [cell for name in step.show if (cell := game.topology.cell(name)) is not None],
        "line": _line(step, moves),
        "demonstration": {
            "start": pieces(demonstration),
            "moves": shown,
            "words": words_of(demonstration, step.demonstration),
        },
        "state": state,
    }


def _selected_of(step: Step, exercise: Exercise) -> Selected | None:
    """Return whether the learner marks ``points`` or ``moves``; ``None`` to play moves."""
    if not exercise.selects:
        return None
    return "moves" if step.task.get("of") in MOVES else "points"


def _line_after(step: Step, moves: Sequence[str]) -> Line:
    """Return a step with moves after it as the analysis knows positions."""
    game = step.game
    position = game.initial() if step.setup is None else game.position(step.setup)
    opening = map(step.position.format_move, Exercise(step).opening)
    numbers = []
    for text in (*step.moves, *opening, *moves):
        numbers.append(int(position.parse_move(text)))
        position = position.play(numbers[-1])
    return Line.of(game, step.setup, numbers)


def _line(step: Step, moves: Sequence[str]) -> LineOut:
    """Return a position for the page's previews of flips."""
    line = _line_after(step, moves)
    return {
        "game": line.game.id,
        "options": dict(line.game.options.changed()),
        "setup": line.setup_text,
        "moves": list(line.moves),
    }


def _links(step: Step, verdict: StepVerdict) -> StepLinksOut:
    """Return where one goes on with the position of a solved step."""
    if not verdict.solved:
        return {}
    line = _line_after(step, verdict.moves)
    query = line.query
    links: StepLinksOut = {"analysis": f"{reverse('analysis', args=[line.game.id])}?{query}"}
    if line.position.outcome is None:
        links["practice"] = f"{reverse('practice')}?{query}"
    return links


def _line_of(position: Position, texts: Sequence[str]) -> list[ShownMove]:
    line = []
    after = position
    for text in texts:
        line.append(after.parse_move(text))
        after = after.play(line[-1])
    return play_through(position, line).moves


def verdict_view(course: Course, step: Step, verdict: StepVerdict) -> StepVerdictOut:
    """Return a judgement as data for the step's page."""
    view: StepVerdictOut = {
        "right": verdict.right,
        "solved": verdict.solved,
        "message": message(verdict.phrases),
        "moves": list(verdict.shown),
        "words": [phrase_text(phrase) for phrase in verdict.words],
        "position": board_position(verdict.position, is_open=not verdict.solved),
        "links": _links(step, verdict),
        "state": write_state((course.id, step.id), verdict.moves),
    }
    if verdict.unrefuted:
        view["search"] = {"turns": verdict.turns, "proves": True}
    return view


def suggestion_view(
    course: Course, step: Step, moves: Sequence[str], answer: str | None
) -> SuggestionOut:
    """Return an answer that is suggested after some moves, with the cells that show it."""
    exercise = exercise_after(step, moves)
    position = exercise.position
    cells: list[int] = []
    for word in (answer or "").split():
        cells += _cells(position, step, word, is_point=exercise.selects)
    moved = [] if exercise.selects else (answer or "").split()
    return {
        "answer": answer,
        "words": " ".join(_advice(position, word) for word in moved).strip(),
        "cells": cells,
        "state": write_state((course.id, step.id), moves),
    }


def _advice(position: Position, word: str) -> str:
    """Return a sentence that advises a move; empty if it is none."""
    try:
        return phrase_text(move_in_words(position, word, is_advice=True))
    except InputError:
        return ""


def _cells(position: Position, step: Step, word: str, *, is_point: bool) -> list[int]:
    if is_point and step.task.get("of") not in MOVES:
        cell = position.game.topology.cell(word)
        return [] if cell is None else [cell]
    try:
        move = position.parse_move(word)
    except InputError:
        return []
    return marked_cells(position, move)


def marked_cells(position: Position, move: int) -> list[int]:
    """Return the cells of a move, without the diagonal of a rod and without repetitions."""
    if move == position.game.swap_move:
        return []
    steps = position.steps(move)
    cells = steps[:-1] if position.game.topology.kind == "grid" else steps
    return list(dict.fromkeys(cells))
