"""Metrics of challenges."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily, Metric

from antipodes.web.challenges.models import ChallengeRow


def open_challenges() -> Iterator[Metric]:
    """Yield the number of open challenges."""
    count = ChallengeRow.objects.filter(match=None).count()
    yield GaugeMetricFamily(
        "antipodes_challenges_open", "Challenges that wait for players", value=count
    )
