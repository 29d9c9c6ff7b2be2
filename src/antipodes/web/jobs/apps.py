"""App configuration of the job queue."""

from __future__ import annotations

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.jobs"
    label = "jobs"

    def ready(self) -> None:
        """Register metrics and counters, and note the network of each user who signs in."""
        from django.contrib.auth.signals import user_logged_in

        from antipodes.web.jobs import clients, worker_threads
        from antipodes.web.jobs.metrics import queue_metrics
        from antipodes.web.platform import heartbeats, metrics

        metrics.site_metrics.append(queue_metrics)
        heartbeats.count_done = worker_threads.jobs_done

        user_logged_in.connect(clients.note_network, dispatch_uid=clients.__name__)
