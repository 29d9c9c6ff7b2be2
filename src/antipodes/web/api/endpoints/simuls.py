"""Operations on simuls."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Path, Router
from pydantic import Field

from antipodes.notation.text import shorten
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.api.auth import caller
from antipodes.web.api.matches import match_summary
from antipodes.web.api.open_chats import no_event_chat, read_chat, say_in_chat
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.commands import ChatMessageIn
from antipodes.web.api.schemas.matches import ChatOut, ControlIn, GameIn, MatchSummaryOut
from antipodes.web.api.schemas.people import PersonOut, ScoreOut, person_out
from antipodes.web.matches.schemas import ChatMessageOut
from antipodes.web.matchmaking.presets import DEFAULT_CLOCK
from antipodes.web.platform.schemas import (
    SLUG,
    ByValue,
    Milliseconds,
    RequestSchema,
    ResponseSchema,
    Slug,
    Whole,
)
from antipodes.web.ratings.classes import BoardClass
from antipodes.web.simuls import selectors, services
from antipodes.web.simuls.chat import chat_of
from antipodes.web.simuls.models import SimulRow

Outcome = Literal["won", "drawn", "lost", "void"]
_Seat = Annotated[
    Literal[0, 1] | None, Field(description="of the host on all boards; null to alternate")
]


class SimulLineOut(ResponseSchema):
    """A simul in a list."""

    slug: Slug
    host: PersonOut
    game: str
    title: str
    control: str
    host_seat: _Seat
    begun: Milliseconds | None
    players: Whole = Field(description="number of players who have joined")


class SimulBoardOut(ResponseSchema):
    """A board of a simul."""

    number: Whole
    player: PersonOut
    match: MatchSummaryOut
    hosts_turn: bool
    outcome: Outcome | None = Field(description="for the host; null while the match lasts")


class SimulOut(SimulLineOut):
    """A simul: who has joined, then its boards and the host's score."""

    joined: list[PersonOut]
    boards: list[SimulBoardOut]
    score: ScoreOut


class SimulIn(RequestSchema):
    """A new simul, with the games, boards and clocks of searches."""

    game: GameIn
    board: ByValue[BoardClass] = BoardClass.STANDARD
    control: Annotated[ControlIn, Field(description="a clock of the page")] = DEFAULT_CLOCK
    host_seat: _Seat = None


router = Router(tags=["simuls"])

SimulSlug = Annotated[str, Path(pattern=SLUG, description="of the simul")]


_OUTCOMES: dict[str, Outcome] = {"won": "won", "drawn": "drawn", "lost": "lost", "void": "void"}


def _find(slug: str) -> SimulRow:
    row = SimulRow.objects.select_related("by").filter(slug=slug).first()
    if row is None:
        raise not_found(_("There is no simul %(slug)s.") % {"slug": shorten(slug)})
    return row


def _line(row: SimulRow, players: int) -> dict[str, Any]:
    return {
        "slug": row.slug,
        "host": person_out(row.by),
        "game": row.game_id,
        "title": selectors.SimulLine.of(row).title,
        "control": row.control,
        "host_seat": row.host_seat,
        "begun": row.begun_at,
        "players": players,
    }


def _simul(row: SimulRow, viewer: User | None) -> SimulOut:
    found = selectors.standings(row, viewer)
    joined = [place.user for place in selectors.places_of(row)]
    score = found.score
    return SimulOut(
        **_line(row, len(found.boards) or len(joined)),
        joined=[person_out(user) for user in joined],
        boards=[_board(board, viewer) for board in found.boards],
        score=ScoreOut(won=score.won, drawn=score.drawn, lost=score.lost),
    )


def _board(board: selectors.Board, viewer: User | None) -> SimulBoardOut:
    return SimulBoardOut(
        number=board.number,
        player=person_out(board.player),
        match=match_summary(board.line.row, viewer),
        hosts_turn=board.is_hosts_turn,
        outcome=_OUTCOMES.get(board.outcome),
    )


@operation(router, "GET", "/simuls", PUBLIC, list[SimulLineOut])
def list_simuls(request: HttpRequest) -> list[SimulLineOut]:  # noqa: ARG001
    """List the simuls that wait for players, then those in progress, then the latest finished."""
    lists = selectors.simul_lists()
    lines = [*lists.waiting, *lists.in_progress, *lists.finished]
    return [SimulLineOut(**_line(line.row, line.count)) for line in lines]


@operation(router, "GET", "/simuls/{slug}", PUBLIC, SimulOut, errors=(404,))
def get_simul(request: HttpRequest, slug: SimulSlug) -> SimulOut:
    """Return a simul with its players or boards."""
    return _simul(_find(slug), caller(request).viewer)


@operation(router, "POST", "/simuls", Scope.CHALLENGE, SimulOut, status=201, errors=(409,))
def make_simul(request: HttpRequest, data: SimulIn) -> SimulOut:
    """Make a simul that players can join; you are its host."""
    user = caller(request).account
    row = services.make_simul(
        user,
        game_id=data.game,
        board=data.board,
        control=data.control,
        host_seat=data.host_seat,
    )
    return _simul(row, None)


def _change(request: HttpRequest, slug: str, change: Any) -> None:
    change(_find(slug).slug, caller(request).account)


@operation(router, "POST", "/simuls/{slug}/join", Scope.CHALLENGE, None, errors=(404, 409))
def join_simul(request: HttpRequest, slug: SimulSlug) -> None:
    """Join a simul that has not begun."""
    _change(request, slug, services.join)


@operation(router, "POST", "/simuls/{slug}/leave", Scope.CHALLENGE, None, errors=(404, 409))
def leave_simul(request: HttpRequest, slug: SimulSlug) -> None:
    """Leave a simul that has not begun."""
    _change(request, slug, services.leave)


@operation(router, "POST", "/simuls/{slug}/begin", Scope.CHALLENGE, None, errors=(404, 409))
def begin_simul(request: HttpRequest, slug: SimulSlug) -> None:
    """Begin your simul with all players who have joined."""
    _change(request, slug, services.begin)


@operation(router, "DELETE", "/simuls/{slug}", Scope.CHALLENGE, None, errors=(404, 409))
def cancel_simul(request: HttpRequest, slug: SimulSlug) -> None:
    """Cancel your simul, if it has not begun."""
    _change(request, slug, services.cancel)


@operation(router, "GET", "/simuls/{slug}/chat", PUBLIC, ChatOut, errors=(404,))
def get_simul_chat(request: HttpRequest, slug: SimulSlug) -> ChatOut:
    """Return the latest messages of the chat of a simul that you may read."""
    return read_chat(request, chat_of(_find(slug), caller(request).viewer), no_event_chat())


@operation(
    router, "POST", "/simuls/{slug}/chat", Scope.CHAT, ChatMessageOut, status=201, errors=(404, 409)
)
def say_in_simul(request: HttpRequest, slug: SimulSlug, data: ChatMessageIn) -> ChatMessageOut:
    """Send a message to all visitors of a simul."""
    return say_in_chat(
        request, chat_of(_find(slug), caller(request).account), no_event_chat(), data
    )
