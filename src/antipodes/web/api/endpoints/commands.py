"""Commands to matches: those of the WebSocket, each with its own address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Path, Router

from antipodes.errors import Fault, MatchError
from antipodes.match import OfferKind
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.api.auth import caller
from antipodes.web.api.endpoints.matches import MatchSlug, match_response
from antipodes.web.api.matches import find_snapshot
from antipodes.web.api.operations import View, operation
from antipodes.web.api.schemas.commands import (
    CommandIn,
    ConditionalMovesIn,
    MoveIn,
    OfferIn,
)
from antipodes.web.matches.messages import (
    CommandMessage,
    ConditionalMovesMessage,
    OfferMessage,
    PlainMessage,
    PlayMessage,
    QueueMessage,
    command_of,
)
from antipodes.web.matches.models import new_slug
from antipodes.web.matches.services import carry_out
from antipodes.web.matches.snapshots import MatchOut, MatchSnapshot

router = Router(tags=["playing"])

Kind = Annotated[OfferKind, Path(description="the kind of offer")]


def _command(method: str, path: str) -> Callable[[View], View]:
    """Declare a command to a match, whose response is the match."""
    address = f"/matches/{{slug}}/{path}"
    return operation(router, method, address, Scope.PLAY, MatchOut, errors=(404, 409))


def _execute(
    request: HttpRequest, slug: str, data: CommandIn, form: type[CommandMessage], **fields: Any
) -> HttpResponse:
    """Execute a command, in its form for the WebSocket, and return the new state of the match.

    Raises:
        InputError: the command is refused; nothing has changed.
    """
    user = caller(request).account
    snapshot = find_snapshot(slug, user)
    message = form(
        seat=_seat_of(snapshot, user) if data.seat is None else data.seat,
        ply=snapshot.match.ply if data.ply is None else data.ply,
        key=data.key or new_slug(),
        **fields,
    )
    carry_out(slug, command_of(message, snapshot, user.pk))
    return match_response(slug, user)


def _seat_of(snapshot: MatchSnapshot, user: User) -> int:
    """Return a user's seat; of several the one that is to move.

    Raises:
        MatchError: the user is not a player.
    """
    own = snapshot.seats_of(user.pk)
    if not own:
        message = _("You do not play in this match.")
        raise MatchError([Fault("match/not-your-seat", message)])
    to_move = snapshot.match.seat_to_move
    return to_move if to_move is not None and to_move in own else own[0]


@_command("POST", "moves")
def play_move(request: HttpRequest, slug: MatchSlug, data: MoveIn) -> HttpResponse:
    """Make a move, given as its number or in the game's notation."""
    return _execute(
        request, slug, data, PlayMessage, command="play", move=data.move, text=data.text
    )


@_command("POST", "resign")
def resign(request: HttpRequest, slug: MatchSlug, data: CommandIn) -> HttpResponse:
    """Resign now."""
    return _execute(request, slug, data, PlainMessage, command="resign")


@_command("PUT", "resignation")
def queue_resignation(request: HttpRequest, slug: MatchSlug, data: CommandIn) -> HttpResponse:
    """Resign when it is your turn."""
    return _execute(request, slug, data, QueueMessage, command="queue-resignation", on=True)


@_command("DELETE", "resignation")
def withdraw_resignation(request: HttpRequest, slug: MatchSlug) -> HttpResponse:
    """Cancel a queued resignation."""
    return _execute(request, slug, CommandIn(), QueueMessage, command="queue-resignation", on=False)


@_command("POST", "offers/{kind}")
def answer_offer(request: HttpRequest, slug: MatchSlug, kind: Kind, data: OfferIn) -> HttpResponse:
    """Make an offer, accept it, or decline or withdraw it.

    A draw, a takeback of your last move and a pause can be offered until the end, a rematch after
    it. All players must accept. Declining ends a pause that has begun. A draw can be offered only
    in matches that can end in one (`draws`).
    """
    return _execute(request, slug, data, OfferMessage, command=data.answer, kind=kind)


@_command("POST", "abort")
def abort(request: HttpRequest, slug: MatchSlug, data: CommandIn) -> HttpResponse:
    """Abort the match, before your first move."""
    return _execute(request, slug, data, PlainMessage, command="abort")


@_command("POST", "claim-flag")
def claim_flag(request: HttpRequest, slug: MatchSlug, data: CommandIn) -> HttpResponse:
    """Claim a win on time."""
    return _execute(request, slug, data, PlainMessage, command="claim-flag")


@_command("POST", "claim-win")
def claim_win(request: HttpRequest, slug: MatchSlug, data: CommandIn) -> HttpResponse:
    """Claim the win over an opponent who has left a live game for some time in their turn."""
    return _execute(request, slug, data, PlainMessage, command="claim-win")


@_command("POST", "claim-draw")
def claim_draw(request: HttpRequest, slug: MatchSlug, data: CommandIn) -> HttpResponse:
    """Claim a draw from an opponent who has left, in a match that can end in one."""
    return _execute(request, slug, data, PlainMessage, command="claim-draw")


@_command("PUT", "vacation")
def go_on_vacation(request: HttpRequest, slug: MatchSlug, data: CommandIn) -> HttpResponse:
    """Stop your clock for a vacation, in a correspondence match."""
    return _execute(request, slug, data, PlainMessage, command="vacation")


@_command("DELETE", "vacation")
def come_back(request: HttpRequest, slug: MatchSlug) -> HttpResponse:
    """End your vacation."""
    return _execute(request, slug, CommandIn(), PlainMessage, command="back")


@_command("PUT", "conditional-moves")
def set_conditional_moves(
    request: HttpRequest, slug: MatchSlug, data: ConditionalMovesIn
) -> HttpResponse:
    """Set your conditional moves, in the opponent's turn; an empty list removes them."""
    moves = [branch.model_dump() for branch in data.moves]
    return _execute(
        request, slug, data, ConditionalMovesMessage, command="conditional-moves", moves=moves
    )
