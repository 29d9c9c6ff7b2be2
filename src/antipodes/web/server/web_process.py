"""Web process: handles requests and WebSockets."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys

import uvicorn

READY = "READY=1"
ALIVE = "WATCHDOG=1"  # a manager with a watchdog kills a process that is silent for too long
STOPPING = "STOPPING=1"


def notify(message: str) -> None:
    """Send a message, unless no service manager waits for one.

    Raises:
        OSError: the manager's socket cannot be reached.
    """
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):  # a name in Linux's abstract namespace
        address = f"\0{address[1:]}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.sendto(message.encode(), address)


_TICKS = 10  # of uvicorn's loop, about a second, between two signs of life
_MAX_MESSAGE = 256 * 1024  # bytes of a WebSocket message; a longer one closes the socket

# Seconds for which a thread may keep the GIL while others wait. With the default of 5 ms, the
# answer to a move would often wait for several of them.
_SWITCH_INTERVAL = 0.000_5

# Allocations, young and middle collections before the next older generation is collected. A full
# collection stops all sockets for a quarter of a second, so it has to be rare; a middle one looks
# at the objects of five young ones.
_GC_THRESHOLD = (10_000, 5, 1_000)


class _Server(uvicorn.Server):
    """Ends streams at a shutdown, and tells the service manager what the event loop does."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            notify(READY)

    async def on_tick(self, counter: int) -> bool:
        if counter % _TICKS == 0:
            notify(ALIVE)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        from antipodes.web.connections import registry

        notify(STOPPING)
        registry.end_streams()  # uvicorn would wait for them
        await super().shutdown(sockets)


def serve(listening: socket.socket) -> None:
    """Serve on a bound socket until SIGTERM or SIGINT; then finish the requests in progress."""
    from antipodes.web.connections import registry
    from antipodes.web.platform import clock, heartbeats
    from antipodes.web.platform.models import ProcessKind
    from antipodes.web.server.http_protocol import BoundedHttpProtocol, SocketProtocol

    registry.raise_file_limit()
    clock.start()
    heartbeat = heartbeats.ProcessHeartbeat(ProcessKind.WEB, list_online=registry.users_online)
    heartbeat.start()
    sys.setswitchinterval(_SWITCH_INTERVAL)
    config = uvicorn.Config(
        "antipodes.web.project.asgi:application",
        http=BoundedHttpProtocol,
        ws=SocketProtocol,
        server_header=False,
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
    try:
        _Server(config).run(sockets=[listening])
    finally:
        heartbeat.stop()
