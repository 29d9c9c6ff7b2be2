"""Rate limits on answers to lessons."""

from __future__ import annotations

from django.http import HttpRequest

from antipodes.errors import InputError
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import current_user
from antipodes.web.platform.limits import (
    BusyError,
    TooManyError,
    rate_limit,
    take,
    take_for_address,
)

ANSWERS = rate_limit(
    "lesson-answers", "60/minute;1500/hour", per="user", what="answers to lessons judged"
)
ANSWERS_OF_ADDRESS = rate_limit(
    "lesson-answers-of-address",
    "300/minute;6000/hour",
    per="address",
    what="answers to lessons judged",
)


def must_wait(request: HttpRequest, error: InputError) -> bool:
    """Return whether a page can only tell to wait; a busy site keeps a form, to be sent again."""
    is_form = request.method == "POST" and isinstance(error, BusyError)
    return isinstance(error, TooManyError) and not is_form


def count_answer(request: HttpRequest, user: User | None = None) -> None:
    """Count an answer, a request for a solution, or a move in a first game.

    Args:
        request: the request.
        user: the learner; by default the one of the session.

    Raises:
        TooManyError: there were too many.
    """
    take_for_address(ANSWERS_OF_ADDRESS, request)
    learner = user or current_user(request)
    if learner is not None:
        take(ANSWERS, str(learner.pk))
