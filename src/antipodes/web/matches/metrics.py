"""Metrics of matches."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily, Metric

from antipodes.web.matches.models import MatchRow
from antipodes.web.platform import metrics


def open_matches() -> Iterator[Metric]:
    """Yield the number of matches in progress."""
    count = MatchRow.objects.filter(ended_at=None).count()
    yield GaugeMetricFamily(
        "antipodes_matches_under_way", "Matches that have not ended", value=count
    )


def count_change(row: MatchRow, **_: object) -> None:
    metrics.note_change(row.game_id)
