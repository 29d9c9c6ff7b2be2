"""Secrets that the site generates and shares among its machines through the database."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from antipodes.web.platform.models import SecretRow


def shared_secret(name: str, make: Callable[[], str]) -> str:
    """Return a secret of the site; the first process of any machine generates it.

    Args:
        name: of the secret.
        make: generates the secret.
    """
    rows = SecretRow.objects.filter(name=name).values_list("value", flat=True)
    found = rows.first()
    if found is None:
        made = SecretRow(name=name, value=make())
        with transaction.atomic():
            SecretRow.objects.bulk_create([made], ignore_conflicts=True)
        found = rows.get()  # another process may have been first
    return found
