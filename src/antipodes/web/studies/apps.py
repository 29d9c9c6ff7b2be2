"""Configuration of the studies app."""

from __future__ import annotations

from django.apps import AppConfig


class StudiesConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.studies"
    label = "studies"
