"""Operations on puzzles and their schemas."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal, cast

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from ninja import Path, Query, Router
from pydantic import BaseModel, Field

from antipodes.errors import Fault, InputError
from antipodes.games.registry import game_class
from antipodes.notation.text import shorten
from antipodes.puzzles.model import HARDEST, THEMES, Puzzle
from antipodes.records.json_format import setup_data
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.api.auth import caller
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.api.problems import not_found
from antipodes.web.matches.schemas import Options
from antipodes.web.platform.client_addresses import address_of
from antipodes.web.platform.schemas import Milliseconds, RequestSchema, ResponseSchema, Whole
from antipodes.web.puzzles import catalogue, selectors, services
from antipodes.web.puzzles.daily import dailies, daily, today
from antipodes.web.puzzles.judgements import Asker
from antipodes.web.puzzles.labels import task_of
from antipodes.web.puzzles.models import PuzzleRow, TryRow
from antipodes.web.puzzles.services import Answer, AnswerVerdict

Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", description="in UTC")]
Outcome = TryRow.Outcome
Goal = Literal["win", "draw", "save"]
MoveText = Annotated[str, Field(min_length=1, max_length=100, description="in notation")]


class PuzzleOut(ResponseSchema):
    """A puzzle without its solution."""

    id: str
    game: str
    options: Options
    setup: dict[str, Any] = Field(description="the position, like the start of a record")
    to_move: str = Field(description="the solver's colour")
    goal: Goal = Field(description="the only move wins, draws, or saves from a forced loss")
    turns: Whole | None = Field(
        description="own turns in which to win, or to save: the opponent's in which it may not win;"
        " null for any number"
    )
    task: str = Field(description="the task in words, such as Black to move and win")
    difficulty: Whole = Field(description="the lowest level of the computer that solves it; or 9")
    rating: int
    tries: Whole = Field(description="rated tries of all solvers")
    path: str = Field(description="its page")
    picture: str = Field(description="path of a picture of the position")
    outcome: Outcome | None = Field(description="of your first try, if there was one")
    themes: list[str] | None = Field(description="null before your first try")


class DailyPuzzleOut(ResponseSchema):
    """The puzzle of a day."""

    day: Day
    puzzle: PuzzleOut


class PuzzleQuery(BaseModel):
    """Filters of the next puzzle; omitted fields do not restrict it."""

    game: Annotated[str, Field(max_length=40)] = ""
    theme: Annotated[str, Field(max_length=40)] = ""
    difficulty: Annotated[int | None, Field(ge=1, le=HARDEST)] = None


class PuzzleAnswerIn(RequestSchema):
    """Your move, after the moves so far: your earlier right moves and the replies, in turn."""

    moves: Annotated[list[MoveText], Field(max_length=60)] = []
    move: MoveText


class TryOut(ResponseSchema):
    """Your first try of a puzzle."""

    puzzle: str
    game: str
    outcome: Outcome
    at: Milliseconds
    retries: Whole = Field(description="later tries, which are not rated")
    solved_at: Milliseconds | None
    rating: int | None = Field(description="your rating after it; null if it was not rated")
    gain: int | None = Field(description="the change of your rating")


class PuzzleAnswerOut(ResponseSchema):
    """The response to a move.

    After ``right`` continue with ``moves``. If the verdict is ``waiting`` the computer is still
    searching: send the same request again after a second.
    """

    verdict: AnswerVerdict
    moves: list[str] = Field(description="all moves so far, with yours and the reply")
    reply: str | None
    refutation: list[str] = Field(description="moves that show why a wrong move does not win")
    is_final: bool = Field(description="false while a refutation is being searched")
    first_try: TryOut | None = Field(
        description="your first try, if this move has ended a try; with the scope read"
    )
    is_first: bool = Field(description="whether it was that one, which is rated")


class PuzzleSolutionOut(ResponseSchema):
    """The solution of a puzzle with the longest resistance."""

    moves: list[str]


class TriesOut(ResponseSchema):
    """Your tries, the latest first; ``before`` requests the next page."""

    tries: list[TryOut]
    before: str | None


class SolverRatingOut(ResponseSchema):
    """Your rating in the puzzles of a game."""

    game: str
    rating: int
    deviation: int
    tries: Whole
    solved: Whole


class SolverOut(ResponseSchema):
    """Your streak, and your ratings in puzzles."""

    streak: Whole = Field(description="days in a row on which you solved a puzzle")
    longest_streak: Whole
    is_done_today: bool
    ratings: list[SolverRatingOut]


def puzzle_out(puzzle: Puzzle, viewer: User | None) -> PuzzleOut:
    """Return a puzzle as response data, as a viewer may see it."""
    row = PuzzleRow.objects.filter(puzzle_id=puzzle.id).first()
    rating = catalogue.initial_rating(puzzle) if row is None else row.rating
    tried = selectors.first_try(viewer, puzzle)
    return PuzzleOut(
        id=puzzle.id,
        game=puzzle.game_id,
        options=dict(puzzle.game.options.changed()),
        setup=setup_data(puzzle.setup),
        to_move=puzzle.solver.value,
        goal=cast("Goal", puzzle.goal),
        turns=puzzle.turns,
        task=task_of(puzzle),
        difficulty=puzzle.difficulty,
        rating=round(rating.value),
        tries=0 if row is None else row.tries,
        path=reverse("puzzle", args=[puzzle.id]),
        picture=reverse("puzzle-picture-svg", args=[puzzle.id]),
        outcome=None if tried is None else Outcome(tried.outcome),
        themes=None if tried is None else list(puzzle.themes),
    )


def try_out(row: TryRow) -> TryOut:
    """Return a first try as response data."""
    return TryOut(
        puzzle=row.puzzle_id,
        game=row.game_id,
        outcome=Outcome(row.outcome),
        at=row.at,
        retries=row.retries,
        solved_at=row.solved_at,
        rating=None if row.value is None else round(row.value),
        gain=row.gain,
    )


def answer_out(answer: Answer, viewer: User | None) -> PuzzleAnswerOut:
    """Return the answer to a move as response data; the first try only for its solver."""
    recorded = None if viewer is None else answer.recorded
    return PuzzleAnswerOut(
        verdict=answer.verdict,
        moves=list(answer.moves),
        reply=answer.reply or None,
        refutation=list(answer.refutation),
        is_final=answer.is_final,
        first_try=None if recorded is None else try_out(recorded.row),
        is_first=recorded is not None and recorded.is_first,
    )


def solver_out(user: User) -> SolverOut:
    """Return a solver's streak and ratings as response data."""
    streak = selectors.streak(user, today())
    return SolverOut(
        streak=streak.days,
        longest_streak=streak.longest,
        is_done_today=streak.is_done_today,
        ratings=[
            SolverRatingOut(
                game=game_rating.game_id,
                rating=round(game_rating.rating.value),
                deviation=round(game_rating.rating.deviation),
                tries=game_rating.tries,
                solved=game_rating.solved,
            )
            for game_rating in selectors.own_ratings(user)
        ],
    )


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
    return DailyPuzzleOut(day=chosen.isoformat(), puzzle=puzzle_out(puzzle, viewer))


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
    return puzzle_out(puzzle, viewer)


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
        tries=[try_out(row) for row in tries[:count]],
        before=None if last is None else f"{last.at}-{last.pk}",
    )


@operation(router, "GET", "/puzzles/{puzzle_id}", PUBLIC, PuzzleOut, errors=(404,))
def get_puzzle(request: HttpRequest, puzzle_id: PuzzleId) -> PuzzleOut:
    """Return a puzzle without its solution."""
    return puzzle_out(_find(puzzle_id), caller(request).viewer)


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
    asker = Asker(user, address_of(request))
    found = services.answer(user, puzzle, data.moves, data.move, asker=asker)
    return answer_out(found, caller(request).viewer)


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
    return solver_out(caller(request).account)
