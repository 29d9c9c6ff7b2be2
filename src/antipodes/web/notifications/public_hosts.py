"""HTTPS connections to public hosts only, against server-side request forgery (SSRF).

Browsers supply the URL of their push service. An attacker could supply one of an internal host, so
the name is resolved here, and the connection goes to the address that was checked.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPSConnectionPool, PoolManager
from urllib3.connection import HTTPSConnection
from urllib3.exceptions import NewConnectionError

_HTTPS = 443


def is_public(address: str) -> bool:
    """Return whether an IP address is globally routable."""
    found = ipaddress.ip_address(address)
    mapped = getattr(found, "ipv4_mapped", None)
    return is_public(str(mapped)) if mapped else found.is_global and not found.is_multicast


def is_public_address(url: str) -> bool:
    """Return whether a URL can be that of a push service: HTTPS, with a public host name.

    The name is resolved when a push is sent.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    host = parts.hostname or ""
    if parts.scheme != "https" or port not in (None, _HTTPS) or "@" in parts.netloc:
        return False
    try:
        return is_public(host)
    except ValueError:
        return "." in host and not host.endswith((".local", ".internal", ".localhost"))


class _PublicConnection(HTTPSConnection):
    """An HTTPS connection to public addresses only."""

    def _new_conn(self) -> socket.socket:
        try:
            found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
            addresses = [str(one[4][0]) for one in found]
            if not addresses or not all(map(is_public, addresses)):
                raise NewConnectionError(self, f"{self.host} is not a public host")
            timeout = self.timeout if isinstance(self.timeout, int | float) else None
            return socket.create_connection((addresses[0], self.port), timeout)
        except OSError as error:
            raise NewConnectionError(self, str(error)) from error


class _PublicPool(HTTPSConnectionPool):
    ConnectionCls = _PublicConnection


class _PublicAdapter(HTTPAdapter):
    def init_poolmanager(self, *arguments: Any, **more: Any) -> None:
        super().init_poolmanager(*arguments, **more)
        manager: PoolManager = self.poolmanager
        manager.pool_classes_by_scheme = {"https": _PublicPool}


def public_session() -> requests.Session:
    """Return a session for HTTPS to public hosts that follows no redirects."""
    session = requests.Session()
    session.trust_env = False
    session.max_redirects = 0
    session.mount("https://", _PublicAdapter())
    session.adapters.pop("http://")
    return session
