"""The runner of all games that are played for measurements: contests, experiments, balances.

:class:`Runner` plays here or on several workers. Several processes may share a store, which is a
folder; each item is then done by one of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Generic, Protocol, TypeVar

from antipodes.lab.claims import Claims
from antipodes.lab.contestants import dismiss
from antipodes.parallel.running import BATCH_SECONDS, Batch, Take, Work, run
from antipodes.parallel.workers import Workers

Item = TypeVar("Item")
Result = TypeVar("Result")
Added_contra = TypeVar("Added_contra", contravariant=True)
Idle = Callable[[int], object]

_LOOK = 0.5  # seconds between two looks at what other processes do


class Unshared:
    """Claims where no other process works: everything is free."""

    def __init__(self) -> None:
        """Claim nothing yet."""
        self.held: set[str] = set()

    def take(self, names: Iterable[str]) -> set[str]:
        """Claim names; return all of them."""
        claimed = set(names)
        self.held |= claimed
        return claimed

    def release(self, names: Iterable[str]) -> None:
        """Give claims back."""
        self.held -= set(names)

    def close(self) -> None:
        """Give all claims back."""
        self.held.clear()


class Store(Protocol[Added_contra]):
    """Results, such as a folder to which several processes add."""

    @property
    def claims(self) -> Claims | Unshared:
        """The claims of this process on items, by their names."""
        ...

    def done(self) -> AbstractSet[str]:
        """Return the names of all items with results by now, those of other processes too."""
        ...

    def append(self, results: Sequence[Added_contra]) -> None:
        """Add results; when the call returns, they are safe."""
        ...


@dataclass(slots=True)
class Runner(Generic[Item, Result]):
    """Plays items that have no result yet, and adds their results to a store.

    Attributes:
        work: plays an item, as :func:`~antipodes.parallel.running.run` wants it.
        name: of an item, the same in all processes.
        store: where results are added.
        watch: told the new results of this process each time after they were added. What it raises
            ends the work, as does Ctrl-C; results that were added stay.
        idle: told how many items other processes have, now and then while they are waited for.
        is_open: asked after new results; no more are wanted when it is false.
        between: seconds between two times that results are added; 0 adds each as it comes.
    """

    work: Work[Item, Result]
    name: Callable[[Item], str]
    store: Store[Result]
    watch: Callable[[list[Result]], object] | None = None
    idle: Idle | None = None
    is_open: Callable[[], bool] = lambda: True
    between: float = BATCH_SECONDS
    _new: Batch[Item, Result] = field(default_factory=list)
    _added: float = field(default_factory=time.monotonic)

    def play(self, items: Take[Item], workers: Workers) -> None:
        """Play all items that can be had.

        At the end the last items of other processes are waited for, to take over where one has
        ended.

        Args:
            items: gives the next items, so many at most, with results or not.
            workers: who plays.
        """
        shared = SharedWork(items, self.name, self.store)

        def take(count: int) -> list[Item]:
            chosen = shared.take(count)
            if not chosen and self._new:
                self._add()  # results may bring more items
                chosen = shared.take(count)
            return chosen

        # In this process an item need not wait for others of its batch.
        seconds = self.between if workers.is_this_process else BATCH_SECONDS
        try:
            while shared.wait(self.idle, self.is_open):
                with closing(run(self.work, take, workers, dismiss, seconds)) as batches:
                    self._receive(batches)
        finally:
            self.store.claims.close()

    def _receive(self, batches: Iterator[Batch[Item, Result]]) -> None:
        """Add what comes, also when the work ends early."""
        try:
            for pair in chain.from_iterable(batches):
                self._new.append(pair)
                if time.monotonic() - self._added >= self.between:
                    self._add()
                    if not self.is_open():
                        break
        finally:
            self._add()

    def _add(self) -> None:
        new, self._new, self._added = self._new, [], time.monotonic()
        if new:
            results = [result for _, result in new]
            self.store.append(results)
            self.store.claims.release(self.name(item) for item, _ in new)
            if self.watch is not None:
                self.watch(results)


class SharedWork(Generic[Item]):
    """Items that are neither done nor claimed; each item that is taken is claimed."""

    def __init__(self, items: Take[Item], name: Callable[[Item], str], store: Store[Any]) -> None:
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
