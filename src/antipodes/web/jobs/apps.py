"""App configuration of the job queue."""

from __future__ import annotations

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.jobs"
    label = "jobs"

    def ready(self) -> None:
        """Register metrics and counters."""
        from antipodes.web.jobs import worker_threads
        from antipodes.web.jobs.metrics import queue_metrics
        from antipodes.web.platform import heartbeats, metrics

        metrics.site_metrics.append(queue_metrics)
        heartbeats.count_done = worker_threads.jobs_done
