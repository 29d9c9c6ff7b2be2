"""What the computer thinks: analyses, hints, reviews of finished matches."""

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
from antipodes.web.analysis.models import AnalysisRow, ReviewRow, State
from antipodes.web.analysis.position_queries import read_line
from antipodes.web.analysis.presenters import wait_of
from antipodes.web.api.auth import caller
from antipodes.web.api.endpoints.matches import MatchSlug
from antipodes.web.api.matches import find_match
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.community import AnalysisShape, AnalysisWanted, ReviewShape

router = Router(tags=["analysis"])

AnalysisSlug = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,16}$", description="of the analysis")]


def _shape(row: AnalysisRow) -> AnalysisShape:
    return AnalysisShape(
        slug=row.slug,
        state=row.state,
        is_over=State(row.state).is_over,
        found=row.found,
        wait=wait_of(row),
    )


def _find(slug: str, user: User) -> AnalysisRow:
    row = AnalysisRow.objects.filter(slug=slug, user=user).first()
    # What somebody else asked first is known to all who ask the same.
    row = row or AnalysisRow.objects.filter(slug=slug, state=State.DONE).first()
    if row is None:
        raise not_found(_("There is no analysis %(slug)s.") % {"slug": shorten(slug)})
    return row


@operation(router, "POST", "/analyses", Scope.PLAY, AnalysisShape, status=202)
def ask_analysis(request: HttpRequest, wanted: AnalysisWanted) -> Status[AnalysisShape]:
    """Ask what the computer thinks of a position; look again until it is over.

    It ends if nobody looks for thirty seconds, or if one asks for another one.
    """
    query = {
        **{name: str(value) for name, value in wanted.options.items()},
        "game": wanted.game,
        "moves": ",".join(str(move) for move in wanted.moves),
    }
    row = services.ask(caller(request).person, read_line(query), find_effort(wanted.effort))
    return Status(202, _shape(row))


@operation(router, "GET", "/analyses/{slug}", Scope.PLAY, AnalysisShape, errors=(404,))
def get_analysis(request: HttpRequest, slug: AnalysisSlug) -> AnalysisShape:
    """Tell how far an analysis is, and what is known."""
    row = _find(slug, caller(request).person)
    services.note_seen(row)
    return _shape(row)


@operation(
    router,
    "POST",
    "/matches/{slug}/hint",
    Scope.PLAY,
    AnalysisShape,
    status=202,
    errors=(404, 409),
)
def ask_hint(request: HttpRequest, slug: MatchSlug) -> Status[AnalysisShape]:
    """Ask for a hint in one's own turn, in unrated matches with the computer alone."""
    user = caller(request).person
    return Status(202, _shape(hints.ask_hint(find_match(slug, user), user)))


@operation(router, "GET", "/matches/{slug}/review", PUBLIC, ReviewShape, errors=(404,))
def get_review(request: HttpRequest, slug: MatchSlug) -> ReviewShape:
    """Tell what the computer thinks of a finished match, as far as it has got."""
    match = find_match(slug, caller(request).viewer)
    view = reviews.review_view(ReviewRow.objects.filter(match=match).first())
    return ReviewShape(**view)
