"""Searches for an opponent: begun, looked at, stopped."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Path, Router, Status

from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.api.auth import caller
from antipodes.web.api.matches import match_line
from antipodes.web.api.operations import operation
from antipodes.web.api.schemas.seeks import SearchShape, SearchWanted, StoppedShape
from antipodes.web.matchmaking import services
from antipodes.web.matchmaking.models import SeekRow
from antipodes.web.matchmaking.selectors import seek_line
from antipodes.web.platform.clock import now
from antipodes.web.ratings.classes import BoardClass, speed_of_text

router = Router(tags=["searches"])

SearchSlug = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,16}$", description="of the search")]


def _shape(row: SeekRow) -> SearchShape:
    width = services.reach_of(row, now() - row.entered_at)
    return SearchShape(
        slug=row.slug,
        game=row.game_id,
        title=seek_line(row).title,
        board=BoardClass(row.board).value,
        control=row.control,
        speed=speed_of_text(row.control).value,
        rated=row.rated,
        since=row.entered_at,
        rating=row.rating,
        lowest=max(0.0, row.rating - width),
        highest=row.rating + width,
        patience=services.PATIENCE if row.is_live else None,
        match=None if row.match is None else match_line(row.match, row.user),
    )


@operation(router, "GET", "/searches", Scope.READ, list[SearchShape])
def list_searches(request: HttpRequest) -> list[SearchShape]:
    """List what one looks for opponents for; this keeps no search alive."""
    rows = SeekRow.objects.filter(user=caller(request).person, match=None)
    return [_shape(row) for row in rows.select_related("user")]


@operation(router, "POST", "/searches", Scope.CHALLENGE, SearchShape, status=201, errors=(409,))
def begin_search(request: HttpRequest, wanted: SearchWanted) -> Status[SearchShape]:
    """Look for an opponent of about one's own strength; the match may begin at once.

    Who looks for the same thing already goes on doing so. A live search takes the place of another
    one, and ends if it is not asked for within its patience. In rated games bots meet only bots.
    """
    row = services.seek(
        caller(request).person,
        game_id=wanted.game,
        board=wanted.board,
        control=wanted.control,
        rated=wanted.rated,
    )
    return Status(201, _shape(row))


@operation(router, "GET", "/searches/{slug}", Scope.CHALLENGE, SearchShape, errors=(404,))
def get_search(request: HttpRequest, slug: SearchSlug) -> SearchShape:
    """Tell how a search goes, and keep it alive; once an opponent was found, which match it is."""
    rows = SeekRow.objects.select_related("match", "user")
    row = rows.get(slug=slug, user=caller(request).person)
    services.note_presence(row)
    return _shape(row)


@operation(router, "DELETE", "/searches/{slug}", Scope.CHALLENGE, StoppedShape, errors=(404,))
def stop_search(request: HttpRequest, slug: SearchSlug) -> StoppedShape:
    """Look for an opponent no longer; tell the match if one was found just before."""
    user = caller(request).person
    match = services.stop(slug, user)
    return StoppedShape(match=None if match is None else match_line(match, user))
