"""Operations of analysis: positions, hints, reviews of finished matches."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Path, Router
from pydantic import Field

from antipodes.notation.text import shorten
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.analysis import hints, reviews, services
from antipodes.web.analysis.effort import find_effort
from antipodes.web.analysis.models import AnalysisRow, AnalysisState
from antipodes.web.analysis.position_queries import Line, read_line
from antipodes.web.analysis.presenters import asked_view
from antipodes.web.analysis.schemas import AnalysisOut, ReviewOut
from antipodes.web.api.auth import caller
from antipodes.web.api.endpoints.matches import MatchSlug
from antipodes.web.api.matches import find_match
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.matches import GameIn, OptionsIn
from antipodes.web.platform.schemas import SLUG, RequestSchema

# A position as in records; the game checks it.
SetupIn = Annotated[dict[Annotated[str, Field(max_length=20)], Any], Field(max_length=10)]


class PositionIn(RequestSchema):
    """A position: a game and the moves to it, as numbers or in notation.

    ``setup`` is the position before the moves, if it is not the start of the game.
    """

    game: GameIn
    options: OptionsIn = {}
    setup: SetupIn | None = None
    moves: Annotated[
        list[
            Annotated[int, Field(ge=0, le=999_999_999)]
            | Annotated[str, Field(min_length=1, max_length=100, pattern="^[^,]+$")]
        ],
        Field(max_length=1_500),
    ] = []


class AnalysisIn(PositionIn):
    """A position to analyse."""

    effort: Literal["glance", "look", "study"] = "glance"


def line_of(data: PositionIn) -> Line:
    """Return the position of a request.

    Raises:
        InputError: it is invalid; for a move, the fault says which one.
    """
    query = {
        **{name: str(value) for name, value in data.options.items()},
        "game": data.game,
        "setup": "" if data.setup is None else json.dumps(data.setup),
        "moves": ",".join(str(move) for move in data.moves),
    }
    return read_line(query)


router = Router(tags=["analysis"])

AnalysisSlug = Annotated[str, Path(pattern=SLUG, description="of the analysis")]


def _find(slug: str, user: User) -> AnalysisRow:
    row = AnalysisRow.objects.filter(slug=slug, user=user).first()
    # A request for an analysis that another user made returns the finished one.
    row = row or AnalysisRow.objects.filter(slug=slug, state=AnalysisState.DONE).first()
    if row is None:
        raise not_found(_("There is no analysis %(slug)s.") % {"slug": shorten(slug)})
    return row


@operation(router, "POST", "/analyses", Scope.PLAY, AnalysisOut, status=202)
def ask_analysis(request: HttpRequest, data: AnalysisIn) -> AnalysisOut:
    """Start an analysis of a position; poll it until it is over.

    It stops after thirty seconds without a request for it, or when you start another one.
    """
    row = services.ask(caller(request).account, line_of(data), find_effort(data.effort))
    return asked_view(row)


@operation(router, "GET", "/analyses/{slug}", Scope.PLAY, AnalysisOut, errors=(404,))
def get_analysis(request: HttpRequest, slug: AnalysisSlug) -> AnalysisOut:
    """Return the state and results of an analysis."""
    row = _find(slug, caller(request).account)
    services.note_seen(row)
    return asked_view(row)


@operation(
    router,
    "POST",
    "/matches/{slug}/hint",
    Scope.PLAY,
    AnalysisOut,
    status=202,
    errors=(404, 409),
)
def ask_hint(request: HttpRequest, slug: MatchSlug) -> AnalysisOut:
    """Request a hint for your move, in a casual match against the computer."""
    user = caller(request).account
    return asked_view(hints.ask_hint(find_match(slug, user), user))


@operation(router, "GET", "/matches/{slug}/review", PUBLIC, ReviewOut, errors=(404,))
def get_review(request: HttpRequest, slug: MatchSlug) -> ReviewOut:
    """Return the computer's review of a finished match, complete or not."""
    return reviews.review_view(find_match(slug, caller(request).viewer))
