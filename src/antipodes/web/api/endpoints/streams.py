"""Streams: own events, and the changes of a match."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, StreamingHttpResponse
from ninja import Query, Router

from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.api.auth import caller
from antipodes.web.api.endpoints.matches import MatchSlug
from antipodes.web.api.event_stream import EventStream
from antipodes.web.api.match_stream import MatchStream
from antipodes.web.api.matches import find_match
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.api.schemas.base import FARTHEST
from antipodes.web.api.streams import MEDIA, look, stream_of

router = Router(tags=["streams"])


@operation(router, "GET", "/stream/events", Scope.READ, dict[str, Any], media=MEDIA, waits=True)
async def stream_events(request: HttpRequest) -> StreamingHttpResponse:
    """Tell what happens to oneself, one object of JSON a line, until one hangs up.

    First come one's running matches and challenges and a line of the type ready, then what changes.
    Every few seconds a line of the type alive comes if there is nothing else. Whoever connects
    again is told how everything stands then.
    """
    return stream_of(request, EventStream(caller(request).person).lines())


@operation(
    router,
    "GET",
    "/matches/{slug}/stream",
    PUBLIC,
    dict[str, Any],
    errors=(404,),
    media=MEDIA,
    waits=True,
)
async def stream_match(
    request: HttpRequest,
    slug: MatchSlug,
    version: Annotated[
        int, Query(ge=-1, le=FARTHEST, description="what one knows; only what is newer is told")
    ] = -1,
    new: Annotated[bool, Query(description="tell only moves that were not told before")] = False,
    follow: Annotated[bool, Query(description="go on after the end of the match")] = False,
) -> StreamingHttpResponse:
    """Tell how a match stands and what changes, one object of JSON a line.

    The lines are the messages of sockets: match, chat, chat-hidden. A line of the type alive says
    that there was nothing to tell. The stream ends with the match.
    """
    viewer = caller(request).viewer
    await look(lambda: find_match(slug, viewer))
    source = MatchStream(slug, viewer, version, only_new_moves=new, follows=follow)
    return stream_of(request, source.lines())
