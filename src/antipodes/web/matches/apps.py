"""The app of matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.apps import AppConfig

from antipodes.web import wake

if TYPE_CHECKING:
    from antipodes.web.matches.models import MatchRow
    from antipodes.web.people.models import User


_RENAMED = "renamed"  # the name under which processes tell each other


class MatchesConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.matches"
    label = "matches"

    def ready(self) -> None:
        """Let the computer hear of changes, and matches of what becomes of people."""
        from django.db.models.signals import post_save

        from antipodes.web.matches import checks, computer, services, watchers  # noqa: F401
        from antipodes.web.matches.departures import give_up_all
        from antipodes.web.matches.series import take_over
        from antipodes.web.people.farewell import leaving
        from antipodes.web.people.models import User
        from antipodes.web.people.services import adopted

        wake.hear(_RENAMED, _forget)
        wake.hear(watchers.NEWS, watchers.hear)
        services.match_changed.connect(_tell_computer, dispatch_uid=computer.__name__)
        post_save.connect(_note_name, sender=User, dispatch_uid=__name__)
        adopted.connect(take_over, dispatch_uid=take_over.__name__)
        leaving.connect(give_up_all, dispatch_uid=give_up_all.__name__)


def _tell_computer(row: MatchRow, **_: object) -> None:
    from antipodes.web.matches.computer import take_part

    take_part(row)


def _note_name(instance: User, **_: object) -> None:
    """Let every process forget a name that has perhaps changed."""
    wake.tell_everybody(_RENAMED, {"user": instance.pk})


def _forget(message: dict[str, Any]) -> None:
    from antipodes.web.matches.standings import forget_user

    forget_user(message["user"])
