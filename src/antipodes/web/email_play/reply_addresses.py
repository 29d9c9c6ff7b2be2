"""Personal reply addresses: ``play+TOKEN@HOST`` authenticates one user at one match.

A token is signed, not stored. It signs the user, the match and two generations, one of the user
and one of the user at this match; incrementing either revokes all earlier addresses. Mail servers
may change the case of an address, so tokens are written in base32.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.db.models import F, Subquery

from antipodes.web.accounts.models import User
from antipodes.web.email_play.models import MailPlayRow, MailThreadRow
from antipodes.web.matches.models import MatchRow, SeatRow

SEPARATOR = "+"  # between the name of the mailbox and the token

_PURPOSE = b"antipodes reply address"
_SIGNATURE = 10  # bytes; 80 bits cannot be guessed by mail
_IDS = 10  # bytes of user and match


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
    """Return whether the site receives mail at all."""
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
    ids = _packed(user.pk, row.pk)
    generations = _generations(user.pk, row.pk)
    return signed_address(ids + _signature(settings.SECRET_KEY, ids, generations))


def address_owner(address: str) -> AddressOwner | None:
    """Return the owner of a reply address; ``None`` if it is not ours, forged or revoked.

    The owner must be a player of the match now; having been one is not enough.
    """
    signed = signed_part(address, _IDS + _SIGNATURE)
    if signed is None:
        return None
    ids, signature = signed[:_IDS], signed[_IDS:]
    user, match = _unpacked(ids)
    threads = MailThreadRow.objects.filter(user=user, match=match)
    seats = SeatRow.objects.filter(user=user, match=match, user__is_active=True).annotate(
        of_user=F("user__by_mail__generation"), of_thread=Subquery(threads.values("generation")[:1])
    )
    seat = seats.select_related("user", "match__series").first()
    if seat is None:
        return None
    generations = seat.of_user or 0, seat.of_thread or 0
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    if not any(hmac.compare_digest(signature, _signature(key, ids, generations)) for key in keys):
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


def _generations(user: int, match: int) -> tuple[int, int]:
    of_user = MailPlayRow.objects.filter(user=user).values_list("generation", flat=True).first()
    threads = MailThreadRow.objects.filter(user=user, match=match)
    return of_user or 0, threads.values_list("generation", flat=True).first() or 0


def _packed(user: int, match: int) -> bytes:
    half = _IDS // 2
    return user.to_bytes(half, "big") + match.to_bytes(half, "big")


def _unpacked(ids: bytes) -> tuple[int, int]:
    half = _IDS // 2
    return int.from_bytes(ids[:half], "big"), int.from_bytes(ids[half:], "big")


def _signature(key: str, ids: bytes, generations: tuple[int, int]) -> bytes:
    message = b"\0".join([_PURPOSE, ids, b"%d.%d" % generations])
    return hmac.digest(key.encode(), message, "sha256")[:_SIGNATURE]


def signed_address(signed: bytes, prefix: str = "") -> str:
    """Return the personal address with signed bytes; empty if the site receives no mail.

    Args:
        signed: data and signature.
        prefix: put before the token, to distinguish kinds of addresses.
    """
    host = mail_host()
    token = base64.b32encode(signed).decode().rstrip("=").lower()
    return host and f"{mail_user()}{SEPARATOR}{prefix}{token}@{host}"


def signed_part(address: str, length: int, prefix: str = "") -> bytes | None:
    """Return the signed bytes of a personal address; ``None`` unless it has ``length`` of them."""
    if not is_personal(address):
        return None
    local = address.strip().lower().rpartition("@")[0]
    text = local.removeprefix(mail_user() + SEPARATOR + prefix).upper()
    try:
        signed = base64.b32decode(text + "=" * (-len(text) % 8))
    except (binascii.Error, ValueError):
        return None
    return signed if len(signed) == length else None
