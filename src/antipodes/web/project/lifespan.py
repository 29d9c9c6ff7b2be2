"""ASGI lifespan: background tasks of each web process."""

from __future__ import annotations

import asyncio
from typing import Any

from django.core.exceptions import RequestAborted

from antipodes.web.challenges import author_presence
from antipodes.web.connections import changes
from antipodes.web.matches import heartbeat, presence, resync
from antipodes.web.platform import pubsub


def _note_exception(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an exception of a task without an owner, unless it is a request cut off at a shutdown.

    Django leaves the task behind that waits for its client to leave.
    """
    if not isinstance(context.get("exception"), RequestAborted):
        loop.default_exception_handler(context)


async def lifespan(_scope: Any, receive: Any, send: Any) -> None:
    """Start the tasks when the server starts, and cancel them at its shutdown."""
    tasks: list[asyncio.Task[None]] = []
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            asyncio.get_running_loop().set_exception_handler(_note_exception)
            pubsub.attach_event_loop()
            await heartbeat.beat()
            tasks = [
                asyncio.ensure_future(heartbeat.keep()),
                asyncio.ensure_future(pubsub.receive_broadcasts()),
                asyncio.ensure_future(resync.keep()),
                asyncio.ensure_future(changes.check_periodically()),
                asyncio.ensure_future(author_presence.keep()),
                asyncio.ensure_future(presence.publish_periodically()),
            ]
            await send({"type": "lifespan.startup.complete"})
        else:
            # Sockets are closed by now; pending messages to other processes are sent first.
            await pubsub.flush()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await send({"type": "lifespan.shutdown.complete"})
            return
