"""Operations of analysis: positions, hints, reviews of finished matches."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Path, Router, Status

from antipodes.notation.text import shorten
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.analysis import hints, reviews, services
from antipodes.web.analysis.effort import find_effort
from antipodes.web.analysis.models import AnalysisRow, AnalysisState, ReviewRow
from antipodes.web.analysis.presenters import wait_of
from antipodes.web.api.auth import caller
from antipodes.web.api.endpoints.matches import MatchSlug
from antipodes.web.api.matches import find_match
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.api.positions import line_of
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.analysis import AnalysisIn, AnalysisOut, ReviewOut

router = Router(tags=["analysis"])

AnalysisSlug = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,16}$", description="of the analysis")]


def _analysis_out(row: AnalysisRow) -> AnalysisOut:
    return AnalysisOut(
        slug=row.slug,
        state=row.state,
        is_over=AnalysisState(row.state).is_over,
        found=row.found,
        wait=wait_of(row),
    )


def _find(slug: str, user: User) -> AnalysisRow:
    row = AnalysisRow.objects.filter(slug=slug, user=user).first()
    # A request for an analysis that another user made returns the finished one.
    row = row or AnalysisRow.objects.filter(slug=slug, state=AnalysisState.DONE).first()
    if row is None:
        raise not_found(_("There is no analysis %(slug)s.") % {"slug": shorten(slug)})
    return row


@operation(router, "POST", "/analyses", Scope.PLAY, AnalysisOut, status=202)
def ask_analysis(request: HttpRequest, data: AnalysisIn) -> Status[AnalysisOut]:
    """Start an analysis of a position; poll it until it is over.

    It stops after thirty seconds without a request for it, or when you start another one.
    """
    row = services.ask(caller(request).account, line_of(data), find_effort(data.effort))
    return Status(202, _analysis_out(row))


@operation(router, "GET", "/analyses/{slug}", Scope.PLAY, AnalysisOut, errors=(404,))
def get_analysis(request: HttpRequest, slug: AnalysisSlug) -> AnalysisOut:
    """Return the state and results of an analysis."""
    row = _find(slug, caller(request).account)
    services.note_seen(row)
    return _analysis_out(row)


@operation(
    router,
    "POST",
    "/matches/{slug}/hint",
    Scope.PLAY,
    AnalysisOut,
    status=202,
    errors=(404, 409),
)
def ask_hint(request: HttpRequest, slug: MatchSlug) -> Status[AnalysisOut]:
    """Request a hint for your move, in a casual match against the computer."""
    user = caller(request).account
    return Status(202, _analysis_out(hints.ask_hint(find_match(slug, user), user)))


@operation(router, "GET", "/matches/{slug}/review", PUBLIC, ReviewOut, errors=(404,))
def get_review(request: HttpRequest, slug: MatchSlug) -> ReviewOut:
    """Return the computer's review of a finished match, complete or not."""
    match = find_match(slug, caller(request).viewer)
    view = reviews.review_view(ReviewRow.objects.filter(match=match).first())
    return ReviewOut(**view)
