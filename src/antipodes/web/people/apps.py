"""The app of people."""

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.people"
    label = "people"
