"""Writing down what the staff does: who, what, to whom, why and when."""

from __future__ import annotations

from django.contrib.admin.models import LogEntry

from antipodes.web.accounts.models import User
from antipodes.web.moderation.models import AuditRow

_LONGEST = 500  # characters of what was acted on


def write_down(
    by: User, act: str, about: User | None = None, *, what: str = "", reason: str = ""
) -> AuditRow:
    """Add an act to the audit log.

    Args:
        by: who has acted.
        act: what was done, as a word.
        about: to whom.
        what: what was acted on, and how.
        reason: why.
    """
    return AuditRow.objects.create(
        by_key=by.pk,
        by_name=by.username,
        act=act,
        about_key=about.pk if about else None,
        about_name=about.username if about else "",
        what=what[:_LONGEST],
        reason=reason,
    )


def note_entry(instance: LogEntry, created: bool, **_: object) -> None:
    """Add what somebody has changed by hand in the admin to the audit log."""
    if not created:
        return
    by = instance.user
    changed = instance.get_edited_object() if not instance.is_deletion() else None
    write_down(
        by,
        instance.get_action_flag_display().lower(),
        changed if isinstance(changed, User) else None,
        what=f"{instance.content_type}: {instance.object_repr}",
        reason=instance.get_change_message(),
    )
