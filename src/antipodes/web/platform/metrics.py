"""Metrics in the text format of Prometheus.

Each process counts in its own memory and is scraped by itself: web processes at ``/metrics``, and
workers where ``WORKER_METRICS`` says. Metrics of the whole site are queried from the database when
a web process is scraped.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    start_http_server,
)
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

import antipodes
from antipodes.web.platform import clock, data_files
from antipodes.web.platform.mail_settings import ListenAddress
from antipodes.web.platform.models import ProcessKind, ProcessRow

logger = logging.getLogger(__name__)

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")

_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds

_here = CollectorRegistry()  # metrics of this process
_process = ProcessCollector(registry=_here)
_requests = Counter(
    "antipodes_requests",
    "Requests answered",
    ["view", "method", "status"],
    registry=_here,
)
_seconds = Histogram(
    "antipodes_request_seconds",
    "Time until the response began",
    ["view"],
    buckets=_BOUNDS,
    registry=_here,
)
_commands = Histogram(
    "antipodes_command_seconds",
    "Duration of WebSocket commands",
    buckets=_BOUNDS,
    registry=_here,
)
_sockets = Gauge("antipodes_sockets", "Open WebSockets", registry=_here)
_refused_handshakes = Counter(
    "antipodes_refused_handshakes",
    "WebSocket handshakes refused with status 429 or 503",
    registry=_here,
)
_handshakes = Gauge("antipodes_handshakes", "WebSocket handshakes in progress", registry=_here)
_handshake_seconds = Histogram(
    "antipodes_handshake_seconds",
    "Time until a WebSocket handshake was answered, or its client left",
    buckets=_BOUNDS,
    registry=_here,
)
_database_seconds = Histogram(
    "antipodes_database_seconds",
    "Duration of statements of the database, with the wait for its locks",
    buckets=_BOUNDS,
    registry=_here,
)
_changes = Counter(
    "antipodes_match_changes", "Changes of matches, mostly moves", ["game"], registry=_here
)
_unreadable = Counter(
    "antipodes_unreadable_addresses",
    "Client addresses from trusted proxies that could not be read",
    registry=_here,
)
_limits = Counter(
    "antipodes_limits_reached",
    "Refusals since a limit of a client was reached",
    ["limit"],
    registry=_here,
)
site_metrics: Sequence[Callable[[], Iterator[Metric]]] = ()  # of all apps; set by the wiring


def note_request(view: str, method: str, status: int, seconds: float) -> None:
    _requests.labels(view, method, str(status)).inc()
    _seconds.labels(view).observe(seconds)


def note_command(seconds: float) -> None:
    """Count a command at a socket."""
    _commands.observe(seconds)


def note_sockets(change: int) -> None:
    """Count opened sockets, or closed ones as a negative number."""
    _sockets.inc(change)


def note_refused_handshake() -> None:
    """Count a handshake that was refused with status 429 or 503."""
    _refused_handshakes.inc()


def note_handshake_begun() -> None:
    _handshakes.inc()


def note_handshake_ended(seconds: float) -> None:
    """Count a handshake that was answered, or whose client left."""
    _handshakes.dec()
    _handshake_seconds.observe(seconds)


def time_statements(connection: BaseDatabaseWrapper, **_: object) -> None:
    """Measure the statements of a new connection."""
    wrappers = connection.execute_wrappers
    if _timed not in wrappers:
        wrappers.insert(0, _timed)


def _timed(execute: Callable[..., Any], *arguments: Any) -> Any:
    begun = time.perf_counter()
    try:
        return execute(*arguments)
    finally:
        _database_seconds.observe(time.perf_counter() - begun)


def note_change(game_id: str) -> None:
    """Count a change of a match."""
    _changes.labels(game_id).inc()


def note_unreadable_address() -> None:
    """Count a client address from a trusted proxy that could not be read."""
    _unreadable.inc()


def note_limit(name: str) -> None:
    """Count a refusal since a limit was reached."""
    _limits.labels(name).inc()


def unreadable_addresses() -> int:
    """Return how many client addresses this process could not read."""
    return int(_here.get_sample_value("antipodes_unreadable_addresses_total") or 0)


def exposition() -> bytes:
    """Return the metrics of this process and of the whole site, as text."""
    whole_site = CollectorRegistry()
    whole_site.register(_WholeSite())
    return generate_latest(_here) + generate_latest(whole_site)


# Beginnings of names of metrics without which a host cannot tell whether the site is well.
_SUMMARISED = (
    "antipodes_backup_",
    "antipodes_database_seconds_",
    "antipodes_handshake",
    "antipodes_limits_reached_total",
    "antipodes_mail_",
    "antipodes_refused_handshakes_total",
)


def summary() -> dict[str, float]:
    """Return some metrics of this process and of the whole site, by their names with labels."""
    families = [*_here.collect(), *_site()]
    return {
        sample.name + "".join(f" {label}" for label in sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
        if sample.name.startswith(_SUMMARISED) and not sample.name.endswith(("_bucket", "_created"))
    }


def listen(address: ListenAddress) -> None:
    """Serve the metrics of this process alone, at an address of its own."""
    try:
        start_http_server(address.port, address.host, _here)
    except OSError as error:
        logger.warning("metrics not served address=%s error=%s", address, error)


class _WholeSite(Collector):
    """A collector of metrics of the whole site."""

    def collect(self) -> Iterable[Metric]:
        return _site()


def _site() -> Iterator[Metric]:
    for metrics in site_metrics:
        yield from metrics()
    yield InfoMetricFamily("antipodes_build", "Version", value={"version": antipodes.__version__})
    yield from _backup_age()
    ahead = "Seconds by which the site's clock is ahead of the reference clock"
    yield GaugeMetricFamily("antipodes_clock_ahead_seconds", ahead, value=clock.ahead() / 1_000)
    at = clock.now()
    age = GaugeMetricFamily(
        "antipodes_process_silence_seconds",
        "Time since the latest heartbeat of each process",
        labels=["kind", "process"],
    )
    done = GaugeMetricFamily(
        "antipodes_engine_done", "Jobs that an engine has run", labels=["process"]
    )
    for row in ProcessRow.objects.all():
        age.add_metric([row.kind, row.name], (at - row.seen_at) / 1_000)
        if row.kind == ProcessKind.ENGINE:
            done.add_metric([row.name], row.done)
    yield age
    yield done


def _backup_age() -> Iterator[Metric]:
    """Yield nothing if there is no backup; with PostgreSQL, its archived log counts."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT EXTRACT(EPOCH FROM now() - last_archived_time) FROM pg_stat_archiver"
            )
            [age] = cursor.fetchone()
    else:
        age = data_files.backup_age()
    if age is not None:
        told = "Time since the latest backup, or since PostgreSQL archived a part of its log"
        yield GaugeMetricFamily("antipodes_backup_age_seconds", told, value=max(float(age), 0.0))
