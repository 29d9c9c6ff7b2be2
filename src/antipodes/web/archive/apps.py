"""The app of finished games."""

from django.apps import AppConfig


class ArchiveConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.archive"
    label = "archive"

    def ready(self) -> None:
        """Let the site file what has ended, and keep its open data up to date."""
        from antipodes.web.accounts.services import guest_transferred
        from antipodes.web.archive import open_data, services  # noqa: F401

        guest_transferred.connect(_note_new_name, dispatch_uid=__name__)


def _note_new_name(after: int, **_: object) -> None:
    from antipodes.web.archive.open_data import note_months_of

    note_months_of(after)
