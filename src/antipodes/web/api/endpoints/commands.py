"""Commands to matches: the same messages that sockets send, one address for each kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Path, Router

from antipodes.errors import Fault, MatchError
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.api.auth import caller
from antipodes.web.api.endpoints.matches import MatchSlug, match_answer
from antipodes.web.api.matches import find_standing
from antipodes.web.api.operations import View, operation
from antipodes.web.api.schemas.commands import Act, Answer, MoveWanted, OfferName, PlanWanted
from antipodes.web.api.schemas.matches import MatchView
from antipodes.web.matches import messages
from antipodes.web.matches.models import new_slug
from antipodes.web.matches.services import carry_out
from antipodes.web.matches.snapshots import MatchSnapshot

router = Router(tags=["playing"])

Kind = Annotated[OfferName, Path(description="what is offered")]


def _play(method: str, path: str) -> Callable[[View], View]:
    """Declare a command to a match: who plays may give it, and is told how the match stands."""
    address = f"/matches/{{slug}}/{path}"
    return operation(router, method, address, Scope.PLAY, MatchView, errors=(404, 409))


def _carry_out(request: HttpRequest, slug: str, act: Act, **command: Any) -> HttpResponse:
    """Carry a command out and tell how the match stands then.

    Raises:
        InputError: it cannot be carried out; nothing has changed.
    """
    user = caller(request).person
    standing = find_standing(slug, user)
    message = {
        **command,
        "seat": _seat_of(standing, user) if act.seat is None else act.seat,
        "ply": standing.match.ply if act.ply is None else act.ply,
        "key": act.key or new_slug(),
    }
    carry_out(slug, messages.read_command(message, standing, user.pk))
    return match_answer(slug, user)


def _seat_of(standing: MatchSnapshot, user: User) -> int:
    """Return for which seat somebody speaks: of several the one that is to move.

    Raises:
        MatchError: the user does not play.
    """
    own = standing.seats_of(user.pk)
    if not own:
        message = _("You do not play in this match.")
        raise MatchError([Fault("match/not-your-seat", message)])
    to_move = standing.match.seat_to_move
    return to_move if to_move is not None and to_move in own else own[0]


@_play("POST", "moves")
def play_move(request: HttpRequest, slug: MatchSlug, wanted: MoveWanted) -> HttpResponse:
    """Make a move, given as its number or as people write it."""
    if wanted.text is not None:
        return _carry_out(request, slug, wanted, command="play", text=wanted.text)
    return _carry_out(request, slug, wanted, command="play", move=wanted.move)


@_play("POST", "resign")
def resign(request: HttpRequest, slug: MatchSlug, act: Act) -> HttpResponse:
    """Give the game up, now."""
    return _carry_out(request, slug, act, command="resign")


@_play("PUT", "resignation")
def queue_resignation(request: HttpRequest, slug: MatchSlug, act: Act) -> HttpResponse:
    """Give the game up as soon as it is one's turn."""
    return _carry_out(request, slug, act, command="queue-resignation", on=True)


@_play("DELETE", "resignation")
def withdraw_resignation(request: HttpRequest, slug: MatchSlug) -> HttpResponse:
    """Think better of giving the game up."""
    return _carry_out(request, slug, Act(), command="queue-resignation", on=False)


@_play("POST", "offers/{kind}")
def answer_offer(request: HttpRequest, slug: MatchSlug, kind: Kind, answer: Answer) -> HttpResponse:
    """Make an offer, agree to it, or decline it or take it back.

    A draw, a takeback of one's last move and a pause are for before the end, a rematch is for after
    it. All must agree. Declining a pause that has begun ends it. Only games that can end in a draw
    (`draws`) take offers of one.
    """
    return _carry_out(request, slug, answer, command=answer.answer, kind=kind)


@_play("POST", "abort")
def abort(request: HttpRequest, slug: MatchSlug, act: Act) -> HttpResponse:
    """Call the game off, before one's own first move."""
    return _carry_out(request, slug, act, command="abort")


@_play("POST", "claim-flag")
def claim_flag(request: HttpRequest, slug: MatchSlug, act: Act) -> HttpResponse:
    """Claim the win because somebody's time is up."""
    return _carry_out(request, slug, act, command="claim-flag")


@_play("PUT", "vacation")
def go_on_vacation(request: HttpRequest, slug: MatchSlug, act: Act) -> HttpResponse:
    """Let one's clock stand still, in correspondence."""
    return _carry_out(request, slug, act, command="vacation")


@_play("DELETE", "vacation")
def come_back(request: HttpRequest, slug: MatchSlug) -> HttpResponse:
    """Let one's clock run again."""
    return _carry_out(request, slug, Act(), command="back")


@_play("PUT", "plan")
def make_plan(request: HttpRequest, slug: MatchSlug, wanted: PlanWanted) -> HttpResponse:
    """Set one's conditional moves, while others think; an empty plan drops them."""
    plan = [branch.model_dump() for branch in wanted.plan]
    return _carry_out(request, slug, wanted, command="plan", plan=plan)
