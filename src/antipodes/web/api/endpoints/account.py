"""Operations on the account of the token."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from ninja import Router

from antipodes.web.accounts import bots
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.profile_services import change_profile, profile_of
from antipodes.web.api.auth import Caller, caller
from antipodes.web.api.operations import operation, private_response
from antipodes.web.api.schemas.people import (
    AccountOut,
    ProfileOut,
    ProfilePatch,
    kind_of,
    profile_out,
)
from antipodes.web.matches.access import played_by

router = Router(tags=["account"])


def _account_out(caller: Caller) -> AccountOut:
    user = caller.account
    return AccountOut(
        name=user.username,
        shown=user.name,
        kind=kind_of(user),
        since=int(user.date_joined.timestamp() * 1000),
        scopes=sorted(caller.scopes),
        matches=played_by(user).distinct().count(),
    )


@operation(router, "GET", "/account", Scope.READ, AccountOut)
def get_account(request: HttpRequest) -> AccountOut:
    """Return your account and the scopes of the token."""
    return _account_out(caller(request))


@operation(router, "PUT", "/account/bot", Scope.PROFILE, AccountOut, errors=(409,), is_private=True)
def become_bot(request: HttpRequest) -> AccountOut | HttpResponse:
    """Declare your account a bot.

    This is possible until the account has played its first game.
    """
    bots.mark_as_bot(caller(request).account)
    return private_response(request, lambda: _account_out(caller(request)))


@operation(
    router, "DELETE", "/account/bot", Scope.PROFILE, AccountOut, errors=(409,), is_private=True
)
def stop_being_bot(request: HttpRequest) -> AccountOut | HttpResponse:
    """Declare your account a player's again, if the bot has not played."""
    bots.unmark_bot(caller(request).account)
    return private_response(request, lambda: _account_out(caller(request)))


@operation(router, "GET", "/account/profile", Scope.READ, ProfileOut)
def get_profile(request: HttpRequest) -> ProfileOut:
    """Return your profile."""
    return profile_out(profile_of(caller(request).account))


@operation(router, "PATCH", "/account/profile", Scope.PROFILE, ProfileOut)
def write_profile(request: HttpRequest, data: ProfilePatch) -> ProfileOut:
    """Change your profile; omitted fields do not change."""
    changes = data.model_dump(exclude_none=True)
    return profile_out(change_profile(caller(request).account, changes))
