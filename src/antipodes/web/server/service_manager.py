"""Messages to the service manager, by the protocol of systemd's ``sd_notify``."""

from __future__ import annotations

import os
import socket

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
