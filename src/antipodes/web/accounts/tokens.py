"""What all tokens have in common: words that stand for somebody, and never are their password.

Only a hash of a token is kept. A token has so much chance in it that one round of SHA-256 is
enough: nobody can try all of them, as one could with passwords.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from antipodes.errors import Fault, InputError
from antipodes.notation.text import shorten
from antipodes.records.texts import clean_name
from antipodes.web.accounts.models import TokenBase, User
from antipodes.web.platform.clock import now
from antipodes.web.platform.outages import optional_write

LONGEST_NAME = 60  # characters

_SHOWN = 4  # characters at the end by which a token is told from others
_HOUR = 3_600_000  # milliseconds

Row = TypeVar("Row", bound=TokenBase)


@dataclass(frozen=True, kw_only=True)
class TokenKind(Generic[Row]):
    """One kind of tokens, such as those for programs.

    Attributes:
        rows: its table.
        prefix: by which people, and programs that look for secrets, know one when they see it.
        chance: makes what stands behind the prefix.
        most: how many tokens of this kind one account may have.
    """

    rows: type[Row]
    prefix: str
    chance: Callable[[], str]
    most: int

    def make(
        self, user: User, name: str, *, faults: Sequence[Fault] = (), **kept: Any
    ) -> tuple[Row, str]:
        """Make a token; return its row, and the token itself, which is never shown again.

        Args:
            user: for whom it will stand.
            name: what its owner calls it.
            faults: what is wrong with the rest of the wish.
            **kept: columns that tokens of this kind alone have.

        Raises:
            InputError: a guest asks, the name is empty or too long, there are too many tokens
                already, or there are other faults.
        """
        if user.is_guest or user.is_computer:
            raise InputError.single("token/no-account", _("Tokens need an account: sign up first."))
        shown = clean_name(name)
        found = [*_name_faults(shown), *faults]
        if self.of(user).count() >= self.most:
            message = _("You have %(count)s tokens; revoke one that you no longer need.")
            found.append(Fault("token/too-many", message % {"count": self.most}))
        if found:
            raise InputError(found)
        text = self.prefix + self.chance()
        row = self._all().create(
            user=user,
            name=shown,
            digest=digest_of(text),
            ending=text[-_SHOWN:],
            made_at=now(),
            **kept,
        )
        return row, text

    def find(self, text: str) -> Row | None:
        """Return the row of a token with its user, unless it was revoked or the account closed."""
        row = self._all().select_related("user").filter(digest=digest_of(text)).first()
        return row if row is not None and row.user.is_active else None

    def note_use(self, row: Row) -> None:
        """Note that a token was used; the hour is enough, and is written once an hour only."""
        at = now()
        hour = at - at % _HOUR
        if row.used_at != hour:
            with optional_write("when a token was used"):
                self._all().filter(pk=row.pk).update(used_at=hour)

    def of(self, user: User) -> QuerySet[Row]:
        """Return somebody's tokens, the newest first."""
        return self._all().filter(user=user)

    def revoke(self, user: User, key: int) -> bool:
        """End one of somebody's tokens at once; return whether there was one."""
        count, _rows = self.of(user).filter(pk=key).delete()
        return count > 0

    def _all(self) -> QuerySet[Row]:
        return self.rows._default_manager.all()  # noqa: SLF001 - Django's own name


def digest_of(text: str) -> str:
    """Return the hash of a token, by which it is found."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _name_faults(name: str) -> list[Fault]:
    if 0 < len(name) <= LONGEST_NAME:
        return []
    message = _("A name has 1 to %(most)s characters; %(name)s has %(count)s.")
    told = {"most": LONGEST_NAME, "name": shorten(name), "count": len(name)}
    return [Fault("token/name", message % told, "name")]
