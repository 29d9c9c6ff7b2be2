"""Authentication by bearer token, and the scopes of tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest
from django.utils.translation import gettext as _

from antipodes.web.accounts.api_tokens import Scope, find_token
from antipodes.web.accounts.models import User
from antipodes.web.api.problems import ApiError, api_error
from antipodes.web.connections.credentials import Credentials
from antipodes.web.platform.limits import rate_limit, take, take_for_address

REQUESTS = rate_limit("api-requests", "1000/minute", per="token", what="API requests")
ANONYMOUS_REQUESTS = rate_limit(
    "api-anonymous", "200/minute", per="address", what="API requests without a valid token"
)

_SCHEME = "bearer"


@dataclass(frozen=True)
class Caller:
    """The sender of a request.

    Attributes:
        user: the account of the token; ``None`` without a token.
        scopes: the scopes of the token.
        token: primary key of the token; ``None`` without one.
    """

    user: User | None = None
    scopes: frozenset[str] = frozenset()
    token: int | None = None

    @property
    def viewer(self) -> User | None:
        """The user whose private data is shown; without the scope ``read`` there is none."""
        return self.user if Scope.READ in self.scopes else None

    @property
    def credentials(self) -> Credentials | None:
        """The credentials of a stream, which ends with its token."""
        if self.user is None or self.token is None:
            return None
        return Credentials(self.user.pk, token=self.token)

    @property
    def account(self) -> User:
        """The account of the token, in operations that need one.

        Raises:
            ApiError: there is no token.
        """
        if self.user is None:
            raise no_token_error()
        return self.user


def no_token_error() -> ApiError:
    """Return the error for a request without the token that it needs."""
    message = _("Send a token: “Authorization: Bearer TOKEN”. Make one at /accounts/tokens/.")
    return api_error("api/no-token", message)


def bad_token_error() -> ApiError:
    """Return the error for an invalid token."""
    return api_error("api/bad-token", _("This token is unknown, expired or revoked."))


def authenticate(request: HttpRequest) -> Caller:
    """Return the caller by the token in the request.

    Raises:
        ApiError: the header holds no valid token.
        TooManyError: the token or the address has made too many requests.
    """
    header = request.headers.get("Authorization")
    if header is None:
        take_for_address(ANONYMOUS_REQUESTS, request)
        return Caller()
    scheme, _space, text = header.strip().partition(" ")
    row = find_token(text.strip()) if scheme.lower() == _SCHEME else None
    if row is None:
        take_for_address(ANONYMOUS_REQUESTS, request)
        raise bad_token_error()
    take(REQUESTS, str(row.pk))
    return Caller(row.user, frozenset(row.scopes), row.pk)


class TokenAuth:
    """Authentication of an operation that needs a scope, or of a public one."""

    def __init__(self, scope: Scope | None) -> None:
        """Store the scope; ``None`` for a public operation."""
        self.scope = scope

    def __call__(self, request: HttpRequest) -> Caller:
        """Return the caller.

        Raises:
            ApiError: the token is missing or invalid, or lacks the scope.
        """
        caller = authenticate(request)
        if self.scope is not None:
            if caller.user is None:
                raise no_token_error()
            if self.scope not in caller.scopes:
                message = _("This needs a token with the scope %(scope)s; yours has %(own)s.")
                own = ", ".join(sorted(caller.scopes))
                raise api_error("api/scope", message % {"scope": self.scope, "own": own})
        return caller


class AsyncTokenAuth(TokenAuth):
    """The same for asynchronous operations."""

    async def __call__(self, request: HttpRequest) -> Caller:  # type: ignore[override]
        """Return the caller, as `TokenAuth` does."""
        check: Any = super().__call__
        caller: Caller = await sync_to_async(check)(request)
        return caller


def caller(request: HttpRequest) -> Caller:
    """Return the authenticated caller of a request."""
    authenticated: Any = request
    found: Caller = authenticated.auth
    return found
