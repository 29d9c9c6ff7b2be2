"""Telling sockets that there is something new, from whichever process and thread it comes.

A layer of channels that several processes share, such as Redis, carries messages by itself. The
usual one lives in the memory of the process that serves. There messages are handed to its event
loop; a worker's process writes them to a pipe instead, and whoever started it passes them on.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any, TextIO

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer

Message = dict[str, Any]

_TO_SERVER = "!"  # begins the names of what is for the server itself; groups begin with letters

_lock = threading.Lock()
_pipe: TextIO | None = None
_loop: asyncio.AbstractEventLoop | None = None
_listeners: dict[str, Callable[[Message], None]] = {}
_sending: set[asyncio.Task[None]] = set()


def listen_here() -> None:
    """Note that sockets listen in the event loop that runs here."""
    global _loop  # noqa: PLW0603
    _loop = asyncio.get_running_loop()


def write_to(pipe: TextIO) -> None:
    """Write all messages of this process to a pipe from now on."""
    global _pipe  # noqa: PLW0603
    _pipe = pipe


def hear(kind: str, listener: Callable[[Message], None]) -> None:
    """Let a function hear what other processes tell this one under a name."""
    _listeners[kind] = listener


def tell_server(kind: str, message: Message) -> None:
    """Tell the process that serves something under a name; nothing happens in that one itself."""
    if _pipe is not None:
        _write(_TO_SERVER + kind, message)


def tell(group: str, message: Message) -> None:
    """Send a message to all sockets of a group; returns before they have it."""
    layer = get_channel_layer()
    assert layer is not None
    if not isinstance(layer, InMemoryChannelLayer):
        async_to_sync(layer.group_send)(group, message)
    elif _pipe is not None:
        _write(group, message)
    elif _loop is not None and _loop.is_running():
        _loop.call_soon_threadsafe(_send, group, message)
    # Else no socket was ever opened here, and nobody listens.


def pass_on(line: str) -> None:
    """Send on what another process has written to its pipe."""
    group, message = json.loads(line)
    if group.startswith(_TO_SERVER):
        _listeners[group.removeprefix(_TO_SERVER)](message)
    else:
        tell(group, message)


def _write(group: str, message: Message) -> None:
    with _lock:
        print(json.dumps([group, message]), file=_pipe, flush=True)


def _send(group: str, message: Message) -> None:
    layer = get_channel_layer()
    assert layer is not None
    # The event loop itself keeps no hold on tasks.
    task = asyncio.ensure_future(layer.group_send(group, message))
    _sending.add(task)
    task.add_done_callback(_sending.discard)
