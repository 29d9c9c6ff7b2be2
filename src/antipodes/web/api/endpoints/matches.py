"""Operations on matches: lists, state, board, record, chat and notes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router

from antipodes.records import write_record
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.api.auth import caller
from antipodes.web.api.matches import find_match, find_snapshot, match_page
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.api.schemas.commands import ChatMessageIn, NotesIn
from antipodes.web.api.schemas.matches import (
    ChatOut,
    LegalMoveOut,
    LegalMovesOut,
    MatchPageOut,
    NotesOut,
)
from antipodes.web.matches import chat, presenters, viewer_state
from antipodes.web.matches.access import played_by
from antipodes.web.matches.models import MatchRow, new_slug
from antipodes.web.matches.presenters import BoardOut
from antipodes.web.matches.records import record_of
from antipodes.web.matches.schemas import ChatMessageOut
from antipodes.web.matches.snapshots import MatchOut, match_json
from antipodes.web.platform.clock import now
from antipodes.web.platform.schemas import MAX_INTEGER, SLUG

router = Router(tags=["matches"])

MatchSlug = Annotated[str, Path(pattern=SLUG, description="of the match")]
Before = Annotated[
    int | None, Query(ge=0, le=MAX_INTEGER, description="only matches before this time")
]
Count = Annotated[int, Query(ge=1, le=100, description="the maximum number")]

_MAX_LEGAL_MOVES = 2_000  # in a response


@operation(router, "GET", "/matches", Scope.READ, MatchPageOut)
def list_matches(
    request: HttpRequest,
    state: Literal["running", "ended"] = "running",
    before: Before = None,
    count: Count = 50,
) -> MatchPageOut:
    """List your matches in progress, or those that have ended, the latest first."""
    user = caller(request).account
    rows = MatchRow.objects.filter(pk__in=played_by(user))
    if state == "running":
        return match_page(
            rows.filter(ended_at=None), user, by="begun_at", before=before, count=count
        )
    ended = rows.exclude(ended_at=None)
    return match_page(ended, user, by="ended_at", before=before, count=count)


@operation(router, "GET", "/matches/{slug}", PUBLIC, MatchOut, errors=(404,))
def get_match(request: HttpRequest, slug: MatchSlug) -> HttpResponse:
    """Return a match."""
    return match_response(slug, caller(request).viewer)


def match_response(slug: str, viewer: User | None) -> HttpResponse:
    """Return the state of a match as its viewer may see it.

    Raises:
        ApiError: there is none, or it is private to others.
    """
    snapshot = find_snapshot(slug, viewer)
    key = viewer.pk if viewer else None
    seen = viewer_state.seen_by(snapshot.row, viewer) if snapshot.seats_of(key) else None
    text = match_json(snapshot, key, now=now(), seen=seen)
    return HttpResponse(text, content_type="application/json")


@operation(router, "GET", "/matches/{slug}/board", PUBLIC, BoardOut, errors=(404,))
def get_board(request: HttpRequest, slug: MatchSlug) -> BoardOut:
    """Return the board of a match: cells, neighbours, places; it never changes."""
    return presenters.board_view(find_match(slug, caller(request).viewer).game.initial())


@operation(router, "GET", "/matches/{slug}/legal", PUBLIC, LegalMovesOut, errors=(404,))
def get_legal_moves(request: HttpRequest, slug: MatchSlug) -> LegalMovesOut:
    """List the legal moves, with numbers and notation.

    Of more than two thousand moves only the first are listed; ``total`` counts all.
    """
    match = find_snapshot(slug, caller(request).viewer).match
    position, is_over = match.position, match.result is not None
    moves = [] if is_over else list(position.legal_moves)
    return LegalMovesOut(
        ply=match.ply,
        to_move=match.seat_to_move,
        total=len(moves),
        moves=[
            LegalMoveOut(move=int(move), text=position.format_move(move))
            for move in moves[:_MAX_LEGAL_MOVES]
        ],
    )


def _record(request: HttpRequest, slug: str, kind: str, media_type: str) -> HttpResponse:
    snapshot = find_snapshot(slug, caller(request).viewer)
    address = request.build_absolute_uri(f"/m/{slug}/")
    text = write_record(record_of(snapshot, address), kind)
    return HttpResponse(text, content_type=f"{media_type}; charset=utf-8")


@operation(router, "GET", "/matches/{slug}/record.json", PUBLIC, dict[str, Any], errors=(404,))
def get_record(request: HttpRequest, slug: MatchSlug) -> HttpResponse:
    """Return the record of a match as JSON, in the documented format."""
    return _record(request, slug, "json", "application/json")


@operation(
    router,
    "GET",
    "/matches/{slug}/record.sgf",
    PUBLIC,
    str,
    errors=(404,),
    media_type="application/x-go-sgf",
)
def get_sgf(request: HttpRequest, slug: MatchSlug) -> HttpResponse:
    """Return the record of a match as SGF."""
    return _record(request, slug, "sgf", "application/x-go-sgf")


# Chat and notes.


@operation(router, "GET", "/matches/{slug}/chat", PUBLIC, ChatOut, errors=(404,))
def get_chat(request: HttpRequest, slug: MatchSlug) -> ChatOut:
    """Return the latest chat messages that you may read."""
    viewer = caller(request).viewer
    snapshot = find_snapshot(slug, viewer)
    lines = chat.history(snapshot, viewer.pk if viewer else None)
    return ChatOut(lines=lines)


@operation(
    router,
    "POST",
    "/matches/{slug}/chat",
    Scope.CHAT,
    ChatMessageOut,
    status=201,
    errors=(404, 409),
)
def say(request: HttpRequest, slug: MatchSlug, data: ChatMessageIn) -> ChatMessageOut:
    """Send a chat message, to the players or to the spectators."""
    user = caller(request).account
    snapshot = find_snapshot(slug, user)
    row = chat.say(snapshot, user, {"key": data.key or new_slug(), "text": data.text})
    [view] = chat.line_views([chat.line_data(row)], user.pk)
    return view


@operation(router, "GET", "/matches/{slug}/notes", Scope.READ, NotesOut, errors=(404,))
def get_notes(request: HttpRequest, slug: MatchSlug) -> NotesOut:
    """Return your private notes on a match."""
    user = caller(request).account
    return NotesOut(text=viewer_state.notes_of(find_match(slug, user), user))


@operation(router, "PUT", "/matches/{slug}/notes", Scope.PROFILE, NotesOut, errors=(404,))
def write_notes(request: HttpRequest, slug: MatchSlug, data: NotesIn) -> NotesOut:
    """Replace your private notes on a match."""
    user = caller(request).account
    row = find_match(slug, user)
    viewer_state.write_notes(row, user, data.text)
    return NotesOut(text=viewer_state.notes_of(row, user))
