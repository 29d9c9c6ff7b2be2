"""Configuration of the archive app."""

from django.apps import AppConfig


class ArchiveConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.archive"
    label = "archive"

    def ready(self) -> None:
        """Register the periodic tasks, and the signal that changes names in the open data."""
        from antipodes.web.accounts.services import guest_transferred
        from antipodes.web.archive import open_data, services  # noqa: F401

        guest_transferred.connect(_mark_months, dispatch_uid=__name__)


def _mark_months(after: int, **_: object) -> None:
    from antipodes.web.archive.open_data import mark_months_of

    mark_months_of(after)
