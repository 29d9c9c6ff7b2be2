"""Operations of courses: lessons, answers, progress; and practice from any position."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from django.urls import reverse
from ninja import Path, Router
from pydantic import Field

from antipodes.errors import InputError
from antipodes.learn.model import Course, Step
from antipodes.learn.store import courses, find_course
from antipodes.records.json_format import setup_data
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.api.auth import caller
from antipodes.web.api.challenges import match_or_challenge_out
from antipodes.web.api.endpoints.analysis import PositionIn, line_of
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.challenges import LevelText, MatchOrChallengeOut
from antipodes.web.challenges.practice import start_practice
from antipodes.web.courses import judging
from antipodes.web.courses.judging import read_state, write_state
from antipodes.web.courses.limits import count_answer
from antipodes.web.courses.progress import (
    NOTHING,
    CourseProgress,
    progress_of_user,
    store_solved_by,
)
from antipodes.web.courses.texts import message, plain
from antipodes.web.matches.schemas import Options, Seat
from antipodes.web.platform.schemas import RequestSchema, ResponseSchema, Whole
from antipodes.web.platform.translations import translate


class StepLineOut(ResponseSchema):
    """A step in a list."""

    id: str
    title: str
    solved: bool = Field(description="whether you have solved it; false without a token")


class CourseOut(ResponseSchema):
    """A course with its steps, in the language of the request."""

    id: str
    game: str
    kind: Literal["rules", "strategy"]
    title: str
    summary: str
    steps: list[StepLineOut]
    path: str = Field(description="its page")


class StepOut(ResponseSchema):
    """A step: a position and a task, in the language of the request."""

    course: str
    step: str
    title: str
    text: str = Field(description="what the step teaches, and at its end the task")
    kind: str = Field(description="of the task, such as win, hold, connect or select")
    selects: bool = Field(description="whether an answer marks points or moves, not one move")
    game: str
    options: Options
    setup: dict[str, Any] = Field(description="the position, like the start of a record")
    to_move: str
    hints: list[str]
    solved: bool
    path: str
    picture: str


class StepAnswerIn(RequestSchema):
    """An answer to a step, after the answers of the `state` that was returned last."""

    answer: Annotated[
        str,
        Field(min_length=1, max_length=600, description="a move, or points with spaces between"),
    ]
    state: Annotated[str, Field(max_length=8_000, description="empty at first")] = ""


class StepAnswerOut(ResponseSchema):
    """The judgement of an answer."""

    right: bool | None = Field(description="null if the computer could not decide it")
    solved: bool
    message: str
    moves: list[str] = Field(description="the answer, then the reply or the refutation")
    setup: dict[str, Any] = Field(description="the position in which you go on")
    state: str = Field(description="to send with the next answer")


class CourseProgressOut(ResponseSchema):
    """Your solved steps of a course."""

    course: str
    solved: list[str]
    total: Whole


class PracticeIn(PositionIn):
    """A position to play out against the computer; you have the seat to move by default."""

    level: LevelText = 3
    seat: Seat | None = None


router = Router(tags=["courses"])

CourseId = Annotated[str, Path(pattern=r"^[a-z0-9-]{1,60}$", description="such as hex-rules")]
StepId = Annotated[str, Path(pattern=r"^[a-z0-9-]{1,60}$", description="such as bridge")]


def _find_course(course_id: str) -> Course:
    try:
        return find_course(course_id)
    except InputError as error:
        raise not_found(str(error)) from None


def _find_step(course: Course, step_id: str) -> Step:
    try:
        return course.step(step_id)
    except InputError as error:
        raise not_found(str(error)) from None


def _progress(request: HttpRequest) -> CourseProgress:
    viewer = caller(request).viewer
    return NOTHING if viewer is None else progress_of_user(viewer)


def _course_out(course: Course, progress: CourseProgress) -> CourseOut:
    return CourseOut(
        id=course.id,
        game=course.game_id,
        kind=course.kind,  # type: ignore[arg-type]  # one of KINDS
        title=translate(course.title),
        summary=plain(translate(course.summary)),
        steps=[
            StepLineOut(
                id=step.id,
                title=plain(translate(step.title)),
                solved=progress.is_solved(course.id, step.id),
            )
            for step in course.steps
        ],
        path=reverse("course", args=[course.id]),
    )


@operation(router, "GET", "/courses", PUBLIC, list[CourseOut])
def list_courses(request: HttpRequest) -> list[CourseOut]:
    """List the courses with their steps, and with a token your progress."""
    progress = _progress(request)
    return [_course_out(course, progress) for course in courses()]


@operation(router, "GET", "/courses/{course_id}", PUBLIC, CourseOut, errors=(404,))
def get_course(request: HttpRequest, course_id: CourseId) -> CourseOut:
    """Return a course with its steps, and with a token your progress."""
    return _course_out(_find_course(course_id), _progress(request))


@operation(
    router, "GET", "/courses/{course_id}/steps/{step_id}", PUBLIC, StepOut, errors=(404, 503)
)
def get_step(request: HttpRequest, course_id: CourseId, step_id: StepId) -> StepOut:
    """Return a step: its text, position and task."""
    course = _find_course(course_id)
    step = _find_step(course, step_id)
    exercise = judging.exercise_after(step, ())
    return StepOut(
        course=course.id,
        step=step.id,
        title=plain(translate(step.title)),
        text=plain(translate(step.text)),
        kind=exercise.kind,
        selects=exercise.selects,
        game=step.game_id,
        options=dict(step.game.options.changed()),
        setup=setup_data(exercise.position.to_setup()),
        to_move=exercise.learner.value,
        hints=[plain(translate(hint)) for hint in step.hints],
        solved=_progress(request).is_solved(course.id, step.id),
        path=reverse("lesson", args=[course.id, step.id]),
        picture=reverse("lesson-picture", args=[course.id, step.id]),
    )


@operation(
    router,
    "POST",
    "/courses/{course_id}/steps/{step_id}/answers",
    Scope.PLAY,
    StepAnswerOut,
    errors=(404, 409, 503),
)
def answer_step(
    request: HttpRequest, course_id: CourseId, step_id: StepId, data: StepAnswerIn
) -> StepAnswerOut:
    """Answer a step; the rules and the search judge the answer, and progress is kept."""
    course, user = _find_course(course_id), caller(request).account
    step = _find_step(course, step_id)
    count_answer(request, user)
    moves = read_state(data.state, (course.id, step.id))
    verdict = judging.judge(course, step, moves, data.answer)
    if verdict.solved:
        store_solved_by(user, course.id, step.id)
    return StepAnswerOut(
        right=verdict.right,
        solved=verdict.solved,
        message=message(verdict.phrases),
        moves=[move["text"] for move in verdict.shown],
        setup=setup_data(verdict.position.to_setup()),
        state=write_state((course.id, step.id), verdict.moves),
    )


@operation(router, "GET", "/account/courses", Scope.READ, list[CourseProgressOut])
def get_progress(request: HttpRequest) -> list[CourseProgressOut]:
    """Return your solved steps of all courses."""
    progress = progress_of_user(caller(request).account)
    return [
        CourseProgressOut(
            course=course.id,
            solved=[step.id for step in course.steps if progress.is_solved(course.id, step.id)],
            total=len(course.steps),
        )
        for course in courses()
    ]


@operation(
    router, "POST", "/practice", Scope.CHALLENGE, MatchOrChallengeOut, status=201, errors=(409,)
)
def begin_practice(request: HttpRequest, data: PracticeIn) -> MatchOrChallengeOut:
    """Start a casual match against the computer from any position."""
    user, line = caller(request).account, line_of(data)
    seat = line.position.seat_to_move if data.seat is None else data.seat
    match = start_practice(user, line, str(data.level), seat)
    return match_or_challenge_out(match, user)
