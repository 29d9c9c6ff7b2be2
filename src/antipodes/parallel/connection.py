"""The connection to Dask: to processes that it starts here, or to a cluster of the user.

Only this module and what it connects to need the extra ``lab``.
"""

from __future__ import annotations

import logging
import signal
import threading
import time
import uuid
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from antipodes.errors import Fault, InputError, NotInstalledError
from antipodes.parallel.workers import WorkerError, Workers

if TYPE_CHECKING:
    from distributed import Client, Future

DASHBOARD = "127.0.0.1:8787"  # another port is taken if this one is in use

_COUNT_AGAIN = 5.0  # seconds until the workers of a cluster are counted again
_PATIENCE = 600.0  # seconds for a scheduler to come back
_TO_CONNECT = 10.0
_TO_CLOSE = 5.0
_SETTINGS = {
    "logging.distributed": "critical",
    # It interrupts the work a hundred times a second.
    "distributed.worker.profile.enabled": False,
    # Every process would look at its own delays 50 times a second, and at its memory twice.
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
    # Dask's own lets memory go back to the system all the time, which searches need again at once.
    "distributed.nanny.pre-spawn-environ": {"OMP_NUM_THREADS": 1},
}
_NOISY = {"asyncio", "distributed", "tornado"}
_PAUSE = 1.0  # seconds between two attempts to connect


class Connection:
    """A client of Dask, which connects again when its scheduler was restarted.

    Attributes:
        client: the client; another one after :meth:`renew`.
    """

    def __init__(self, client: Client, workers: Workers) -> None:
        """Use a client that is connected."""
        self.client = client
        self._workers = workers
        self._processes = workers.count
        self._counted = float("-inf")

    def processes(self) -> int:
        """Return how many batches can be worked on at once."""
        if self._workers.scheduler is None:
            return self._workers.count
        now = time.monotonic()
        if now - self._counted >= _COUNT_AGAIN and not self.is_lost:
            self._counted = now
            with suppress(OSError, TimeoutError):
                self._processes = sum(self.client.nthreads().values())
                if not self._processes:
                    self._workers.tell(f"Waiting for workers at {self._workers.scheduler}")
        return max(self._processes, 1)

    def submit(self, function: Callable[..., Any], *arguments: object) -> Future[Any]:
        """Let a worker call a function."""
        key = f"{getattr(function, '__name__', 'work')}-{uuid.uuid4().hex}"
        return self.client.submit(function, *arguments, key=key, pure=False)

    def fetch(self, futures: list[Future[Any]]) -> list[Any]:
        """Return the results of futures that have finished, in one request."""
        results: list[Any] = self.client.gather(futures) if futures else []
        return results

    @property
    def is_lost(self) -> bool:
        """Whether the scheduler is gone; what it had is lost."""
        return bool(self.client.status != "running")

    def renew(self) -> None:
        """Connect to the scheduler again.

        Raises:
            WorkerError: it does not come back.
        """
        address = self._workers.scheduler
        if address is None:
            raise WorkerError("the scheduler of this machine's workers has ended")
        began = time.monotonic()
        while time.monotonic() - began < _PATIENCE:
            with suppress(OSError, TimeoutError):
                self.client.close(timeout=_PAUSE)
            try:
                self.client = _client(address)
            except OSError:
                self._workers.tell(f"Waiting for the scheduler at {address}")
                time.sleep(_PAUSE)
            else:
                return
        raise WorkerError(f"the scheduler at {address} has not come back in {_PATIENCE:g} s")

    def end(self, futures: Iterable[Future[Any]], close: Callable[[], object] | None) -> None:
        """Give up what has not been done, and let each worker free what it holds."""
        if self.is_lost:
            return
        client = self.client

        def run() -> None:
            with suppress(Exception):
                client.cancel(list(futures), force=True)
                if close is not None:
                    client.run(close, on_error="ignore")

        # A worker that hangs must not keep this process from ending.
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join(_TO_CLOSE)


@contextmanager
def connected(workers: Workers) -> Iterator[Connection]:
    """Connect to the workers; those of this machine are started, and ended afterwards.

    Raises:
        NotInstalledError: the extra ``lab`` is missing.
        InputError: there is no scheduler at the address.
    """
    try:
        import dask  # noqa: PLC0415 - slow, and only with the extra
        import distributed  # noqa: F401, PLC0415
    except ModuleNotFoundError as error:
        raise NotInstalledError.of("work in several processes", error.name, "lab") from None
    # Lost workers and connections are ours to report.
    for name in logging.root.manager.loggerDict:
        if name.partition(".")[0] in _NOISY:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    with dask.config.set(_SETTINGS):
        if workers.scheduler is None:
            with _started(workers) as connection:
                yield connection
            return
        try:
            connection = Connection(_client(workers.scheduler), workers)
        except (OSError, ValueError) as error:
            reason = " ".join(str(error).split())
            message = f"there is no scheduler of Dask at {workers.scheduler!r}: {reason}"
            raise InputError([Fault("lab/scheduler", message, "--scheduler")]) from None
        workers.tell(f"Dashboard: {connection.client.dashboard_link}")
        try:
            yield connection
        finally:
            connection.client.close(timeout=_TO_CLOSE)


def _client(address: str) -> Client:
    from distributed import Client  # noqa: PLC0415 - slow, and only with the extra

    return Client(address, timeout=_TO_CONNECT, set_as_default=False)


@contextmanager
def _started(workers: Workers) -> Iterator[Connection]:
    """Start workers on this machine; with TLS, so that other users cannot connect to them."""
    from distributed import Client, LocalCluster, Security  # noqa: PLC0415 - slow

    with _without_interrupts(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the port of the dashboard may be in use
        cluster = LocalCluster(
            n_workers=workers.count,
            threads_per_worker=1,
            memory_limit=0,
            dashboard_address=DASHBOARD if workers.dashboard else None,
            security=Security.temporary(),
            silence_logs=logging.CRITICAL,
        )
    try:
        with cluster, Client(cluster, set_as_default=False) as client:
            if workers.dashboard:
                workers.tell(f"Dashboard: {client.dashboard_link}")
            yield Connection(client, workers)
    finally:
        cluster.close(timeout=_TO_CLOSE)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Block Ctrl-C for threads and processes that are started in a block.

    Ctrl-C reaches all processes of a terminal; this one decides what becomes of the workers. New
    threads and processes inherit the mask, also workers that replace killed ones.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
