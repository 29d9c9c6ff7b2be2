"""Pub/sub: messages from any process and thread to the site's WebSockets.

With Redis, the channel layer carries messages between processes. Without it, the layer is in the
memory of the web process: threads there hand messages to the event loop, and the worker writes them
to a pipe, from which its supervisor forwards them. Messages to the worker go through another pipe.

A message can be lost, with Redis or with a process that is killed before it has sent it. So
`matches.resync` regularly checks whether sockets have missed something, and the delivery loop of
notifications also runs without a message.
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

_TO_SERVER = "!"  # prefix of messages for the server itself; names of groups begin with letters

_lock = threading.Lock()
_pipe: TextIO | None = None
_to_worker: Callable[[str], object] | None = None
_loop: asyncio.AbstractEventLoop | None = None
_listeners: dict[str, Callable[[Message], None]] = {}
_sending: set[asyncio.Task[None]] = set()

# Groups of all web processes, and of all workers.
_ALL_PROCESSES = "all-processes"
_ALL_WORKERS = "workers"
_PAUSE = 1.0  # seconds before a failed subscription is retried


def is_shared() -> bool:
    """Return whether the channel layer reaches other processes."""
    return not isinstance(get_channel_layer(), InMemoryChannelLayer)


def attach_event_loop() -> None:
    """Send messages to sockets through the event loop that runs here."""
    global _loop  # noqa: PLW0603
    _loop = asyncio.get_running_loop()


async def receive_broadcasts() -> None:
    """Receive messages to all web processes until cancelled."""
    await _receive(_ALL_PROCESSES)


def receive_as_worker() -> None:
    """Receive messages to workers from now on, if the channel layer is shared."""
    if is_shared():
        asyncio.run_coroutine_threadsafe(_receive(_ALL_WORKERS), _running_loop())


async def _receive(group: str) -> None:
    layer = get_channel_layer()
    while layer is not None and is_shared():
        try:
            channel = await layer.new_channel()
            await layer.group_add(group, channel)
            while True:
                message = await layer.receive(channel)
                deliver_here(message["kind"], message["message"])
        except Exception:
            logger.exception("receiving broadcasts failed")
            await asyncio.sleep(_PAUSE)


async def flush() -> None:
    """Wait until all messages of this process are sent, before it ends."""
    while _sending:
        await asyncio.wait(_sending)


def write_to(pipe: TextIO) -> None:
    """Write all further messages of this process to a pipe."""
    global _pipe  # noqa: PLW0603
    _pipe = pipe


def set_worker(send: Callable[[str], object] | None) -> None:
    """Set the function that sends a line to the worker of this server."""
    global _to_worker  # noqa: PLW0603
    _to_worker = send


def subscribe(kind: str, listener: Callable[[Message], None]) -> None:
    """Call a function for each message of a kind that this process receives."""
    _listeners[kind] = listener


def send_to_server(kind: str, message: Message) -> None:
    """Send a message from the worker to the web process; does nothing in a web process."""
    if _pipe is not None:
        _write(_TO_SERVER + kind, message)


def broadcast(kind: str, message: Message) -> None:
    """Send a message to all web processes; this one receives it before the function returns.

    A client who has just changed something must not be answered from what was cached before. So a
    message that a shared layer carries is received twice here.
    """
    if is_shared():
        _send_to_processes(_ALL_PROCESSES, kind, message)
    else:
        send_to_server(kind, message)
    deliver_here(kind, message)


def send_to_workers(kind: str, message: Message) -> None:
    """Send a message to all workers, including this process if it is one."""
    if is_shared():
        _send_to_processes(_ALL_WORKERS, kind, message)
        return
    if _to_worker is not None:
        _to_worker(format_line(kind, message))
    deliver_here(kind, message)


def _send_to_processes(group: str, kind: str, message: Message) -> None:
    send_to_group(group, {"type": "broadcast", "kind": kind, "message": message})


def send_to_group(group: str, message: Message) -> None:
    """Send a message to all sockets of a group, without waiting for delivery."""
    if is_shared():
        _running_loop().call_soon_threadsafe(_send, group, message)
    elif _pipe is not None:
        _write(group, message)
    elif _loop is not None and _loop.is_running():
        _loop.call_soon_threadsafe(_send, group, message)
    # Else there has been no socket in this process.


def call_in_event_loop(call: Callable[[], object]) -> None:
    """Call a function in the event loop of this process, if there is one."""
    if _loop is not None and _loop.is_running():
        _loop.call_soon_threadsafe(call)


def _running_loop() -> asyncio.AbstractEventLoop:
    """Return the event loop of this process; start one in a thread if there is none."""
    global _loop  # noqa: PLW0603
    with _lock:
        if _loop is None or not _loop.is_running():
            _loop = asyncio.new_event_loop()
            started = threading.Event()
            _loop.call_soon(started.set)
            threading.Thread(target=_loop.run_forever, name="pubsub", daemon=True).start()
            started.wait()
        return _loop


def deliver_here(kind: str, message: Message) -> None:
    """Deliver a message to this process, if it subscribes to messages of that kind."""
    listener = _listeners.get(kind)
    if listener is not None:
        listener(message)


def forward_line(line: str) -> None:
    """Forward a line that another process has written to its pipe."""
    group, message = json.loads(line)
    if group.startswith(_TO_SERVER):
        deliver_here(group.removeprefix(_TO_SERVER), message)
    else:
        send_to_group(group, message)


def format_line(kind: str, message: Message) -> str:
    """Return the line of a message for :func:`forward_line` at the other end of a pipe."""
    return json.dumps([_TO_SERVER + kind, message])


def _write(group: str, message: Message) -> None:
    assert _pipe is not None
    with _lock:
        try:
            print(json.dumps([group, message]), file=_pipe, flush=True)
        except BrokenPipeError:
            # The server was killed, and this process is about to end too.
            os.dup2(os.open(os.devnull, os.O_WRONLY), _pipe.fileno())


def _send(group: str, message: Message) -> None:
    layer = get_channel_layer()
    assert layer is not None
    # The event loop keeps only weak references to tasks.
    task = asyncio.ensure_future(_sent(layer, group, message))
    _sending.add(task)
    task.add_done_callback(_sending.discard)


async def _sent(layer: BaseChannelLayer, group: str, message: Message) -> None:
    try:
        await layer.group_send(group, message)
    except Exception as error:  # noqa: BLE001 - errors depend on the layer
        logger.warning("message lost group=%s error=%s", group, error)
