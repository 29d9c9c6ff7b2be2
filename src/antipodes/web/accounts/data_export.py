"""Data export: all data that the site stores about a user."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from django.core import serializers
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import user_foreign_keys
from antipodes.web.platform.clock import now

FORMAT = "antipodes-own-data/1"

# Foreign keys that mean ownership; a row that refers to a user by another field is not theirs.
_OWNERS = ("user", "by")
# A reader of the file could act as the user with these.
_SECRETS = {"password", "digest", "auth", "p256dh", "endpoint", "session_key", "token", "claim"}
_SECRETS_OF = {"mfa.authenticator": {"data"}}


# A function that yields JSON texts for a user, given a function that turns a path into a URL.
Section = Callable[[User, Callable[[str], str]], Iterator[str]]
sections: dict[str, Section] = {}  # of other apps, by name; set by the wiring


def export_data(user: User, address_of: Callable[[str], str]) -> Iterator[str]:
    """Yield the parts of a JSON document with all data of a user.

    It has ``format``, ``at`` (milliseconds since 1970), the ``account``, ``rows`` by the names of
    their tables, and a list for each of `sections`, such as the records of all ``matches``.

    Args:
        user: the user.
        address_of: turns the path of a page into its URL.
    """
    (account,) = _rows([user])
    head = {"format": FORMAT, "at": now(), "account": account, "rows": dict(_tables(user))}
    text = json.dumps(head, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
    yield text.removesuffix("}").rstrip()
    for name, section in sections.items():
        yield f',\n "{name}": ['
        for number, item in enumerate(section(user, address_of)):
            yield (",\n" if number else "\n") + item
        yield "]"
    yield "}\n"


def _tables(user: User) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    fields: dict[type[models.Model], set[str]] = {}
    for model, field in user_foreign_keys():
        fields.setdefault(model, set()).add(field)
    for model, names in fields.items():
        owner = next((name for name in _OWNERS if name in names), None)
        if owner is None:
            continue
        rows = model._default_manager.filter(**{owner: user}).order_by("pk")  # noqa: SLF001
        if exported := _rows(rows, without=names - {owner}):
            yield model._meta.label_lower, exported  # noqa: SLF001 - Django's own name


def _rows(rows: Any, without: set[str] | frozenset[str] = frozenset()) -> list[dict[str, Any]]:
    """Return rows as data, without secrets and other users."""
    found = []
    for one in serializers.serialize("python", rows):
        secrets = _SECRETS | _SECRETS_OF.get(one["model"], set()) | without
        found.append({key: value for key, value in one["fields"].items() if key not in secrets})
    return found
