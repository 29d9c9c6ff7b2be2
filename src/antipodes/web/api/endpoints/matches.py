"""Matches: lists of them, how one stands, its board, its record, chat and notes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router, Status

from antipodes.records import write_record
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.api.auth import caller
from antipodes.web.api.matches import find_match, find_standing, match_page
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.api.schemas.base import FARTHEST
from antipodes.web.api.schemas.commands import LineWanted, NotesWanted
from antipodes.web.api.schemas.matches import (
    BoardShape,
    ChatLineView,
    ChatShape,
    LegalMove,
    LegalMoves,
    MatchPage,
    MatchView,
    NotesShape,
)
from antipodes.web.matches import chat, presenters, viewer_state
from antipodes.web.matches.access import played_by
from antipodes.web.matches.models import MatchRow, new_slug
from antipodes.web.matches.records import record_of
from antipodes.web.matches.snapshot_json import match_json
from antipodes.web.platform.clock import now

router = Router(tags=["matches"])

MatchSlug = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,16}$", description="of the match")]
Before = Annotated[
    int | None, Query(ge=0, le=FARTHEST, description="only what was before this time")
]
Count = Annotated[int, Query(ge=1, le=100, description="how many at most")]

_MOST_LEGAL = 2_000  # moves that are written out


@operation(router, "GET", "/matches", Scope.READ, MatchPage)
def list_matches(
    request: HttpRequest,
    state: Literal["running", "ended"] = "running",
    before: Before = None,
    count: Count = 50,
) -> MatchPage:
    """List one's own matches: those that are running, or those that have ended."""
    user = caller(request).person
    rows = MatchRow.objects.filter(pk__in=played_by(user))
    if state == "running":
        return match_page(
            rows.filter(ended_at=None), user, by="begun_at", before=before, count=count
        )
    ended = rows.exclude(ended_at=None)
    return match_page(ended, user, by="ended_at", before=before, count=count)


@operation(router, "GET", "/matches/{slug}", PUBLIC, MatchView, errors=(404,))
def get_match(request: HttpRequest, slug: MatchSlug) -> HttpResponse:
    """Tell how a match stands, as its viewer may see it."""
    viewer = caller(request).viewer
    return match_answer(slug, viewer)


def match_answer(slug: str, viewer: User | None, *, status: int = 200) -> HttpResponse:
    """Return how a match stands now.

    Raises:
        InterfaceError: there is none for the viewer.
    """
    standing = find_standing(slug, viewer)
    key = viewer.pk if viewer else None
    seen = viewer_state.seen_by(standing.row, viewer) if standing.seats_of(key) else None
    text = match_json(standing, key, now=now(), seen=seen)
    return HttpResponse(text, content_type="application/json", status=status)


@operation(router, "GET", "/matches/{slug}/board", PUBLIC, BoardShape, errors=(404,))
def get_board(request: HttpRequest, slug: MatchSlug) -> dict[str, Any]:
    """Describe the board of a match: cells, neighbours, places; it never changes."""
    return presenters.board_view(find_match(slug, caller(request).viewer).game.initial())


@operation(router, "GET", "/matches/{slug}/legal", PUBLIC, LegalMoves, errors=(404,))
def get_legal_moves(request: HttpRequest, slug: MatchSlug) -> LegalMoves:
    """List the legal moves of whoever is to move, with numbers and texts.

    Of more than two thousand moves the first ones are told; ``total`` says how many there are.
    """
    match = find_standing(slug, caller(request).viewer).match
    position, is_over = match.position, match.result is not None
    moves = [] if is_over else list(position.legal_moves)
    return LegalMoves(
        ply=match.ply,
        to_move=match.seat_to_move,
        total=len(moves),
        moves=[
            LegalMove(move=int(move), text=position.format_move(move))
            for move in moves[:_MOST_LEGAL]
        ],
    )


def _record(request: HttpRequest, slug: str, kind: str, media: str) -> HttpResponse:
    standing = find_standing(slug, caller(request).viewer)
    place = request.build_absolute_uri(f"/m/{slug}/")
    text = write_record(record_of(standing, place), kind)
    return HttpResponse(text, content_type=f"{media}; charset=utf-8")


@operation(router, "GET", "/matches/{slug}/record.json", PUBLIC, dict[str, Any], errors=(404,))
def get_record(request: HttpRequest, slug: MatchSlug) -> HttpResponse:
    """Give the record of a match in our format, which has its own schema."""
    return _record(request, slug, "json", "application/json")


@operation(
    router,
    "GET",
    "/matches/{slug}/record.sgf",
    PUBLIC,
    str,
    errors=(404,),
    media="application/x-go-sgf",
)
def get_sgf(request: HttpRequest, slug: MatchSlug) -> HttpResponse:
    """Give the record of a match as SGF."""
    return _record(request, slug, "sgf", "application/x-go-sgf")


# What is said, and what is noted.


@operation(router, "GET", "/matches/{slug}/chat", PUBLIC, ChatShape, errors=(404,))
def get_chat(request: HttpRequest, slug: MatchSlug) -> ChatShape:
    """Give the last lines of the chat, as far as one may read it."""
    viewer = caller(request).viewer
    standing = find_standing(slug, viewer)
    lines = chat.history(standing, viewer.pk if viewer else None)
    return ChatShape(lines=[ChatLineView(**line) for line in lines])


@operation(
    router, "POST", "/matches/{slug}/chat", Scope.CHAT, ChatLineView, status=201, errors=(404, 409)
)
def say(request: HttpRequest, slug: MatchSlug, line: LineWanted) -> Status[ChatLineView]:
    """Say something at a match, among the players or among the spectators."""
    user = caller(request).person
    standing = find_standing(slug, user)
    said = chat.say(standing, user, {"key": line.key or new_slug(), "text": line.text})
    [told] = chat.line_views([chat.line_data(said)], user.pk)
    return Status(201, ChatLineView(**told))


@operation(router, "GET", "/matches/{slug}/notes", Scope.READ, NotesShape, errors=(404,))
def get_notes(request: HttpRequest, slug: MatchSlug) -> NotesShape:
    """Give one's private notes on a match."""
    user = caller(request).person
    return NotesShape(text=viewer_state.notes_of(find_match(slug, user), user))


@operation(router, "PUT", "/matches/{slug}/notes", Scope.PROFILE, NotesShape, errors=(404,))
def write_notes(request: HttpRequest, slug: MatchSlug, notes: NotesWanted) -> NotesShape:
    """Keep private notes on a match, in place of those there were."""
    user = caller(request).person
    row = find_match(slug, user)
    viewer_state.write_notes(row, user, notes.text)
    return NotesShape(text=viewer_state.notes_of(row, user))
