"""Connections to addresses that strangers have given: to public hosts alone.

A browser says where pushes for it are to be sent. Somebody could say so of a machine behind the
site that is not for the public; so names are looked up here, and the address that was looked at is
the one that is connected to.
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
    """Return whether an IP address belongs to the whole world."""
    found = ipaddress.ip_address(address.split("%", maxsplit=1)[0])
    mapped = getattr(found, "ipv4_mapped", None)
    return is_public(str(mapped)) if mapped else found.is_global and not found.is_multicast


def is_public_address(url: str) -> bool:
    """Return whether an address may be one of a service for pushes: https, and a host's name.

    Where the name leads is looked at when something is sent.
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
    """A connection that is made only to public addresses."""

    def _new_conn(self) -> socket.socket:
        try:
            found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
            addresses = [str(one[4][0]) for one in found]
            if not addresses or not all(map(is_public, addresses)):
                raise NewConnectionError(self, f"{self.host} is no public host")
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
    """Return a session that speaks https to public hosts, and follows nobody elsewhere."""
    session = requests.Session()
    session.trust_env = False
    session.max_redirects = 0
    session.mount("https://", _PublicAdapter())
    session.adapters.pop("http://")
    return session
