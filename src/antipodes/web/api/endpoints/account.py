"""One's own account."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from ninja import Router

from antipodes.web.accounts import bots
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.profile_services import change_profile, profile_of
from antipodes.web.api.auth import Caller, caller
from antipodes.web.api.operations import operation, to_readers
from antipodes.web.api.schemas.people import (
    AccountShape,
    ProfileChange,
    ProfileShape,
    kind_of,
    profile_shape,
)
from antipodes.web.matches.access import played_by

router = Router(tags=["account"])


def _account(who: Caller) -> AccountShape:
    user = who.person
    return AccountShape(
        name=user.username,
        shown=user.name,
        kind=kind_of(user),
        since=int(user.date_joined.timestamp() * 1000),
        scopes=sorted(who.scopes),
        matches=played_by(user).distinct().count(),
    )


@operation(router, "GET", "/account", Scope.READ, AccountShape)
def get_account(request: HttpRequest) -> AccountShape:
    """Say whose token this is, and what it may be used for."""
    return _account(caller(request))


@operation(
    router, "PUT", "/account/bot", Scope.PROFILE, AccountShape, errors=(409,), tells_own=True
)
def become_bot(request: HttpRequest) -> AccountShape | HttpResponse:
    """Let the account be a bot's from now on.

    Only an account that has never played can become one, and once it has played it stays one.
    """
    bots.mark_as_bot(caller(request).person)
    return to_readers(request, lambda: _account(caller(request)))


@operation(
    router, "DELETE", "/account/bot", Scope.PROFILE, AccountShape, errors=(409,), tells_own=True
)
def stop_being_bot(request: HttpRequest) -> AccountShape | HttpResponse:
    """Let the account be a person's again, if the bot has not played."""
    bots.unmark_bot(caller(request).person)
    return to_readers(request, lambda: _account(caller(request)))


@operation(router, "GET", "/account/profile", Scope.READ, ProfileShape)
def get_profile(request: HttpRequest) -> ProfileShape:
    """Tell what one tells others about oneself."""
    return profile_shape(profile_of(caller(request).person))


@operation(router, "PATCH", "/account/profile", Scope.PROFILE, ProfileShape)
def write_profile(request: HttpRequest, wanted: ProfileChange) -> ProfileShape:
    """Change what one tells about oneself; what is left out stays."""
    changes = wanted.model_dump(exclude_none=True)
    return profile_shape(change_profile(caller(request).person, changes))
