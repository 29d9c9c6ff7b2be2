"""Configuration of the courses app."""

from __future__ import annotations

from django.apps import AppConfig


class CoursesConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.courses"
    label = "courses"
