"""Secrets that the site makes for itself, one for all its machines, kept in the database.

So they are part of every copy of the database. Before, each machine kept its own in a file.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from antipodes.web.platform.config import data_folder
from antipodes.web.platform.models import SecretRow


def shared_secret(name: str, make: Callable[[], str]) -> str:
    """Return a secret of the site; it is made once, whichever process of any machine comes first.

    Args:
        name: of the secret. A file of that name in the data folder, from an earlier version, is
            taken over and left where it is.
        make: makes the secret if there is none yet.
    """
    rows = SecretRow.objects.filter(name=name).values_list("value", flat=True)
    found = rows.first()
    if found is None:
        made = SecretRow(name=name, value=_kept_in_file(name) or make())
        with transaction.atomic():
            SecretRow.objects.bulk_create([made], ignore_conflicts=True)
        found = rows.get()  # another process may have been quicker
    return found


def _kept_in_file(name: str) -> str:
    file = data_folder() / name
    return file.read_text(encoding="ascii").strip() if file.exists() else ""
