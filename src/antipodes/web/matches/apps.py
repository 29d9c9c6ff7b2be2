"""Configuration of the matches app."""

from __future__ import annotations

from django.apps import AppConfig

from antipodes.web.platform import pubsub


class MatchesConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.matches"
    label = "matches"

    def ready(self) -> None:
        """Connect pub/sub topics, metrics and the data export."""
        from antipodes.web.accounts import data_export
        from antipodes.web.matches import checks, presence, snapshots  # noqa: F401
        from antipodes.web.matches.data_export import matches_of
        from antipodes.web.matches.metrics import open_matches
        from antipodes.web.platform import metrics

        metrics.site_metrics.append(open_matches)
        data_export.sections["matches"] = matches_of
        pubsub.subscribe(snapshots.RENAMED, snapshots.receive_renaming)
        pubsub.subscribe(presence.TOPIC, presence.receive_counts)
