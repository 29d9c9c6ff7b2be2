"""Metrics of studies."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Sum
from prometheus_client.core import GaugeMetricFamily, Metric

from antipodes.web.studies.models import StudyRow


def stored_bytes() -> Iterator[Metric]:
    """Yield the bytes that all studies have in the database."""
    total = StudyRow.objects.aggregate(total=Sum("nbytes"))["total"] or 0
    yield GaugeMetricFamily(
        "antipodes_study_bytes", "Bytes of studies in the database", value=total
    )
