"""Configuration of the analysis app."""

from __future__ import annotations

from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.analysis"
    label = "analysis"
