"""Work that only one engine does at a time: who has begun says so, as long as it lives.

A claim that nobody renews any more is free after a few seconds: its engine was killed, and others
take up what it did. On one machine claims are kept in memory, else in Redis.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from django.core.cache import cache

from antipodes.web.platform.outages import OUTAGES

logger = logging.getLogger(__name__)

_LASTS = 6  # seconds without being renewed
_RENEWED = 2.0  # seconds between two times

_lock = threading.Lock()
_held: set[str] = set()
_renewer: threading.Thread | None = None


def _key(name: str) -> str:
    return "claim:" + name.replace(" ", ":")


@contextmanager
def claim(name: str) -> Iterator[bool]:
    """Tell whether nobody else does something now, and keep others from it meanwhile.

    Without Redis nobody can tell; then it is done, since all work bears being done twice.
    """
    try:
        is_alone = cache.add(_key(name), 1, _LASTS)
    except OUTAGES as error:
        logger.warning("nobody knows whether others do the same: %s", error)
        is_alone = True
    if not is_alone:
        yield False
        return
    with _lock:
        _held.add(name)
    _start_renewing()
    try:
        yield True
    finally:
        with _lock:
            _held.discard(name)
        _give_up([name])


def claimed(names: Collection[str]) -> set[str]:
    """Return those of some names that somebody claims now."""
    keys = {_key(name): name for name in names}
    return {keys[key] for key in cache.get_many(list(keys))}


def give_up_all() -> None:
    """Let others have everything that is claimed here; before a process ends."""
    with _lock:
        names = list(_held)
        _held.clear()
    _give_up(names)


def _give_up(names: list[str]) -> None:
    try:
        cache.delete_many([_key(name) for name in names])
    except OUTAGES as error:
        logger.warning("claims end by themselves in a few seconds: %s", error)


def _start_renewing() -> None:
    global _renewer  # noqa: PLW0603
    with _lock:
        if _renewer is None:
            _renewer = threading.Thread(target=_renew, name="claims", daemon=True)
            _renewer.start()


def _renew() -> None:
    pause = threading.Event()
    while not pause.wait(_RENEWED):
        with _lock:
            names = list(_held)
        try:
            for name in names:
                # Set and not touched: Redis may have forgotten it.
                cache.set(_key(name), 1, _LASTS)
        except OUTAGES as error:
            logger.warning("claims cannot be renewed: %s", error)
