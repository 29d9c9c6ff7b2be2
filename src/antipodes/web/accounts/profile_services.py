"""Services of profiles."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from antipodes.errors import Fault, InputError
from antipodes.web.accounts.models import ProfileRow, User
from antipodes.web.accounts.profile_forms import ProfileForm
from antipodes.web.platform.clock import now


def profile_of(user: User) -> ProfileRow:
    """Return the profile of a user, or an empty unsaved one."""
    return ProfileRow.objects.filter(user=user).first() or ProfileRow(user=user)


def change_profile(user: User, changes: Mapping[str, str]) -> ProfileRow:
    """Change some fields of a profile.

    Args:
        user: the owner.
        changes: by the names of the fields of ``ProfileForm``.

    Raises:
        InputError: a value is invalid, or the user is muted and says something new; nothing has
            changed.
    """
    with transaction.atomic():
        # Serialised, so that concurrent changes of other fields are not lost.
        User.objects.select_for_update().get(pk=user.pk)
        row = profile_of(user)
        current = {name: getattr(row, name) for name in ProfileForm.Meta.fields}
        form = ProfileForm({**current, **changes}, instance=row)
        if not form.is_valid():
            raise InputError(
                [
                    Fault("profile/text", str(message), name)
                    for name, messages in form.errors.items()
                    for message in messages
                ]
            )
        form.instance.changed_at = now()
        stored: ProfileRow = form.save()
    return stored
