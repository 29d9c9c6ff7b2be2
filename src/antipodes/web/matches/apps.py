"""Configuration of the matches app."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.apps import AppConfig

from antipodes.web.platform import pubsub

if TYPE_CHECKING:
    from antipodes.web.matches.models import MatchRow


class MatchesConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.matches"
    label = "matches"

    def ready(self) -> None:
        """Connect signals, pub/sub topics, metrics and the data export."""
        from antipodes.web.accounts import data_export
        from antipodes.web.accounts.account_deletion import account_deleting
        from antipodes.web.accounts.models import user_renamed
        from antipodes.web.accounts.services import guest_transferred
        from antipodes.web.clubs.services import members_changed
        from antipodes.web.matches import (  # noqa: F401
            checks,
            computer_moves,
            presence,
            services,
            snapshots,
        )
        from antipodes.web.matches.account_deletion import give_up_all
        from antipodes.web.matches.club_access import check_spectators
        from antipodes.web.matches.data_export import matches_of
        from antipodes.web.matches.metrics import count_change, open_matches
        from antipodes.web.matches.series import take_over
        from antipodes.web.platform import metrics

        metrics.site_metrics.append(open_matches)
        data_export.sections["matches"] = matches_of
        services.match_changed.connect(count_change, dispatch_uid=count_change.__name__)
        members_changed.connect(check_spectators, dispatch_uid=check_spectators.__name__)
        pubsub.subscribe(snapshots.RENAMED, snapshots.receive_renaming)
        pubsub.subscribe(presence.TOPIC, presence.receive_counts)
        services.match_changed.connect(_let_computer_respond, dispatch_uid=computer_moves.__name__)
        user_renamed.connect(snapshots.publish_renaming, dispatch_uid=snapshots.__name__)
        guest_transferred.connect(take_over, dispatch_uid=take_over.__name__)
        account_deleting.connect(give_up_all, dispatch_uid=give_up_all.__name__)


def _let_computer_respond(row: MatchRow, **_: object) -> None:
    from antipodes.web.matches.computer_moves import respond

    respond(row)
