"""Judge answers to lessons. Answers are cached: most learners give the same few."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.core import signing

from antipodes.core import Move
from antipodes.core.numbers import read_number
from antipodes.errors import Fault, IllegalMoveError, InputError, MoveError, Phrase
from antipodes.games.placement import is_connection_game
from antipodes.games.position import Position
from antipodes.learn.exercise import Exercise, Feedback
from antipodes.learn.model import Course, Step
from antipodes.learn.move_words import line_in_words
from antipodes.learn.store import find_course
from antipodes.puzzles.connection_play import ConnectionReferee
from antipodes.web.matches.presenters import ShownMove, play_through
from antipodes.web.platform.limits import BusyError

_SALT = "antipodes.courses"
_LONGEST_STATE = 8_000  # characters


def write_state(place: Sequence[str], moves: Sequence[str]) -> str:
    """Return the moves of a lesson so far, signed, as the page keeps them between two answers.

    The server judged these moves before, so that it need not judge them again; it stores nothing.

    Args:
        place: what the moves belong to, such as a course and a step.
        moves: of both sides in turn.
    """
    return signing.dumps([list(place), list(moves)], salt=_SALT, compress=True)


def read_state(text: str, place: Sequence[str]) -> tuple[str, ...]:
    """Return the moves of a signed text; an empty text has none.

    Raises:
        InputError: it was not signed by this site, or belongs to another place.
    """
    if not text:
        return ()
    try:
        signed_place, moves = signing.loads(text[:_LONGEST_STATE], salt=_SALT)
    except (signing.BadSignature, ValueError):
        signed_place, moves = None, []
    if signed_place != list(place):
        raise outdated()
    return tuple(map(str, moves))


def outdated() -> InputError:
    """Return the error for a state that does not fit."""
    return InputError([Fault("learn/state", "the lesson has changed; load this page again")])


# A search runs in the thread of its request. Few may wait for their turn, since the threads of a
# process are few too.
_AT_ONCE: Final = 2
_WAITING: Final = 2
_PATIENCE: Final = 5  # seconds

_running = threading.BoundedSemaphore(_AT_ONCE)
_places = threading.BoundedSemaphore(_AT_ONCE + _WAITING)


@contextmanager
def turn() -> Iterator[None]:
    """Wait for a turn to search.

    Raises:
        BusyError: too many searches are waiting.
    """
    if not _places.acquire(blocking=False):
        raise BusyError(_PATIENCE)
    try:
        if not _running.acquire(timeout=_PATIENCE):
            raise BusyError(_PATIENCE)
        try:
            yield
        finally:
            _running.release()
    finally:
        _places.release()


_KEPT = 1_000  # answers, of up to 12 kB
_NODES = 400  # positions searched for an answer: a second or two on the largest boards
_SEARCHED = ("win", "hold", "fork", "pair")  # kinds of tasks
_LONGEST_ANSWER = 600  # characters of an answer


@dataclass(frozen=True, slots=True)
class StepVerdict:
    """The judgement of an answer, and what the page shows.

    Attributes:
        right: whether it is right; ``None`` if that could not be decided.
        solved: whether the task is solved.
        phrases: what to tell the learner.
        moves: of both sides in turn, right ones only, with this answer and the reply.
        shown: the answer, then the reply or the refutation, as data for pages.
        words: what each of these moves does.
        position: where the learner goes on.
        unrefuted: whether the page has to search for the refutation of a wrong move.
        turns: of the learner, in which it must not win after that; ``None`` if the opponent must.
    """

    right: bool | None
    solved: bool
    phrases: tuple[Phrase, ...]
    moves: tuple[str, ...]
    shown: tuple[ShownMove, ...]
    words: tuple[Phrase, ...]
    position: Position
    unrefuted: bool = False
    turns: int | None = None


def exercise_after(
    step: Step, moves: Sequence[str], *, judges: bool = False, refutes: bool = True
) -> Exercise:
    """Return a step's exercise after moves that were judged before.

    Args:
        step: the step.
        moves: of both sides in turn.
        judges: whether the exercise will judge; then its searches are short.
        refutes: whether it searches for refutations.

    Raises:
        InputError: the moves do not fit: the step has changed.
    """
    game = step.game
    quick = None
    if judges and is_connection_game(game):
        quick = ConnectionReferee(game, _NODES)
    exercise = Exercise(step, quick, refutes=refutes)
    try:
        exercise.resume(moves)
    except MoveError:
        raise outdated() from None
    return exercise


def judge(
    course: Course, step: Step, moves: Sequence[str], answer: str, *, refutes: bool = True
) -> StepVerdict:
    """Judge an answer.

    Args:
        course: the course.
        step: a step of it.
        moves: of both sides so far.
        answer: a move as its number or its text, or several for tasks to mark points.
        refutes: whether to search for the refutation of a wrong move, and not the page.

    Raises:
        InputError: the answer cannot be read.
        BusyError: too many answers wait for their judgement.
    """
    if not answer.strip():
        raise InputError([Fault("learn/no-answer", "choose or type an answer first")])
    if len(answer) > _LONGEST_ANSWER:
        raise InputError([Fault("learn/too-long", "this answer is too long")])
    exercise = exercise_after(step, moves)
    return _judged(course.id, step.id, tuple(moves), _as_text(exercise, answer), refutes)


def _as_text(exercise: Exercise, answer: str) -> str:
    """Return an answer whose moves are numbers as text."""
    words = [move_as_text(exercise.position, word) for word in answer.replace(",", " ").split()]
    return " ".join(sorted(set(words)) if exercise.selects else words)


def move_as_text(position: Position, word: str) -> str:
    """Return the notation of a legal move that a page gives as a number; other text unchanged."""
    number = read_number(word)
    if number is None or number not in position.legal_moves:
        return word
    return position.format_move(Move(number))


@lru_cache(maxsize=_KEPT)
def _judged(
    course_id: str, step_id: str, moves: tuple[str, ...], answer: str, refutes: bool
) -> StepVerdict:
    step = find_course(course_id).step(step_id)
    exercise = exercise_after(step, moves, judges=True, refutes=refutes)
    before = exercise.position
    with turn():
        feedback = exercise.answer(answer)
    if exercise.selects:
        return StepVerdict(feedback.right, feedback.solved, feedback.phrases, moves, (), (), before)
    line = _line(before, answer, feedback)
    shown = play_through(before, line).moves
    right = moves + tuple(move["text"] for move in shown) if feedback.right else moves
    return StepVerdict(
        feedback.right,
        feedback.solved,
        feedback.phrases,
        right,
        tuple(shown),
        tuple(line_in_words(before, line)),
        exercise.position,
        feedback.unrefuted,
        feedback.turns,
    )


def _line(before: Position, answer: str, found: Feedback) -> list[Move]:
    """Return the answer and what follows it; nothing if the answer is illegal."""
    try:
        move = before.parse_move(answer) if found.instead is None else found.instead
    except IllegalMoveError:
        return []
    return [move, *(found.refutation if found.reply is None else (found.reply,))]


@lru_cache(maxsize=_KEPT)
def suggestion(course_id: str, step_id: str, moves: tuple[str, ...]) -> str | None:
    """Return an answer that is right now, or ``None`` if the computer knows none.

    Raises:
        InputError: the moves do not fit.
        BusyError: too many answers wait for their judgement.
    """
    exercise = exercise_after(find_course(course_id).step(step_id), moves, judges=True)
    with turn():
        return exercise.suggestion()
