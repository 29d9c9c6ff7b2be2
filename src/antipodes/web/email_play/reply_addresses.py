"""Personal reply addresses: ``play+TOKEN@HOST`` stands for one user at one match.

A token is signed, not stored. What is signed are the user, the match and two generations, one of
the user and one of the user at this match; raising either revokes all addresses made before. Mail
servers may change the case of an address, so tokens are written in base32.
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

SIGN = "+"  # between the name of the mailbox and the token

_PURPOSE = b"antipodes reply address"
_MARK = 10  # bytes of the signature; with 80 bits nobody guesses one by mail
_WHOSE = 10  # bytes of user and match


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """For whom a reply address stands.

    Attributes:
        user: the user.
        row: the match at which it holds, and nowhere else.
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
    """Return what stands before the sign; commands with mail tokens go to it without one."""
    return str(settings.MAIL_USER)


def command_address() -> str:
    """Return where commands with mail tokens go; empty if the site receives no mail."""
    host = mail_host()
    return host and f"{mail_user()}@{host}"


def reply_address(user: User, row: MatchRow) -> str:
    """Return the address by which somebody plays a match; empty if the site receives no mail."""
    return address_of(user.pk, row.pk, _generations(user.pk, row.pk))


def address_of(user: int, match: int, generations: tuple[int, int]) -> str:
    """Return the same where the generations of user and folder are known already."""
    whose = _packed(user, match)
    return written(whose + _signature(settings.SECRET_KEY, whose, generations))


def who_is(address: str) -> Sender | None:
    """Return for whom an address stands; ``None`` if it is none of ours, forged or revoked.

    That somebody once sat at the match is not enough: they must sit there now.
    """
    signed = signed_part(address, _WHOSE + _MARK)
    if signed is None:
        return None
    whose, mark = signed[:_WHOSE], signed[_WHOSE:]
    user, match = _unpacked(whose)
    folders = MailThreadRow.objects.filter(user=user, match=match)
    seats = SeatRow.objects.filter(user=user, match=match, user__is_active=True).annotate(
        of_user=F("user__by_mail__generation"), of_folder=Subquery(folders.values("generation")[:1])
    )
    seat = seats.select_related("user", "match__series").first()
    if seat is None:
        return None
    generations = seat.of_user or 0, seat.of_folder or 0
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    if not any(hmac.compare_digest(mark, _signature(key, whose, generations)) for key in keys):
        return None
    return Sender(user=seat.user, row=seat.match)


def is_personal(address: str) -> bool:
    """Return whether an address has the form of a reply address here, good or not."""
    box, _, host = address.strip().lower().rpartition("@")
    return bool(host) and host == mail_host().lower() and box.startswith(mail_user() + SIGN)


def personal_of(addresses: Iterable[str]) -> list[str]:
    """Return the reply addresses among others, each once."""
    found = (one.strip().lower() for one in addresses if is_personal(one))
    return list(dict.fromkeys(found))


def revoke_all(user: User) -> None:
    """Let none of somebody's reply addresses hold any more; new mail brings new ones."""
    MailPlayRow.objects.get_or_create(user=user)
    MailPlayRow.objects.filter(user=user).update(generation=F("generation") + 1)


def revoke_at(user: User, row: MatchRow) -> None:
    """Let somebody's reply address at one match hold no longer."""
    MailThreadRow.objects.get_or_create(user=user, match=row)
    MailThreadRow.objects.filter(user=user, match=row).update(generation=F("generation") + 1)


def _generations(user: int, match: int) -> tuple[int, int]:
    mine = MailPlayRow.objects.filter(user=user).values_list("generation", flat=True).first()
    folders = MailThreadRow.objects.filter(user=user, match=match)
    return mine or 0, folders.values_list("generation", flat=True).first() or 0


def _packed(user: int, match: int) -> bytes:
    half = _WHOSE // 2
    return user.to_bytes(half, "big") + match.to_bytes(half, "big")


def _unpacked(whose: bytes) -> tuple[int, int]:
    half = _WHOSE // 2
    return int.from_bytes(whose[:half], "big"), int.from_bytes(whose[half:], "big")


def _signature(key: str, whose: bytes, generations: tuple[int, int]) -> bytes:
    told = b"\0".join([_PURPOSE, whose, b"%d.%d" % generations])
    return hmac.digest(key.encode(), told, "sha256")[:_MARK]


def written(signed: bytes, marked: str = "") -> str:
    """Return the personal address with these signed bytes; empty if the site receives no mail.

    Args:
        signed: the bytes.
        marked: what stands before them, where such addresses are told apart by their form.
    """
    host = mail_host()
    token = base64.b32encode(signed).decode().rstrip("=").lower()
    return host and f"{mail_user()}{SIGN}{marked}{token}@{host}"


def signed_part(address: str, length: int, marked: str = "") -> bytes | None:
    """Return the signed bytes of a personal address; ``None`` if they are not that many."""
    if not is_personal(address):
        return None
    box = address.strip().lower().rpartition("@")[0]
    text = box.removeprefix(mail_user() + SIGN + marked).upper()
    try:
        signed = base64.b32decode(text + "=" * (-len(text) % 8))
    except (binascii.Error, ValueError):
        return None
    return signed if len(signed) == length else None
