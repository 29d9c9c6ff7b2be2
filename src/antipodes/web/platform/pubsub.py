"""Telling sockets that there is something new, from whichever process and thread it comes.

A layer of channels that several processes share, such as Redis, carries messages by itself. The
usual one lives in the memory of the process that serves. There messages are handed to its event
loop; a worker's process writes them to a pipe instead, and whoever started it passes them on.

A message may be lost, with Redis or with a process that is killed before it has told what it did.
So `matches.lookout` looks from time to time whether somebody has missed something.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import threading
from collections.abc import Callable
from typing import Any, TextIO

from channels.layers import BaseChannelLayer, InMemoryChannelLayer, get_channel_layer

logger = logging.getLogger(__name__)

Message = dict[str, Any]

_TO_SERVER = "!"  # begins the names of what is for the server itself; groups begin with letters

_lock = threading.Lock()
_pipe: TextIO | None = None
_loop: asyncio.AbstractEventLoop | None = None
_listeners: dict[str, Callable[[Message], None]] = {}
_sending: set[asyncio.Task[None]] = set()

_EVERYBODY = "everybody"  # the group of all processes
_PAUSE = 1.0  # seconds until a layer that failed is asked again


def is_shared() -> bool:
    """Return whether a layer carries messages to other processes."""
    return not isinstance(get_channel_layer(), InMemoryChannelLayer)


def listen_here() -> None:
    """Note that sockets listen in the event loop that runs here."""
    global _loop  # noqa: PLW0603
    _loop = asyncio.get_running_loop()


async def listen_to_others() -> None:
    """Hear what is told to all processes, for as long as this is awaited."""
    layer = get_channel_layer()
    while layer is not None and is_shared():
        try:
            channel = await layer.new_channel()
            await layer.group_add(_EVERYBODY, channel)
            while True:
                message = await layer.receive(channel)
                _listeners[message["kind"]](message["message"])
        except Exception:
            logger.exception("what other processes tell cannot be heard")
            await asyncio.sleep(_PAUSE)


async def tell_the_rest() -> None:
    """Wait until all that was told here is on its way; before a process ends."""
    while _sending:
        await asyncio.wait(_sending)


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


def tell_everybody(kind: str, message: Message) -> None:
    """Tell all processes that serve something under a name, this one included."""
    if is_shared():
        tell(_EVERYBODY, {"type": "told", "kind": kind, "message": message})
        return
    tell_server(kind, message)
    listener = _listeners.get(kind)
    if listener is not None:
        listener(message)


def tell(group: str, message: Message) -> None:
    """Send a message to all sockets of a group; returns before they have it."""
    if is_shared():
        _loop_that_runs().call_soon_threadsafe(_send, group, message)
    elif _pipe is not None:
        _write(group, message)
    elif _loop is not None and _loop.is_running():
        _loop.call_soon_threadsafe(_send, group, message)
    # Else no socket was ever opened here, and nobody listens.


def call_here(call: Callable[[], object]) -> None:
    """Call a function in the event loop of the sockets here, if there is one."""
    if _loop is not None and _loop.is_running():
        _loop.call_soon_threadsafe(call)


def _loop_that_runs() -> asyncio.AbstractEventLoop:
    """Return the event loop of the sockets here; a process without any gets one in a thread."""
    global _loop  # noqa: PLW0603
    with _lock:
        if _loop is None or not _loop.is_running():
            _loop = asyncio.new_event_loop()
            started = threading.Event()
            _loop.call_soon(started.set)
            threading.Thread(target=_loop.run_forever, name="telling", daemon=True).start()
            started.wait()
        return _loop


def hear_here(kind: str, message: Message) -> None:
    """Let this process hear something as if another one had told it."""
    _listeners[kind](message)


def pass_on(line: str) -> None:
    """Send on what another process has written to its pipe."""
    group, message = json.loads(line)
    if group.startswith(_TO_SERVER):
        hear_here(group.removeprefix(_TO_SERVER), message)
    else:
        tell(group, message)


def line_for_server(kind: str, message: Message) -> str:
    """Return what :func:`pass_on` reads at the other end of a pipe."""
    return json.dumps([_TO_SERVER + kind, message])


def _write(group: str, message: Message) -> None:
    assert _pipe is not None
    with _lock:
        try:
            print(json.dumps([group, message]), file=_pipe, flush=True)
        except BrokenPipeError:
            # The server was killed. This process is about to end too; until then, nobody listens.
            os.dup2(os.open(os.devnull, os.O_WRONLY), _pipe.fileno())


def _send(group: str, message: Message) -> None:
    layer = get_channel_layer()
    assert layer is not None
    # The event loop itself keeps no hold on tasks.
    task = asyncio.ensure_future(_sent(layer, group, message))
    _sending.add(task)
    task.add_done_callback(_sending.discard)


async def _sent(layer: BaseChannelLayer, group: str, message: Message) -> None:
    try:
        await layer.group_send(group, message)
    except Exception as error:  # noqa: BLE001 - whatever the layer's library raises
        logger.warning("news for %s are lost for now: %s", group, error)
