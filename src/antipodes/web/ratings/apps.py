"""Configuration of the ratings app."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.ratings"
    label = "ratings"

    def ready(self) -> None:
        """Register the periodic tasks, and let a deletion wait until no match is being rated."""
        from antipodes.web.accounts.account_deletion import rows_deleting
        from antipodes.web.ratings import services, voiding  # noqa: F401

        rows_deleting.connect(services.lock_pools, dispatch_uid=__name__)
