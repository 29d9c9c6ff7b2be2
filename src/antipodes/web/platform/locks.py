"""What only one process of all machines does at a time."""

from __future__ import annotations

import os
import secrets
import socket

from django.db import IntegrityError, transaction
from django.db.models import Q

from antipodes.web.platform.clock import now
from antipodes.web.platform.models import LockRow

# A name that no other process has, on no machine.
THIS_PROCESS = f"{socket.gethostname()[:80]}:{os.getpid()}:{secrets.token_hex(4)}"


def hold(name: str, seconds: float) -> bool:
    """Take or keep a lease; return whether this process has it.

    Args:
        name: what the lease is for.
        seconds: after which others may take it, unless it is taken again before.
    """
    at = now()
    with transaction.atomic():
        mine_or_free = Q(holder=THIS_PROCESS) | Q(until__lt=at)
        lease = LockRow.objects.filter(name=name)
        until = at + int(1_000 * seconds)
        if lease.filter(mine_or_free).update(holder=THIS_PROCESS, until=until):
            return True
        if lease.exists():
            return False
    try:
        LockRow.objects.create(name=name, holder=THIS_PROCESS, until=until)
    except IntegrityError:
        return False  # another process was first
    return True


def let_go(name: str) -> None:
    """Let others have a lease at once, if this process has it."""
    LockRow.objects.filter(name=name, holder=THIS_PROCESS).update(until=0)
