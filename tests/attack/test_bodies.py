"""Bodies of half a gigabyte: refused early, and kept neither on disk nor in memory."""

import asyncio
from contextlib import suppress

import pytest

from tests.attack.attack import Target
from tests.attack.client import Connection, head

SIZE = 500 * 1024 * 1024
LARGEST = 32 * 1024 * 1024  # bytes of a body that the site may read before it refuses
GROWTH = 64.0  # MiB by which the memory may grow
CONNECTIONS = 4
READ = "bytes read of a body"
_PIECE = 64 * 1024
_ENDPOINTS = ("/accounts/login/", "/play/hex/", "/analyses", "/api/v1/challenges", "/theme")


async def send_bodies(target: Target, path: str, token: str, cookie: str, is_chunked: bool) -> None:
    """Send requests with large bodies; count the bytes that the server reads of each."""
    media = "application/json" if "/api/" in path else "multipart/form-data; boundary=b"
    headers = {
        "Authorization": f"Bearer {token}",
        "Cookie": f"csrftoken={'a' * 32}; sessionid={cookie}",
        "X-CSRFToken": "a" * 32,
        "Content-Type": media,
    }
    piece = b"x" * _PIECE
    if is_chunked:
        headers["Transfer-Encoding"] = "chunked"
        piece = b"%x\r\n%s\r\n" % (_PIECE, piece)
    else:
        headers["Content-Length"] = str(SIZE)
    start = b'--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
    first = b"%x\r\n%s\r\n" % (len(start), start) if is_chunked else start

    async def send() -> None:
        while True:
            connection = Connection(target.port)
            taken = 0
            with suppress(OSError, EOFError):
                reader, writer = await connection.open()
                response = asyncio.ensure_future(connection.read_head(reader))
                try:
                    writer.write(head("POST", path, headers) + first)
                    while taken < SIZE and not response.done():
                        writer.write(piece)
                        await writer.drain()
                        taken += _PIECE
                        target.counts[READ] = max(target.counts[READ], taken)
                    status, _ = await asyncio.wait_for(response, 10)
                    target.counts[str(status)] += 1
                finally:
                    response.cancel()
                    await asyncio.gather(response, return_exceptions=True)
                    target.counts["bodies"] += 1
            connection.close()
            await asyncio.sleep(0.05)

    await asyncio.gather(*(send() for _ in range(CONNECTIONS)))


def excess(found):
    """Return failures of early refusals."""
    taken, files = found["counts"].get(READ, 0), found["stored"]
    missed = [f"{taken} bytes of a body were read"] if taken > LARGEST else []
    missed += [f"{files} bytes of temporary files"] if files > LARGEST else []
    missed += [f"{found['grown']:.0f} MiB of memory"] if found["grown"] > GROWTH else []
    return missed


@pytest.mark.parametrize("is_chunked", [False, True], ids=["length", "chunked"])
@pytest.mark.parametrize("path", _ENDPOINTS)
def test_large_bodies(siege, withstand, path, is_chunked):
    mallory = siege.seeded["accounts"][1]
    withstand(
        send_bodies,
        check=excess,
        seconds=8.0,
        path=path,
        token=mallory["token"],
        cookie=mallory["cookie"],
        is_chunked=is_chunked,
    )
