"""Metrics of the job queue."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily, Metric

from antipodes.web.jobs import queue
from antipodes.web.jobs.models import Kind

_QUEUES = {Kind.MOVE: "moves", Kind.ANALYSIS: "analyses", Kind.REVIEW: "reviews"}


def queue_metrics() -> Iterator[Metric]:
    """Yield how many jobs of each kind wait, and for how long."""
    queued = GaugeMetricFamily(
        "antipodes_queue_length", "Jobs that wait for an engine, or are done now", labels=["queue"]
    )
    waited = GaugeMetricFamily(
        "antipodes_queue_seconds", "Time since the oldest of these jobs was put", labels=["queue"]
    )
    for kind, (length, seconds) in queue.lengths().items():
        queued.add_metric([_QUEUES[kind]], length)
        waited.add_metric([_QUEUES[kind]], seconds)
    yield queued
    yield waited
