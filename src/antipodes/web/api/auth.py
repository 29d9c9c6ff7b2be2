"""Who asks, and whether they may: tokens and their scopes at the door of each operation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest
from django.utils.translation import gettext as _

from antipodes.web.accounts.api_tokens import Scope, find_token
from antipodes.web.accounts.models import User
from antipodes.web.api.problems import InterfaceError, refused
from antipodes.web.connections.credentials import Credentials
from antipodes.web.platform.limits import rate_limit, take, take_for_address

REQUESTS = rate_limit("api-requests", "1000/minute", per="token", what="API requests")
STRANGERS = rate_limit(
    "api-strangers", "200/minute", per="address", what="API requests without a good token"
)

_KIND = "bearer"


@dataclass(frozen=True)
class Caller:
    """Who asks.

    Attributes:
        user: whose token it is; ``None`` for anybody.
        scopes: what the token may be used for.
        token: key of the token; ``None`` without one.
    """

    user: User | None = None
    scopes: frozenset[str] = frozenset()
    token: int | None = None

    @property
    def viewer(self) -> User | None:
        """Whose eyes look: a token that may not read sees what everybody sees."""
        return self.user if Scope.READ in self.scopes else None

    @property
    def credentials(self) -> Credentials | None:
        """What a stream is opened with: it ends with its token."""
        if self.user is None or self.token is None:
            return None
        return Credentials(self.user.pk, token=self.token)

    @property
    def person(self) -> User:
        """Who asks, where the door lets in nobody without a token.

        Raises:
            InterfaceError: there is no token.
        """
        if self.user is None:
            raise no_token()
        return self.user


def no_token() -> InterfaceError:
    """Return the error for whoever brings no token where one is needed."""
    message = _("Send a token: “Authorization: Bearer TOKEN”. Make one at /accounts/tokens/.")
    return refused("api/no-token", message)


def bad_token() -> InterfaceError:
    """Return the error for a token that opens nothing, or nothing any more."""
    return refused("api/bad-token", _("This token is unknown, expired or revoked."))


def caller_of(request: HttpRequest) -> Caller:
    """Return who asks, by the token in the request.

    Raises:
        InterfaceError: what stands there is no token that is good.
        TooManyError: the token, or the address, has asked too often.
    """
    given = request.headers.get("Authorization")
    if given is None:
        take_for_address(STRANGERS, request)
        return Caller()
    kind, _space, text = given.strip().partition(" ")
    row = find_token(text.strip()) if kind.lower() == _KIND else None
    if row is None:
        take_for_address(STRANGERS, request)
        raise bad_token()
    take(REQUESTS, str(row.pk))
    return Caller(row.user, frozenset(row.scopes), row.pk)


class Door:
    """Lets in whoever has a token with a scope; without a scope, everybody."""

    def __init__(self, scope: Scope | None) -> None:
        """Note the scope."""
        self.scope = scope

    def __call__(self, request: HttpRequest) -> Caller:
        """Return who asks.

        Raises:
            InterfaceError: there is no token, or none that is good for this.
        """
        caller = caller_of(request)
        if self.scope is not None:
            if caller.user is None:
                raise no_token()
            if self.scope not in caller.scopes:
                message = _("This needs a token with the scope %(scope)s; yours has %(own)s.")
                own = ", ".join(sorted(caller.scopes))
                raise refused("api/scope", message % {"scope": self.scope, "own": own})
        return caller


class AsyncDoor(Door):
    """The same for operations that wait for what happens."""

    async def __call__(self, request: HttpRequest) -> Caller:  # type: ignore[override]
        """Return who asks, as the door for others does."""
        check: Any = super().__call__
        caller: Caller = await sync_to_async(check)(request)
        return caller


def caller(request: HttpRequest) -> Caller:
    """Return who was let in."""
    known: Any = request
    found: Caller = known.auth
    return found
