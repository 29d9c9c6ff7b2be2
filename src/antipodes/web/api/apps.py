"""The app of the interface for programs."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.api"
    label = "api"
