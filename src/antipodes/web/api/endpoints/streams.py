"""Streams: the events of your account, and the changes of a match or tournament."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, StreamingHttpResponse
from ninja import Query, Router

from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.api.auth import caller
from antipodes.web.api.endpoints.matches import MatchSlug
from antipodes.web.api.endpoints.tournaments import TournamentSlug
from antipodes.web.api.event_stream import EventStream
from antipodes.web.api.match_stream import MatchStream
from antipodes.web.api.matches import find_match
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.api.streams import MEDIA_TYPE, in_database_thread, stream_response
from antipodes.web.api.tournament_stream import TournamentStream
from antipodes.web.api.tournaments import find_tournament
from antipodes.web.platform.schemas import MAX_INTEGER

router = Router(tags=["streams"])


@operation(
    router,
    "GET",
    "/stream/events",
    Scope.READ,
    dict[str, Any],
    media_type=MEDIA_TYPE,
)
async def stream_events(request: HttpRequest) -> StreamingHttpResponse:
    """Stream the events of your account, one JSON object a line.

    First come your matches in progress and challenges and a line of the type ready, then changes.
    An idle stream sends a line of the type alive every few seconds. A new connection starts with
    the current state.
    """
    return stream_response(request, EventStream(caller(request).account).lines())


@operation(
    router,
    "GET",
    "/matches/{slug}/stream",
    PUBLIC,
    dict[str, Any],
    errors=(404,),
    media_type=MEDIA_TYPE,
)
async def stream_match(
    request: HttpRequest,
    slug: MatchSlug,
    version: Annotated[
        int, Query(ge=-1, le=MAX_INTEGER, description="the version that you have; skips it")
    ] = -1,
    new: Annotated[bool, Query(description="send only moves that were not sent before")] = False,
    follow: Annotated[bool, Query(description="continue after the end of the match")] = False,
) -> StreamingHttpResponse:
    """Stream the state and changes of a match, one JSON object a line.

    The lines are WebSocket messages: match, chat, chat-hidden. An idle stream sends lines of the
    type alive. The stream ends with the match.
    """
    viewer = caller(request).viewer
    await in_database_thread(lambda: find_match(slug, viewer))
    source = MatchStream(slug, viewer, version, only_new_moves=new, follows=follow)
    return stream_response(request, source.lines())


@operation(
    router,
    "GET",
    "/tournaments/{slug}/stream",
    PUBLIC,
    dict[str, Any],
    errors=(404,),
    media_type=MEDIA_TYPE,
)
async def stream_tournament(request: HttpRequest, slug: TournamentSlug) -> StreamingHttpResponse:
    """Stream the state and pairings of a tournament, one JSON object a line.

    First come the tournament, the pairings of the latest round and a line of the type ready; then
    the tournament and the changed pairings after each change. An idle stream sends lines of the
    type alive. The stream ends with the tournament.
    """
    viewer = caller(request).viewer
    await in_database_thread(lambda: find_tournament(slug, viewer))
    return stream_response(request, TournamentStream(slug, viewer).lines())
