"""Pages of courses and their steps, and the judgement of answers."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from antipodes.errors import InputError
from antipodes.games.registry import game_class
from antipodes.learn.model import Course, Step
from antipodes.learn.store import find_course
from antipodes.notation.svg import render_svg
from antipodes.web.analysis.engine_kits import REFUTES
from antipodes.web.courses import judging, presenters, texts
from antipodes.web.courses.judging import read_state
from antipodes.web.courses.limits import count_answer, must_wait
from antipodes.web.courses.progress import CourseProgress, progress_of, store_solved
from antipodes.web.courses.schemas import StepVerdictOut, SuggestionOut
from antipodes.web.platform.error_views import json_error
from antipodes.web.platform.limits import status_of
from antipodes.web.platform.pictures import board_picture
from antipodes.web.platform.translations import caption_text, error_message

_CACHE_CONTROL = "public, max-age=86400"
_SOLUTION = "solution"  # value of the field "ask"


@require_GET
@never_cache
def index(request: HttpRequest) -> HttpResponse:
    """Show all courses with the learner's progress."""
    progress = progress_of(request)
    context = {"games": presenters.lines_by_game(progress), "continued": progress.continued()}
    return render(request, "courses/index.html", context)


@require_GET
@never_cache
def course(request: HttpRequest, course_id: str) -> HttpResponse:
    found = _course(course_id)
    progress = progress_of(request)
    context = {
        "course": found,
        "game": game_class(found.game_id),
        "line": presenters.course_line(found, progress),
        "steps": _steps(found, progress),
    }
    return render(request, "courses/course.html", context)


@require_GET
def course_picture(request: HttpRequest, course_id: str) -> HttpResponse:
    return svg(
        request, render_svg(presenters.picture_step(_course(course_id)).position.scene(), bare=True)
    )


@require_GET
def picture(request: HttpRequest, course_id: str, step_id: str) -> HttpResponse:
    """Return a picture of a step, after the moves of ``state`` if there is one."""
    found = _course(course_id)
    step = _step(found, step_id)
    try:
        moves = read_state(request.GET.get("state", ""), (found.id, step.id))
        exercise = judging.exercise_after(step, moves)
    except InputError as error:
        raise Http404(str(error)) from None
    return svg(request, render_svg(exercise.position.scene(), bare=True))


def svg(request: HttpRequest, drawn: str) -> HttpResponse:
    """Return a picture, which browsers keep for a day."""
    return board_picture(request, drawn, _CACHE_CONTROL)


@require_http_methods(["GET", "POST"])
@never_cache
@ensure_csrf_cookie
def lesson(request: HttpRequest, course_id: str, step_id: str) -> HttpResponse:
    """Show a step; without JavaScript, answers are posted here too."""
    shown_course = _course(course_id)
    step = _step(shown_course, step_id)
    told: StepVerdictOut | SuggestionOut | None = None
    status, refused = 200, ""
    if request.method == "POST":
        try:
            told = _answered(request, shown_course, step)
        except InputError as error:
            if must_wait(request, error):
                raise  # the middleware answers with Retry-After
            status, refused = status_of(error), error_message(error)
    typed = request.POST.get("answer", "") if refused else ""
    context = _context(request, shown_course, step, told) | {"refused": refused, "typed": typed}
    return render(request, "courses/lesson.html", context, status=status)


@require_POST
def answer(request: HttpRequest, course_id: str, step_id: str) -> JsonResponse:
    """Judge an answer, or suggest one; return it as JSON."""
    shown_course = _course(course_id)
    step = _step(shown_course, step_id)
    try:
        return JsonResponse(_answered(request, shown_course, step))
    except InputError as error:
        return json_error(error)


def _answered(
    request: HttpRequest, shown_course: Course, step: Step
) -> StepVerdictOut | SuggestionOut:
    """Judge the posted answer, or suggest one.

    Raises:
        InputError: the answer or the state cannot be read.
        TooManyError: there were too many answers.
    """
    count_answer(request)
    moves = read_state(request.POST.get("state", ""), (shown_course.id, step.id))
    if request.POST.get("ask") == _SOLUTION:
        suggested = judging.suggestion(shown_course.id, step.id, moves)
        return presenters.suggestion_view(shown_course, step, moves, suggested)
    refutes = REFUTES not in request.POST
    verdict = judging.judge(
        shown_course, step, moves, request.POST.get("answer", ""), refutes=refutes
    )
    if verdict.solved:
        store_solved(request, shown_course.id, step.id)
    return presenters.verdict_view(shown_course, step, verdict)


def _context(
    request: HttpRequest,
    shown_course: Course,
    step: Step,
    told: StepVerdictOut | SuggestionOut | None,
) -> dict[str, Any]:
    """Return what the page of a step shows, after an answer if there was one."""
    state = request.POST.get("state", "") if told is None else told["state"]
    moves: tuple[str, ...] = ()
    try:
        moves = read_state(state, (shown_course.id, step.id))
        exercise = judging.exercise_after(step, moves)
    except InputError:
        moves, state, exercise = (), "", judging.exercise_after(step, ())
    shown = told["moves"] if told is not None and "moves" in told else []
    progress = progress_of(request)
    number = shown_course.steps.index(step)
    paragraphs, task = texts.parts(step)
    following = shown_course.steps[number + 1] if number + 1 < len(shown_course.steps) else None
    return {
        "course": shown_course,
        "game": game_class(shown_course.game_id),
        "step": step,
        "number": number + 1,
        "steps": _steps(shown_course, progress),
        "paragraphs": paragraphs,
        "task": task,
        "side": exercise.learner.value,
        "exercise": exercise,
        "caption": caption_text(exercise.position),
        "state": state,
        "told": told,
        "played": " ".join(move["text"] for move in shown),
        "next": _next_link(shown_course, following),
        "data": presenters.lesson_view(step, exercise, moves, state),
    }


def _steps(found: Course, progress: CourseProgress) -> list[tuple[Step, bool]]:
    return [(step, progress.is_solved(found.id, step.id)) for step in found.steps]


def _next_link(found: Course, following: Step | None) -> tuple[str, str]:
    """Return the URL and the text of the link to the next step."""
    if following is not None:
        return reverse("lesson", args=[found.id, following.id]), _("Next step")
    return reverse("course", args=[found.id]), _("Finish the course")


def _course(course_id: str) -> Course:
    try:
        return find_course(course_id)
    except InputError as error:
        raise Http404(str(error)) from None


def _step(found: Course, step_id: str) -> Step:
    try:
        return found.step(step_id)
    except InputError as error:
        raise Http404(str(error)) from None
