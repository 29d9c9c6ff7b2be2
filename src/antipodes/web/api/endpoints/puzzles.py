"""Operations on puzzles: by id, of the day, the next one, answers, own tries."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Path, Query, Router

from antipodes.errors import Fault, InputError
from antipodes.games.registry import game_class
from antipodes.notation.text import shorten
from antipodes.puzzles.model import THEMES, Puzzle
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.api import puzzles as conversion
from antipodes.web.api.auth import caller
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.puzzles import (
    DailyPuzzleOut,
    PuzzleAnswerIn,
    PuzzleAnswerOut,
    PuzzleOut,
    PuzzleQuery,
    PuzzleSolutionOut,
    SolverOut,
    TriesOut,
)
from antipodes.web.platform.client_addresses import address_of
from antipodes.web.puzzles import catalogue, selectors, services
from antipodes.web.puzzles.daily import dailies, daily, today
from antipodes.web.puzzles.models import TryRow

router = Router(tags=["puzzles"])

PuzzleId = Annotated[str, Path(pattern=r"^[A-Za-z0-9]{1,32}$", description="such as 8a955fcd0a")]

_CURSOR = r"^\d{1,16}-\d{1,18}$"


def _find(puzzle_id: str) -> Puzzle:
    puzzle = catalogue.get(puzzle_id)
    if puzzle is None:
        raise not_found(_("There is no puzzle %(id)s.") % {"id": shorten(puzzle_id)})
    return puzzle


@operation(router, "GET", "/puzzles/daily", PUBLIC, DailyPuzzleOut, errors=(404,))
def get_daily_puzzle(
    request: HttpRequest,
    day: Annotated[
        str, Query(pattern=r"^(\d{4}-\d{2}-\d{2})?$", description="in UTC; by default today")
    ] = "",
) -> DailyPuzzleOut:
    """Return the puzzle of the day, or of an earlier day."""
    chosen = _read_day(day) if day else today()
    if chosen == today():
        puzzle = daily(chosen)
    else:
        puzzle = next((found for of, found in dailies(chosen, 1) if of == chosen), None)
    if puzzle is None or chosen > today():
        raise not_found(_("There is no puzzle of %(day)s.") % {"day": chosen.isoformat()})
    viewer = caller(request).viewer
    return DailyPuzzleOut(day=chosen.isoformat(), puzzle=conversion.puzzle_out(puzzle, viewer))


def _read_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        message = _("%(day)s is no day.") % {"day": text}
        raise InputError([Fault("puzzle/day", message, "day")]) from None


@operation(router, "GET", "/puzzles/next", PUBLIC, PuzzleOut, errors=(404,))
def get_next_puzzle(request: HttpRequest, query: Annotated[PuzzleQuery, Query()]) -> PuzzleOut:
    """Return a puzzle near your rating that you have not tried; without a token, any."""
    if query.game:
        game_class(query.game)  # an unknown game is an error
    if query.theme and query.theme not in THEMES:
        fault = Fault.of(
            "puzzle/theme",
            "there is no theme {theme}; there are {known}",
            where="theme",
            theme=shorten(query.theme),
            known=", ".join(THEMES),
        )
        raise InputError([fault])
    viewer = caller(request).viewer
    puzzle = selectors.next_puzzle(
        viewer, query.game or None, query.theme or None, query.difficulty
    )
    if puzzle is None:
        raise not_found(_("You have tried all such puzzles."))
    return conversion.puzzle_out(puzzle, viewer)


@operation(router, "GET", "/puzzles/tries", Scope.READ, TriesOut)
def list_tries(
    request: HttpRequest,
    before: Annotated[str, Query(pattern=f"{_CURSOR}|^$", description="of the page before")] = "",
    count: Annotated[int, Query(ge=1, le=100)] = 50,
) -> TriesOut:
    """List your first tries of puzzles, the latest first."""
    rows = TryRow.objects.filter(user=caller(request).account).order_by("-at", "-pk")
    if before:
        at, key = map(int, before.split("-"))
        rows = rows.filter(at__lte=at).exclude(at=at, pk__gte=key)
    tries = list(rows[: count + 1])
    last = tries[count - 1] if len(tries) > count else None
    return TriesOut(
        tries=[conversion.try_out(row) for row in tries[:count]],
        before=None if last is None else f"{last.at}-{last.pk}",
    )


@operation(router, "GET", "/puzzles/{puzzle_id}", PUBLIC, PuzzleOut, errors=(404,))
def get_puzzle(request: HttpRequest, puzzle_id: PuzzleId) -> PuzzleOut:
    """Return a puzzle without its solution."""
    return conversion.puzzle_out(_find(puzzle_id), caller(request).viewer)


@operation(
    router,
    "POST",
    "/puzzles/{puzzle_id}/answers",
    Scope.PLAY,
    PuzzleAnswerOut,
    errors=(404, 409),
)
def answer_puzzle(
    request: HttpRequest, puzzle_id: PuzzleId, data: PuzzleAnswerIn
) -> PuzzleAnswerOut:
    """Answer a puzzle with a move; the first try is rated when it ends."""
    puzzle, user = _find(puzzle_id), caller(request).account
    found = services.answer(user, puzzle, data.moves, data.move, address=address_of(request))
    return conversion.answer_out(found, caller(request).viewer)


@operation(
    router,
    "POST",
    "/puzzles/{puzzle_id}/solution",
    Scope.PLAY,
    PuzzleSolutionOut,
    errors=(404,),
)
def show_solution(request: HttpRequest, puzzle_id: PuzzleId) -> PuzzleSolutionOut:
    """Return the solution; a try that has not ended counts as failed."""
    puzzle, user = _find(puzzle_id), caller(request).account
    return PuzzleSolutionOut(moves=list(services.solution(user, puzzle)))


@operation(router, "GET", "/account/puzzles", Scope.READ, SolverOut)
def get_solver(request: HttpRequest) -> SolverOut:
    """Return your streak, and your ratings in puzzles."""
    return conversion.solver_out(caller(request).account)
