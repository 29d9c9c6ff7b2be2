"""Configuration of the relations app."""

from __future__ import annotations

from django.apps import AppConfig


class RelationsConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.relations"
    label = "relations"
