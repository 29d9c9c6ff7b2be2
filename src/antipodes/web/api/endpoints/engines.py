"""Operations of engines that work for the site: volunteers' programs take and settle jobs."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Router
from pydantic import Field
from typing_extensions import TypedDict

from antipodes.records.json_format import setup_data
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.api.auth import caller
from antipodes.web.api.operations import operation
from antipodes.web.jobs import lending
from antipodes.web.jobs.lending import Answer, Loan
from antipodes.web.platform.schemas import RequestSchema, Whole, about, closed

router = Router(tags=["engines"])


@closed
class LoanOut(TypedDict):
    """A job that was lent to an engine."""

    loan: Annotated[str, about("its secret name, for the answer")]
    until: Annotated[Whole, about("milliseconds since 1970; then another engine gets the job")]
    game: str
    options: Annotated[dict[str, int | str], about("those that differ from the game's own")]
    setup: Annotated[dict[str, Any] | None, about("the position before the moves, as in records")]
    moves: list[Whole]
    player: Annotated[str, about("the computer player whose move is wanted; or an analysis")]
    seconds: Annotated[float, about("for a move at most, for an analysis exactly")]


@closed
class JobOut(TypedDict):
    """The next job for an engine."""

    job: Annotated[LoanOut | None, about("`null` if none waits; ask again after a second")]


class EngineAnswerIn(RequestSchema):
    """The answer of an engine: the best move, and for an analysis its whole result."""

    loan: Annotated[str, Field(min_length=1, max_length=100)]
    move: Annotated[str, Field(max_length=100)]
    analysis: dict[str, Any] | None = None


@operation(router, "POST", "/engine/jobs", Scope.ENGINE, JobOut)
def take_job(request: HttpRequest) -> JobOut:
    """Take the next job that waits."""
    loan = lending.lend(caller(request).account)
    return {"job": None if loan is None else _loan_view(loan)}


def _loan_view(loan: Loan) -> LoanOut:
    task = loan.task
    return {
        "loan": loan.name,
        "until": loan.until,
        "game": task.game.id,
        "options": dict(task.game.options.changed()),
        "setup": None if task.setup is None else setup_data(task.setup),
        "moves": list(task.moves),
        "player": task.player,
        "seconds": task.seconds,
    }


@operation(router, "POST", "/engine/answers", Scope.ENGINE, None)
def settle_job(request: HttpRequest, data: EngineAnswerIn) -> None:
    """Settle a job with the engine's answer."""
    answer = Answer(data.move, data.analysis)
    lending.settle(caller(request).account, data.loan, answer)
