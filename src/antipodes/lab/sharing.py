"""Work that several processes share through a folder: each item is done by one of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Generic, Protocol, TypeVar

from antipodes.lab.claims import Claims
from antipodes.parallel.running import Take

Item = TypeVar("Item")
Idle = Callable[[int], object]

_LOOK = 0.5  # seconds between two looks at what other processes do


class Store(Protocol):
    """A folder with results, to which several processes add."""

    @property
    def claims(self) -> Claims:
        """The claims of this process on items, by their names."""
        ...

    def done(self) -> AbstractSet[str]:
        """Return the names of all items with results by now, those of other processes too."""
        ...


class SharedWork(Generic[Item]):
    """Items that are neither done nor claimed; each item that is taken is claimed."""

    def __init__(self, items: Take[Item], name: Callable[[Item], str], store: Store) -> None:
        """Take no item yet.

        Args:
            items: gives the next items, done or not.
            name: of an item, the same in all processes.
            store: where results are.
        """
        self._items = items
        self._name = name
        self._store = store
        self._others: dict[str, Item] = {}  # items that other processes have claimed
        self._next: list[Item] = []  # claimed here and not taken

    def take(self, count: int) -> list[Item]:
        """Return the next items, so many at most."""
        found, self._next = self._next[:count], self._next[count:]
        while len(found) < count:
            chosen = self._items(count - len(found))
            if not chosen:
                break
            found += self._claimed({self._name(item): item for item in chosen})
        return found

    def wait(self, idle: Idle | None = None, is_open: Callable[[], bool] = lambda: True) -> bool:
        """Wait until an item can be had; return whether one is left.

        Items of a process that has ended are taken over.

        Args:
            idle: told how many items other processes have, each time before it waits.
            is_open: asked before each look; the work is over when it is not.
        """
        while is_open():
            self._next = self.take(1) or self._claimed(self._others)
            if self._next or not self._others:
                return bool(self._next)
            if idle is not None:
                idle(len(self._others))
            time.sleep(_LOOK)
        return False

    def _claimed(self, items: dict[str, Item]) -> list[Item]:
        """Return those of some items that this process has now and that are not done."""
        items = dict(items)
        mine = self._store.claims.take(items.keys() - self._store.claims.held)
        # Looked at after the claim: its last owner wrote the result before giving the claim back.
        done = self._store.done()
        self._store.claims.release(mine & done)
        for name, item in items.items():
            if name in mine or name in done:
                self._others.pop(name, None)
            elif name not in self._store.claims.held:
                self._others[name] = item
        return [item for name, item in items.items() if name in mine - done]
