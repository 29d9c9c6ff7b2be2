"""Requests of ``antipodes tournament`` to a site."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import click

if TYPE_CHECKING:
    from antipodes.cli.site_client import Site

slug_argument = click.argument("slug", metavar="SLUG")


def site_at(url: str, token: str | None, *, needs_token: bool = False) -> Site:
    """Return a site; public tournaments need no token.

    Raises:
        InputError: the address or the token is none.
    """
    from antipodes.cli.site_client import Site, read_token

    return Site(url, read_token(token) if token or needs_token else "")


def path_of(slug: str, action: str = "") -> str:
    return f"tournaments/{quote(slug, safe='')}" + (f"/{action}" if action else "")


def act(url: str, token: str | None, slug: str, path: str, **data: object) -> None:
    """Do something with an account.

    Raises:
        SiteError: the site refuses, with its message.
    """
    site_at(url, token, needs_token=True).send("POST", path_of(slug, path), data or None)
