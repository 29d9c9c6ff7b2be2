"""Everything that is kept of somebody, for them to take along."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from django.core import serializers
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from antipodes.records import write_record
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.recording import record_of
from antipodes.web.matches.services import now
from antipodes.web.matches.standings import standing_of
from antipodes.web.people.models import User
from antipodes.web.people.services import belongings

FORMAT = "antipodes-own-data/1"

# The name of the field says whose a row is: what names somebody as "whom" or "about" is another's.
_OWNERS = ("user", "by")
# Whoever reads the file could act in one's name, so keys to anything are not in it.
_SECRETS = {"password", "digest", "auth", "p256dh", "endpoint", "session_key", "token", "claim"}
_SECRETS_OF = {"mfa.authenticator": {"data"}}


def own_data(user: User, address_of: Callable[[MatchRow], str]) -> Iterator[str]:
    """Return a JSON document of all that is kept of somebody, in pieces.

    It has ``format``, ``at`` (milliseconds since 1970), the ``account``, ``rows`` by the names of
    their tables, and the records of all ``matches``.

    Args:
        user: whose data.
        address_of: gives the address of a match's page.
    """
    (account,) = _rows([user])
    head = {"format": FORMAT, "at": now(), "account": account, "rows": dict(_tables(user))}
    text = json.dumps(head, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
    yield text.removesuffix("}").rstrip() + ',\n "matches": ['
    found = MatchRow.objects.filter(seats__user=user).distinct().order_by("pk")
    for number, row in enumerate(found.select_related("series").iterator(chunk_size=100)):
        record = record_of(standing_of(row), address_of(row))
        yield (",\n" if number else "\n") + write_record(record).rstrip()
    yield "]}\n"


def _tables(user: User) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    fields: dict[type[models.Model], set[str]] = {}
    for model, field in belongings():
        fields.setdefault(model, set()).add(field)
    for model, names in fields.items():
        owner = next((name for name in _OWNERS if name in names), None)
        if owner is None:
            continue
        rows = model._default_manager.filter(**{owner: user}).order_by("pk")  # noqa: SLF001
        if found := _rows(rows, without=names - {owner}):
            yield model._meta.label_lower, found  # noqa: SLF001 - Django's own name


def _rows(rows: Any, without: set[str] | frozenset[str] = frozenset()) -> list[dict[str, Any]]:
    """Return rows as data, without secrets, and without who else had to do with them."""
    found = []
    for one in serializers.serialize("python", rows):
        secrets = _SECRETS | _SECRETS_OF.get(one["model"], set()) | without
        found.append({key: value for key, value in one["fields"].items() if key not in secrets})
    return found
