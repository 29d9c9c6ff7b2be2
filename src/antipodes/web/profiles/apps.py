"""Configuration of the profiles app."""

from __future__ import annotations

from django.apps import AppConfig


class ProfilesConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.profiles"
    label = "profiles"
