"""Audit log of moderators' and administrators' actions."""

from __future__ import annotations

from django.contrib.admin.models import LogEntry

from antipodes.web.accounts.masking import for_moderators
from antipodes.web.accounts.models import User
from antipodes.web.moderation.models import AuditRow

_LONGEST = 500  # characters of the object


def record(
    by: User, act: str, about: User | None = None, *, what: str = "", reason: str = ""
) -> AuditRow:
    """Add an action to the audit log.

    Args:
        by: the acting user.
        act: name of the action.
        about: the user acted on.
        what: the object acted on, and details.
        reason: the reason given.
    """
    return AuditRow.objects.create(
        by_key=by.pk,
        by_name=by.username,
        act=act,
        about_key=about.pk if about else None,
        about_name=about.username if about else "",
        what=what[:_LONGEST],
        reason=for_moderators(by, reason),
    )


def record_admin_change(instance: LogEntry, created: bool, **_: object) -> None:
    """Copy an entry of Django's admin log to the audit log."""
    if not created:
        return
    by = instance.user
    changed = instance.get_edited_object() if not instance.is_deletion() else None
    record(
        by,
        instance.get_action_flag_display().lower(),
        changed if isinstance(changed, User) else None,
        what=f"{instance.content_type}: {instance.object_repr}",
        reason=instance.get_change_message(),
    )
