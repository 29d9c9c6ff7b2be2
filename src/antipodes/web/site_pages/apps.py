"""Configuration of the site_pages app."""

from __future__ import annotations

from django.apps import AppConfig


class SitePagesConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.site_pages"
    label = "site_pages"
