"""Web process: handles requests and WebSockets, alone or as one of several.

One of several is started by :mod:`antipodes.web.server.supervisor` with a listening socket. It
writes a line when it is ready and then its heartbeats, reads messages from standard input, and ends
at the end of that, which means that the supervisor has ended.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import threading
from typing import TextIO

import uvicorn

READY = "ready"
HEARTBEAT = "alive"  # written about once a second while the event loop runs

_TICKS = 10  # of uvicorn's loop between two heartbeats
_MAX_MESSAGE = 256 * 1024  # bytes of a WebSocket message; a longer one closes the socket

# Seconds for which a thread may keep the GIL while others wait. With the default of 5 ms, the
# answer to a move would often wait for several of them.
_SWITCH_INTERVAL = 0.000_5

# Allocations, young and middle collections before the next older generation is collected. A full
# collection stops all sockets for a quarter of a second, so it has to be rare; a middle one looks
# at the objects of five young ones.
_GC_THRESHOLD = (10_000, 5, 1_000)


class _Server(uvicorn.Server):
    """Ends streams at a shutdown, which would otherwise wait for them."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        from antipodes.web.connections import registry

        registry.end_streams()
        await super().shutdown(sockets)


class _SupervisedServer(_Server):
    """Tells the supervisor when it is ready, and that its event loop runs."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            _write(READY)

    async def on_tick(self, counter: int) -> bool:
        if counter % _TICKS == 0:
            _write(HEARTBEAT)
        return await super().on_tick(counter)


def _write(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def serve(listening: socket.socket, *, is_supervised: bool = False) -> None:
    """Serve until SIGTERM or SIGINT; then finish the requests in progress.

    Args:
        listening: a bound socket.
        is_supervised: whether to write readiness and heartbeats to standard output.
    """
    from antipodes.web.connections import registry
    from antipodes.web.platform import clock, heartbeats
    from antipodes.web.platform.models import Kind
    from antipodes.web.server.http_protocol import BoundedHttpProtocol, SocketProtocol

    registry.raise_file_limit()
    clock.start()
    heartbeat = heartbeats.ProcessHeartbeat(Kind.WEB)
    heartbeat.start()
    sys.setswitchinterval(_SWITCH_INTERVAL)
    config = uvicorn.Config(
        "antipodes.web.project.asgi:application",
        http=BoundedHttpProtocol,
        ws=SocketProtocol,
        access_log=False,  # it would record who visits which page
        log_config=None,  # Django's settings configure logging
        ws_max_size=_MAX_MESSAGE,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=registry.DRAIN_SECONDS.value,
    )
    config.load()
    gc.freeze()  # modules loaded so far are never garbage
    gc.set_threshold(*_GC_THRESHOLD)
    # After its shutdown uvicorn raises the signal again, which must not kill the cleanup below.
    signal.signal(signal.SIGTERM, lambda *_: None)
    server = _SupervisedServer(config) if is_supervised else _Server(config)
    try:
        server.run(sockets=[listening])
    finally:
        heartbeat.stop()


def _read_messages(lines: TextIO) -> None:
    """Forward messages of the supervisor; at the end of the input, stop the server."""
    from antipodes.web.platform import pubsub

    for line in lines:
        pubsub.forward_line(line)
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    """Serve on the socket whose number is the first argument."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "antipodes.web.project.settings")
    import django

    django.setup()
    from antipodes.web.platform import kernel_warmup

    kernel_warmup.listen()
    threading.Thread(target=_read_messages, args=(sys.stdin,), daemon=True).start()
    serve(socket.socket(fileno=int(sys.argv[1])), is_supervised=True)


if __name__ == "__main__":
    main()
