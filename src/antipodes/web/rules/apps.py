"""App configuration of the rules pages."""

from __future__ import annotations

from django.apps import AppConfig


class RulesConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.rules"
    label = "rules"
