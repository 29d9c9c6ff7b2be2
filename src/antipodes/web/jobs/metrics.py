"""Metrics of the job queue."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily, Metric

from antipodes.web.jobs import queue
from antipodes.web.jobs.models import Kind

_QUEUES = {
    Kind.MOVE: "moves",
    Kind.SHOW: "shows",
    Kind.ANALYSIS: "analyses",
    Kind.REVIEW: "reviews",
    Kind.PUZZLE: "puzzles",
    Kind.MISTAKE: "mistakes",
    Kind.PROOF: "proofs",
}


def queue_metrics() -> Iterator[Metric]:
    """Yield the number of jobs of each kind, and the age of the oldest."""
    queued = GaugeMetricFamily("antipodes_queue_length", "Jobs that wait or run", labels=["queue"])
    waited = GaugeMetricFamily(
        "antipodes_queue_seconds", "Age of the oldest of these jobs", labels=["queue"]
    )
    for kind, (length, seconds) in queue.lengths().items():
        queued.add_metric([_QUEUES[kind]], length)
        waited.add_metric([_QUEUES[kind]], seconds)
    yield queued
    yield waited
