"""Personal reply addresses: ``play+TOKEN@HOST`` authenticates one user at one match.

A token is signed, not stored. It signs the user, the match and two generations, one of the user
and one of the user at this match; incrementing either revokes all earlier addresses. Mail servers
may change the case of an address, so tokens are written in base32.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from django.conf import settings
from django.db.models import F, Model, QuerySet, Subquery

from antipodes.web.accounts.models import User
from antipodes.web.email_play.models import MailPlayRow, MailThreadRow
from antipodes.web.matches.models import MatchRow, SeatRow

SEPARATOR = "+"  # between the name of the mailbox and the token

_Row = TypeVar("_Row", bound=Model)

_SIGNATURE = 10  # bytes; 80 bits cannot be guessed by mail
_ID_BITS = 40  # of a user and of a match


@dataclass(frozen=True, slots=True)
class SignedAddress:
    """A kind of personal addresses, which contain a signed number.

    Attributes:
        purpose: signed too, so that a signature of one kind is none of another.
        size: bytes of the number. Kinds with one prefix differ in it.
        prefix: written before the token.
    """

    purpose: bytes
    size: int
    prefix: str = ""

    def write(self, number: int, revocable: bytes) -> str:
        """Return the address with a number; empty if the site receives no mail.

        Args:
            number: which row it is about.
            revocable: a state of that row; when it changes, the address is no longer valid.
        """
        signed = number.to_bytes(self.size, "big")
        signed += self._signature(settings.SECRET_KEY, signed, revocable)
        # Base 32, since some mail programs change the case of addresses.
        token = base64.b32encode(signed).decode().rstrip("=").lower()
        host = mail_host()
        return host and f"{mail_user()}{SEPARATOR}{self.prefix}{token}@{host}"

    def number_in(self, address: str) -> int | None:
        """Return the number in an address, before its signature is checked; else ``None``."""
        signed = self._signed_part(address)
        return None if signed is None else int.from_bytes(signed[: self.size], "big")

    def find(
        self, rows: QuerySet[_Row], address: str, revocable: Callable[[_Row], bytes]
    ) -> _Row | None:
        """Return the row that an address is about; ``None`` if it is forged or revoked."""
        number = self.number_in(address)
        row = None if number is None else rows.filter(pk=number).first()
        return row if row is not None and self.is_valid(address, revocable(row)) else None

    def is_valid(self, address: str, revocable: bytes) -> bool:
        """Return whether the site has signed an address, and it was not revoked."""
        signed = self._signed_part(address)
        return signed is not None and any(
            hmac.compare_digest(
                signed[self.size :], self._signature(key, signed[: self.size], revocable)
            )
            for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
        )

    def _signature(self, key: str, number: bytes, revocable: bytes) -> bytes:
        message = b"\0".join([self.purpose, number, revocable])
        return hmac.digest(key.encode(), message, "sha256")[:_SIGNATURE]

    def _signed_part(self, address: str) -> bytes | None:
        if not is_personal(address):
            return None
        local = address.strip().lower().rpartition("@")[0]
        text = local.removeprefix(mail_user() + SEPARATOR + self.prefix).upper()
        try:
            signed = base64.b32decode(text + "=" * (-len(text) % 8))
        except (binascii.Error, ValueError):
            return None
        return signed if len(signed) == self.size + _SIGNATURE else None


_ADDRESS = SignedAddress(b"antipodes reply address", size=2 * _ID_BITS // 8)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressOwner:
    """The user whom a reply address authenticates.

    Attributes:
        user: the user.
        row: the only match for which the address is valid.
    """

    user: User
    row: MatchRow


def receives_mail() -> bool:
    return bool(mail_host())


def mail_host() -> str:
    """Return the domain at which the site receives mail; empty if it receives none."""
    return str(settings.MAIL_HOST)


def mail_user() -> str:
    """Return the name of the mailbox, before the separator."""
    return str(settings.MAIL_USER)


def command_address() -> str:
    """Return the address for commands with mail tokens; empty if the site receives no mail."""
    host = mail_host()
    return host and f"{mail_user()}@{host}"


def reply_address(user: User, row: MatchRow) -> str:
    """Return a user's reply address for a match; empty if the site receives no mail."""
    threads = MailThreadRow.objects.filter(user=user, match=row)
    of_thread = threads.values_list("generation", flat=True).first() or 0
    ids = user.pk << _ID_BITS | row.pk
    return _ADDRESS.write(ids, b"%d.%d" % (generation_of(user.pk), of_thread))


def address_owner(address: str) -> AddressOwner | None:
    """Return the owner of a reply address; ``None`` if it is not ours, forged or revoked.

    The owner must be a player of the match now; having been one is not enough.
    """
    ids = _ADDRESS.number_in(address)
    if ids is None:
        return None
    user, match = divmod(ids, 1 << _ID_BITS)
    threads = MailThreadRow.objects.filter(user=user, match=match)
    seats = SeatRow.objects.filter(user=user, match=match, user__is_active=True).annotate(
        of_user=F("user__by_mail__generation"), of_thread=Subquery(threads.values("generation")[:1])
    )
    seat = seats.select_related("user", "match__series").first()
    if seat is None or not _ADDRESS.is_valid(
        address, b"%d.%d" % (seat.of_user or 0, seat.of_thread or 0)
    ):
        return None
    return AddressOwner(user=seat.user, row=seat.match)


def is_personal(address: str) -> bool:
    """Return whether an address has the form of a personal address, valid or not."""
    local, _, host = address.strip().lower().rpartition("@")
    return bool(host) and host == mail_host().lower() and local.startswith(mail_user() + SEPARATOR)


def personal_addresses(addresses: Iterable[str]) -> list[str]:
    """Return the personal addresses among others, each once."""
    found = (address.strip().lower() for address in addresses if is_personal(address))
    return list(dict.fromkeys(found))


def revoke_all(user: User) -> None:
    """Revoke all reply addresses of a user; new e-mails have new ones."""
    MailPlayRow.objects.get_or_create(user=user)
    MailPlayRow.objects.filter(user=user).update(generation=F("generation") + 1)


def revoke_at(user: User, row: MatchRow) -> None:
    """Revoke a user's reply address for one match."""
    MailThreadRow.objects.get_or_create(user=user, match=row)
    MailThreadRow.objects.filter(user=user, match=row).update(generation=F("generation") + 1)


def generation_of(user: int | None) -> int:
    """Return how often a user, by the primary key, has revoked all addresses."""
    return MailPlayRow.objects.filter(user=user).values_list("generation", flat=True).first() or 0
