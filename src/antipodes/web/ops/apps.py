"""The app of what a host looks at."""

from django.apps import AppConfig


class OpsConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.ops"
    label = "ops"
