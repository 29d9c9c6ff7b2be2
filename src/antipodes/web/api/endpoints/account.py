"""One's own account."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Router

from antipodes.web.api import bots
from antipodes.web.api.doors import Caller, caller
from antipodes.web.api.operations import operation
from antipodes.web.api.shapes.people import AccountShape, kind_of
from antipodes.web.api.tokens import Scope

router = Router(tags=["account"])


def _account(who: Caller) -> AccountShape:
    user = who.person
    return AccountShape(
        name=user.username,
        shown=user.name,
        kind=kind_of(user),
        since=int(user.date_joined.timestamp() * 1000),
        scopes=sorted(who.scopes),
        matches=user.seats.values("match").distinct().count(),
    )


@operation(router, "GET", "/account", Scope.READ, AccountShape)
def get_account(request: HttpRequest) -> AccountShape:
    """Say whose token this is, and what it may be used for."""
    return _account(caller(request))


@operation(router, "PUT", "/account/bot", Scope.PROFILE, AccountShape, errors=(409,))
def become_bot(request: HttpRequest) -> AccountShape:
    """Let the account be a bot's from now on.

    Only an account that has never played can become one, and once it has played it stays one.
    """
    bots.declare(caller(request).person)
    return _account(caller(request))


@operation(router, "DELETE", "/account/bot", Scope.PROFILE, AccountShape, errors=(409,))
def stop_being_bot(request: HttpRequest) -> AccountShape:
    """Let the account be a person's again, if the bot has not played."""
    bots.take_back(caller(request).person)
    return _account(caller(request))
