"""A process that answers requests and holds sockets: alone, or as one of several.

As one of several it is started by :mod:`antipodes.web.server.supervisor` with a socket that
listens already. It
says a line when it is ready, hears news on its standard input, and ends when that does: then
whoever started it is gone.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import threading
from typing import Any

import uvicorn

READY = "ready"
ALIVE = "alive"  # about once a second, as long as the event loop runs

_TICKS = 10  # of the server's loop between two signs that it runs
_MAX_MESSAGE = 256 * 1024  # bytes of a message from a browser; more closes the socket
_PATIENCE = 5  # seconds that requests have to end when the site is ended

# Seconds that one thread may keep others waiting. By default it is 5 ms, and answers to moves
# would often wait for several such turns.
_SWITCH = 0.000_5

# Allocations, young and middle collections until the garbage of the next older generation is looked
# for. A look at everything holds all sockets up for a quarter of a second, so it has to be rare.
_GARBAGE = (20_000, 20, 1_000)


class _Server(uvicorn.Server):
    """Ends streams, which would go on for ever, before it waits for requests to end."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        from antipodes.web.connections import registry

        registry.end_streams()
        await super().shutdown(sockets)


class _TellingServer(_Server):
    """Tells when it listens, and from then on that its event loop runs."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            _tell(READY)

    async def on_tick(self, counter: int) -> bool:
        if counter % _TICKS == 0:
            _tell(ALIVE)
        return await super().on_tick(counter)


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def serve(listening: socket.socket, *, tells: bool = False) -> None:
    """Answer requests until SIGTERM or SIGINT; then let those that are under way end.

    Args:
        listening: a bound socket.
        tells: whether to write a line when everything is ready.
    """
    from antipodes.web.connections import registry
    from antipodes.web.platform import clock, heartbeats
    from antipodes.web.platform.models import Kind
    from antipodes.web.server.http_protocol import BoundedHttpProtocol

    registry.allow_many_files()
    clock.start()
    sign = heartbeats.ProcessHeartbeat(Kind.WEB)
    sign.start()
    sys.setswitchinterval(_SWITCH)
    config = uvicorn.Config(
        "antipodes.web.project.asgi:application",
        http=BoundedHttpProtocol,
        access_log=False,  # it would tell who looks at what
        log_config=None,  # Django's settings say what is logged, and how
        ws_max_size=_MAX_MESSAGE,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=_PATIENCE,
    )
    config.load()
    gc.freeze()  # what is loaded by now stays, and need not be looked at again
    gc.set_threshold(*_GARBAGE)
    # The server raises once more what it was told, when it has done it. That shall not kill what
    # is still to be put in order.
    signal.signal(signal.SIGTERM, lambda *_: None)
    server = _TellingServer(config) if tells else _Server(config)
    try:
        server.run(sockets=[listening])
    finally:
        sign.stop()


def _hear(news: Any) -> None:
    """Pass on what comes on the standard input; at its end, end."""
    from antipodes.web.platform import pubsub

    for line in news:
        pubsub.forward_line(line)
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    """Serve on the socket whose number is the first argument."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "antipodes.web.project.settings")
    import django

    django.setup()
    from antipodes.web.platform import kernel_warmup

    kernel_warmup.listen()
    threading.Thread(target=_hear, args=(sys.stdin,), daemon=True).start()
    serve(socket.socket(fileno=int(sys.argv[1])), tells=True)


if __name__ == "__main__":
    main()
