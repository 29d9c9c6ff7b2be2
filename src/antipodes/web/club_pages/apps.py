"""Configuration of the club_pages app."""

from __future__ import annotations

from django.apps import AppConfig


class ClubPagesConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.club_pages"
    label = "club_pages"
