"""Tokens of all kinds: text that authenticates an account in place of its password.

Only a hash is stored. Unlike passwords, tokens have enough randomness that one round of SHA-256
protects them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from antipodes.clocks import HOUR
from antipodes.errors import Fault, InputError
from antipodes.notation.text import shorten
from antipodes.records.texts import clean_name
from antipodes.web.accounts.models import TokenBase, User
from antipodes.web.platform.clock import now
from antipodes.web.platform.outages import optional_write

LONGEST_NAME = 60  # characters

_SHOWN = 4  # last characters, which lists show

Row = TypeVar("Row", bound=TokenBase)


@dataclass(frozen=True, kw_only=True)
class TokenKind(Generic[Row]):
    """One kind of token, such as API tokens.

    Attributes:
        model: its model.
        prefix: the beginning of the text, by which people and secret scanners recognise it.
        generate: makes the random text after the prefix.
        limit: the maximum number for each account.
    """

    model: type[Row]
    prefix: str
    generate: Callable[[], str]
    limit: int

    def make(
        self, user: User, name: str, *, faults: Sequence[Fault] = (), **columns: Any
    ) -> tuple[Row, str]:
        """Make a token; return its row and its text, which is not stored.

        Args:
            user: the owner.
            name: the owner's name for it.
            faults: faults of the other columns.
            **columns: columns of this kind of token.

        Raises:
            InputError: the user is a guest, the name is empty or too long, there are too many
                tokens, or there are other faults.
        """
        if user.is_guest or user.is_computer:
            raise InputError.single("token/no-account", _("Tokens need an account: sign up first."))
        name = clean_name(name)
        all_faults = [*_name_faults(name), *faults]
        if self.of(user).count() >= self.limit:
            message = _("You have %(count)s tokens; revoke one that you no longer need.")
            all_faults.append(Fault("token/too-many", message % {"count": self.limit}))
        if all_faults:
            raise InputError(all_faults)
        text = self.prefix + self.generate()
        row = self._rows().create(
            user=user,
            name=name,
            digest=digest_of(text),
            ending=text[-_SHOWN:],
            made_at=now(),
            **columns,
        )
        return row, text

    def find(self, text: str) -> Row | None:
        """Return the row of a token, with its user, unless the account is closed."""
        row = self._rows().select_related("user").filter(digest=digest_of(text)).first()
        return row if row is not None and row.user.is_active else None

    def note_use(self, row: Row) -> None:
        """Store the hour in which a token was last used."""
        at = now()
        hour = at - at % HOUR
        if row.used_at != hour:
            with optional_write("when a token was used"):
                self._rows().filter(pk=row.pk).update(used_at=hour)

    def of(self, user: User) -> QuerySet[Row]:
        """Return a user's tokens, the newest first."""
        return self._rows().filter(user=user)

    def revoke(self, user: User, key: int) -> bool:
        """Revoke a user's token; return whether there was one."""
        count, _deleted = self.of(user).filter(pk=key).delete()
        return count > 0

    def _rows(self) -> QuerySet[Row]:
        return self.model._default_manager.all()  # noqa: SLF001 - Django's own name


def digest_of(text: str) -> str:
    """Return the hash of a token."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _name_faults(name: str) -> list[Fault]:
    if 0 < len(name) <= LONGEST_NAME:
        return []
    message = _("A name has 1 to %(most)s characters; %(name)s has %(count)s.")
    values = {"most": LONGEST_NAME, "name": shorten(name), "count": len(name)}
    return [Fault("token/name", message % values, "name")]
