"""The app of play by e-mail."""

from __future__ import annotations

from django.apps import AppConfig


class MailroomConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.mailroom"
    label = "mailroom"
