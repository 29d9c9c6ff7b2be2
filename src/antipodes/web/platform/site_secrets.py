"""Secrets that the site generates and shares among its machines through the database."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from antipodes.web.platform.config import data_folder
from antipodes.web.platform.models import SecretRow


def shared_secret(name: str, make: Callable[[], str]) -> str:
    """Return a secret of the site; the first process of any machine generates it.

    Args:
        name: of the secret. A file of that name in the data folder, from an earlier version, is
            taken over and left where it is.
        make: generates the secret.
    """
    rows = SecretRow.objects.filter(name=name).values_list("value", flat=True)
    found = rows.first()
    if found is None:
        made = SecretRow(name=name, value=_kept_in_file(name) or make())
        with transaction.atomic():
            SecretRow.objects.bulk_create([made], ignore_conflicts=True)
        found = rows.get()  # another process may have been first
    return found


def _kept_in_file(name: str) -> str:
    file = data_folder() / name
    return file.read_text(encoding="ascii").strip() if file.exists() else ""
