"""HTTPS connections to public hosts only, against server-side request forgery (SSRF).

Browsers supply the URL of their push service. An attacker could supply one of an internal host, so
the name is resolved here, and the connection goes to the address that was checked.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import aiohttp

_names = ThreadPoolExecutor(32, thread_name_prefix="names")  # which wait for slow name servers
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


async def _resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a host.

    Raises:
        OSError: it has none, or one that is not public.
    """

    def ask() -> list[str]:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        return [str(one[4][0]) for one in found]

    addresses = await asyncio.get_running_loop().run_in_executor(_names, ask)
    if not addresses or not all(map(is_public, addresses)):
        message = f"{host} is not a public host"
        raise OSError(message)
    return addresses


def public_session() -> aiohttp.ClientSession:
    """Return a session for HTTPS to public hosts, without cookies and proxies.

    Call it in the event loop that uses it.
    """
    # Imported here because it is large, and most processes send no pushes.
    import aiohttp
    from aiohttp.abc import AbstractResolver, ResolveResult

    class PublicResolver(AbstractResolver):
        async def resolve(
            self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
        ) -> list[ResolveResult]:
            return [
                ResolveResult(
                    hostname=host, host=one, port=port, family=family, proto=0,
                    flags=socket.AI_NUMERICHOST,
                )
                for one in await _resolve(host, port)
            ]  # fmt: skip

        async def close(self) -> None:
            pass

    class PublicConnector(aiohttp.TCPConnector):
        async def connect(self, req: Any, *arguments: Any, **more: Any) -> Any:
            if not is_public_address(str(req.url)):
                message = f"{req.url.host} is not a public host with HTTPS"
                raise aiohttp.ClientConnectionError(message)
            return await super().connect(req, *arguments, **more)

    connector = PublicConnector(resolver=PublicResolver(), limit=0)
    return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
