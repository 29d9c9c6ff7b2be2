"""Operations on seeks."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Path, Router
from pydantic import Field

from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.api.auth import caller
from antipodes.web.api.matches import match_summary
from antipodes.web.api.operations import operation
from antipodes.web.api.schemas.matches import ControlIn, GameIn, MatchSummaryOut
from antipodes.web.api.schemas.people import PersonOut, person_out
from antipodes.web.challenges.eligibility import Viewer
from antipodes.web.matchmaking import services
from antipodes.web.matchmaking.models import SeekRow
from antipodes.web.matchmaking.presets import DEFAULT_CLOCK
from antipodes.web.matchmaking.selectors import open_seeks, seek_line
from antipodes.web.platform.clock import now
from antipodes.web.platform.schemas import (
    SLUG,
    ByValue,
    Milliseconds,
    RequestSchema,
    ResponseSchema,
    Slug,
)
from antipodes.web.ratings.classes import BoardClass, Speed, speed_of_text


class SeekOut(ResponseSchema):
    """A seek, with its match once an opponent is found."""

    slug: Slug
    game: str
    title: str
    board: BoardClass
    control: str
    speed: Speed
    rated: bool
    flexible: bool = Field(
        description="whether any board and clock will do, and casual in place of rated"
    )
    since: Milliseconds
    rating: float = Field(description="your rating when the seek began")
    lowest: float = Field(description="minimum rating of an opponent; it falls over time")
    highest: float = Field(description="maximum rating of an opponent; it rises over time")
    patience: Milliseconds | None = Field(
        description="the seek expires without a request for so long; null for correspondence"
    )
    match: MatchSummaryOut | None = Field(description="the match, once an opponent is found")


class SeekIn(RequestSchema):
    """A new seek, with the choices of the quick-pairing page."""

    game: GameIn
    board: ByValue[BoardClass] = BoardClass.STANDARD
    control: Annotated[ControlIn, Field(description="a clock of the page")] = DEFAULT_CLOCK
    rated: bool = False
    flexible: bool = Field(
        default=False, description="accept any board and clock, and casual in place of rated"
    )


class OpenSeekOut(ResponseSchema):
    """A seek of another player, which the caller may accept."""

    slug: Slug
    by: PersonOut
    game: str
    title: str
    board: BoardClass
    control: str
    speed: Speed
    rated: bool
    since: Milliseconds


class CancelledSeekOut(ResponseSchema):
    """A cancelled seek: the match, if an opponent was found just before."""

    match: MatchSummaryOut | None


router = Router(tags=["searches"])

SeekSlug = Annotated[str, Path(pattern=SLUG, description="of the seek")]


def _seek_out(row: SeekRow) -> SeekOut:
    width = services.reach_of(row, now() - row.entered_at)
    return SeekOut(
        slug=row.slug,
        game=row.game_id,
        title=seek_line(row).title,
        board=BoardClass(row.board),
        control=row.control,
        speed=speed_of_text(row.control),
        rated=row.rated,
        flexible=row.is_flexible,
        since=row.entered_at,
        rating=row.rating,
        lowest=max(0.0, row.rating - width),
        highest=row.rating + width,
        patience=services.TIMEOUT if row.is_live else None,
        match=None if row.match is None else match_summary(row.match, row.user),
    )


@operation(router, "GET", "/searches", Scope.READ, list[SeekOut])
def list_searches(request: HttpRequest) -> list[SeekOut]:
    """List your seeks; this does not keep them alive."""
    rows = SeekRow.objects.filter(user=caller(request).account, match=None)
    return [_seek_out(row) for row in rows.select_related("user")]


@operation(router, "POST", "/searches", Scope.CHALLENGE, SeekOut, status=201, errors=(409,))
def begin_search(request: HttpRequest, data: SeekIn) -> SeekOut:
    """Seek an opponent of about your strength; the match may begin at once.

    An identical seek continues. A live seek replaces another live seek, and expires unless it is
    polled within its patience. In rated games bots are paired with bots only.
    """
    row = services.seek(
        caller(request).account,
        game_id=data.game,
        board=data.board,
        control=data.control,
        rated=data.rated,
        is_flexible=data.flexible,
    )
    return _seek_out(row)


@operation(router, "GET", "/searches/open", Scope.READ, list[OpenSeekOut])
def list_open_searches(request: HttpRequest) -> list[OpenSeekOut]:
    """List the seeks of other players whose games you may play."""
    lines = open_seeks(Viewer(caller(request).account))
    return [
        OpenSeekOut(
            slug=line.row.slug,
            by=person_out(line.row.user),
            game=line.row.game_id,
            title=line.title,
            board=BoardClass(line.row.board),
            control=line.row.control,
            speed=speed_of_text(line.row.control),
            rated=line.row.rated,
            since=line.row.entered_at,
        )
        for line in lines
        if not line.reason
    ]


@operation(
    router,
    "POST",
    "/searches/{slug}/accept",
    Scope.CHALLENGE,
    MatchSummaryOut,
    status=201,
    errors=(409,),
)
def accept_search(request: HttpRequest, slug: SeekSlug) -> MatchSummaryOut:
    """Begin the match that another player seeks, whatever the ratings."""
    user = caller(request).account
    return match_summary(services.accept(slug, user), user)


@operation(router, "GET", "/searches/{slug}", Scope.CHALLENGE, SeekOut, errors=(404,))
def get_search(request: HttpRequest, slug: SeekSlug) -> SeekOut:
    """Return a seek and keep it alive; it names its match once an opponent is found."""
    rows = SeekRow.objects.select_related("match", "user")
    row = rows.get(slug=slug, user=caller(request).account)
    services.note_presence(row)
    return _seek_out(row)


@operation(router, "DELETE", "/searches/{slug}", Scope.CHALLENGE, CancelledSeekOut, errors=(404,))
def stop_search(request: HttpRequest, slug: SeekSlug) -> CancelledSeekOut:
    """Cancel a seek; the response has the match if an opponent was found just before."""
    user = caller(request).account
    match = services.cancel(slug, user)
    return CancelledSeekOut(match=None if match is None else match_summary(match, user))
